//! TLS of the RPC port, from PEM files. They are read while parsing the command line, so a bad file fails before a port
//! is bound. Changed files are loaded without interrupting connections.

use std::{
    convert::Infallible,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use ring::digest::{Context, Digest, SHA256};
use tokio::time::MissedTickBehavior;

use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, RootCertStore,
        crypto::{CryptoProvider, ring::default_provider},
        pki_types::{CertificateDer, PrivateKeyDer, pem, pem::PemObject},
        server::{VerifierBuilderError, WebPkiClientVerifier},
    },
};

use crate::metrics::CertificateMetrics;

/// Maximum size of a PEM file, in bytes; a certificate chain has about ten thousand.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Interval between two checks of the files.
const RELOAD_INTERVAL: Duration = Duration::from_secs(2);

/// Certificate and key of this process, and the authority of its callers. Default: clear text. Changed files are loaded
/// within seconds. While they are unusable, the previous ones stay in use.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TlsConfig {
    /// PEM file, at most 1 MiB, with this server's certificate first, then its intermediates. Enables TLS on the RPC
    /// port and disables clear text. Reloaded when it changes.
    #[arg(long, env = "TLS_CERTIFICATE", value_name = "PATH", requires = "tls_key", value_parser = certificates)]
    pub tls_certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of the certificate. Reloaded when it changes.
    #[arg(long, env = "TLS_KEY", value_name = "PATH", requires = "tls_certificate", value_parser = private_key)]
    pub tls_key: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the authorities of callers. Callers must then present a certificate signed by one
    /// of them (mutual TLS). Reloaded when it changes.
    #[arg(long, env = "TLS_CLIENT_CA", value_name = "PATH", requires = "tls_certificate", value_parser = certificates)]
    pub tls_client_ca: Option<PathBuf>,
}

