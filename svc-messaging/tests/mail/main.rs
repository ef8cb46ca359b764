//! Mails: kept, written, sent. In one binary so that it is linked once.

mod ending;
mod fixture;
mod golden;
mod lanes;
mod notices;
mod program;
mod sending;
mod server;
mod signed;
mod smtp;
mod ways;
mod written;
