//! Random messages: every choice consumes a byte of the input, so that proptest can shrink failures.

use std::collections::HashMap;

use prost_reflect::{DynamicMessage, Kind, MapKey, MessageDescriptor, ReflectMessage as _, Value};
use prost_types::{Duration, Timestamp};

const TEXTS: [&str; 8] = [
    "",
    "plain",
    "with \"quotes\" and \\",
    "\u{0}\u{1f}\u{7f}\n\t\r\u{8}\u{c}",
    "हिन्दी 😀",
    "/",
    "NaN",
    "0",
];
const PATHS: [&str; 5] = ["", "name", "first_name", "a.b_c.d", "one_two_three"];
const NUMBERS: [u64; 8] = [0, 1, 127, 128, u64::MAX, 1 << 31, 1 << 63, 300];
const FLOATS: [f64; 9] = [
    0.0,
    1.0,
    -1.5,
    0.1,
    1e21,
    123_456_789.125,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

#[derive(Debug)]
pub(crate) struct Dice<'a> {
    bytes: &'a [u8],
    /// Maximum number of entries of a map.
    pub(crate) entries_max: usize,
    /// Restricts floats to those that `serde_json` parses exactly; for others it is sometimes off in the last bit.
    pub(crate) short_floats: bool,
}

impl<'a> Dice<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            entries_max: 1,
            short_floats: false,
        }
    }

    /// Returns 0 when no bytes are left.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        match self.bytes {
            [first, rest @ ..] => {
                self.bytes = rest;
                usize::from(*first) % sides
            }
            [] => 0,
        }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    fn number(&mut self) -> u64 {
        match self.roll(3) {
            0 => self.pick(&NUMBERS),
            1 => self.roll(256) as u64,
            _ => (0..8).fold(0, |all, _| all << 8 | self.roll(256) as u64),
        }
    }

    fn float(&mut self) -> f64 {
        if self.roll(2) == 0 {
            return self.pick(&FLOATS);
        }
        if self.short_floats {
            let [low, high, ..] = self.number().to_le_bytes();
            return f64::from(i16::from_le_bytes([low, high])) / 8.0;
        }
        match f64::from_bits(self.number()) {
            value if value.is_nan() => f64::NAN,
            // Encoders omit minus zero.
            0.0 => 0.0,
            value => value,
        }
    }

    fn text(&mut self) -> String {
        let start = self.pick(&TEXTS).to_owned();
        let more = self.roll(4);
        (0..more).fold(start, |text, _| {
            let point = u32::try_from(self.number() % 0x11_0000).unwrap();
            text + &char::from_u32(point).unwrap_or('\u{fffd}').to_string()
        })
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.roll(6))
            .map(|_| self.number().to_le_bytes()[0])
            .collect()
    }

    pub(crate) fn message(
        &mut self,
        descriptor: &MessageDescriptor,
        depth: usize,
    ) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        if self.well_known(&mut message, depth) {
            return message;
        }
        for field in descriptor.fields() {
            let is_deep = depth > 3 && field.kind().as_message().is_some();
            if self.roll(3) == 0 || is_deep {
                continue;
            }
            let kind = field.kind();
            let value = if field.is_map() {
                let entry = kind.as_message().unwrap();
                let entries = self.roll(self.entries_max + 1);
                let mut map = HashMap::new();
                for _ in 0..entries {
                    let key = self.key(&entry.map_entry_key_field().kind());
                    let value = self.value(&entry.map_entry_value_field().kind(), depth);
                    map.insert(key, value);
                }
                Value::Map(map)
            } else if field.is_list() {
                let length = self.roll(4);
                Value::List((0..length).map(|_| self.value(&kind, depth)).collect())
            } else {
                self.value(&kind, depth)
            };
            message.set_field(&field, value);
        }
        message
    }

    fn key(&mut self, kind: &Kind) -> MapKey {
        match self.value(kind, 0) {
            Value::Bool(value) => MapKey::Bool(value),
            Value::I32(value) => MapKey::I32(value),
            Value::I64(value) => MapKey::I64(value),
            Value::U32(value) => MapKey::U32(value),
            Value::U64(value) => MapKey::U64(value),
            Value::String(value) => MapKey::String(value),
            other => panic!("no key: {other:?}"),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
    fn value(&mut self, kind: &Kind, depth: usize) -> Value {
        match kind {
            Kind::Double => Value::F64(self.float()),
            Kind::Float => {
                let value = self.float() as f32;
                Value::F32(if value == 0.0 { 0.0 } else { value })
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                Value::I32((self.number() as u32).cast_signed())
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(self.number().cast_signed()),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(self.number() as u32),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(self.number()),
            Kind::Bool => Value::Bool(self.roll(2) == 1),
            Kind::String => Value::String(self.text()),
            Kind::Bytes => Value::Bytes(self.bytes().into()),
            Kind::Enum(values) => {
                let numbers: Vec<i32> = values.values().map(|v| v.number()).collect();
                let is_null = values.full_name() == "google.protobuf.NullValue";
                Value::EnumNumber(match self.roll(4) {
                    0 if !is_null => (self.number() as u32).cast_signed(),
                    _ => self.pick(&numbers),
                })
            }
            Kind::Message(message) => Value::Message(self.message(message, depth + 1)),
        }
    }

    /// Fills message types that do not allow every value. Returns whether the type is one of those.
    fn well_known(&mut self, message: &mut DynamicMessage, depth: usize) -> bool {
        let name = message.descriptor().full_name().to_owned();
        match name.as_str() {
            "google.protobuf.Timestamp" => {
                let seconds = (self.number() % 315_537_897_600).cast_signed() - 62_135_596_800;
                let nanos = self.nanos();
                let value = Timestamp { seconds, nanos };
                message.transcode_from(&value).unwrap();
            }
            "google.protobuf.Duration" => {
                let sign = if self.roll(2) == 0 { 1 } else { -1 };
                let seconds = (self.number() % 315_576_000_001).cast_signed() * sign;
                let nanos = self.nanos() * i32::try_from(sign).unwrap();
                let value = Duration { seconds, nanos };
                message.transcode_from(&value).unwrap();
            }
            "google.protobuf.FieldMask" => {
                let paths = (0..self.roll(3))
                    .map(|_| Value::String(self.pick(&PATHS).to_owned()))
                    .collect();
                message.set_field_by_name("paths", Value::List(paths));
            }
            "google.protobuf.Value" => {
                let (field, kind) = match self.roll(if depth > 5 { 4 } else { 6 }) {
                    0 => ("null_value", Value::EnumNumber(0)),
                    1 => {
                        let number = self.float();
                        let number = if number.is_finite() { number } else { 7.0 };
                        ("number_value", Value::F64(number))
                    }
                    2 => ("string_value", Value::String(self.text())),
                    3 => ("bool_value", Value::Bool(self.roll(2) == 1)),
                    4 => (
                        "struct_value",
                        self.of_field(message, "struct_value", depth),
                    ),
                    _ => ("list_value", self.of_field(message, "list_value", depth)),
                };
                message.set_field_by_name(field, kind);
            }
            "google.protobuf.Any" => {
                let pool = message.descriptor().parent_pool().clone();
                let names = [
                    "google.protobuf.Duration",
                    "google.protobuf.BoolValue",
                    "everything.v1.Tree",
                ];
                let name = self.pick(&names);
                if let Some(descriptor) = pool.get_message_by_name(name) {
                    let inner = self.message(&descriptor, depth + 1);
                    let bytes = prost::Message::encode_to_vec(&inner);
                    let url = format!("type.googleapis.com/{name}");
                    message.set_field_by_name("type_url", Value::String(url));
                    message.set_field_by_name("value", Value::Bytes(bytes.into()));
                }
            }
            _ => return false,
        }
        true
    }

    fn of_field(&mut self, message: &DynamicMessage, name: &str, depth: usize) -> Value {
        let field = message.descriptor().get_field_by_name(name).unwrap();
        self.value(&field.kind(), depth)
    }

    fn nanos(&mut self) -> i32 {
        self.pick(&[0, 1, 999_999_999, 120_000_000, 5_000])
    }
}
