//! Test mails: a draft to the person who asks for it.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{DraftOutcome, Store, drafts::Change, keyed::derived};
use crate::{
    domain::newsletter::{TEST_WITHIN, TESTS_PER_HOUR_MAX},
    mail::{self, Address, Cause, NewMail, content::Content},
};

impl Store {
    /// Sends a draft that the caller read at `version` to `email`, at most once a minute for each version; `false` if
    /// the caller has sent [`TESTS_PER_HOUR_MAX`] tests within an hour. The audit entry has no address.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn test_draft(
        &self,
        id: Uuid,
        version: i64,
        actor: &str,
        email: &str,
        now: DateTime<Utc>,
    ) -> Result<DraftOutcome<bool>, StoreError> {
        let test = Test {
            change: self.change(id, version, actor, now),
            email: email.to_owned(),
        };
        self.database.write("INSERT mails", test).await
    }
}

struct Test {
    change: Change,
    email: String,
}

#[async_trait]
impl UnitOfWork for Test {
    type Outcome = DraftOutcome<bool>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        const SAME: &str = "SELECT count(*) FROM mails WHERE id = $1";
        const RECENT: &str =
            "SELECT count(*) FROM mails WHERE subject_id = $1 AND create_time > $2";
        let change = &self.change;
        let (keys, now) = (&change.keys, change.now);
        let person = derived(keys, "newsletter.tester", change.actor.as_bytes());
        // Serialises the count with other tests of this person.
        transaction
            .lock(&format!("newsletter_drafts.test.{person}"))
            .await?;
        let draft = match change.present(transaction).await? {
            None => return Ok(Decision::Rollback(DraftOutcome::Unknown)),
            Some(draft) if draft.version != change.version => {
                return Ok(Decision::Rollback(DraftOutcome::Changed));
            }
            Some(draft) => draft,
        };
        let minute = now.timestamp().div_euclid(60);
        let name = format!("{person}.{}.{}.{minute}", draft.id, draft.version);
        let id = derived(keys, "mail.newsletter_test", name.as_bytes());
        let (same,): (i64,) = transaction.fetch_one(SAME, values![id]).await?;
        if same > 0 {
            return Ok(Decision::Rollback(DraftOutcome::Done(true)));
        }
        let hour_ago = now - TimeDelta::hours(1);
        let (recent,): (i64,) = transaction
            .fetch_one(RECENT, values![person, hour_ago])
            .await?;
        if recent >= TESTS_PER_HOUR_MAX {
            return Ok(Decision::Rollback(DraftOutcome::Done(false)));
        }
        let mail = NewMail {
            id,
            message_id: derived(keys, "outbox.newsletter_test", name.as_bytes()),
            subject_id: Some(person),
            to: Address::new("", &self.email),
            content: Content::NewsletterTest {
                subject: draft.issue.subject,
                text: draft.issue.text,
            },
            language: None,
            cause: Cause::Staff,
            expire_time: now + TEST_WITHIN,
        };
        transaction.run(mail::insert(keys, &mail, now)?).await?;
        change.note(transaction, "draft.tested").await?;
        Ok(Decision::Commit(DraftOutcome::Done(true)))
    }
}
