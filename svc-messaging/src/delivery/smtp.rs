//! Hands mails to an SMTP server (RFC 5321).
//!
//! At most as many connections at once as the lanes of the outbox use. One is used again only after everything on it went well: who is interrupted in the middle of a dialogue
//! drops it, since nobody could tell to which mail the next answer belongs. (That is why this is not the pool of `lettre`.)

use std::{
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
        extension::ClientId,
    },
};
use tokio::{sync::Semaphore, time::timeout};
use url::Url;

use super::{DeliveryError, Transport};
use crate::mail::{lane, message::Envelope};

/// Until TCP is connected.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Until the server has greeted, TLS stands and the password is accepted.
const READY_TIMEOUT: Duration = Duration::from_secs(15);
/// A connection that was not used for so long is closed: servers do it soon, and more often than they say so.
const IDLE_MAX: Duration = Duration::from_secs(20);
/// How long a connection may take to say that it is still there.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// Whether a connection is encrypted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Tls {
    /// From its first byte (`smtps:`).
    Wrapped,
    /// By STARTTLS, or no mail is sent.
    Required,
    /// By STARTTLS where the server offers it. If it then fails no mail is sent either.
    Opportunistic,
    /// Never: for a server on the same machine.
    None,
}

/// An address such as `smtp://user:password@mail.example:587?tls=required`. Its `Debug` shows no password.
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

    /// `smtp:` is port 587 with `tls=required` unless said otherwise; `smtps:` is port 465. A password is never sent in clear.
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

/// A part of an address as it was before it was written into it.
fn decoded(part: &str) -> String {
    percent_encoding::percent_decode_str(part)
        .decode_utf8_lossy()
        .into_owned()
}

struct Parked {
    connection: AsyncSmtpConnection,
    since: Instant,
}

/// Sends mails to one server.
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
    /// `hello` is the name by which this machine greets. `authority` is PEM of authorities that are trusted beside those of the machine.
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

    /// Waits this long, and not 15 seconds, for a server to be ready for a mail.
    #[must_use]
    pub fn ready_within(self, ready_timeout: Duration) -> Self {
        Self {
            ready_timeout,
            ..self
        }
    }

    async fn connected(&self) -> Result<AsyncSmtpConnection, DeliveryError> {
        while let Some(parked) = self.unpark() {
            let mut connection = parked.connection;
            let is_fresh = parked.since.elapsed() < IDLE_MAX;
            if is_fresh && timeout(CHECK_TIMEOUT, connection.test_connected()).await == Ok(true) {
                return Ok(connection);
            }
        }
        timeout(self.ready_timeout, self.connect())
            .await
            .map_err(|_| DeliveryError::Temporary("the mail server is slow to answer".into()))?
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, DeliveryError> {
        // Whatever is wrong before a mail was offered is wrong with the server or the configuration, not with the mail.
        let temporary = |error: Error| DeliveryError::Temporary(described(&error));
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
            return Err(DeliveryError::Temporary(
                "the mail server offers no TLS".into(),
            ));
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
    async fn send(&self, envelope: &Envelope) -> Result<(), DeliveryError> {
        let no_address = |_| DeliveryError::Permanent("an address is none".into());
        let from: Address = envelope.from.parse().map_err(no_address)?;
        let to: Address = envelope.to.parse().map_err(no_address)?;
        let route = lettre::address::Envelope::new(Some(from), vec![to])
            .map_err(|_| DeliveryError::Permanent("an address is none".into()))?;
        let _permit = self.permits.acquire().await.map_err(|_| {
            DeliveryError::Temporary("the connections to the mail server are closed".into())
        })?;
        let mut connection = self.connected().await?;
        match connection.send(&route, &envelope.body).await {
            Ok(_) => {
                self.park(connection);
                Ok(())
            }
            Err(error) if is_about_the_mail(&error) => {
                Err(DeliveryError::Permanent(described(&error)))
            }
            Err(error) => Err(DeliveryError::Temporary(described(&error))),
        }
    }
}

/// Whether the server refuses this mail for ever. That it asks for a password or TLS is a matter of configuration.
fn is_about_the_mail(error: &Error) -> bool {
    const CONFIGURATION: [&str; 4] = ["530", "534", "535", "538"];
    let code = error.status().map(|code| code.to_string());
    error.is_permanent() && code.is_some_and(|code| !CONFIGURATION.contains(&code.as_str()))
}

/// What went wrong, without the server's own words: they quote addresses.
fn described(error: &Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_tls() => "TLS with the mail server failed".into(),
        None if error.is_timeout() => "the mail server is slow to answer".into(),
        None if error.is_response() => "the mail server's answer cannot be read".into(),
        None if error.is_client() => "the mail server lacks what the mail needs".into(),
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
    fn an_address_says_how_mails_are_protected() {
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
