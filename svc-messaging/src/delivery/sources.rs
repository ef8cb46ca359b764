//! Records that mails refer to. They are read at sending time and so stored only once.

use std::fmt;

use async_trait::async_trait;
use store_kit::{database::Database, error::StoreError, keys::Keys};
use uuid::Uuid;

use crate::{
    mail::letter::{Enquiry, Issue},
    store,
};

/// Source of the records that mails refer to.
#[async_trait]
pub trait Sources: fmt::Debug + Send + Sync {
    /// Returns a visitor's message; `None` if it was erased.
    async fn enquiry(&self, message: Uuid) -> Result<Option<Enquiry>, StoreError>;

    /// Returns a newsletter issue; `None` if it was deleted.
    async fn issue(&self, newsletter: Uuid) -> Result<Option<Issue>, StoreError>;

    /// Returns whether the address has a confirmed, active newsletter subscription.
    async fn is_confirmed(&self, email: &str) -> Result<bool, StoreError>;
}

/// Sources backed by the service's own database.
#[derive(Clone, Debug)]
pub struct Stored {
    pub database: Database,
    pub keys: Keys,
}

#[async_trait]
impl Sources for Stored {
    async fn enquiry(&self, message: Uuid) -> Result<Option<Enquiry>, StoreError> {
        let message = store::message(&self.database, &self.keys, message).await?;
        Ok(message.map(|message| Enquiry {
            reference: message.reference,
            name: message.new.name.as_str().to_owned(),
            email: message.new.email().unwrap_or_default().to_owned(),
            phone: message.new.phone().unwrap_or_default().to_owned(),
            language: message.new.language,
            subject: message.new.subject.as_str().to_owned(),
            message: message.new.message.as_str().to_owned(),
            thread: message.new.thread_id().unwrap_or_default().to_owned(),
            people: message.new.registration().map(|(_, people)| people),
            create_time: message.create_time,
        }))
    }

    async fn issue(&self, id: Uuid) -> Result<Option<Issue>, StoreError> {
        let issue = store::issue(&self.database, id).await?;
        Ok(issue.map(|issue| Issue {
            subject: issue.subject,
            text: issue.text,
        }))
    }

    async fn is_confirmed(&self, email: &str) -> Result<bool, StoreError> {
        store::is_confirmed(&self.database, &self.keys, email).await
    }
}
