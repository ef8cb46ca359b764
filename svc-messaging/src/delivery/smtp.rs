//! Sends mails to an SMTP server (RFC 5321).
//!
//! The number of concurrent connections is limited to that of the outbox lanes. A connection is reused only after every
//! command on it succeeded. An attempt cancelled in mid-dialogue drops its connection, because the next reply could
//! belong to either mail. (This is why `lettre`'s pool is not used.)

use std::{
    error::Error as _,
    fmt,
    sync::Mutex,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use lettre::{
    Address,
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, Certificate, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
    },
};
use tokio::{sync::Semaphore, time::timeout};
use url::Url;

use super::{
    SendError, Transport,
    reply::{self, Class, Enhanced, Stage},
};
use crate::mail::{lane, message::Envelope};

/// Timeout of the TCP connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for the greeting, the TLS handshake and authentication.
const READY_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum idle time before a connection is closed. Servers close idle connections early, often earlier than
/// documented.
const IDLE_MAX: Duration = Duration::from_secs(20);
/// Timeout of the check that a parked connection is still alive.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// Encryption mode of the SMTP connection.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Tls {
    /// TLS from the first byte (`smtps:`).
    Wrapped,
    /// STARTTLS; without it no mail is sent.
    Required,
    /// STARTTLS if the server offers it. If the handshake then fails, no mail is sent.
    Opportunistic,
    /// No encryption; for a server on the same machine.
    None,
}

/// A URL such as `smtp://user:password@mail.example:587?tls=required`. Its `Debug` output omits the password.
#[derive(Clone)]
pub struct SmtpUrl {
    host: String,
    port: u16,
    tls: Tls,
    credentials: Option<Credentials>,
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{} ({:?})", self.host, self.port, self.tls)
    }
}

impl std::str::FromStr for SmtpUrl {
    type Err = &'static str;

    /// Parses the URL. `smtp:` defaults to port 587 and `tls=required`, and to port 25 with the other modes; `smtps:`
    /// defaults to port 465. A password is never sent unencrypted.
    fn from_str(text: &str) -> Result<Self, &'static str> {
        const WANTED: &str = "must be smtp://[USER:PASSWORD@]HOST[:PORT][?tls=required|opportunistic|none] or smtps://…";
        let url = Url::parse(text).map_err(|_| WANTED)?;
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or(WANTED)?.trim_matches(['[', ']']).to_owned();
        let mode: Vec<_> = url.query_pairs().collect();
        let (port, tls) = match (url.scheme(), mode.as_slice()) {
            ("smtps", []) => (465, Tls::Wrapped),
            ("smtp", []) => (587, Tls::Required),
            ("smtp", [(name, value)]) if name == "tls" => match value.as_ref() {
                "required" => (587, Tls::Required),
                "opportunistic" => (25, Tls::Opportunistic),
                "none" => (25, Tls::None),
                _ => return Err(WANTED),
            },
            _ => return Err(WANTED),
        };
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(WANTED);
        }
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            (user, Some(password)) if !user.is_empty() => {
                Some(Credentials::new(decoded(user), decoded(password)))
            }
            _ => return Err(WANTED),
        };
        if credentials.is_some() && !matches!(tls, Tls::Wrapped | Tls::Required) {
            return Err("a password needs tls=required or smtps:");
        }
        Ok(Self {
            host,
            port: url.port().unwrap_or(port),
            tls,
            credentials,
        })
    }
}

/// Decodes the percent-encoding of a URL component.
fn decoded(part: &str) -> String {
    percent_encoding::percent_decode_str(part)
        .decode_utf8_lossy()
        .into_owned()
}

struct Parked {
    connection: AsyncSmtpConnection,
    since: Instant,
}

/// Transport to one SMTP server.
pub struct Smtp {
    url: SmtpUrl,
    hello: ClientId,
    certificates: TlsParameters,
    ready_timeout: Duration,
    permits: Semaphore,
    parked: Mutex<Vec<Parked>>,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Smtp({:?})", self.url)
    }
}

impl Smtp {
    /// Creates the transport. `hello` is this machine's name in EHLO. `authority` is PEM of certificate authorities
    /// trusted in addition to the system's.
    ///
    /// # Errors
    /// When the certificates cannot be used.
    pub fn new(url: SmtpUrl, hello: &str, authority: Option<&[u8]>) -> Result<Self, Error> {
        let mut certificates = TlsParameters::builder(url.host.clone());
        if let Some(pem) = authority {
            certificates = certificates.add_root_certificate(Certificate::from_pem(pem)?);
        }
        Ok(Self {
            certificates: certificates.build()?,
            hello: ClientId::Domain(hello.to_owned()),
            url,
            ready_timeout: READY_TIMEOUT,
            permits: Semaphore::new(lane::CONCURRENCY_MAX),
            parked: Mutex::default(),
        })
    }

    /// Replaces the 15-second timeout until the server is ready for a mail.
    #[must_use]
    pub fn ready_within(self, ready_timeout: Duration) -> Self {
        Self {
            ready_timeout,
            ..self
        }
    }

