//! A mail to store and send, its recipient and its cause.

use chrono::{DateTime, Utc};
use service_kit::{input::EmailAddress, language::Language};
use uuid::Uuid;

use super::content::Content;
use crate::domain::Personal;

/// A mail to store and send.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// Deduplication key: a second insert with the same id has no effect. Part of the Message-ID.
    pub id: Uuid,
    /// Id of the outbox message; deterministic for each mail.
    pub message_id: Uuid,
    /// Entity that the mail is about, such as an appointment. Stored content is deleted together with that entity.
    pub subject_id: Option<Uuid>,
    pub to: Address,
    pub content: Content,
    /// Language of the recipient; `None` is English.
    pub language: Option<Language>,
    pub cause: Cause,
    /// The mail is not sent after this time.
    pub expire_time: DateTime<Utc>,
}

/// Cause of a mail; determines which sending limits apply.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Cause {
    /// This service: a form submission or a newsletter issue.
    #[default]
    Own,
    /// A patient, or a stranger who entered a patient's address.
    Patient {
        /// Keyed hash of the network, 16 hexadecimal digits. Empty if unknown.
        network: String,
        /// Whether the address was already verified when the notice was requested.
        is_proven: bool,
    },
    Staff,
    /// A reminder or a waitlist offer.
    Calendar,
}

impl Cause {
    /// Returns the cause's name in the database.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Patient { .. } => "patient",
            Self::Staff => "staff",
            Self::Calendar => "calendar",
        }
    }

    pub(super) fn network(&self) -> &str {
        match self {
            Self::Patient { network, .. } => network,
            _ => "",
        }
    }

    pub(super) fn is_proven(&self) -> bool {
        matches!(
            self,
            Self::Patient {
                is_proven: true,
                ..
            }
        )
    }

    /// Parses the columns of a row; `None` if the word is unknown.
    pub(super) fn from_words(word: &str, network: &str, is_proven: bool) -> Option<Self> {
        Some(match word {
            "" => Self::Own,
            "patient" => Self::Patient {
                network: network.to_owned(),
                is_proven,
            },
            "staff" => Self::Staff,
            "calendar" => Self::Calendar,
            _ => return None,
        })
    }
}

/// Recipient of a mail.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Address {
    /// Empty if unknown.
    pub name: Personal,
    pub email: Personal,
}

impl Address {
    /// Creates an address from validated texts.
    pub fn new(name: &str, email: &str) -> Self {
        Self {
            name: Personal::kept(name.to_owned()),
            email: Personal::kept(email.to_owned()),
        }
    }
}

/// Parses an address that mails can be sent to. `EmailAddress` is stricter than RFC 5322: no quoted local part, no
/// comment, no second address.
pub(super) fn recipient(email: &str) -> Option<lettre::Address> {
    EmailAddress::parse(email).ok()?.as_str().parse().ok()
}
