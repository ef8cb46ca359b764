//! Records over gRPC, changed as the gateway does, and what visitors then read.

mod any;
mod any_posts;
mod desk;
mod drafts;
mod files;
mod pictures;
mod previews;
mod posts;
mod gaps;
mod kill;
mod publication;
mod times;
