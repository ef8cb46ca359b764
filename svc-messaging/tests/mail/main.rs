//! Tests of mail storage, rendering and sending, in one binary to link only once.

mod bounces;
mod caps;
mod ending;
mod fixture;
mod golden;
mod lanes;
mod notices;
mod program;
mod refused;
mod sending;
mod server;
mod signed;
mod smtp;
mod translated;
mod ways;
mod written;
