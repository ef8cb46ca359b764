//! Sockets: connections that are taken, bounded in number and time.

pub mod connections;
