//! How mails leave the house, as it is configured.

use std::{fmt, num::NonZeroU32, path::PathBuf, sync::Arc};

use lettre::{Address, message::Mailbox};
use store_kit::process::{Context, StartError};

use super::{
    Courier, TRY_TIMEOUT, Transport, Ways,
    maildir::Maildir,
    smtp::{Smtp, SmtpUrl},
    sources::Sources,
    webhook::{SmsGateway, Webhook},
};
use crate::{
    mail::{dkim::Signer, message::Writer},
    site::Site,
};

/// A value that may hold a password: neither its `Debug` nor a refusal at start repeats it.
#[derive(Clone)]
pub struct SecretText(String);

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("<withheld>")
    }
}

/// Flags and environment variables of delivery.
#[derive(Clone, Debug, clap::Args)]
pub struct Delivery {
    /// Who writes: a name and an address, to which bounces go too.
    #[arg(
        long,
        env = "MAIL_FROM",
        value_name = "MAILBOX",
        default_value = "Sampige Hospital <hello@sampige.example>"
    )]
    pub mail_from: Mailbox,

    /// Who sends newsletters. By default `newsletter` at the domain of MAIL_FROM.
    #[arg(long, env = "NEWSLETTER_FROM", value_name = "MAILBOX")]
    pub newsletter_from: Option<Mailbox>,

    /// Mails of newsletters that one process begins to send in a minute, 1 to 6000. Keep the sum of all processes below what the mail
    /// server takes beside the mails of patients.
    #[arg(
        long,
        env = "NEWSLETTERS_PER_MINUTE_MAX",
        default_value = "60",
        value_parser = per_minute
    )]
    pub newsletters_per_minute_max: NonZeroU32,

    /// Mail server: smtp://USER:PASSWORD@HOST:PORT?tls=required (or opportunistic, none), or smtps://… Without it mails go into MAIL_DIR.
    #[arg(long, env = "SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<SecretText>,

    /// PEM file of authorities that are trusted for the mail server, beside those of the machine.
    #[arg(long, env = "SMTP_CA_FILE", value_name = "PATH", requires = "smtp_url")]
    pub smtp_ca_file: Option<PathBuf>,

    /// Maildir that mails go into where there is no mail server.
    #[arg(
        long,
        env = "MAIL_DIR",
        value_name = "PATH",
        default_value = "data/mail"
    )]
    pub mail_dir: PathBuf,

    /// PEM file of the private key that signs mails (DKIM): RSA of 2048 bits or more, or Ed25519.
    #[arg(
        long,
        env = "DKIM_KEY_FILE",
        value_name = "PATH",
        requires = "dkim_selector"
    )]
    pub dkim_key_file: Option<PathBuf>,

    /// Under which its public key is in the DNS: SELECTOR._domainkey.DOMAIN.
    #[arg(
        long,
        env = "DKIM_SELECTOR",
        value_name = "NAME",
        requires = "dkim_key_file"
    )]
    pub dkim_selector: Option<String>,

    /// Domain that mails are signed for. By default that of MAIL_FROM.
    #[arg(
        long,
        env = "DKIM_DOMAIN",
        value_name = "DOMAIN",
        requires = "dkim_key_file"
    )]
    pub dkim_domain: Option<String>,

    /// Told of new enquiries, without a word of them: https://, or http:// on this machine.
    #[arg(
        long,
        env = "NOTIFY_WEBHOOK_URL",
        value_name = "URL",
        requires = "notify_webhook_key_file"
    )]
    pub notify_webhook_url: Option<String>,

    /// File with the key that signs what the webhook gets: whsec_ and 24 to 64 bytes in base64.
    #[arg(
        long,
        env = "NOTIFY_WEBHOOK_KEY_FILE",
        value_name = "PATH",
        requires = "notify_webhook_url"
    )]
    pub notify_webhook_key_file: Option<PathBuf>,

    /// Gateway that texts reminders and cancellations to phones: https://, or http:// on this machine. Without it nothing is texted.
    #[arg(long, env = "SMS_URL", value_name = "URL", requires = "sms_token_file")]
    pub sms_url: Option<String>,

    /// File with the bearer token of the gateway.
    #[arg(
        long,
        env = "SMS_TOKEN_FILE",
        value_name = "PATH",
        requires = "sms_url"
    )]
    pub sms_token_file: Option<PathBuf>,
}

