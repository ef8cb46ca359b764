//! Staff access to deliveries and suppressions. Every call writes audit entries.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    sql::Transaction,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Store, inbox::end_of_times};
use crate::mail::store::{
    Delivery, DeliveryFilter, DeliveryState, NotResent, Resend, list,
    suppressions::{self, Lift, Suppression},
};

/// Last row of a page; the cursor of the next page.
pub type Position = (DateTime<Utc>, Uuid);

impl Store {
    /// Returns a page of deliveries, newest first, and whether more follow.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn deliveries(
        &self,
        state: Option<DeliveryState>,
        after: Option<Position>,
        size: u32,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Delivery>, bool), StoreError> {
        let filter = DeliveryFilter {
            state,
            after: after.unwrap_or((end_of_times(now), Uuid::max())),
            rows_max: size + 1,
        };
        let mut page = list(&self.database, &self.keys, &filter).await?;
        let more = page.len() > size as usize;
        page.truncate(size as usize);
        let ids = page.iter().map(|delivery| delivery.id).collect();
        self.note_all(actor, "delivery.list", ids, now).await?;
        Ok((page, more))
    }

    /// Retries a delivery immediately. `message_id` is the id of the new outbox message.
    ///
    /// # Errors
    /// When the database fails, or the mail cannot be decrypted.
    pub async fn resend_delivery(
        &self,
        id: Uuid,
        message_id: Uuid,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Result<Delivery, NotResent>, StoreError> {
        let resend = Resend {
            keys: self.keys.clone(),
            id,
            message_id,
            actor: actor.to_owned(),
            now,
        };
        self.database.write("UPDATE mails", resend).await
    }

    /// Returns a page of suppressions, newest first, and whether more follow.
    ///
    /// # Errors
    /// When the database fails, or an address cannot be decrypted.
    pub async fn suppressions(
        &self,
        after: Option<Position>,
        size: u32,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Suppression>, bool), StoreError> {
        let after = after.unwrap_or((end_of_times(now), Uuid::max()));
        let mut page = suppressions::list(&self.database, &self.keys, after, now, size + 1).await?;
        let more = page.len() > size as usize;
        page.truncate(size as usize);
        let ids = page.iter().map(|suppression| suppression.id).collect();
        self.note_all(actor, "suppression.list", ids, now).await?;
        Ok((page, more))
    }

    /// Lifts a suppression; returns whether it existed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lift_suppression(
        &self,
        id: Uuid,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let lift = Lift {
            keys: self.keys.clone(),
            id,
            actor: actor.to_owned(),
            now,
        };
        self.database.write("DELETE suppressions", lift).await
    }

    /// Writes audit entries for a listed page, with every id on it.
    pub(super) async fn note_all(
        &self,
        actor: &str,
        action: &'static str,
        ids: Vec<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let note = NoteAll {
            keys: self.keys.clone(),
            actor: actor.to_owned(),
            action,
            ids,
            now,
        };
        self.database.write("INSERT audit_entries", note).await
    }
}

struct NoteAll {
    keys: Keys,
    actor: String,
    action: &'static str,
    ids: Vec<Uuid>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for NoteAll {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let entries = audit::Entry::of_page(&self.actor, self.action, "", &self.ids);
        audit::append_all(transaction, &self.keys, &entries, self.now).await?;
        Ok(Decision::Commit(()))
    }
}
