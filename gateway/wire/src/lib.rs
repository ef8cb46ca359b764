//! JSON to protobuf and back, each in one pass, by plans that are built from the descriptors at start.
//!
//! [`Plans`] convert single messages. [`Transcoder`] builds the request of an RPC from the path, query and body of an
//! HTTP request, as `google.api.http` binds them, and converts its answer. It builds no dynamic message, with three
//! exceptions: `google.protobuf.Any`, messages with groups or extensions (proto2), and answers whose fields must be put
//! in order first.
//!
//! # Answers
//! Canonical proto3 JSON with defaults shown, byte for byte the output of `prost-reflect`. Maps are in the order of
//! their keys, where `prost-reflect` has no order. Maps in messages left to `prost-reflect`, as above, have none
//! either. Messages may be nested 100 deep.
//!
//! # Requests
//! The bytes are **canonical**: fields in the order of their numbers, maps in the order of their keys, defaults
//! omitted. Equal values have equal bytes, regardless of the order and spelling of members and parameters
//! (`pageSize=5`, `page_size=005`). So a cache can use the bytes as its key. Only maps in messages left to
//! `prost-reflect` have no order.
//!
//! Bodies are read as `prost-reflect` reads them, except that these are refused:
//! - a member given twice, also once as `patientName` and once as `patient_name`, and two equal keys of a map;
//! - more than 64 nested objects and lists (each level of a `google.protobuf.Value` counts twice);
//! - numbers out of range that would be clamped to the nearest valid one: 2^63 as `9223372036854775808.0`, 2^64,
//!   `"1e400"`;
//! - floats as strings that are not JSON numbers: `"inf"`, `".5"`, `"+1.0"`, `"007"`. `"NaN"`, `"Infinity"` and
//!   `"-Infinity"` are valid, and whole numbers may have leading zeros and `+`.
//!
//! Floats are read exactly; `serde_json` is sometimes wrong in the last bit.
//!
//! A refusal names all wrong fields by their JSON paths, at most 50.

#![warn(missing_docs)]

mod binding;
mod error;
mod from_json;
mod join;
mod json;
mod map;
mod plan;
mod protobuf;
mod query;
mod scalar;
mod text;
mod to_json;
mod transcode;
mod well_known;

pub use self::{
    binding::{Binding, Body, RawFields},
    error::{Violation, WireError},
    json::Unreadable,
    plan::{MessageId, Plans},
    query::is_scalar_message,
    transcode::{Answer, BindingId, Parts, Request, Transcoder},
};

use self::{
    from_json::Intake,
    to_json::{Halt, Walk, in_order},
};

impl Plans {
    /// Returns the canonical JSON of a message.
    ///
    /// # Errors
    /// If the bytes are not such a message.
    pub fn to_json(&self, id: MessageId, bytes: &[u8]) -> Result<Vec<u8>, WireError> {
        let walk = |bytes: &[u8]| {
            let mut walk = Walk::new(self, bytes.len(), [None, None]);
            walk.message(id, bytes, 0).map(|()| walk.out)
        };
        let json = match walk(bytes) {
            Err(Halt::Disorder) => in_order(self.message(id), bytes)
                .map_err(Halt::Broken)
                .and_then(|ordered| walk(&ordered)),
            json => json,
        };
        Ok(json?)
    }

    /// Returns the canonical bytes of a message.
    ///
    /// # Errors
    /// If the text is not JSON, or has wrong fields.
    pub fn from_json(&self, id: MessageId, json: &[u8]) -> Result<Vec<u8>, WireError> {
        let text = std::str::from_utf8(json).map_err(|_| Unreadable::Malformed)?;
        let taken = Intake::of_message(self, id, text)?;
        if taken.violations.is_empty() {
            Ok(taken.bytes)
        } else {
            Err(WireError::Fields(taken.violations))
        }
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
