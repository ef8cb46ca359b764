//! JSON to protobuf and back.

pub(crate) mod query;
pub(crate) mod transcode;
