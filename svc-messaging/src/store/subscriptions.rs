//! Newsletter subscriptions.

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use service_kit::{input::email_to_look_up, language::Language};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    row,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    keyed::{SUBSCRIPTIONS, derived, subscription_digest},
};
use crate::{
    domain::{
        Personal,
        newsletter::{Asked, CONFIRM_WITHIN, State},
    },
    mail::{self, Address, Cause, NewMail, content::Content},
    newsletter::Links,
};

/// Maximum addresses subscribed from one network: 20 an hour, 60 a day.
const OF_NETWORK_IN_HOUR_MAX: i64 = 20;
const OF_NETWORK_IN_DAY_MAX: i64 = 60;

const SELECT: &str = "\
SELECT id, key_id, email, state, generation, create_time, update_time, confirm_time, asked_times, \
language FROM subscriptions WHERE id = $1";

/// A stored subscription.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Subscription {
    pub id: Uuid,
    pub email: Personal,
    pub state: State,
    /// Incremented when the subscription ends, which revokes earlier confirmation links.
    pub generation: i64,
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    pub confirm_time: Option<DateTime<Utc>>,
    pub asked: Asked,
    /// Language of the page of the last request; `None` is English.
    pub language: Option<Language>,
}

row! {
    pub(super) struct SubscriptionRow {
        id: Uuid,
        key_id: String,
        email: Vec<u8>,
        state: String,
        generation: i64,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        confirm_time: Option<DateTime<Utc>>,
        asked_times: String,
        language: String,
    }
}

impl SubscriptionRow {
    fn open(self, keys: &Keys) -> Result<Subscription, StoreError> {
        let email = SUBSCRIPTIONS.open(keys, &self.key_id, self.id, "email", &self.email)?;
        Ok(Subscription {
            id: self.id,
            email: Personal::kept(email),
            state: State::from_word(&self.state).ok_or(StoreError::Corrupt {
                column: "subscriptions.state",
            })?,
            generation: self.generation,
            create_time: self.create_time,
            update_time: self.update_time,
            confirm_time: self.confirm_time,
            language: Language::of(&self.language),
            asked: Asked::parse(&self.asked_times).ok_or(StoreError::Corrupt {
                column: "subscriptions.asked_times",
            })?,
        })
    }
}

/// Returns the id of an address's subscription, which never changes.
pub(crate) fn id_of(keys: &Keys, email: &str) -> Uuid {
    derived(keys, "subscriptions.id", email_to_look_up(email).as_bytes())
}

/// Outcome of a subscription request. The visitor gets the same response in every case except `TooMany`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Subscribed {
    /// A confirmation mail is sent.
    Asked,
    /// Already confirmed, or asked for confirmation recently.
    Unchanged,
    /// The network is over its rate limit.
    TooMany,
}

impl Store {
    /// Stores an address as pending and sends a confirmation mail, at most once an hour and three times a day.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn subscribe(
        &self,
        links: &Links,
        email: &str,
        language: Option<Language>,
        network: Option<[u8; 32]>,
        now: DateTime<Utc>,
    ) -> Result<Subscribed, StoreError> {
        let subscribe = Subscribe {
            keys: self.keys.clone(),
            links: links.clone(),
            email: email.to_owned(),
            language,
            network,
            now: now.trunc_subsecs(6),
        };
        self.database.write("INSERT subscriptions", subscribe).await
    }

    /// Confirms the subscription in `token`; `false` if the token is invalid, expired or revoked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn confirm(
        &self,
        links: &Links,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let confirm = Confirm {
            links: links.clone(),
            token: token.to_owned(),
            now: now.trunc_subsecs(6),
        };
        self.database.write("UPDATE subscriptions", confirm).await
    }

    /// Ends a subscription, and counts it for the last newsletter if it was confirmed; `false` if the subscription is
    /// unknown or has already ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unsubscribe(&self, id: Uuid, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let unsubscribe = Unsubscribe {
            id,
            now: now.trunc_subsecs(6),
        };
        self.database
            .write("UPDATE subscriptions", unsubscribe)
            .await
    }

    /// Returns the subscription of an address.
    ///
    /// # Errors
    /// When the database fails, or the address cannot be decrypted.
    pub async fn subscription(&self, email: &str) -> Result<Option<Subscription>, StoreError> {
        let id = id_of(&self.keys, email);
        let row: Option<SubscriptionRow> = self
            .database
            .fetch_optional("SELECT subscriptions", SELECT, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }
}

/// Returns whether the address has a confirmed subscription that has not ended. Checked again before each issue is
/// sent.
///
/// # Errors
/// When the database fails.
pub async fn is_confirmed(
    database: &Database,
    keys: &Keys,
    email: &str,
) -> Result<bool, StoreError> {
    const CONFIRMED: &str =
        "SELECT count(*) FROM subscriptions WHERE id = $1 AND state = 'confirmed'";
    let (count,): (i64,) = database
        .fetch_one(
            "SELECT subscriptions",
            CONFIRMED,
            values![id_of(keys, email)],
        )
        .await?;
    Ok(count > 0)
}

