//! Tests against real databases and the real process, in one binary so that it is linked once.

mod blog_access;
mod blog_store;
mod blogs;
mod changes;
mod database;
mod issuer;
mod process;
mod reads;
mod service;
mod store;