    async fn connected(&self) -> Result<AsyncSmtpConnection, SendError> {
        while let Some(parked) = self.unpark() {
            let mut connection = parked.connection;
            let is_fresh = parked.since.elapsed() < IDLE_MAX;
            if is_fresh && timeout(CHECK_TIMEOUT, connection.test_connected()).await == Ok(true) {
                return Ok(connection);
            }
        }
        timeout(self.ready_timeout, self.connect())
            .await
            .map_err(|_| SendError::Temporary("the mail server is slow to respond".into()))?
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        // An error before a mail was offered is caused by the server or the configuration, not by the mail.
        let temporary = |error: Error| match error.status() {
            Some(_) => refused(&error, Stage::Sender),
            None => SendError::Temporary(described(&error)),
        };
        let wrapped = (self.url.tls == Tls::Wrapped).then(|| self.certificates.clone());
        let server = (self.url.host.as_str(), self.url.port);
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            server,
            Some(CONNECT_TIMEOUT),
            &self.hello,
            wrapped,
            None,
        )
        .await
        .map_err(temporary)?;
        let starts_tls = match self.url.tls {
            Tls::Required => true,
            Tls::Opportunistic => connection.can_starttls(),
            Tls::Wrapped | Tls::None => false,
        };
        if starts_tls {
            connection
                .starttls(self.certificates.clone(), &self.hello)
                .await
                .map_err(temporary)?;
        }
        let must_be_encrypted = matches!(self.url.tls, Tls::Required | Tls::Wrapped);
        if must_be_encrypted && !connection.is_encrypted() {
            return Err(SendError::Temporary("the mail server offers no TLS".into()));
        }
        if let Some(credentials) = &self.url.credentials {
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], credentials)
                .await
                .map_err(temporary)?;
        }
        Ok(connection)
    }

    fn unpark(&self) -> Option<Parked> {
        let mut parked = self
            .parked
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        parked.pop()
    }

    fn park(&self, connection: AsyncSmtpConnection) {
        let since = Instant::now();
        let mut parked = self
            .parked
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        parked.push(Parked { connection, since });
    }
}

#[async_trait]
impl Transport for Smtp {
    async fn send(&self, envelope: &Envelope) -> Result<(), SendError> {
        let temporary = |error: &str| SendError::Temporary(error.to_owned());
        let from: Address = envelope.from.parse().map_err(|_| {
            // From the configuration, which was checked at start.
            temporary("the sender's address is invalid")
        })?;
        let to: Address = envelope.to.parse().map_err(|_| SendError::Recipient {
            error: "the recipient's address is invalid".into(),
            is_certain: false,
        })?;
        let permits = self.permits.acquire().await;
        let _permit =
            permits.map_err(|_| temporary("the connections to the mail server are closed"))?;
        let mut connection = self.connected().await?;
        match hand_over(&mut connection, from, to, &envelope.body).await {
            Ok(()) => {
                self.park(connection);
                Ok(())
            }
            Err((stage, error)) => Err(refused(&error, stage)),
        }
    }
}

/// Sends one mail, command by command, because the meaning of a refusal depends on the command. The mail is ASCII and
/// needs no SMTP extension.
async fn hand_over(
    connection: &mut AsyncSmtpConnection,
    from: Address,
    to: Address,
    mail: &[u8],
) -> Result<(), (Stage, Error)> {
    let at = |stage| move |error| (stage, error);
    let sender = connection.command(Mail::new(Some(from), Vec::new()));
    sender.await.map_err(at(Stage::Sender))?;
    let recipient = connection.command(Rcpt::new(to, Vec::new()));
    recipient.await.map_err(at(Stage::Recipient))?;
    let data = connection.command(Data);
    data.await.map_err(at(Stage::Data))?;
    let taken = connection.message(mail).await;
    taken.map(drop).map_err(at(Stage::Data))
}

fn refused(error: &Error, stage: Stage) -> SendError {
    let Some(status) = error.status() else {
        return SendError::Temporary(described(error));
    };
    let code = u16::from(status);
    let text = error.source().map(ToString::to_string).unwrap_or_default();
    let class = reply::judge(code, &text, stage);
    reply::count(class);
    let enhanced = Enhanced::parse(&text);
    // Server texts quote addresses, so only the codes are stored.
    let shown = enhanced.map_or_else(String::new, |enhanced| format!(" {enhanced}"));
    let error = format!(
        "the mail server answered {code}{shown} ({})",
        class.as_str()
    );
    if class == Class::Recipient {
        let is_certain = enhanced.is_some_and(Enhanced::is_of_recipient);
        SendError::Recipient { error, is_certain }
    } else {
        SendError::Temporary(error)
    }
}

/// Describes an error without the server's text, which may quote addresses.
fn described(error: &Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_tls() => "TLS with the mail server failed".into(),
        None if error.is_timeout() => "the mail server is slow to respond".into(),
        None if error.is_response() => "the mail server's answer cannot be read".into(),
        None if error.is_client() => {
            "the mail server lacks an extension that the mail needs".into()
        }
        None => "the connection to the mail server failed".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SmtpUrl, &'static str> {
        text.parse()
    }

    #[test]
    fn the_url_selects_tls() {
        let url = parse("smtp://hospital:p%40ss%3Aw+d@mail.example").expect("an address");
        assert_eq!((url.port, url.tls), (587, Tls::Required));
        assert_eq!(
            url.credentials,
            Some(Credentials::new("hospital".into(), "p@ss:w+d".into()))
        );
        assert!(!format!("{url:?}").contains("p@ss"));
        for (text, port, tls) in [
            ("smtps://mail.example", 465, Tls::Wrapped),
            ("smtp://127.0.0.1:2525?tls=none", 2525, Tls::None),
            (
                "smtp://mail.example?tls=opportunistic",
                25,
                Tls::Opportunistic,
            ),
            ("smtp://mail.example:26?tls=required", 26, Tls::Required),
        ] {
            let url = parse(text).expect(text);
            assert_eq!((url.port, url.tls), (port, tls), "{text}");
        }
        for bad in [
            "mail.example",
            "http://mail.example",
            "smtp://",
            "smtp://mail.example?tls=maybe",
            "smtp://mail.example?ssl=required",
            "smtps://mail.example?tls=none",
            "smtp://user@mail.example",
            "smtp://mail.example/box",
            "smtp://user:password@mail.example?tls=none",
            "smtp://user:password@mail.example?tls=opportunistic",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
