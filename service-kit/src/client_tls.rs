//! TLS to services, mutual if a certificate is configured. The files are read again for each new connection, so they
//! can be replaced at run time. If the new files are unusable, the last good ones stay in use.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use http::Uri;
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use ring::digest::{Context, Digest, SHA256};
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        self, ClientConfig, RootCertStore,
        crypto::ring::default_provider,
        pki_types::{InvalidDnsNameError, ServerName},
    },
};

use tonic::transport::{Channel, Endpoint};

use crate::{
    metrics::CertificateMetrics,
    server::tls::{Certificates, PrivateKey},
};

const HTTPS: u16 = 443;
/// Timeout of TCP connect, TLS handshake and HTTP/2 start.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(2);
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

/// Why TLS to services cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum ClientTlsError {
    /// No trusted authority is configured.
    #[error("an address with https needs {0}_CA")]
    NoAuthority(&'static str),
    /// Only one of certificate and key is configured.
    #[error("{0}_CERTIFICATE and {0}_KEY go together")]
    Incomplete(&'static str),
    /// A file cannot be used.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why, without quoting the file's content.
        reason: String,
    },
    /// A certificate is invalid, or the key does not match it.
    #[error("certificates of a client: {0}")]
    Certificate(#[from] rustls::Error),
    /// The name cannot be a certificate's name.
    #[error("the name of a server's certificate: {0}")]
    Name(#[from] InvalidDnsNameError),
}

/// Files and names for TLS to services.
#[derive(Clone, Debug, Default)]
pub struct ClientTlsFiles {
    /// Prefix of the environment variables, for errors.
    pub variables: &'static str,
    /// PEM file, at most 1 MiB, with the authorities that sign servers' certificates.
    pub authorities: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the certificate presented to servers (mutual TLS), leaf certificate first.
    pub certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of that certificate.
    pub key: Option<PathBuf>,
    /// Name in the servers' certificates, if it differs from the host of the address.
    pub server_name: Option<String>,
}

/// Returns a lazy connection to a service, which may be unreachable at first. `call_time_max` is the timeout of a call.
///
/// # Errors
/// Fails if the address is https, but TLS is unusable.
pub fn channel(
    url: &Uri,
    files: &ClientTlsFiles,
    call_time_max: Duration,
) -> Result<Channel, ClientTlsError> {
    let endpoint = Endpoint::from(url.clone())
        .connect_timeout(CONNECT_TIME_MAX)
        .timeout(call_time_max)
        .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL);
    if url.scheme_str() != Some("https") {
        return Ok(endpoint.connect_lazy());
    }
    let tls = Arc::new(ClientTls::load(files)?);
    let connector = tower::service_fn(move |address: Uri| {
        let tls = Arc::clone(&tls);
        async move { tls.connect(&address).await }
    });
    Ok(endpoint.connect_with_connector_lazy(connector))
}

/// Opens TLS connections to services.
#[derive(Debug)]
pub struct ClientTls {
    files: Files,
    server_name: Option<ServerName<'static>>,
    current: Mutex<Current>,
}

#[derive(Clone, Debug)]
struct Files {
    variables: &'static str,
    authorities: PathBuf,
    identity: Option<(PathBuf, PathBuf)>,
}

#[derive(Clone, Debug)]
struct Current {
    /// Digest of the files' content.
    digest: Digest,
    /// Authorities, and the chain presented to servers.
    certificates: [Option<Certificates>; 2],
    config: Arc<ClientConfig>,
}

impl ClientTls {
    /// Reads the files.
    ///
    /// # Errors
    /// When one of them is missing or cannot be used.
    pub fn load(given: &ClientTlsFiles) -> Result<Self, ClientTlsError> {
        let identity = match (&given.certificate, &given.key) {
            (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
            (None, None) => None,
            _ => return Err(ClientTlsError::Incomplete(given.variables)),
        };
        let authorities = given.authorities.clone();
        let files = Files {
            variables: given.variables,
            authorities: authorities.ok_or(ClientTlsError::NoAuthority(given.variables))?,
            identity,
        };
        let server_name = given.server_name.clone();
        let current = files.read()?;
        files.note_expiry(&current);
        Ok(Self {
            current: Mutex::new(current),
            server_name: server_name.map(ServerName::try_from).transpose()?,
            files,
        })
    }

    /// Returns the name that the certificate of a server addressed as `host` must have.
    ///
    /// # Errors
    /// When it cannot be a certificate's name.
    pub fn server_name(&self, host: &str) -> Result<ServerName<'static>, ClientTlsError> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        match &self.server_name {
            Some(name) => Ok(name.clone()),
            None => Ok(ServerName::try_from(host.to_owned())?),
        }
    }

    /// Returns a connector with the files' current content, or with the last good content if that is unusable.
    pub async fn connector(&self) -> TlsConnector {
        let files = self.files.clone();
        match tokio::task::spawn_blocking(move || files.read()).await {
            Ok(Ok(read)) => {
                let mut current = self.current.lock();
                // An unchanged config is kept, because it caches TLS sessions.
                if current.digest.as_ref() != read.digest.as_ref() {
                    self.files.note_expiry(&read);
                    *current = read;
                    tracing::info!("client certificates reloaded");
                }
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "client certificates could not be reloaded; keeping the last good ones");
            }
            Err(error) => tracing::error!(%error, "reading certificates panicked"),
        }
        TlsConnector::from(Arc::clone(&self.current.lock().config))
    }

    /// Connects to the server at an address, for HTTP/2. Has no time limit: the caller must set one.
    ///
    /// # Errors
    /// When the connection fails, or the server's certificate is not the required one.
    pub async fn connect(&self, address: &Uri) -> io::Result<TokioIo<TlsStream<TcpStream>>> {
        let host = address.host().unwrap_or_default();
        let name = self.server_name(host).map_err(io::Error::other)?;
        let port = address.port_u16().unwrap_or(HTTPS);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((host, port)).await?;
        stream.set_nodelay(true)?;
        let stream = self.connector().await.connect(name, stream).await?;
        Ok(TokioIo::new(stream))
    }
}

impl Files {
    fn note_expiry(&self, current: &Current) {
        for (name, certificates) in ["CA", "CERTIFICATE"].iter().zip(&current.certificates) {
            if let Some(certificates) = certificates {
                let setting = format!("{}_{name}", self.variables);
                CertificateMetrics::global().set_expiry(&setting, certificates.chain());
            }
        }
    }

    fn read(&self) -> Result<Current, ClientTlsError> {
        let mut digest = Context::new(&SHA256);
        let authorities = certificates(&self.authorities)?;
        let mut roots = RootCertStore::empty();
        for authority in authorities.chain() {
            digest.update(authority);
            roots.add(authority.clone())?;
        }
        // Named explicitly: the process's default provider depends on which library's features were unified first.
        let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots);
        let mut presented = None;
        let mut config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = certificates(certificate)?;
                for certificate in chain.chain() {
                    digest.update(certificate);
                }
                let key = PrivateKey::read(key).map_err(|reason| ClientTlsError::File {
                    path: key.clone(),
                    reason,
                })?;
                let key = key.clone_key();
                digest.update(key.secret_der());
                let config = builder.with_client_auth_cert(chain.chain().to_vec(), key)?;
                presented = Some(chain);
                config
            }
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Current {
            digest: digest.finish(),
            certificates: [Some(authorities), presented],
            config: Arc::new(config),
        })
    }
}

fn certificates(path: &Path) -> Result<Certificates, ClientTlsError> {
    Certificates::read(path).map_err(|reason| ClientTlsError::File {
        path: path.to_owned(),
        reason,
    })
}
