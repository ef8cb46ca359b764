//! Callers, and what they may do.

use service_kit::language::Language;
use store_kit::{audit, keys::Keys};
use uuid::Uuid;

use crate::{
    domain::{change::PATIENT, proof::Caller},
    secret::{self, Subject},
};

/// Credentials of a caller who accesses personal data.
#[derive(Clone, Debug)]
pub enum Access {
    /// A person with the secret.
    Secret(String),
    /// Staff, by the subject of their token. Their reads and changes are recorded in the audit log.
    Staff(String),
}

impl Access {
    /// Returns the actor for the history.
    pub fn actor(&self) -> &str {
        match self {
            Self::Secret(_) => PATIENT,
            Self::Staff(subject) => subject,
        }
    }

    /// Returns the caller's authentication; a secret must be checked before.
    pub(super) fn caller(
        &self,
        keys: &Keys,
        subject: Subject,
        id: Uuid,
        generation: i64,
    ) -> Caller {
        match self {
            Self::Staff(_) => Caller::Staff,
            Self::Secret(shown) if secret::is_mailed(keys, subject, id, generation, shown) => {
                Caller::Proven
            }
            Self::Secret(_) => Caller::Unproven,
        }
    }

    /// Returns the audit entries of a listed page; none if a patient reads their own data.
    pub(super) fn page(
        &self,
        action: &'static str,
        detail: &str,
        ids: &[Uuid],
    ) -> Vec<audit::Entry> {
        match self {
            Self::Secret(_) => Vec::new(),
            Self::Staff(actor) => audit::Entry::of_page(actor, action, detail, ids),
        }
    }

    pub(super) fn entry(
        &self,
        action: &'static str,
        subject: &str,
        detail: &str,
    ) -> Option<audit::Entry> {
        let Self::Staff(actor) = self else {
            return None;
        };
        Some(audit::Entry {
            actor: actor.clone(),
            action,
            subject: subject.to_owned(),
            detail: detail.to_owned(),
        })
    }
}

/// Credentials and network of a caller.
#[derive(Clone, Debug)]
pub struct By {
    pub access: Access,
    /// Keyed hash of the caller's network; `None` for staff or if unknown.
    pub network: Option<[u8; 32]>,
    /// Language of the call.
    pub language: Option<Language>,
}

impl By {
    /// Returns the language that a change stores. `None` keeps the stored one: staff write in their own language.
    pub(super) fn stored_language(&self) -> Option<&'static str> {
        let is_person = matches!(self.access, Access::Secret(_));
        is_person.then(|| Language::code_or_en(self.language))
    }

    /// Returns the person's language after a change.
    pub(super) fn language_after(&self, present: Option<Language>) -> Option<Language> {
        match self.access {
            Access::Secret(_) => self.language,
            Access::Staff(_) => present,
        }
    }
}
