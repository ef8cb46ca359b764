//! Tries to break the booking of appointments, and reports its findings.
//!
//! Many clients send gRPC calls to the real process while it is repeatedly killed and restarted. Each client records
//! its requests and responses (`history`). Meanwhile an observer reads the database's rows (`rows`). Afterwards a
//! checker (`check`) compares both with the promises of the contract. This crate does not use the product's code: only
//! its contract, its tables and its command line.

pub mod check;
pub mod client;
pub mod history;
pub mod mailbox;
pub mod plan;
pub mod report;
pub mod rows;
pub mod sabotage;
pub mod service;
pub mod shrink;
pub mod trial;
pub mod world;

/// A failure of the proof itself, which is neither a pass nor a finding.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    #[error("program: {0}")]
    Program(#[from] std::io::Error),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("service: {0}")]
    Service(#[from] tonic::transport::Error),
    #[error("task: {0}")]
    Task(#[from] tokio::task::JoinError),
    #[error("{0}")]
    Other(String),
}

/// Result of a step of the proof.
pub type Result<T, E = ProofError> = std::result::Result<T, E>;
