//! Configuration of mail delivery.

use std::{fmt, num::NonZeroU32, path::PathBuf, sync::Arc};

use lettre::{Address, message::Mailbox};
use store_kit::process::{Context, StartError};

use super::{
    Courier, Transport, Ways,
    bounces::Bounces,
    maildir::Maildir,
    reply,
    smtp::{Smtp, SmtpUrl},
    sources::Sources,
    texts::Registration,
    webhook::{SmsGateway, Webhook},
};
use crate::{
    mail::{
        bounce::ReturnPath,
        dkim::{DkimError, Signer},
        lane::TRY_TIMEOUT,
        message::Writer,
    },
    site::CurrentSite,
};

/// A value that may contain a password. Neither its `Debug` output nor a start-up error contains it.
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
    /// Sender of mails: a name and an address.
    #[arg(
        long,
        env = "MAIL_FROM",
        value_name = "MAILBOX",
        default_value = "Sampige Hospital <hello@sampige.example>"
    )]
    pub mail_from: Mailbox,

    /// Sender of newsletters. Default: `newsletter` at the domain of MAIL_FROM.
    #[arg(long, env = "NEWSLETTER_FROM", value_name = "MAILBOX")]
    pub newsletter_from: Option<Mailbox>,

    /// Maximum newsletter mails that one process starts to send per minute, 1 to 6000. Keep the sum over all processes
    /// below the mail server's limit, minus the mails to patients.
    #[arg(
        long,
        env = "NEWSLETTERS_PER_MINUTE_MAX",
        default_value = "60",
        value_parser = per_minute
    )]
    pub newsletters_per_minute_max: NonZeroU32,

    /// Mail server: smtp://USER:PASSWORD@HOST:PORT?tls=required (or opportunistic, none), or smtps://… Required, except
    /// with --development, where mails go to MAIL_DIR if it is unset.
    #[arg(long, env = "SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<SecretText>,

    /// PEM file of certificate authorities trusted for the mail server, in addition to the system's.
    #[arg(long, env = "SMTP_CA_FILE", value_name = "PATH", requires = "smtp_url")]
    pub smtp_ca_file: Option<PathBuf>,

    /// Maildir for mails if no mail server is set; only with --development. Mails are deleted after 30 days.
    #[arg(
        long,
        env = "MAIL_DIR",
        value_name = "PATH",
        default_value = "data/mail"
    )]
    pub mail_dir: PathBuf,

    /// PEM file of the private key that signs mails (DKIM): RSA with at least 2048 bits.
    #[arg(
        long,
        env = "DKIM_KEY_FILE",
        value_name = "PATH",
        requires = "dkim_selector"
    )]
    pub dkim_key_file: Option<PathBuf>,

    /// DKIM selector of the RSA key; its public key is in the DNS at SELECTOR._domainkey.DOMAIN.
    #[arg(
        long,
        env = "DKIM_SELECTOR",
        value_name = "NAME",
        requires = "dkim_key_file"
    )]
    pub dkim_selector: Option<String>,

    /// Domain in DKIM signatures. Default: the domain of MAIL_FROM.
    #[arg(
        long,
        env = "DKIM_DOMAIN",
        value_name = "DOMAIN",
        requires = "dkim_key_file"
    )]
    pub dkim_domain: Option<String>,

    /// PEM file of an Ed25519 key that adds a second DKIM signature.
    #[arg(
        long,
        env = "DKIM_ED25519_KEY_FILE",
        value_name = "PATH",
        requires_all = ["dkim_key_file", "dkim_ed25519_selector"]
    )]
    pub dkim_ed25519_key_file: Option<PathBuf>,

    /// DKIM selector of the Ed25519 key.
    #[arg(
        long,
        env = "DKIM_ED25519_SELECTOR",
        value_name = "NAME",
        requires = "dkim_ed25519_key_file"
    )]
    pub dkim_ed25519_selector: Option<String>,

    /// Address for bounces, with at most 19 characters before the @. Its server must also deliver ADDRESS+anything to
    /// it. Default: bounces go to the mail's sender, where they are not processed.
    #[arg(long, env = "BOUNCE_ADDRESS", value_name = "ADDRESS")]
    pub bounce_address: Option<String>,

    /// Maildir that receives BOUNCE_ADDRESS; polled every minute. Addresses that do not exist get no mails for 30 days.
    #[arg(
        long,
        env = "BOUNCE_DIR",
        value_name = "PATH",
        requires = "bounce_address"
    )]
    pub bounce_dir: Option<PathBuf>,

    /// URL notified of new enquiries, without their content: https://, or http:// to this machine.
    #[arg(
        long,
        env = "NOTIFY_WEBHOOK_URL",
        value_name = "URL",
        requires = "notify_webhook_key_file"
    )]
    pub notify_webhook_url: Option<String>,

    /// File with the key that signs webhook requests: whsec_ and 24 to 64 bytes in base64.
    #[arg(
        long,
        env = "NOTIFY_WEBHOOK_KEY_FILE",
        value_name = "PATH",
        requires = "notify_webhook_url"
    )]
    pub notify_webhook_key_file: Option<PathBuf>,

    /// SMS gateway for reminders and cancellations: https://, or http:// to this machine. Default: no texts are sent.
    #[arg(long, env = "SMS_URL", value_name = "URL", requires = "sms_token_file")]
    pub sms_url: Option<String>,

    /// File with the bearer token for the SMS gateway.
    #[arg(
        long,
        env = "SMS_TOKEN_FILE",
        value_name = "PATH",
        requires = "sms_url"
    )]
    pub sms_token_file: Option<PathBuf>,

    /// Registered sender and templates for text messages.
    #[command(flatten)]
    pub texts: Registration,
}

