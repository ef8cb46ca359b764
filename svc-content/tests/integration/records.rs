//! Records over gRPC, changed as the gateway does, and what visitors then read.

mod any;
mod desk;
mod drafts;
mod files;
mod pictures;
mod publication;
