//! Reception of a message: stored once per request, checked for spam against recent messages, and routed, in one unit
//! of work.

use std::{fmt::Write as _, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use store_kit::{
    creation::Creation,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    sql::{Lock, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store, cancelled,
    events::{self, Place},
    keyed::{derived, email_digest},
    route,
    rows::{self, MessageRow, Traces},
};
use crate::{
    domain::{
        Handling, Message, NewMessage, Status, event::NoPlace, mailboxes::Mailboxes, reference,
    },
    spam::{self, Evidence, Recent, Verdict},
};

/// A validated message.
#[derive(Clone, Debug)]
pub struct Incoming {
    pub request: RequestKey,
    pub id: Uuid,
    pub new: NewMessage,
    /// Evidence for the spam check.
    pub evidence: Evidence,
    /// Keyed hash of the sender's network; `None` if the gateway sent none.
    pub network: Option<[u8; 32]>,
    pub now: DateTime<Utc>,
}

/// Outcome of receiving a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Received {
    /// Stored, now or earlier. The message may be in quarantine.
    Kept(Box<Creation<Message>>),
    /// Nothing was written; the sender is asked for a proof of work with this many bits.
    Prove { bits: u32 },
    /// Nothing was written; the network is over its rate limit.
    TooMany,
    /// Nothing was written; the event has no place.
    NoPlace(NoPlace),
}

impl Store {
    /// Stores a message once per request, even under concurrent retries. A retry returns the stored message.
    ///
    /// # Errors
    /// When the database fails, or the message that the request created cannot be decrypted with these keys.
    pub async fn receive(&self, incoming: Incoming) -> Result<Received, StoreError> {
        let receive = Receive {
            keys: self.keys.clone(),
            mailboxes: Arc::clone(&self.mailboxes),
            traces: Traces {
                network: incoming.network,
                // Registrations for one event have equal texts.
                text: (incoming.new.registration().is_none())
                    .then_some(incoming.new.message.as_str())
                    .and_then(spam::text_to_recognise)
                    .map(|text| self.keys.digest("messages.text", text.as_bytes())),
            },
            incoming,
        };
        self.database.write("INSERT messages", receive).await
    }
}

struct Receive {
    keys: Keys,
    mailboxes: Arc<Mailboxes>,
    traces: Traces,
    incoming: Incoming,
}

#[async_trait]
impl UnitOfWork for Receive {
    type Outcome = Received;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Received>, StoreError> {
        let Incoming { request, now, .. } = &self.incoming;
        let kept = match requests::find(transaction, request, *now).await? {
            Found::New => return self.receive(transaction).await,
            Found::Reused => Creation::RequestIdReused,
            Found::Repeated { subject } => {
                let id = requests::subject_id(&subject)?;
                let row: Option<MessageRow> =
                    transaction.fetch_optional(rows::BY_ID, values![id]).await?;
                match row {
                    Some(row) => Creation::Repeated(row.open(&self.keys)?),
                    None => Creation::Removed,
                }
            }
        };
        Ok(Decision::Rollback(Received::Kept(Box::new(kept))))
    }
}

impl Receive {
    async fn receive(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Received>, StoreError> {
        let recent = self.recent(transaction).await?;
        let judgement = spam::judge(&self.incoming.evidence, &recent);
        let status = match judgement.verdict {
            Verdict::TooMany => return Ok(Decision::Rollback(Received::TooMany)),
            Verdict::Prove { bits } => return Ok(Decision::Rollback(Received::Prove { bits })),
            Verdict::Accept => Status::New,
            Verdict::Quarantine => Status::Quarantined,
        };
        let Incoming {
            request, id, new, ..
        } = &self.incoming;
        let now = self.incoming.now.trunc_subsecs(6);
        let mailbox = self.mailboxes.route(&new.kind, &new.subject);
        let message = Message {
            id: *id,
            reference: self.reference(transaction).await?,
            create_time: now,
            handling: Handling {
                status,
                mailbox: mailbox.address.clone(),
                signals: judgement.signals,
                taken_by: None,
                taken_by_name: None,
                version: 1,
                update_time: now,
                route_time: (status == Status::New).then_some(now),
            },
            new: new.clone(),
        };
        let place = events::take(transaction, &self.keys, &message, now).await?;
        let mut script = [rows::insert(&self.keys, &message, self.traces)?]
            .into_iter()
            .collect::<store_kit::sql::Script>();
        let registered = match place {
            Place::Refused(refused) => return Ok(Decision::Rollback(Received::NoPlace(refused))),
            Place::Uncounted => None,
            Place::Taken(rows, registered) => {
                script.append(rows);
                Some(registered)
            }
        };
        if status == Status::New {
            let is_counted = registered.is_some();
            let mails = route::mails(&self.keys, &self.mailboxes, &message, is_counted, now)?;
            script.append(mails);
            if let Some(registered) = &registered {
                let mails = cancelled::confirmation(&self.keys, registered, *id, now)?;
                script.append(mails);
            }
        }
        script.push(requests::insert(request, &id.to_string(), now));
        transaction.run(script).await?;
        Ok(Decision::Commit(Received::Kept(Box::new(
            Creation::Created(message),
        ))))
    }

    /// Counts the recent messages that resemble this one. The locks prevent concurrent additions until the transaction
    /// ends.
    async fn recent(&self, transaction: &mut Transaction<'_>) -> Result<Recent, StoreError> {
        const COUNT: &str = "\
SELECT (SELECT count(*) FROM messages WHERE text_digest = $1 AND create_time > $4),
       (SELECT count(*) FROM messages WHERE email_digest = $2 AND create_time > $5),
       (SELECT count(*) FROM messages WHERE network_digest = $3 AND create_time > $5),
       (SELECT count(*) FROM messages WHERE network_digest = $3 AND create_time > $4)";
        let Incoming { new, now, .. } = &self.incoming;
        let email = new.email().map(|email| email_digest(&self.keys, email));
        let digests = [
            ("text", self.traces.text),
            ("email", email),
            ("network", self.traces.network),
        ];
        let event = new.registration().map(|(event_id, _)| event_id);
        let names: Vec<String> = digests
            .iter()
            .filter_map(|(what, digest)| digest.map(|digest| lock_name(what, &digest)))
            .chain(event.map(events::lock_name))
            .collect();
        let locks: Vec<Lock<'_>> = names.iter().map(|name| Lock::Exclusive(name)).collect();
        if !locks.is_empty() {
            transaction.lock_all(&locks).await?;
        }
        let (same_text, of_email, of_network_in_hour, of_network_in_day) = transaction
            .fetch_one::<(i64, i64, i64, i64)>(
                COUNT,
                values![
                    self.traces.text,
                    email,
                    self.traces.network,
                    *now - TimeDelta::days(1),
                    *now - TimeDelta::hours(1)
                ],
            )
            .await?;
        Ok(Recent {
            same_text,
            of_email,
            of_network_in_hour,
            of_network_in_day,
        })
    }

    /// Returns the first free one of four candidate references. It is practically impossible that all are taken.
    async fn reference(&self, transaction: &mut Transaction<'_>) -> Result<String, StoreError> {
        const TAKEN: &str = "SELECT reference FROM messages WHERE reference IN ($1, $2, $3, $4)";
        let candidates = [0, 1, 2, 3].map(|number: u8| {
            let name = [self.incoming.id.as_bytes().as_slice(), &[number]].concat();
            reference(derived(&self.keys, "messages.reference", &name))
        });
        let [first, second, third, fourth] = &candidates;
        let taken: Vec<(String,)> = transaction
            .fetch_all(TAKEN, values![first, second, third, fourth])
            .await?;
        candidates
            .into_iter()
            .find(|candidate| taken.iter().all(|(taken,)| taken != candidate))
            .ok_or(StoreError::IdentifiersTaken)
    }
}

pub(super) fn lock_name(what: &str, digest: &[u8; 32]) -> String {
    let mut name = format!("messages.{what}.");
    for byte in &digest[..16] {
        // Writing to a String cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}
