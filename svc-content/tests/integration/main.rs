//! Tests against real databases and the real process, in one binary so that it is linked once.

mod database;
mod process;
mod service;
mod store;