impl Delivery {
    /// Whether texts go to phones.
    pub fn has_sms(&self) -> bool {
        self.sms_url.is_some()
    }

    /// Who delivers. The mail server may be away.
    ///
    /// # Errors
    /// In words for an operator, when something that is configured cannot be used.
    pub fn courier(
        &self,
        site: Arc<Site>,
        sources: Arc<dyn Sources>,
        context: &Context,
    ) -> Result<Courier, StartError> {
        Ok(Courier {
            database: context.database.clone(),
            keys: context.keys.clone(),
            clock: Arc::clone(&context.clock),
            site,
            writer: Writer {
                from: self.mail_from.clone(),
                newsletter_from: self.newsletter_from()?,
                signer: self.signer()?,
            },
            ways: self.ways(context)?,
            sources,
            try_timeout: TRY_TIMEOUT,
            newsletters_per_minute_max: self.newsletters_per_minute_max,
        })
    }

    fn newsletter_from(&self) -> Result<Mailbox, StartError> {
        if let Some(mailbox) = &self.newsletter_from {
            return Ok(mailbox.clone());
        }
        let address = Address::new("newsletter", self.mail_from.email.domain())
            .map_err(|error| format!("NEWSLETTER_FROM must be set: {error}"))?;
        Ok(Mailbox::new(self.mail_from.name.clone(), address))
    }

    fn signer(&self) -> Result<Option<Signer>, StartError> {
        let (Some(path), Some(selector)) = (&self.dkim_key_file, &self.dkim_selector) else {
            return Ok(None);
        };
        let domain = self.dkim_domain.as_deref();
        let domain = domain.unwrap_or_else(|| self.mail_from.email.domain());
        Ok(Some(Signer::read(path, selector, domain)?))
    }

    fn ways(&self, context: &Context) -> Result<Ways, StartError> {
        let webhook: Option<Arc<dyn Transport>> =
            match (&self.notify_webhook_url, &self.notify_webhook_key_file) {
                (Some(url), Some(path)) => {
                    let clock = Arc::clone(&context.clock);
                    let made = Webhook::new(url, &secret(path)?, clock);
                    Some(Arc::new(made.map_err(|error| {
                        format!("the webhook is not usable: {error}")
                    })?))
                }
                _ => None,
            };
        let sms: Option<Arc<dyn Transport>> = match (&self.sms_url, &self.sms_token_file) {
            (Some(url), Some(path)) => {
                let made = SmsGateway::new(url, &secret(path)?);
                Some(Arc::new(made.map_err(|error| {
                    format!("the gateway of texts is not usable: {error}")
                })?))
            }
            _ => None,
        };
        Ok(Ways {
            mail: self.mail()?,
            webhook,
            sms,
        })
    }

    fn mail(&self) -> Result<Arc<dyn Transport>, StartError> {
        let Some(url) = &self.smtp_url else {
            let shown = self.mail_dir.display();
            tracing::warn!(path = %shown, "no mail server is configured: mails go into a folder");
            return Ok(Arc::new(Maildir::new(&self.mail_dir)));
        };
        let url: SmtpUrl = url
            .0
            .parse()
            .map_err(|wanted| format!("the address of the mail server {wanted}"))?;
        let authority = self.smtp_ca_file.as_ref().map(|path| {
            std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        });
        let authority = authority.transpose()?;
        let hello = self.mail_from.email.domain();
        let smtp = Smtp::new(url, hello, authority.as_deref())
            .map_err(|_| "the certificates for the mail server cannot be used")?;
        Ok(Arc::new(smtp))
    }
}

fn per_minute(text: &str) -> Result<NonZeroU32, String> {
    const MAX: u32 = 6000;
    text.parse()
        .ok()
        .filter(|mails: &NonZeroU32| mails.get() <= MAX)
        .ok_or_else(|| format!("give 1 to {MAX}"))
}

fn secret(path: &std::path::Path) -> Result<String, StartError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text)
}
