//! TLS to services, mutual if a certificate is configured. The files may be replaced while the process runs.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use parking_lot::Mutex;
use service_kit::server::tls::{Certificates, PrivateKey};
use sha2::{Digest as _, Sha256};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        self, ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{InvalidDnsNameError, ServerName},
    },
};

use super::config::UpstreamTlsConfig;

/// Why TLS to services cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamTlsError {
    /// Nothing says whose certificates are to be trusted.
    #[error("an upstream with https needs UPSTREAM_CA")]
    NoAuthority,
    /// Certificate and key belong together.
    #[error("UPSTREAM_CERTIFICATE and UPSTREAM_KEY go together")]
    Incomplete,
    /// A file cannot be used.
    #[error("{path}: {reason}")]
    File {
        /// Which.
        path: PathBuf,
        /// Nothing of what it holds.
        reason: String,
    },
    /// A certificate is broken, or the key is that of another.
    #[error("UPSTREAM_CA, UPSTREAM_CERTIFICATE, UPSTREAM_KEY: {0}")]
    Certificate(#[from] rustls::Error),
    /// No certificate can have such a name.
    #[error("the name of an upstream's certificate: {0}")]
    Name(#[from] InvalidDnsNameError),
}

/// Makes TLS connections to services.
#[derive(Debug)]
pub(super) struct UpstreamTls {
    files: Files,
    server_name: Option<ServerName<'static>>,
    current: Mutex<Current>,
}

#[derive(Clone, Debug)]
struct Files {
    authorities: PathBuf,
    identity: Option<(PathBuf, PathBuf)>,
}

#[derive(Clone, Debug)]
struct Current {
    /// Of what the files held.
    digest: [u8; 32],
    config: Arc<ClientConfig>,
}

impl UpstreamTls {
    /// Reads the files.
    ///
    /// # Errors
    /// When one of them is missing or cannot be used.
    pub(super) fn load(config: &UpstreamTlsConfig) -> Result<Self, UpstreamTlsError> {
        let authorities = config.upstream_ca.clone();
        let identity = match (&config.upstream_certificate, &config.upstream_key) {
            (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
            (None, None) => None,
            _ => return Err(UpstreamTlsError::Incomplete),
        };
        let files = Files {
            authorities: authorities.ok_or(UpstreamTlsError::NoAuthority)?,
            identity,
        };
        let server_name = config.upstream_server_name.clone();
        Ok(Self {
            current: Mutex::new(files.read()?),
            server_name: server_name.map(ServerName::try_from).transpose()?,
            files,
        })
    }

    /// The name that a certificate must have whose server is addressed as `host`.
    pub(super) fn server_name(&self, host: &str) -> Result<ServerName<'static>, UpstreamTlsError> {
        match &self.server_name {
            Some(name) => Ok(name.clone()),
            None => Ok(ServerName::try_from(host.to_owned())?),
        }
    }

    /// With what the files hold now, or, when that cannot be used, with what they held before.
    pub(super) async fn connector(&self) -> TlsConnector {
        let files = self.files.clone();
        match tokio::task::spawn_blocking(move || files.read()).await {
            Ok(Ok(read)) => {
                let mut current = self.current.lock();
                // Kept where nothing changed: it remembers sessions.
                if current.digest != read.digest {
                    *current = read;
                    tracing::info!("certificates for upstreams were read again");
                }
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "certificates for upstreams cannot be used, the last good ones are");
            }
            Err(error) => tracing::error!(%error, "reading certificates panicked"),
        }
        TlsConnector::from(Arc::clone(&self.current.lock().config))
    }
}

impl Files {
    fn read(&self) -> Result<Current, UpstreamTlsError> {
        let mut digest = Sha256::new();
        let authorities = certificates(&self.authorities)?;
        let mut roots = RootCertStore::empty();
        for authority in authorities.chain() {
            digest.update(authority);
            roots.add(authority.clone())?;
        }
        // By name: the process's default provider is whichever library's features were unified first.
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots);
        let mut config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = certificates(certificate)?;
                for certificate in chain.chain() {
                    digest.update(certificate);
                }
                let key = PrivateKey::read(key).map_err(|reason| UpstreamTlsError::File {
                    path: key.clone(),
                    reason,
                })?;
                let key = key.clone_key();
                digest.update(key.secret_der());
                builder.with_client_auth_cert(chain.chain().to_vec(), key)?
            }
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Current {
            digest: digest.finalize().into(),
            config: Arc::new(config),
        })
    }
}

fn certificates(path: &Path) -> Result<Certificates, UpstreamTlsError> {
    Certificates::read(path).map_err(|reason| UpstreamTlsError::File {
        path: path.to_owned(),
        reason,
    })
}
