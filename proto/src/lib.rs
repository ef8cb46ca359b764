//! The contracts of the hospital's services, generated from `proto/hospital`. No hand-written logic lives here.
#![allow(
    missing_debug_implementations,
    clippy::all,
    clippy::pedantic,
    reason = "generated code"
)]

/// Every contract with its options and comments, as an encoded `google.protobuf.FileDescriptorSet`.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));

// A module for each package, made by the build script from the folders: `hospital.booking.v1` is `hospital::booking::v1`.
include!(concat!(env!("OUT_DIR"), "/packages.rs"));

pub use hospital::*;
