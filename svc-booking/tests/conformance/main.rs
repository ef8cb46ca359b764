//! One suite, run on SQLite and on PostgreSQL.

mod fixture;
mod smoke;
