//! TLS of the RPC port, from PEM files. They are read while parsing the command line, so a bad file fails before a port
//! is bound.

use std::{fs::File, io::Read, path::Path, sync::Arc};

use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, RootCertStore,
        crypto::{CryptoProvider, ring},
        pki_types::{CertificateDer, PrivateKeyDer, pem, pem::PemObject},
        server::{VerifierBuilderError, WebPkiClientVerifier},
    },
};

/// Maximum size of a PEM file, in bytes; a certificate chain has about ten thousand.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Certificate and key of this process, and the authority of its callers. Default: clear text.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TlsConfig {
    /// PEM file, at most 1 MiB, with this server's certificate first, then its intermediates. Enables TLS on the RPC
    /// port and disables clear text. Read at start.
    #[arg(long, env = "TLS_CERTIFICATE", value_name = "PATH", requires = "tls_key", value_parser = certificates)]
    pub tls_certificate: Option<Certificates>,
    /// PEM file, at most 1 MiB, with the private key of the certificate. Read at start.
    #[arg(long, env = "TLS_KEY", value_name = "PATH", requires = "tls_certificate", value_parser = private_key)]
    pub tls_key: Option<PrivateKey>,
    /// PEM file, at most 1 MiB, with the authorities of callers. Callers must then present a certificate signed by one
    /// of them (mutual TLS). Read at start.
    #[arg(long, env = "TLS_CLIENT_CA", value_name = "PATH", requires = "tls_certificate", value_parser = certificates)]
    pub tls_client_ca: Option<Certificates>,
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

    /// Builds the acceptor of TLS connections for HTTP/2; `None` for clear text.
    pub(super) fn acceptor(&self) -> Result<Option<TlsAcceptor>, TlsError> {
        let (certificates, key) = match (&self.tls_certificate, &self.tls_key) {
            (Some(certificates), Some(key)) => (certificates, key),
            (None, None) if self.tls_client_ca.is_none() => return Ok(None),
            (None, None) => return Err(incomplete("TLS_CLIENT_CA", "TLS_CERTIFICATE")),
            (Some(_), None) => return Err(incomplete("TLS_CERTIFICATE", "TLS_KEY")),
            (None, Some(_)) => return Err(incomplete("TLS_KEY", "TLS_CERTIFICATE")),
        };
        // Named explicitly: the process's default provider depends on which library's features were unified first.
        let provider = Arc::new(ring::default_provider());
        let builder = rustls::ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match &self.tls_client_ca {
            None => builder.with_no_client_auth(),
            Some(authorities) => {
                let verifier = client_verifier(authorities, provider)?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let mut config = builder.with_single_cert(certificates.0.to_vec(), key.0.clone_key())?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Some(TlsAcceptor::from(Arc::new(config))))
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
    /// When the file cannot be read, is larger than 1 MiB or has no certificate. The text does not name the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = read(path)?;
        let certificates: Result<Vec<_>, pem::Error> =
            CertificateDer::pem_slice_iter(&text).collect();
        let certificates = certificates.map_err(|error| format!("not PEM: {error}"))?;
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
            // The parser's message may quote a broken file.
            Err(_) => Err("not PEM".to_owned()),
        }
    }

    /// Returns a copy of the key.
    pub fn clone_key(&self) -> PrivateKeyDer<'static> {
        self.0.clone_key()
    }
}

fn certificates(path: &str) -> Result<Certificates, String> {
    Certificates::read(path.as_ref())
}

fn private_key(path: &str) -> Result<PrivateKey, String> {
    PrivateKey::read(path.as_ref())
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
