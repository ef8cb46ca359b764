//! The contracts of the hospital's services, generated from `proto/hospital`. No hand-written logic lives here.
#![allow(
    missing_debug_implementations,
    clippy::all,
    clippy::pedantic,
    reason = "generated code"
)]

/// Every contract with its options and comments, as an encoded `google.protobuf.FileDescriptorSet`.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));

pub mod google {
    pub mod api {
        tonic::include_proto!("google.api");
    }
}

pub mod hospital {
    pub mod api {
        pub mod v1 {
            tonic::include_proto!("hospital.api.v1");
        }
    }
    pub mod assessment {
        pub mod v1 {
            tonic::include_proto!("hospital.assessment.v1");
        }
    }
    pub mod booking {
        pub mod v1 {
            tonic::include_proto!("hospital.booking.v1");
        }
    }
    pub mod content {
        pub mod v1 {
            tonic::include_proto!("hospital.content.v1");
        }
    }
    pub mod messaging {
        pub mod v1 {
            tonic::include_proto!("hospital.messaging.v1");
        }
    }
}

pub use hospital::{assessment, booking, content, messaging};
