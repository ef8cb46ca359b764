//! What every service that keeps things needs. A service says what a change *is*; this crate keeps it.
//!
//! One text of SQL runs on both databases wherever they agree ([`sql`]); a change is a [`work::UnitOfWork`]; a create that may
//! be repeated has a [`requests::RequestKey`] and ends in a [`creation::Creation`]; a message to be delivered is a row of the
//! [`outbox`]; who read or changed what is in the [`audit`] log; what only the hospital may read is [`sealed`].
//!
//! Nothing here knows a word of the domain or a contract.

pub mod audit;
pub mod creation;
pub mod database;
pub mod error;
pub mod keys;
mod lease;
mod metrics;
pub mod migrate;
pub mod outbox;
pub mod process;
pub mod requests;
pub mod retention;
pub mod sealed;
pub mod sql;
pub mod url;
pub mod work;
mod writer;
