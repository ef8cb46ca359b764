//! One suite, run on SQLite and on PostgreSQL.

mod booking;
mod fixture;
mod holds;
mod smoke;
