//! The connection to the messaging service.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use service_kit::client_tls::{self, ClientTlsError, ClientTlsFiles};
use tonic::{
    Request, Status,
    codegen::http::Uri,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::Channel,
};

/// Timeout of a call. The outbox's own delivery timeout is longer.
pub(super) const CALL_TIME_MAX: Duration = Duration::from_secs(5);

/// Address and credentials of the messaging service, which mails notices to patients.
#[derive(Clone, Debug, Default, Args)]
pub struct MessagingConfig {
    /// URL of the messaging service: `http://host:port`, or `https://` with MESSAGING_CA. Without it, notices wait in
    /// the outbox.
    #[arg(long, env = "MESSAGING_URL", value_name = "URL")]
    pub messaging_url: Option<Uri>,
    /// PEM file, at most 1 MiB, with the CA certificates that sign the messaging service's certificate. Read again for
    /// each new connection, like the two files below.
    #[arg(long, env = "MESSAGING_CA", value_name = "PATH")]
    pub messaging_ca: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the client certificate chain for the messaging service (mutual TLS), leaf first.
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
    /// Name in the certificate of the messaging service, if it differs from the host of its URL.
    #[arg(long, env = "MESSAGING_SERVER_NAME", value_name = "NAME")]
    pub messaging_server_name: Option<String>,
    /// File whose first line is the token for the messaging service: 32 to 256 visible ASCII characters. The messaging
    /// service reads the same token from NOTICE_TOKEN_FILE. Read at startup. Without it, no token is sent.
    #[arg(long, env = "MESSAGING_TOKEN_FILE", value_name = "PATH")]
    pub messaging_token_file: Option<PathBuf>,
}

const TOKEN_CHARS_MIN: usize = 32;
const TOKEN_CHARS_MAX: usize = 256;
/// Maximum number of bytes read from a token file.
const TOKEN_FILE_BYTES_MAX: u64 = 16 * 1024;

/// Client for calls to the messaging service; adds the token to each call.
pub type Messaging = InterceptedService<Channel, Token>;

/// Bearer token that authenticates this service to the messaging service; empty without MESSAGING_TOKEN_FILE.
#[derive(Clone, Debug, Default)]
pub struct Token(Option<MetadataValue<Ascii>>);

impl Interceptor for Token {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            let metadata = request.metadata_mut();
            metadata.insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// Why the messaging service cannot be called. Never contains any part of the token.
#[derive(Debug, thiserror::Error)]
pub enum MessagingError {
    #[error(transparent)]
    Tls(#[from] ClientTlsError),
    #[error("cannot read MESSAGING_TOKEN_FILE {}: {source}", path.display())]
    Token {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "the first line of MESSAGING_TOKEN_FILE {} must be a token of {TOKEN_CHARS_MIN} to {TOKEN_CHARS_MAX} visible ASCII characters",
        path.display()
    )]
    NoToken { path: PathBuf },
}

impl Token {
    fn read(path: &Path) -> Result<Self, MessagingError> {
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(TOKEN_FILE_BYTES_MAX).read_to_string(&mut text))
            .map_err(|source| MessagingError::Token {
                path: path.to_owned(),
                source,
            })?;
        let token = text.lines().next().unwrap_or_default().trim();
        let is_token = (TOKEN_CHARS_MIN..=TOKEN_CHARS_MAX).contains(&token.len())
            && token.bytes().all(|byte| byte.is_ascii_graphic());
        let value = is_token.then(|| format!("Bearer {token}").parse::<MetadataValue<Ascii>>());
        let Some(Ok(mut value)) = value else {
            return Err(MessagingError::NoToken {
                path: path.to_owned(),
            });
        };
        value.set_sensitive(true);
        Ok(Self(Some(value)))
    }
}

impl MessagingConfig {
    /// Returns a lazy connection to the messaging service, which may be unreachable at first; `None` if none is
    /// configured.
    ///
    /// # Errors
    /// Fails if TLS is configured but unusable, or if the token cannot be read.
    pub fn messaging(&self) -> Result<Option<Messaging>, MessagingError> {
        let Some(url) = &self.messaging_url else {
            return Ok(None);
        };
        let token = match &self.messaging_token_file {
            Some(path) => Token::read(path)?,
            None => Token::default(),
        };
        Ok(Some(InterceptedService::new(
            client_tls::channel(url, &self.files(), CALL_TIME_MAX)?,
            token,
        )))
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

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
