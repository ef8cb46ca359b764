//! How mails leave the house: over SMTP, or into a Maildir where no SMTP is configured; beside them a webhook and texts to phones.
//!
//! **At least once, and hardly ever twice.** A mail is marked as sent after whoever takes it has said so, and one try of it is under way
//! at a time. What SMTP itself cannot exclude remains: when the connection ends after the final dot and before the answer, the server
//! may or may not have taken the mail, so it is sent again. Both have the same Message-ID, by which mail programs know a duplicate. The
//! same holds when this process dies between that answer and its own commit. A Maildir has neither case: the name of the file is
//! derived from the mail.

pub mod config;
mod http;
pub mod maildir;
pub mod metrics;
pub mod smtp;
pub mod sources;
pub mod webhook;

use std::{fmt, num::NonZeroU32, sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::TimeDelta;
use serde::Deserialize;
use service_kit::source::Clock;
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    outbox::{Deliver, Lane, Message},
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
    site::Site,
};
use metrics::count;
use sources::Sources;

pub use store_kit::outbox::DeliveryError;

/// From the connection to the last answer. Servers that look for viruses take their time after the final dot, and whoever hangs up on them
/// sends the mail twice.
pub const TRY_TIMEOUT: Duration = Duration::from_mins(1);
/// A try of a mail that has not ended by then has died with its process. Longer than a try can take.
const LEASE_SECONDS: i64 = 75;
/// How often it is tried to note that a mail was sent; the pause doubles. Otherwise it would be sent again.
const NOTE_TRIES: u32 = 6;
const NOTE_PAUSE: Duration = Duration::from_millis(100);

/// Takes mails out of the house.
#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Hands over what was written. It returns once the other side has taken it. Errors hold no personal data: servers like to quote
    /// addresses.
    async fn send(&self, envelope: &Envelope) -> Result<(), DeliveryError>;
}

/// The ways that are configured.
#[derive(Clone, Debug)]
pub struct Ways {
    pub mail: Arc<dyn Transport>,
    pub webhook: Option<Arc<dyn Transport>>,
    pub sms: Option<Arc<dyn Transport>>,
}

/// Delivers what is in the outbox.
#[derive(Debug)]
pub struct Courier {
    pub database: Database,
    pub keys: Keys,
    pub clock: Arc<dyn Clock>,
    pub site: Arc<Site>,
    pub writer: Writer,
    pub ways: Ways,
    pub sources: Arc<dyn Sources>,
    /// See [`TRY_TIMEOUT`], beyond which it must not go.
    pub try_timeout: Duration,
    /// Mails of newsletters that this process begins to send in a minute.
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
            _ => Err(DeliveryError::Permanent("nobody delivers this kind".into())),
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
                tracing::info!(mail.id = %id, "a mail was not sent in time");
                return Ok(());
            }
            Taken::Leased => {
                return Err(DeliveryError::Temporary("another try is under way".into()));
            }
            // Its message waits until then: the outbox does not note this try.
            Taken::PutOff(_) => {
                count("any", "put_off");
                return Err(DeliveryError::Temporary("too many to this address".into()));
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
                let text = format!("no end within {} ms", self.try_timeout.as_millis());
                Err(DeliveryError::Temporary(text))
            });
        match tried {
            Ok(end) => {
                self.note(id, Ending::Over(end)).await.map_err(away)?;
                count(kind, end.as_str());
                tracing::info!(mail.id = %id, mail.kind = kind, mail.state = end.as_str(), "a mail is over");
                Ok(())
            }
            Err(DeliveryError::Temporary(error)) => {
                count(kind, "retried");
                tracing::warn!(mail.id = %id, mail.kind = kind, error, "a mail was not taken yet");
                // If this fails too the lease ends by itself.
                self.note(id, Ending::Released).await.map_err(away)?;
                Err(DeliveryError::Temporary(error))
            }
            Err(DeliveryError::Permanent(error)) => self.fail(id, kind, "refused", &error).await,
        }
    }

    /// Nobody ever will take it: a dead letter, which an operator can send again.
    async fn fail(
        &self,
        id: Uuid,
        kind: &'static str,
        reason: &'static str,
        error: &str,
    ) -> Result<(), DeliveryError> {
        count(kind, "failed");
        self.note(id, Ending::Over(End::Failed(reason)))
            .await
            .map_err(away)?;
        Err(DeliveryError::Permanent(format!("{reason}: {error}")))
    }

    async fn note(&self, id: Uuid, ending: Ending) -> Result<(), StoreError> {
        let mut pause = NOTE_PAUSE;
        let mut tries = 1;
        loop {
            let now = self.clock.now();
            let finish = Finish { id, ending, now };
            match self.database.write("UPDATE mails", finish).await {
                Err(error) if tries < NOTE_TRIES => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the end of a mail was not kept"
                    );
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                    tries += 1;
                }
                ended => return ended,
            }
        }
    }

    async fn try_to_send(&self, mail: &Mail) -> Result<End, DeliveryError> {
        if mail.channel == Channel::Sms {
            return self.send_text(mail).await;
        }
        let subject = match &mail.content {
            Content::Enquiry { message } => {
                let Some(enquiry) = self.sources.enquiry(*message).await.map_err(away)? else {
                    return Ok(End::Suppressed("forgotten"));
                };
                Subject::Enquiry(enquiry)
            }
            Content::Newsletter { newsletter, .. } => {
                if !self
                    .sources
                    .is_confirmed(&mail.recipient)
                    .await
                    .map_err(away)?
                {
                    return Ok(End::Suppressed("unsubscribed"));
                }
                let Some(issue) = self.sources.issue(*newsletter).await.map_err(away)? else {
                    return Ok(End::Suppressed("forgotten"));
                };
                Subject::Issue(issue)
            }
            _ => Subject::None,
        };
        let poison = |error: &dyn std::error::Error| DeliveryError::Permanent(error.to_string());
        let letter = Letter::of(&mail.content, &mail.name, &subject, &self.site)
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
            .write(&letter, to, &self.site)
            .map_err(|error| poison(&error))?;
        self.ways.mail.send(&envelope).await?;
        Ok(End::Sent)
    }

    async fn send_text(&self, mail: &Mail) -> Result<End, DeliveryError> {
        let Some(sms) = &self.ways.sms else {
            return Ok(End::Suppressed("sms_off"));
        };
        let Some(text) = text_message(&mail.content, &self.site) else {
            return Ok(End::Suppressed("no_text"));
        };
        let envelope = Envelope {
            id: mail.id,
            from: String::new(),
            to: mail.recipient.clone(),
            create_time: mail.create_time,
            body: text.into_bytes(),
        };
        sms.send(&envelope).await?;
        Ok(End::Sent)
    }

    /// Says that an enquiry came, without a word of it.
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
        webhook.send(&envelope).await
    }
}

fn kind(mail: Option<&Mail>) -> &'static str {
    mail.map_or("any", |mail| mail.content.kind())
}

/// The database is away, or something in it is not what it should be: an operator's matter, so it is tried again.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn away(error: StoreError) -> DeliveryError {
    DeliveryError::Temporary(error.to_string())
}
