//! Values that depend on the service's keys: sealed tables, keyed hashes and derived ids. Their purposes must never
//! change.

use service_kit::input::{email_to_look_up, phone_to_look_up};
use store_kit::{
    keys::Keys,
    sealed::{Digest, SealedTable},
};
use uuid::Uuid;

/// Kind of the request keys of creates. Part of the hash.
pub const CREATE: &str = "messages.create";

pub(super) const MESSAGES: SealedTable = SealedTable {
    table: "messages",
    columns: &["name", "email", "phone", "subject", "message"],
    digests: &[
        Digest {
            column: "email_digest",
            of: "email",
            make: email_digest,
        },
        Digest {
            column: "phone_digest",
            of: "phone",
            make: phone_digest,
        },
    ],
};

pub(super) const SUBSCRIPTIONS: SealedTable = SealedTable {
    table: "subscriptions",
    columns: &["email"],
    digests: &[Digest {
        column: "email_digest",
        of: "email",
        make: subscription_digest,
    }],
};

/// Returns the keyed hash for looking up the messages of an e-mail address.
pub(super) fn email_digest(keys: &Keys, email: &str) -> [u8; 32] {
    keys.digest("messages.email", email_to_look_up(email).as_bytes())
}

/// Returns the keyed hash for looking up the messages of a phone number.
pub(super) fn phone_digest(keys: &Keys, phone: &str) -> [u8; 32] {
    keys.digest("messages.phone", phone_to_look_up(phone).as_bytes())
}

/// Returns the keyed hash for looking up the subscription of an address.
pub(super) fn subscription_digest(keys: &Keys, email: &str) -> [u8; 32] {
    keys.digest("subscriptions.email", email_to_look_up(email).as_bytes())
}

/// Derives a deterministic id from `value`, so that repeated inserts are idempotent.
pub(super) fn derived(keys: &Keys, purpose: &str, value: &[u8]) -> Uuid {
    let digest = keys.digest(purpose, value);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}
