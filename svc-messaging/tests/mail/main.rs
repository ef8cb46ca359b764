//! Mails: kept, written, sent. In one binary so that it is linked once.

mod fixture;
mod golden;
mod sending;
mod server;
mod smtp;
mod ways;
mod written;
