//! Records over gRPC, changed as the gateway does, and what visitors then read.

mod any;
mod desk;
mod drafts;
mod files;
mod gaps;
mod kill;
mod publication;
mod times;
