//! The whole crate against a real issuer on this machine.

mod attacks;
mod desk;
mod issuer;
mod issuer_faults;
mod sessions;
mod sign_in;
mod sign_out;
mod watch;
