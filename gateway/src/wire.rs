//! JSON to protobuf and back, each in one pass, by plans that are made from the descriptors when the process starts.
//!
//! [`Transcoder`] makes the request of an operation out of path, query, headers and body, and the public form of its answer.
//! No dynamic message is built on the way, but for `google.protobuf.Any`, for messages with groups or extensions (proto2), and to put
//! an answer in order whose fields are not.
//!
//! # Answers
//! Canonical proto3 JSON with defaults shown, byte for byte what `prost-reflect` writes; maps in the order of their keys, where that one
//! has no order (and none has what is left to it, as above). Messages inside each other are followed 100 deep.
//!
//! # Requests
//! The bytes are **canonical**: fields in the order of their numbers, maps in the order of their keys, defaults left out. The same
//! values make the same bytes, whatever the order and spelling of members and parameters (`pageSize=5`, `page_size=005`), so that
//! a cache can take them for its key. Only maps in what is left to `prost-reflect` have no order.
//!
//! Bodies are read as `prost-reflect` reads them, except that these are refused:
//! - a member given twice, also once as `patientName` and once as `patient_name`, and two equal keys of a map;
//! - more than 64 objects and lists inside each other (each level of a `google.protobuf.Value` counts twice);
//! - numbers out of range that would be cut to the nearest one: 2^63 as `9223372036854775808.0`, 2^64, `"1e400"`;
//! - floats as strings that are no numbers of JSON: `"inf"`, `".5"`, `"+1.0"`, `"007"`; `"NaN"`, `"Infinity"` and `"-Infinity"` are fine, and
//!   whole numbers may have zeros and `+` before them.
//!
//! Floats are read exactly; `serde_json` misses the last bit at times.
//!
//! A refusal names all fields that are wrong, by their JSON paths, at most 50.

mod from_json;
mod join;
mod json;
mod map;
mod operation;
mod plan;
mod protobuf;
pub(crate) mod query;
mod scalar;
mod text;
mod to_json;
mod transcode;
mod well_known;

pub use self::{
    plan::{MessageId, Plans},
    transcode::{Answer, Request, Transcoder},
};

use self::{
    from_json::Intake,
    json::Unreadable,
    to_json::{Halt, Walk, in_order},
};
use crate::problem::Field;

/// Why bytes have no JSON, or JSON no bytes.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum WireError {
    /// The bytes are no message of the contract.
    #[error("{0}")]
    Broken(&'static str),
    /// The text is no JSON, or too deep.
    #[error("the text is no JSON that can be read")]
    Unreadable,
    /// These fields are wrong.
    #[error("{} fields are wrong", .0.len())]
    Fields(Vec<Field>),
}

impl Plans {
    /// The canonical JSON of a message.
    ///
    /// # Errors
    /// The bytes are no such message.
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
        json.map_err(|halt| match halt {
            Halt::Broken(broken) => WireError::Broken(broken.0),
            Halt::Disorder => WireError::Broken("the fields cannot be put in order"),
        })
    }

    /// The canonical bytes of a message.
    ///
    /// # Errors
    /// The text is no JSON, or has fields that are wrong.
    pub fn from_json(&self, id: MessageId, json: &[u8]) -> Result<Vec<u8>, WireError> {
        let text = std::str::from_utf8(json).map_err(|_| WireError::Unreadable)?;
        let taken = Intake::of_message(self, id, text);
        let taken = taken.map_err(|_: Unreadable| WireError::Unreadable)?;
        if taken.violations.is_empty() {
            Ok(taken.bytes)
        } else {
            Err(WireError::Fields(taken.violations))
        }
    }
}

/// What protobuf makes of a varint for a field of 32 bits.
fn low_bits(value: u64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "protobuf keeps the low 32 bits"
    )]
    let low = value as u32;
    low
}
