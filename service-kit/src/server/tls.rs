//! TLS of a port, from PEM files. Changed files are loaded without interrupting connections. Services read them while
//! parsing the command line, so a bad file fails before a port is bound.

use std::{
    convert::Infallible,
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use tokio::time::MissedTickBehavior;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, RootCertStore, ServerConfig,
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
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Certificates(Arc<[CertificateDer<'static>]>);

/// A private key; its `Debug` does not show it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PrivateKey(Arc<PrivateKeyDer<'static>>);

/// Content of the files of [`TlsConfig`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TlsContents {
    /// Certificate of this server first, then its intermediates.
    pub chain: Certificates,
    /// Private key of the certificate.
    pub key: PrivateKey,
    /// Authorities of callers, for mutual TLS.
    pub authorities: Option<Certificates>,
}

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
    #[error("{setting}: {path}: {reason}")]
    File {
        /// Variable that names the file.
        setting: &'static str,
        /// The file.
        path: PathBuf,
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

    /// Opens the TLS of a port; `None` for clear text. `configure` is called at once and after each change of a file.
    ///
    /// # Errors
    /// When a file or its setting is missing or cannot be used, or `configure` fails.
    pub fn open(
        &self,
        configure: impl Fn(&TlsContents) -> Result<ServerConfig, TlsError> + Send + Sync + 'static,
    ) -> Result<Option<Arc<ServerTls>>, TlsError> {
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
        let contents = files.read()?;
        let config = Arc::new(configure(&contents)?);
        contents.note_expiry();
        Ok(Some(Arc::new(ServerTls {
            files,
            configure: Box::new(configure),
            current: ArcSwap::from_pointee((contents, config)),
        })))
    }
}

type Configure = dyn Fn(&TlsContents) -> Result<ServerConfig, TlsError> + Send + Sync;

/// TLS of a port, with the current content of its files.
pub struct ServerTls {
    files: Files,
    configure: Box<Configure>,
    current: ArcSwap<(TlsContents, Arc<ServerConfig>)>,
}

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

impl fmt::Debug for ServerTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerTls").finish_non_exhaustive()
    }
}

impl ServerTls {
    /// Returns the acceptor of one connection.
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.current.load().1))
    }

    /// Checks the files forever, if there are any. Unusable files, which may be half written, change nothing.
    pub async fn follow(tls: Option<Arc<Self>>) -> Infallible {
        let Some(tls) = tls else {
            return std::future::pending().await;
        };
        let metrics = CertificateMetrics::global();
        let mut ticks = tokio::time::interval(RELOAD_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_error = None;
        loop {
            ticks.tick().await;
            let reloading = Arc::clone(&tls);
            match tokio::task::spawn_blocking(move || reloading.reload()).await {
                Ok(Ok(is_new)) => {
                    last_error = None;
                    if is_new {
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

    /// Switches to the files' content. Returns false if it is already in use.
    fn reload(&self) -> Result<bool, TlsError> {
        let contents = self.files.read()?;
        if contents == self.current.load().0 {
            return Ok(false);
        }
        let config = Arc::new((self.configure)(&contents)?);
        contents.note_expiry();
        self.current.store(Arc::new((contents, config)));
        Ok(true)
    }
}

impl Files {
    fn read(&self) -> Result<TlsContents, TlsError> {
        Ok(TlsContents {
            chain: read_as("TLS_CERTIFICATE", &self.certificate, Certificates::read)?,
            key: read_as("TLS_KEY", &self.key, PrivateKey::read)?,
            authorities: match &self.client_ca {
                Some(path) => Some(read_as("TLS_CLIENT_CA", path, Certificates::read)?),
                None => None,
            },
        })
    }
}

fn read_as<T>(
    setting: &'static str,
    path: &Path,
    read: impl Fn(&Path) -> Result<T, String>,
) -> Result<T, TlsError> {
    read(path).map_err(|reason| TlsError::File {
        setting,
        path: path.to_owned(),
        reason,
    })
}

impl TlsContents {
    fn note_expiry(&self) {
        let metrics = CertificateMetrics::global();
        metrics.set_expiry("TLS_CERTIFICATE", self.chain.chain());
        if let Some(authorities) = &self.authorities {
            metrics.set_expiry("TLS_CLIENT_CA", authorities.chain());
        }
    }

    /// Returns the configuration of an RPC port: HTTP/2, and mutual TLS if there are authorities.
    pub(super) fn rpc_config(&self) -> Result<ServerConfig, TlsError> {
        // Named explicitly: the process's default provider depends on which library's features were unified first.
        let provider = Arc::new(default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match &self.authorities {
            None => builder.with_no_client_auth(),
            Some(authorities) => {
                let verifier = client_verifier(authorities, provider)?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let mut config =
            builder.with_single_cert(self.chain.chain().to_vec(), self.key.clone_key())?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(config)
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

/// Checks a setting that names a PEM file of certificates.
///
/// # Errors
/// As [`Certificates::read`].
pub fn certificates(path: &str) -> Result<PathBuf, String> {
    Certificates::read(path.as_ref()).map(|_| path.into())
}

/// Checks a setting that names a PEM file of a private key.
///
/// # Errors
/// As [`PrivateKey::read`].
pub fn private_key(path: &str) -> Result<PathBuf, String> {
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
