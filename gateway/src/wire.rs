//! JSON to protobuf and back.

pub(crate) mod codec;
pub(crate) mod query;
pub(crate) mod transcode;
