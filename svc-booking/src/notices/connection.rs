//! The connection to the messaging service.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use service_kit::client_tls::{ClientTls, ClientTlsError, ClientTlsFiles};
use tonic::{
    codegen::http::Uri,
    transport::{Channel, Endpoint},
};

/// A call may take this long; the outbox's own limit of a delivery is longer.
pub(super) const CALL_TIME_MAX: Duration = Duration::from_secs(5);
/// TCP, TLS and the beginning of HTTP/2.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(2);
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

/// Where the messaging service is, which tells patients what happens to their appointments.
#[derive(Clone, Debug, Default, Args)]
pub struct MessagingConfig {
    /// The messaging service, `http://host:port`, or `https://` with MESSAGING_CA. Without it nobody is told: the notices wait.
    #[arg(long, env = "MESSAGING_URL", value_name = "URL")]
    pub messaging_url: Option<Uri>,
    /// PEM file, at most 1 MiB, with the authorities that sign the certificate of the messaging service. Read again for each new
    /// connection, like the two below.
    #[arg(long, env = "MESSAGING_CA", value_name = "PATH")]
    pub messaging_ca: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the certificate that is presented to the messaging service (mutual TLS), its own first.
    #[arg(
        long,
        env = "MESSAGING_CERTIFICATE",
        value_name = "PATH",
        requires = "messaging_key"
    )]
    pub messaging_certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of that certificate.
    #[arg(
        long,
        env = "MESSAGING_KEY",
        value_name = "PATH",
        requires = "messaging_certificate"
    )]
    pub messaging_key: Option<PathBuf>,
    /// Name in the certificate of the messaging service, where it is not the host of its URL.
    #[arg(long, env = "MESSAGING_SERVER_NAME", value_name = "NAME")]
    pub messaging_server_name: Option<String>,
}

impl MessagingConfig {
    /// To the messaging service, which need not be there yet; `None` if none is configured.
    ///
    /// # Errors
    /// When TLS is asked for and cannot be offered.
    pub fn channel(&self) -> Result<Option<Channel>, ClientTlsError> {
        let Some(url) = &self.messaging_url else {
            return Ok(None);
        };
        let endpoint = Endpoint::from(url.clone())
            .connect_timeout(CONNECT_TIME_MAX)
            .timeout(CALL_TIME_MAX)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL);
        if url.scheme_str() != Some("https") {
            return Ok(Some(endpoint.connect_lazy()));
        }
        let tls = Arc::new(ClientTls::load(&self.files())?);
        let connector = tower::service_fn(move |address: Uri| {
            let tls = Arc::clone(&tls);
            async move { tls.connect(&address).await }
        });
        Ok(Some(endpoint.connect_with_connector_lazy(connector)))
    }

    fn files(&self) -> ClientTlsFiles {
        ClientTlsFiles {
            variables: "MESSAGING",
            authorities: self.messaging_ca.clone(),
            certificate: self.messaging_certificate.clone(),
            key: self.messaging_key.clone(),
            server_name: self.messaging_server_name.clone(),
        }
    }
}
