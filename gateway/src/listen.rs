//! Sockets: connections that are taken, bounded in number and time.

mod config;
pub mod connections;

pub use self::config::ListenConfig;
