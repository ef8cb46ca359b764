//! TLS of the public listener: 1.2 and 1.3, HTTP/2 and HTTP/1.1 by ALPN, session resumption by tickets. A new
//! certificate is loaded from its files without interrupting connections.

use std::sync::Arc;

use service_kit::server::tls::{ServerTls, TlsConfig, TlsError};
use tokio_rustls::rustls::{ServerConfig, crypto::ring, version};

use super::config::ListenConfig;

impl ListenConfig {
    /// Reads the configured files. Returns `None` if none are configured, for clear text.
    pub fn open_tls(&self) -> Result<Option<Arc<ServerTls>>, TlsError> {
        let files = TlsConfig {
            tls_certificate: self.tls_certificate.clone(),
            tls_key: self.tls_key.clone(),
            tls_client_ca: None,
        };
        // Named explicitly: the process's default provider depends on which library's features were unified first.
        let provider = Arc::new(ring::default_provider());
        // Shared by all certificates, so that a renewal does not end sessions.
        let ticketer = ring::Ticketer::new()?;
        files.open(move |contents| {
            let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
                .with_protocol_versions(&[&version::TLS13, &version::TLS12])?
                .with_no_client_auth()
                .with_single_cert(contents.chain.chain().to_vec(), contents.key.clone_key())?;
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
            config.ticketer = Arc::clone(&ticketer);
            Ok(config)
        })
    }
}