/// At least one certificate.
#[derive(Clone, Debug)]
pub struct Certificates(Arc<[CertificateDer<'static>]>);

/// A private key; its `Debug` does not show it.
#[derive(Clone, Debug)]
pub struct PrivateKey(Arc<PrivateKeyDer<'static>>);

/// Why TLS cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A required companion setting is missing.
    #[error("{given} needs {missing}")]
    Incomplete {
        /// Variable that is set.
        given: &'static str,
        /// Variable that is missing.
        missing: &'static str,
    },
    /// A file cannot be used.
    #[error("{setting}: {reason}")]
    File {
        /// Variable that names the file.
        setting: &'static str,
        /// Why, without quoting the file's content.
        reason: String,
    },
    /// The certificate is invalid, or the key does not match it.
    #[error("TLS_CERTIFICATE and TLS_KEY: {0}")]
    Certificate(#[from] rustls::Error),
    /// A certificate cannot be used as an authority.
    #[error("TLS_CLIENT_CA: {0}")]
    Authority(rustls::Error),
    /// The authorities cannot be used.
    #[error("TLS_CLIENT_CA: {0}")]
    Verifier(#[from] VerifierBuilderError),
}

impl TlsConfig {
    pub(super) fn is_on(&self) -> bool {
        self.tls_certificate.is_some()
    }

    /// Opens the TLS of the port; `None` for clear text.
    pub(super) fn open(&self) -> Result<Option<Arc<ServerTls>>, TlsError> {
        let (certificate, key) = match (&self.tls_certificate, &self.tls_key) {
            (Some(certificate), Some(key)) => (certificate.clone(), key.clone()),
            (None, None) if self.tls_client_ca.is_none() => return Ok(None),
            (None, None) => return Err(incomplete("TLS_CLIENT_CA", "TLS_CERTIFICATE")),
            (Some(_), None) => return Err(incomplete("TLS_CERTIFICATE", "TLS_KEY")),
            (None, Some(_)) => return Err(incomplete("TLS_KEY", "TLS_CERTIFICATE")),
        };
        let files = Files {
            certificate,
            key,
            client_ca: self.tls_client_ca.clone(),
        };
        let current = files.read()?;
        current.note_expiry();
        Ok(Some(Arc::new(ServerTls {
            files,
            current: ArcSwap::from_pointee(current),
        })))
    }
}

/// TLS of the port, with the current content of its files.
#[derive(Debug)]
pub(super) struct ServerTls {
    files: Files,
    current: ArcSwap<Current>,
}

#[derive(Clone, Debug)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

#[derive(Debug)]
struct Current {
    /// Digest of the files' content.
    digest: Digest,
    chain: Certificates,
    authorities: Option<Certificates>,
    config: Arc<rustls::ServerConfig>,
}

impl ServerTls {
    /// Returns the acceptor of one connection, for HTTP/2.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.current.load().config))
    }

    /// Checks the files forever. Unusable files, which may be half written, change nothing.
    pub(super) async fn follow(&self) -> Infallible {
        let metrics = CertificateMetrics::global();
        let mut ticks = tokio::time::interval(RELOAD_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_error = None;
        loop {
            ticks.tick().await;
            let files = self.files.clone();
            match tokio::task::spawn_blocking(move || files.read()).await {
                Ok(Ok(read)) => {
                    last_error = None;
                    if read.digest.as_ref() != self.current.load().digest.as_ref() {
                        read.note_expiry();
                        self.current.store(Arc::new(read));
                        metrics.read.inc();
                        tracing::info!("certificate reloaded");
                    }
                }
                // Log once, not every two seconds until the files are repaired.
                Ok(Err(error)) => {
                    let text = error.to_string();
                    if last_error.as_ref() != Some(&text) {
                        metrics.refused.inc();
                        tracing::error!(%error, "changed certificate is unusable, keeping the previous one");
                        last_error = Some(text);
                    }
                }
                Err(error) => tracing::error!(%error, "reading certificates panicked"),
            }
        }
    }
}

impl Current {
    fn note_expiry(&self) {
        let metrics = CertificateMetrics::global();
        metrics.set_expiry("TLS_CERTIFICATE", self.chain.chain());
        if let Some(authorities) = &self.authorities {
            metrics.set_expiry("TLS_CLIENT_CA", authorities.chain());
        }
    }
}

impl Files {
    fn read(&self) -> Result<Current, TlsError> {
        let unusable = |setting| move |reason| TlsError::File { setting, reason };
        let chain = Certificates::read(&self.certificate).map_err(unusable("TLS_CERTIFICATE"))?;
        let key = PrivateKey::read(&self.key).map_err(unusable("TLS_KEY"))?;
        let authorities = self.client_ca.as_deref().map(Certificates::read);
        let authorities = authorities.transpose().map_err(unusable("TLS_CLIENT_CA"))?;
        let mut digest = Context::new(&SHA256);
        let trusted = authorities.iter().flat_map(Certificates::chain);
        for certificate in chain.chain().iter().chain(trusted) {
            digest.update(certificate);
        }
        digest.update(key.0.secret_der());
        // Named explicitly: the process's default provider depends on which library's features were unified first.
        let provider = Arc::new(default_provider());
        let builder = rustls::ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match &authorities {
            None => builder.with_no_client_auth(),
            Some(authorities) => {
                let verifier = client_verifier(authorities, provider)?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let mut config = builder.with_single_cert(chain.chain().to_vec(), key.clone_key())?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Current {
            digest: digest.finish(),
            chain,
            authorities,
            config: Arc::new(config),
        })
    }
}

fn client_verifier(
    authorities: &Certificates,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn rustls::server::danger::ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for authority in authorities.0.iter() {
        roots.add(authority.clone()).map_err(TlsError::Authority)?;
    }
    Ok(WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?)
}

fn incomplete(given: &'static str, missing: &'static str) -> TlsError {
    TlsError::Incomplete { given, missing }
}

impl Certificates {
    /// Reads the certificates of a PEM file.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than 1 MiB or has no certificate. The text neither names nor quotes the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = read(path)?;
        let certificates: Result<Vec<_>, pem::Error> =
            CertificateDer::pem_slice_iter(&text).collect();
        // The parser's message may quote a broken file, which may be a key.
        let certificates = certificates.map_err(|_| "not PEM")?;
        if certificates.is_empty() {
            return Err("holds no certificate".to_owned());
        }
        Ok(Self(certificates.into()))
    }

    /// Returns the certificates in the order of the file.
    pub fn chain(&self) -> &[CertificateDer<'static>] {
        &self.0
    }
}

impl PrivateKey {
    /// Reads the private key of a PEM file.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than 1 MiB or has no private key. The text neither names nor quotes the
    /// file.
    pub fn read(path: &Path) -> Result<Self, String> {
        match PrivateKeyDer::from_pem_slice(&read(path)?) {
            Ok(key) => Ok(Self(Arc::new(key))),
            Err(pem::Error::NoItemsFound) => Err("holds no private key".to_owned()),
            Err(_) => Err("not PEM".to_owned()),
        }
    }

    /// Returns a copy of the key.
    pub fn clone_key(&self) -> PrivateKeyDer<'static> {
        self.0.clone_key()
    }
}

fn certificates(path: &str) -> Result<PathBuf, String> {
    Certificates::read(path.as_ref()).map(|_| path.into())
}

fn private_key(path: &str) -> Result<PathBuf, String> {
    PrivateKey::read(path.as_ref()).map(|_| path.into())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot read: {error}"))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("larger than {FILE_BYTES_MAX} bytes"));
    }
    Ok(bytes)
}
