//! What mails refer to: read when they are sent, so that it is kept once.

use std::fmt;

use async_trait::async_trait;
use store_kit::error::StoreError;
use uuid::Uuid;

use crate::mail::letter::{Enquiry, Issue};

/// Where mails find what they refer to.
#[async_trait]
pub trait Sources: fmt::Debug + Send + Sync {
    /// A message of a visitor; `None` once it was erased.
    async fn enquiry(&self, message: Uuid) -> Result<Option<Enquiry>, StoreError>;

    /// An issue of the newsletter; `None` once it was removed.
    async fn issue(&self, newsletter: Uuid) -> Result<Option<Issue>, StoreError>;

    /// Whether this address has confirmed that it wants the newsletter, and still wants it.
    async fn is_confirmed(&self, email: &str) -> Result<bool, StoreError>;
}