impl Delivery {
    /// Returns whether text messages are enabled.
    pub fn has_sms(&self) -> bool {
        self.sms_url.is_some()
    }

    /// Builds the courier. Does not connect to the mail server, which may be unavailable.
    ///
    /// # Errors
    /// A message for an operator when a setting cannot be used.
    pub fn courier(
        &self,
        site: Arc<CurrentSite>,
        sources: Arc<dyn Sources>,
        context: &Context,
    ) -> Result<Courier, StartError> {
        Ok(Courier {
            database: context.database.clone(),
            keys: context.keys.clone(),
            clock: Arc::clone(&context.clock),
            ids: Arc::clone(&context.ids),
            site,
            writer: Writer {
                from: self.mail_from.clone(),
                newsletter_from: self.newsletter_from()?,
                signers: self.signers()?,
                return_path: self.return_path(context)?,
            },
            ways: self.ways(context)?,
            sources,
            try_timeout: TRY_TIMEOUT,
            texts: self.texts.clone(),
            newsletters_per_minute_max: self.newsletters_per_minute_max,
        })
    }

    /// Builds the reader of bounced mails; `None` if BOUNCE_ADDRESS or BOUNCE_DIR is not set.
    ///
    /// # Errors
    /// As [`Self::courier`].
    pub fn bounces(&self, context: &Context) -> Result<Option<Bounces>, StartError> {
        let (Some(return_path), Some(folder)) = (self.return_path(context)?, &self.bounce_dir)
        else {
            return Ok(None);
        };
        Ok(Some(Bounces {
            database: context.database.clone(),
            keys: context.keys.clone(),
            clock: Arc::clone(&context.clock),
            ids: Arc::clone(&context.ids),
            return_path,
            folder: folder.clone(),
        }))
    }

    /// Returns the local Maildirs whose mails are deleted after 30 days.
    pub fn folders(&self) -> Vec<Maildir> {
        let mails = self.smtp_url.is_none().then_some(&self.mail_dir);
        let folders = mails.into_iter().chain(&self.bounce_dir);
        folders.map(|folder| Maildir::new(folder)).collect()
    }

    fn return_path(&self, context: &Context) -> Result<Option<ReturnPath>, StartError> {
        let address = self.bounce_address.as_deref();
        let path = address.map(|address| ReturnPath::new(address, context.keys.clone()));
        Ok(path.transpose()?)
    }

    fn newsletter_from(&self) -> Result<Mailbox, StartError> {
        if let Some(mailbox) = &self.newsletter_from {
            return Ok(mailbox.clone());
        }
        let address = Address::new("newsletter", self.mail_from.email.domain())
            .map_err(|error| format!("NEWSLETTER_FROM must be set: {error}"))?;
        Ok(Mailbox::new(self.mail_from.name.clone(), address))
    }

    fn signers(&self) -> Result<Vec<Signer>, StartError> {
        let domain = self.dkim_domain.as_deref();
        let domain = domain.unwrap_or_else(|| self.mail_from.email.domain());
        let read = |path: &PathBuf, selector: &String| Signer::read(path, selector, domain);
        let mut signers = Vec::new();
        if let (Some(path), Some(selector)) = (&self.dkim_key_file, &self.dkim_selector) {
            let signer = read(path, selector)?;
            if !signer.is_rsa() {
                let path = path.display().to_string();
                return Err(DkimError::NotRsa { path }.into());
            }
            signers.push(signer);
        }
        let second = (&self.dkim_ed25519_key_file, &self.dkim_ed25519_selector);
        if let (Some(path), Some(selector)) = second {
            let signer = read(path, selector)?;
            if signer.is_rsa() {
                let path = path.display().to_string();
                return Err(DkimError::NotEd25519 { path }.into());
            }
            signers.push(signer);
        }
        Ok(signers)
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
                if !self.texts.is_complete() {
                    return Err(
                        "SMS_SENDER_ID, SMS_ENTITY_ID, SMS_TEMPLATE_REMINDER and SMS_TEMPLATE_CANCELLED must be set with SMS_URL: operators \
                         drop texts that are not registered"
                            .into(),
                    );
                }
                let missing = self.texts.missing_translated();
                if !missing.is_empty() {
                    tracing::warn!(
                        settings = missing.join(", "),
                        "without a registered template, texts in another language are sent in English"
                    );
                }
                let made = SmsGateway::new(url, &secret(path)?);
                Some(Arc::new(made.map_err(|error| {
                    format!("the gateway of texts is not usable: {error}")
                })?))
            }
            _ => None,
        };
        Ok(Ways {
            mail: self.mail(context.is_development)?,
            webhook,
            sms,
        })
    }

    fn mail(&self, is_development: bool) -> Result<Arc<dyn Transport>, StartError> {
        reply::prepare();
        let Some(url) = &self.smtp_url else {
            if !is_development {
                return Err(
                    "SMTP_URL (--smtp-url) must be set: patients' mails must not stay on this machine (or start with --development)"
                        .into(),
                );
            }
            let shown = self.mail_dir.display();
            tracing::warn!(path = %shown, "no mail server is configured: writing mails to a folder");
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
