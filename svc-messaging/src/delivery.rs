//! Mail delivery over SMTP, or into a Maildir when no SMTP server is configured. Also delivers webhooks and text
//! messages.
//!
//! **At least once; duplicates are rare.** A mail is marked as sent only after the receiver has accepted it. At most
//! one attempt per mail is in progress at a time. SMTP leaves one gap: the connection may close after the final dot but
//! before the reply. The server may have accepted the mail, so it is sent again. A crash of this process between that
//! reply and its own commit has the same effect. Both copies have the same Message-ID, which mail programs use to
//! detect duplicates. A Maildir has neither gap, because the file name is derived from the mail.

pub mod bounces;
pub mod config;
mod http;
pub mod maildir;
pub mod metrics;
pub mod reply;
pub mod smtp;
pub mod sources;
pub mod texts;
pub mod webhook;

use std::{fmt, num::NonZeroU32, sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::TimeDelta;
use serde::Deserialize;
use service_kit::source::{Clock, Ids};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    outbox::{Deliver, DeliveryError, Lane, Message},
};
use uuid::Uuid;

use crate::{
    mail::{
        self,
        content::Content,
        lane,
        letter::{Letter, Subject, text_message},
        message::{Addressed, Envelope, Writer},
        store::{Channel, End, Ending, Finish, Mail, Take, Taken},
    },
    site::CurrentSite,
};
use metrics::count;
use sources::Sources;
use texts::Registration;

/// Lease of an attempt, in seconds. An attempt still open after that has died with its process. Must exceed
/// [`lane::TRY_TIMEOUT`].
const LEASE_SECONDS: i64 = 75;
/// Maximum attempts to record that a mail was sent, with exponential backoff. An unrecorded mail would be sent again.
const NOTE_TRIES: u32 = 6;
const NOTE_PAUSE: Duration = Duration::from_millis(100);

/// Reason why a transport did not accept a mail. The texts are stored and logged, so they must not contain personal
/// data. Server replies are left out because they often quote addresses.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SendError {
    /// A retry may succeed.
    #[error("{0}")]
    Temporary(String),
    /// The recipient does not exist or permanently refuses mail.
    #[error("{error}")]
    Recipient {
        error: String,
        /// Whether an enhanced status code (RFC 3463) confirms it. If so, later mails to the address are suppressed.
        is_certain: bool,
    },
}

impl SendError {
    fn refused(error: impl Into<String>) -> Self {
        Self::Recipient {
            error: error.into(),
            is_certain: false,
        }
    }
}

/// Transport for outgoing mails, webhooks or texts.
#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends one envelope. Returns once the receiver has accepted it.
    async fn send(&self, envelope: &Envelope) -> Result<(), SendError>;

    /// Returns whether the transport delivers outside this machine. A local folder does not.
    fn leaves_the_house(&self) -> bool {
        true
    }
}

/// Configured transports, one per channel.
#[derive(Clone, Debug)]
pub struct Ways {
    pub mail: Arc<dyn Transport>,
    pub webhook: Option<Arc<dyn Transport>>,
    pub sms: Option<Arc<dyn Transport>>,
}

/// Delivers the outbox messages of mails and webhooks.
#[derive(Debug)]
pub struct Courier {
    pub database: Database,
    pub keys: Keys,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub site: Arc<CurrentSite>,
    pub writer: Writer,
    pub ways: Ways,
    pub sources: Arc<dyn Sources>,
    /// Timeout of one attempt; at most [`lane::TRY_TIMEOUT`].
    pub try_timeout: Duration,
    /// Registered sender and templates for text messages.
    pub texts: Registration,
    /// Maximum newsletter mails that this process starts to send per minute.
    pub newsletters_per_minute_max: NonZeroU32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload {
    mail_id: Uuid,
}

#[async_trait]
impl Deliver for Courier {
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        let payload: Payload = serde_json::from_str(&message.payload)
            .map_err(|_| DeliveryError::Permanent("the payload names no mail".into()))?;
        match message.kind.as_str() {
            mail::SEND => self.send(payload.mail_id).await,
            mail::ANNOUNCE => self.announce(message.id, payload.mail_id).await,
            _ => Err(DeliveryError::Permanent("unknown kind of message".into())),
        }
    }

    fn lanes(&self) -> Vec<Lane> {
        lane::all(self.newsletters_per_minute_max)
    }
}

