//! Mails: kept, written, sent. In one binary so that it is linked once.

mod ending;
mod fixture;
mod golden;
mod notices;
mod sending;
mod server;
mod smtp;
mod ways;
mod written;
