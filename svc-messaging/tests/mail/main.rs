//! Mails: kept, written, sent. In one binary so that it is linked once.

mod server;
mod smtp;