impl Courier {
    async fn send(&self, id: Uuid) -> Result<(), DeliveryError> {
        let take = Take {
            keys: self.keys.clone(),
            id,
            now: self.clock.now(),
            lease: TimeDelta::seconds(LEASE_SECONDS),
        };
        let taken = self.database.write("UPDATE mails", take).await;
        let mail = match taken.map_err(away)? {
            Taken::Mail(mail) => mail,
            Taken::Over => return Ok(()),
            Taken::Expired(mail) => {
                count(kind(mail.as_deref()), "expired");
                tracing::info!(mail.id = %id, "a mail expired before it was sent");
                return Ok(());
            }
            Taken::Suppressed(mail) => {
                count(mail.content.kind(), "failed");
                tracing::info!(mail.id = %id, "mails to this address are suppressed");
                return Ok(());
            }
            Taken::Leased => {
                return Err(DeliveryError::Temporary(
                    "another attempt is in progress".into(),
                ));
            }
            // The outbox message is postponed until then; this attempt is not counted.
            Taken::PutOff(_) => {
                count("any", "put_off");
                return Err(DeliveryError::Temporary(
                    "too many mails to this address".into(),
                ));
            }
            Taken::Broken(error) => {
                return self.fail(id, "any", "sealed", &error.to_string()).await;
            }
            Taken::Unreadable(column) => return self.fail(id, "any", "unreadable", column).await,
        };
        let kind = mail.content.kind();
        let tried = tokio::time::timeout(self.try_timeout, self.try_to_send(&mail))
            .await
            .unwrap_or_else(|_| {
                let text = format!("not finished within {} ms", self.try_timeout.as_millis());
                Err(DeliveryError::Temporary(text))
            });
        match tried {
            Ok(Ended { end, ending }) => {
                self.note(id, ending).await.map_err(away)?;
                count(kind, self.outcome(&mail, end));
                tracing::info!(mail.id = %id, mail.kind = kind, mail.state = end.as_str(), "a mail was delivered or given up");
                Ok(())
            }
            Err(DeliveryError::Temporary(error)) => {
                count(kind, "retried");
                tracing::warn!(mail.id = %id, mail.kind = kind, error, "a mail was deferred");
                // If this write fails too, the lease still expires.
                let ending = Ending::Released(error.clone());
                self.note(id, ending).await.map_err(away)?;
                Err(DeliveryError::Temporary(error))
            }
            Err(DeliveryError::Permanent(error)) => self.fail(id, kind, "refused", &error).await,
        }
    }

