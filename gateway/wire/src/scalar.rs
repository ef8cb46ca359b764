//! One scalar that is being written into a message.

use std::borrow::Cow;

use base64::{
    DecodeError, Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::{
    json::is_number,
    plan::{FieldPlan, Kind, Plans, Shape},
    protobuf::{WireType, put_bytes, put_tag, put_varint},
    well_known,
};

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// 2 to the power of 64: no integer of a contract reaches it.
const INTEGER_LIMIT: f64 = 18_446_744_073_709_551_616.0;

/// A scalar, or a message that JSON writes as one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    Float(f32),
    Double(f64),
    Bytes(Cow<'a, [u8]>),
    /// Encoded message.
    Message(Vec<u8>),
}

impl<'a> Scalar<'a> {
    /// Whether proto3 omits the value in a field without presence. Messages always have presence.
    fn is_default(&self) -> bool {
        match self {
            Self::Varint(value) | Self::Fixed64(value) => *value == 0,
            Self::Fixed32(value) => *value == 0,
            // Minus zero, too.
            Self::Float(value) => *value == 0.0,
            Self::Double(value) => *value == 0.0,
            Self::Bytes(value) => value.is_empty(),
            Self::Message(_) => false,
        }
    }

    fn wire_type(&self) -> WireType {
        match self {
            Self::Varint(_) => WireType::Varint,
            Self::Fixed32(_) | Self::Float(_) => WireType::Fixed32,
            Self::Fixed64(_) | Self::Double(_) => WireType::Fixed64,
            Self::Bytes(_) | Self::Message(_) => WireType::Length,
        }
    }

    /// Appends the value alone, as in a packed list.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Varint(value) => put_varint(*value, out),
            Self::Fixed32(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Fixed64(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Float(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Bytes(value) => put_bytes(value, out),
            Self::Message(value) => put_bytes(value, out),
        }
    }

    /// Appends the value after its tag.
    pub(super) fn put_tagged(&self, number: u32, out: &mut Vec<u8>) {
        put_tag(number, self.wire_type(), out);
        self.put(out);
    }

    /// Returns the value after its tag.
    pub(super) fn tagged(&self, number: u32) -> Vec<u8> {
        let mut out = Vec::new();
        self.put_tagged(number, &mut out);
        out
    }

    /// Appends the value of a single field. A default is omitted if the field has no presence.
    pub(super) fn put_single(&self, field: &FieldPlan, out: &mut Vec<u8>) {
        if field.has_presence || !self.is_default() {
            self.put_tagged(field.number, out);
        }
    }

    /// Converts a JSON string to a value of `kind`; numbers may be strings. Returns `None` if it does not fit. Enums
    /// and messages are converted elsewhere.
    pub(super) fn from_string(kind: Kind, text: Cow<'a, str>) -> Option<Self> {
        match kind {
            Kind::String => Some(Self::Bytes(match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            })),
            Kind::Bytes => decode_base64(&text).map(|bytes| Self::Bytes(bytes.into())),
            Kind::Double | Kind::Float => {
                let value = match &*text {
                    "NaN" => f64::NAN,
                    "Infinity" => f64::INFINITY,
                    "-Infinity" => f64::NEG_INFINITY,
                    number => return is_number(number).then(|| Self::from_number(kind, number))?,
                };
                Some(Self::floating(kind, value))
            }
            Kind::Bool | Kind::Enum(_) | Kind::Message(_) => None,
            Kind::Uint32 | Kind::Uint64 | Kind::Fixed32 | Kind::Fixed64
                if text.starts_with('-') =>
            {
                None
            }
            _ => Self::integer(kind, text.parse().ok()?),
        }
    }

    /// Converts a JSON number to a value of `kind`. `text` must follow the grammar of numbers.
    pub(super) fn from_number(kind: Kind, text: &str) -> Option<Self> {
        match kind {
            Kind::Double => {
                let value: f64 = text.parse().ok()?;
                value.is_finite().then(|| Self::floating(kind, value))
            }
            Kind::Float => {
                let value: f64 = text.parse().ok()?;
                let in_range = value.abs() <= f64::from(f32::MAX);
                in_range.then(|| Self::floating(kind, value))
            }
            Kind::String | Kind::Bytes | Kind::Bool | Kind::Message(_) => None,
            // Only in integer notation: `1e0` is not the number of an enum.
            Kind::Enum(_) => Self::integer(kind, text.parse().ok()?),
            _ => Self::integer(kind, whole(text)?),
        }
    }

    fn floating(kind: Kind, value: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a float of the contract has fewer digits"
        )]
        let short = value as f32;
        if kind == Kind::Float {
            Self::Float(short)
        } else {
            Self::Double(value)
        }
    }

    /// Returns `None` if the value is out of range.
    fn integer(kind: Kind, value: i128) -> Option<Self> {
        let signed = || i64::try_from(value).ok();
        let short = || i32::try_from(value).ok();
        Some(match kind {
            Kind::Int32 | Kind::Enum(_) => Self::Varint(i64::from(short()?).cast_unsigned()),
            Kind::Int64 => Self::Varint(signed()?.cast_unsigned()),
            Kind::Sint32 => Self::Varint(zigzag(short()?.into()) & u64::from(u32::MAX)),
            Kind::Sint64 => Self::Varint(zigzag(signed()?)),
            Kind::Uint32 => Self::Varint(u32::try_from(value).ok()?.into()),
            Kind::Uint64 => Self::Varint(u64::try_from(value).ok()?),
            Kind::Fixed32 => Self::Fixed32(u32::try_from(value).ok()?),
            Kind::Sfixed32 => Self::Fixed32(short()?.cast_unsigned()),
            Kind::Fixed64 => Self::Fixed64(u64::try_from(value).ok()?),
            Kind::Sfixed64 => Self::Fixed64(signed()?.cast_unsigned()),
            _ => return None,
        })
    }

    pub(super) fn of_enum(number: i32) -> Self {
        Self::Varint(i64::from(number).cast_unsigned())
    }

    pub(super) fn boolean(value: bool) -> Self {
        Self::Varint(value.into())
    }

    /// Converts the text of a parameter to a value of `kind`, as in JSON but without quotes.
    pub(super) fn from_parameter(plans: &Plans, kind: Kind, text: Cow<'a, str>) -> Option<Self> {
        match kind {
            Kind::Bool => text.parse().ok().map(Self::boolean),
            Kind::Enum(id) => {
                let values = plans.enumeration(id);
                let number = values.numbers.get(&*text).copied().or_else(|| {
                    let number = text.parse().ok()?;
                    values.names.contains_key(&number).then_some(number)
                })?;
                Some(Self::of_enum(number))
            }
            Kind::Message(id) => match plans.message(id).shape {
                Shape::Wrapper(inner) => {
                    let value = Self::from_parameter(plans, inner, text)?;
                    Some(Self::Message(value.wrapped()))
                }
                shape => Self::from_text_of(shape, &text),
            },
            kind => Self::from_string(kind, text),
        }
    }

    /// Converts a text to the message of a shape that JSON writes as a string.
    pub(super) fn from_text_of(shape: Shape, text: &str) -> Option<Self> {
        let message = match shape {
            Shape::Timestamp => well_known::read_timestamp(text),
            Shape::Duration => well_known::read_duration(text),
            Shape::FieldMask => well_known::read_field_mask(text),
            _ => None,
        };
        message.map(Self::Message)
    }

    /// Returns the message of `google.protobuf.Int32Value` and similar.
    pub(super) fn wrapped(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.is_default() {
            self.put_tagged(1, &mut out);
        }
        out
    }
}

