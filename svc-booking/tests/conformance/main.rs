//! One suite, run on SQLite and on PostgreSQL.

mod booking;
mod changes;
mod desk;
mod fixture;
mod grpc_line;
mod grpc_own;
mod grpc_staff;
mod grpc_visitor;
mod holds;
mod line;
mod races;
mod rosters;
mod serving;
mod smoke;
