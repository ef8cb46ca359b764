//! One suite, run on SQLite and on PostgreSQL.

mod booking;
mod changes;
mod desk;
mod fixture;
mod holds;
mod rosters;
mod smoke;