/// Describes the values that `kind` accepts, for refusals.
pub(super) fn expected(plans: &Plans, kind: Kind) -> Cow<'_, str> {
    Cow::Borrowed(match kind {
        Kind::Double | Kind::Float => "a number",
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            "a whole number from -2147483648 to 2147483647"
        }
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "a whole number of at most 64 bits",
        Kind::Uint32 | Kind::Fixed32 => "a whole number from 0 to 4294967295",
        Kind::Uint64 | Kind::Fixed64 => "a whole number of at most 64 bits that is not negative",
        Kind::Bool => "true or false",
        Kind::String => "text",
        Kind::Bytes => "base64",
        Kind::Enum(id) => return format!("one of {}", plans.enumeration(id).listed).into(),
        Kind::Message(id) => match plans.message(id).shape {
            Shape::Timestamp => "a time such as 2026-11-21T09:30:00Z",
            Shape::Duration => "a duration such as 1.5s",
            Shape::FieldMask => "names of fields, separated by commas",
            Shape::Wrapper(inner) => return expected(plans, inner),
            Shape::ListValue => "a list",
            Shape::Empty => "an empty object",
            Shape::Value => "a value",
            Shape::Object | Shape::Struct | Shape::Dynamic => "an object",
        },
    })
}

/// Returns the value of a number without fraction, in any notation.
fn whole(text: &str) -> Option<i128> {
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    let value: f64 = text.parse().ok()?;
    let fits = value.fract() == 0.0 && value.abs() < INTEGER_LIMIT;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole and has at most 64 bits"
    )]
    fits.then_some(value as i128)
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    match STANDARD.decode(text) {
        Ok(bytes) => Some(bytes),
        Err(DecodeError::InvalidByte(_, b'-' | b'_')) => URL_SAFE.decode(text).ok(),
        Err(_) => None,
    }
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}