struct Subscribe {
    keys: Keys,
    links: Links,
    email: String,
    language: Option<Language>,
    network: Option<[u8; 32]>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Subscribe {
    type Outcome = Subscribed;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Subscribed>, StoreError> {
        if self.is_too_many(transaction).await? {
            return Ok(Decision::Rollback(Subscribed::TooMany));
        }
        let (id, now) = (id_of(&self.keys, &self.email), self.now);
        transaction.lock(&format!("subscriptions.{id}")).await?;
        let row: Option<SubscriptionRow> = transaction.fetch_optional(SELECT, values![id]).await?;
        let earlier = row.map(|row| row.open(&self.keys)).transpose()?;
        let asked = match &earlier {
            Some(earlier) if earlier.state == State::Confirmed => None,
            Some(earlier) => earlier.asked.once_more(now),
            None => Asked::default().once_more(now),
        };
        let Some(asked) = asked else {
            return Ok(Decision::Rollback(Subscribed::Unchanged));
        };
        let generation = earlier.map_or(1, |earlier| earlier.generation);
        self.keep(transaction, id, generation, &asked).await?;
        // The id includes the times asked, so that a later confirmation mail has a new id.
        let name = [id.as_bytes().as_slice(), asked.to_string().as_bytes()].concat();
        let mail = NewMail {
            id: derived(&self.keys, "mail.subscription.asked", &name),
            message_id: derived(&self.keys, "outbox.subscription.asked", &name),
            subject_id: Some(id),
            to: Address {
                name: Personal::kept(String::new()),
                email: Personal::kept(self.email.clone()),
            },
            content: Content::Confirmation {
                confirm_url: self.links.confirm(id, generation, now),
            },
            language: self.language,
            cause: Cause::Own,
            expire_time: now + CONFIRM_WITHIN,
        };
        transaction
            .run(mail::insert(&self.keys, &mail, now)?)
            .await?;
        Ok(Decision::Commit(Subscribed::Asked))
    }
}

impl Subscribe {
    async fn is_too_many(&self, transaction: &mut Transaction<'_>) -> Result<bool, StoreError> {
        const COUNT: &str = "\
SELECT (SELECT count(*) FROM subscriptions WHERE network_digest = $1 AND update_time > $2),
       (SELECT count(*) FROM subscriptions WHERE network_digest = $1 AND update_time > $3)";
        let Some(network) = self.network else {
            return Ok(false);
        };
        transaction
            .lock(&super::receive::lock_name("subscriber", &network))
            .await?;
        let hour = self.now - TimeDelta::hours(1);
        let day = self.now - TimeDelta::days(1);
        let (in_hour, in_day): (i64, i64) = transaction
            .fetch_one(COUNT, values![network, hour, day])
            .await?;
        Ok(in_hour >= OF_NETWORK_IN_HOUR_MAX || in_day >= OF_NETWORK_IN_DAY_MAX)
    }

    async fn keep(
        &self,
        transaction: &mut Transaction<'_>,
        id: Uuid,
        generation: i64,
        asked: &Asked,
    ) -> Result<(), StoreError> {
        const UPSERT: &str = "\
INSERT INTO subscriptions (id, key_id, email, email_digest, state, generation, create_time, update_time, asked_times, network_digest,
  language)
VALUES ($1, $2, $3, $4, 'pending', $5, $6, $6, $7, $8, $9)
ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, email = excluded.email, state = excluded.state,
  update_time = excluded.update_time, confirm_time = NULL, asked_times = excluded.asked_times, network_digest = excluded.network_digest,
  language = excluded.language";
        let email = SUBSCRIPTIONS.seal(&self.keys, id, "email", &self.email)?;
        let values = values![
            id,
            self.keys.active(),
            email,
            subscription_digest(&self.keys, &self.email),
            generation,
            self.now,
            asked.to_string(),
            self.network,
            Language::code_or_en(self.language),
        ];
        transaction.execute(UPSERT, values).await?;
        Ok(())
    }
}

struct Confirm {
    links: Links,
    token: String,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Confirm {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        const GENERATION: &str =
            "SELECT generation FROM subscriptions WHERE id = $1 AND state <> 'unsubscribed'";
        const UPDATE: &str = "\
UPDATE subscriptions SET state = 'confirmed', confirm_time = $3, update_time = $3
WHERE id = $1 AND generation = $2 AND state = 'pending'";
        let Some(id) = Links::subject(&self.token) else {
            return Ok(Decision::Rollback(false));
        };
        let found: Option<(i64,)> = transaction.fetch_optional(GENERATION, values![id]).await?;
        let Some((generation,)) = found else {
            return Ok(Decision::Rollback(false));
        };
        if !self.links.confirms(&self.token, generation, self.now) {
            return Ok(Decision::Rollback(false));
        }
        transaction
            .execute(UPDATE, values![id, generation, self.now])
            .await?;
        Ok(Decision::Commit(true))
    }
}

struct Unsubscribe {
    id: Uuid,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Unsubscribe {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        const UPDATE: &str = "\
UPDATE subscriptions SET state = 'unsubscribed', generation = generation + 1, update_time = $2
WHERE id = $1 AND state <> 'unsubscribed'";
        // A number only: who left after which newsletter is not stored.
        const COUNT: &str = "\
UPDATE newsletters SET unsubscribes = unsubscribes + 1
WHERE id = (SELECT id FROM newsletters ORDER BY create_time DESC, id DESC LIMIT 1)
  AND EXISTS (SELECT 1 FROM subscriptions WHERE id = $1 AND state = 'confirmed')";
        transaction.execute(COUNT, values![self.id]).await?;
        let rows = transaction
            .execute(UPDATE, values![self.id, self.now])
            .await?;
        Ok(Decision::Commit(rows > 0))
    }
}
