//! The contracts, the plans of their messages, and the reference conversion to JSON and back.

use std::sync::LazyLock;

use gateway_wire::{MessageId, Plans};
use prost::{
    DecodeError, Message as _,
    encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field},
};
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor,
    SerializeOptions,
};

/// The test contracts, compiled at run time.
pub(crate) static OWN: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wire");
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto");
    let mut compiler = protox::Compiler::new([own, project]).unwrap();
    compiler.include_imports(true);
    compiler.open_file("everything.proto").unwrap();
    compiler.open_file("legacy.proto").unwrap();
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
});

static PROJECT: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap());

/// A message type and its plan.
pub(crate) struct Subject {
    pub(crate) descriptor: MessageDescriptor,
    pub(crate) id: MessageId,
    plans: &'static Plans,
}

static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let messages = OWN.all_messages().chain(PROJECT.all_messages());
    let messages: Vec<_> = messages.filter(|m| !m.is_map_entry()).collect();
    let mut own = Plans::default();
    let mut project = Plans::default();
    let mut ids = Vec::new();
    for message in &messages {
        let is_own = message.parent_pool() == &*OWN;
        let plans = if is_own { &mut own } else { &mut project };
        ids.push((is_own, plans.add(message)));
    }
    let (own, project): (&Plans, &Plans) = (Box::leak(Box::new(own)), Box::leak(Box::new(project)));
    let subjects = messages.into_iter().zip(ids);
    subjects
        .map(|(descriptor, (is_own, id))| Subject {
            descriptor,
            id,
            plans: if is_own { own } else { project },
        })
        .collect()
});

/// Returns every message type of all contracts.
pub(crate) fn subjects() -> &'static [Subject] {
    &SUBJECTS
}

pub(crate) fn subject(name: &str) -> &'static Subject {
    let found = subjects().iter().find(|s| s.descriptor.full_name() == name);
    found.unwrap_or_else(|| panic!("there is no message {name}"))
}

impl Subject {
    pub(crate) fn name(&self) -> &str {
        self.descriptor.full_name()
    }

    /// Converts with the plans.
    pub(crate) fn json(&self, bytes: &[u8]) -> Option<String> {
        let json = self.plans.to_json(self.id, bytes).ok()?;
        Some(String::from_utf8(json).unwrap())
    }

    /// Converts with the plans.
    pub(crate) fn bytes(&self, json: &str) -> Result<Vec<u8>, gateway_wire::WireError> {
        self.plans.from_json(self.id, json.as_bytes())
    }

    /// Converts with `prost-reflect`, but refuses a map of another wire type, as for any other field.
    pub(crate) fn expected_json(&self, bytes: &[u8]) -> Option<String> {
        if has_map_of_another_wire_type(&self.descriptor, bytes).ok()? {
            return None;
        }
        let message = DynamicMessage::decode(self.descriptor.clone(), bytes).ok()?;
        json_of(&message)
    }

    /// Converts with `prost-reflect`.
    pub(crate) fn expected_message(&self, json: &str) -> Result<DynamicMessage, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let options = DeserializeOptions::new().deny_unknown_fields(true);
        let descriptor = self.descriptor.clone();
        let message =
            DynamicMessage::deserialize_with_options(descriptor, &mut deserializer, &options)?;
        deserializer.end()?;
        Ok(message)
    }
}

/// Whether a map field has another wire type. Neither `prost` nor `prost-reflect` checks that: they read whatever
/// follows as an entry's length. Returns an error if the bytes end early or have no valid tag.
fn has_map_of_another_wire_type(
    descriptor: &MessageDescriptor,
    mut bytes: &[u8],
) -> Result<bool, DecodeError> {
    while !bytes.is_empty() {
        let (number, wire_type) = decode_key(&mut bytes)?;
        let field = descriptor.get_field(number);
        let is_delimited = wire_type == WireType::LengthDelimited;
        if field.as_ref().is_some_and(FieldDescriptor::is_map) && !is_delimited {
            return Ok(true);
        }
        let Some(Kind::Message(inner)) = field.map(|field| field.kind()).filter(|_| is_delimited)
        else {
            skip_field(wire_type, number, &mut bytes, DecodeContext::default())?;
            continue;
        };
        let length = usize::try_from(decode_varint(&mut bytes)?).unwrap_or(usize::MAX);
        // The decoder refuses truncated input anyway; the remaining part may contain a map.
        let (value, rest) = bytes.split_at(length.min(bytes.len()));
        if has_map_of_another_wire_type(&inner, value)? {
            return Ok(true);
        }
        bytes = rest;
    }
    Ok(false)
}

pub(crate) fn json_of(message: &DynamicMessage) -> Option<String> {
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut out);
    let options = SerializeOptions::new().skip_default_fields(false);
    message
        .serialize_with_options(&mut serializer, &options)
        .ok()?;
    Some(String::from_utf8(out).unwrap())
}

/// Parses JSON for comparison, because maps of `prost-reflect` have no order.
pub(crate) fn value(json: &str) -> serde_json::Value {
    serde_json::from_str(json).unwrap()
}

/// Whether two values are equal except for the last bits of floats. `serde_json`, which parses the text for
/// `prost-reflect`, is sometimes off in the last bit. Another test checks that our floats are exact.
pub(crate) fn is_alike(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (one, other) {
        (Number(one), Number(other)) if one.is_f64() && other.is_f64() => {
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap());
            (one - other).abs() <= 4.0 * f64::EPSILON * one.abs()
        }
        (Array(one), Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_alike(a, b))
        }
        (Object(one), Object(other)) => {
            let same = |(name, value)| other.get(name).is_some_and(|other| is_alike(value, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

/// Decodes the output of the plans.
pub(crate) fn decoded(subject: &Subject, bytes: &[u8]) -> DynamicMessage {
    DynamicMessage::decode(subject.descriptor.clone(), bytes).unwrap()
}

/// Returns canonical bytes, provided that maps have at most one entry.
pub(crate) fn encoded(message: &DynamicMessage) -> Vec<u8> {
    message.encode_to_vec()
}
