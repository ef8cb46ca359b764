//! Records over gRPC, changed as the gateway does, and what visitors then read.

mod any;
mod any_posts;
mod desk;
mod drafts;
mod files;
mod gaps;
mod kill;
mod languages;
mod pictures;
mod posts;
mod previews;
mod publication;
mod rendered;
mod times;
mod translations;
