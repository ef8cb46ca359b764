//! Tests against real databases and the real process, in one binary to link only once.

mod audit;
mod audit_store;
mod blog_access;
mod blog_html;
mod blog_pictures;
mod blog_requests;
mod blog_store;
mod blogs;
mod changes;
mod media;
mod media_store;
mod old;
mod reads;
mod recorded;
mod records;
mod service;
mod store;
mod text;

/// The service's own binary.
const PROGRAM: test_kit::process::Program =
    test_kit::process::Program(env!(concat!("CARGO_BIN_EXE_", env!("CARGO_PKG_NAME"))));