    /// Returns the outcome label. A mail stored in a local folder counts as `kept`, not as sent.
    fn outcome(&self, mail: &Mail, end: End) -> &'static str {
        let is_inside = mail.channel == Channel::Email && !self.ways.mail.leaves_the_house();
        match end {
            End::Sent if is_inside => "kept",
            end => end.as_str(),
        }
    }

    /// Marks a mail as failed regardless of its recipient. The outbox message becomes a dead letter, which an operator
    /// can resend.
    async fn fail(
        &self,
        id: Uuid,
        kind: &'static str,
        reason: &'static str,
        error: &str,
    ) -> Result<(), DeliveryError> {
        count(kind, "failed");
        let ending = Ending::Over(End::Failed(reason), error.to_owned());
        self.note(id, ending).await.map_err(away)?;
        Err(DeliveryError::Permanent(format!("{reason}: {error}")))
    }

    async fn note(&self, id: Uuid, ending: Ending) -> Result<(), StoreError> {
        let mut pause = NOTE_PAUSE;
        let mut tries = 1;
        loop {
            let now = self.clock.now();
            let finish = Finish {
                keys: self.keys.clone(),
                suppression: self.ids.uuid(),
                id,
                ending: ending.clone(),
                now,
            };
            match self.database.write("UPDATE mails", finish).await {
                Err(error) if tries < NOTE_TRIES => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the outcome of a mail could not be recorded"
                    );
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                    tries += 1;
                }
                ended => return ended,
            }
        }
    }

    async fn try_to_send(&self, mail: &Mail) -> Result<Ended, DeliveryError> {
        if mail.channel == Channel::Sms {
            return self.send_text(mail).await;
        }
        let subject = match self.subject(mail).await? {
            Ok(subject) => subject,
            Err(end) => return Ok(end.into()),
        };
        let poison = |error: &dyn std::error::Error| DeliveryError::Permanent(error.to_string());
        let site = self.site.of(mail.language);
        let letter = Letter::of(&mail.content, &mail.name, &subject, mail.language, &site)
            .map_err(|error| poison(&error))?;
        let to = Addressed {
            id: mail.id,
            name: &mail.name,
            email: &mail.recipient,
            create_time: mail.create_time,
            send_time: self.clock.now(),
        };
        let envelope = self
            .writer
            .write(&letter, to, &site)
            .map_err(|error| poison(&error))?;
        self.hand_over(&*self.ways.mail, mail, &envelope).await
    }

    /// Loads the record that the mail refers to. Returns the mail's final state if that record is gone.
    async fn subject(&self, mail: &Mail) -> Result<Result<Subject, End>, DeliveryError> {
        Ok(match &mail.content {
            Content::Enquiry { message } => {
                let enquiry = self.sources.enquiry(*message).await.map_err(away)?;
                enquiry
                    .map(Subject::Enquiry)
                    .ok_or(End::Suppressed("forgotten"))
            }
            Content::Newsletter { newsletter, .. } => {
                let confirmed = self.sources.is_confirmed(&mail.recipient).await;
                if !confirmed.map_err(away)? {
                    return Ok(Err(End::Suppressed("unsubscribed")));
                }
                let issue = self.sources.issue(*newsletter).await.map_err(away)?;
                issue
                    .map(Subject::Issue)
                    .ok_or(End::Suppressed("forgotten"))
            }
            _ => Ok(Subject::None),
        })
    }

    /// Sends the envelope over `way`. A refused recipient ends the mail; staff see it among the failed deliveries.
    async fn hand_over(
        &self,
        way: &dyn Transport,
        mail: &Mail,
        envelope: &Envelope,
    ) -> Result<Ended, DeliveryError> {
        match way.send(envelope).await {
            Ok(()) => Ok(End::Sent.into()),
            Err(SendError::Temporary(error)) => Err(DeliveryError::Temporary(error)),
            Err(SendError::Recipient { error, is_certain }) => {
                tracing::warn!(mail.id = %mail.id, mail.kind = mail.content.kind(), error, "the server refused the recipient");
                let end = End::Failed("refused");
                let ending = if is_certain {
                    Ending::NoRecipient(error)
                } else {
                    Ending::Over(end, error)
                };
                Ok(Ended { end, ending })
            }
        }
    }

    async fn send_text(&self, mail: &Mail) -> Result<Ended, DeliveryError> {
        let Some(sms) = &self.ways.sms else {
            return Ok(End::Suppressed("sms_off").into());
        };
        let in_language = |language| text_message(&mail.content, language, &self.site.of(language));
        let Some(text) = in_language(mail.language) else {
            return Ok(End::Suppressed("no_text").into());
        };
        let language = self.texts.language(text.kind, mail.language);
        let text = in_language(language).unwrap_or(text);
        let envelope = Envelope {
            id: mail.id,
            from: String::new(),
            to: mail.recipient.clone(),
            create_time: mail.create_time,
            body: self.texts.body(mail.id, &mail.recipient, &text, language),
        };
        self.hand_over(&**sms, mail, &envelope).await
    }

    /// Announces a new enquiry to the webhook, without any of its content.
    async fn announce(&self, id: Uuid, mail: Uuid) -> Result<(), DeliveryError> {
        let Some(webhook) = &self.ways.webhook else {
            return Ok(());
        };
        let content = mail::store::content(&self.database, &self.keys, mail).await;
        let Some(Content::Enquiry { message }) = content.map_err(away)? else {
            return Ok(());
        };
        let Some(enquiry) = self.sources.enquiry(message).await.map_err(away)? else {
            return Ok(());
        };
        let body = serde_json::json!({
            "type": "message.created",
            "id": message,
            "reference": enquiry.reference,
            "time": enquiry.create_time,
        });
        let envelope = Envelope {
            id,
            from: String::new(),
            to: String::new(),
            create_time: enquiry.create_time,
            body: body.to_string().into_bytes(),
        };
        webhook.send(&envelope).await.map_err(|error| match error {
            SendError::Temporary(error) => DeliveryError::Temporary(error),
            SendError::Recipient { error, .. } => DeliveryError::Permanent(error),
        })
    }
}

/// Result of an attempt, and the ending to store.
struct Ended {
    end: End,
    ending: Ending,
}

impl From<End> for Ended {
    fn from(end: End) -> Self {
        let ending = Ending::Over(end, String::new());
        Self { end, ending }
    }
}

fn kind(mail: Option<&Mail>) -> &'static str {
    mail.map_or("any", |mail| mail.content.kind())
}

/// Maps a store error to a temporary failure. The database is unreachable or holds bad data; an operator can fix
/// either, so the mail is retried.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn away(error: StoreError) -> DeliveryError {
    DeliveryError::Temporary(error.to_string())
}
