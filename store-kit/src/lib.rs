//! Storage for every service with a database. A service defines *what* a change does; this crate commits it.
//!
//! One SQL text runs on both databases wherever they agree ([`sql`]). A change is a [`work::UnitOfWork`]. A create that
//! may be retried has a [`requests::RequestKey`] and results in a [`creation::Creation`]. A message to deliver is a row
//! of the [`outbox`]. The [`audit`] log records who read or changed which data. Data that only the hospital may read is
//! [`sealed`].
//!
//! Nothing here depends on the domain or on a contract.

pub mod audit;
mod connect;
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
