//! From protobuf to JSON: walks the bytes of a message once, and appends its canonical proto3 JSON on the way.
//!
//! Every prost encoder writes fields in the order of their numbers, so a gap in the numbers shows which fields are
//! absent. Bytes in another order, or with a field in several pieces, are legal too. They are put in order first and
//! then walked.

use prost::Message as _;
use prost_reflect::{DynamicMessage, SerializeOptions};

use super::{
    plan::{FieldPlan, Form, Kind, MessageId, MessagePlan, Plans, Shape},
    protobuf::{Broken, DEPTH_MAX, Reader, Tag, WireType, low_bits, zigzag},
    text, well_known,
};

pub(super) const ANOTHER_WIRE_TYPE: Broken = Broken("a field has another wire type");

/// Reason why a walk ended early.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Halt {
    /// The bytes must be put in order first.
    Disorder,
    Broken(Broken),
}

impl From<Broken> for Halt {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

/// Returns the same message with its fields in order and each in one piece.
pub(super) fn in_order(plan: &MessagePlan, bytes: &[u8]) -> Result<Vec<u8>, Broken> {
    DynamicMessage::decode(plan.descriptor.clone(), bytes)
        .map(|message| message.encode_to_vec())
        .map_err(|_| Broken("the bytes are not a message of the contract"))
}

/// A walk over one answer.
#[derive(Debug)]
pub(super) struct Walk<'p> {
    plans: &'p Plans,
    pub(super) out: Vec<u8>,
    /// Numbers of the fields of the outermost message whose text is returned beside the JSON.
    wanted: [Option<u32>; 2],
    /// Texts of those fields, if they are not empty.
    pub(super) found: [Option<String>; 2],
}

impl<'p> Walk<'p> {
    /// `size`: number of bytes that will be read.
    pub(super) fn new(plans: &'p Plans, size: usize, wanted: [Option<u32>; 2]) -> Self {
        Self {
            plans,
            // The JSON of an answer is about three times as long.
            out: Vec::with_capacity(size.saturating_mul(3).saturating_add(256)),
            wanted,
            found: [None, None],
        }
    }

    /// Appends the JSON of a message.
    pub(super) fn message(
        &mut self,
        id: MessageId,
        bytes: &[u8],
        depth: usize,
    ) -> Result<(), Halt> {
        if depth > DEPTH_MAX {
            return Err(Broken("messages are too deep").into());
        }
        let plan = self.plans.message(id);
        match plan.shape {
            Shape::Object => self.object(plan, bytes, depth),
            Shape::Timestamp => Ok(well_known::write_timestamp(bytes, &mut self.out)?),
            Shape::Duration => Ok(well_known::write_duration(bytes, &mut self.out)?),
            Shape::FieldMask => Ok(well_known::write_field_mask(bytes, &mut self.out)?),
            Shape::Wrapper(kind) => self.wrapper(kind, bytes),
            Shape::Struct | Shape::ListValue => self.only_field(plan, bytes, depth),
            Shape::Value => self.value(plan, bytes, depth),
            Shape::Empty => self.empty(bytes),
            Shape::Dynamic => self.dynamic(plan, bytes),
        }
    }

    fn object(&mut self, plan: &MessagePlan, bytes: &[u8], depth: usize) -> Result<(), Halt> {
        self.out.push(b'{');
        let mut reader = Reader::new(bytes);
        let mut fields = plan.fields.as_slice();
        let mut oneofs = 0;
        let mut tag = reader.tag()?;
        while let Some(Tag { number, wire_type }) = tag {
            while let [field, rest @ ..] = fields
                && field.number < number
            {
                self.absent(field);
                fields = rest;
            }
            match fields {
                [field, rest @ ..] if field.number == number => {
                    if oneofs & field.oneof != 0 {
                        return Err(Halt::Disorder);
                    }
                    oneofs |= field.oneof;
                    if depth == 0 {
                        self.note(field, &reader)?;
                    }
                    self.comma(b'{');
                    self.out.extend_from_slice(&field.key);
                    tag = self.field(field, wire_type, &mut reader, depth)?;
                    fields = rest;
                }
                _ if plan.position(number).is_some() => return Err(Halt::Disorder),
                _ => {
                    // Unknown field: the service is newer than this process.
                    reader.skip(Tag { number, wire_type })?;
                    tag = reader.tag()?;
                }
            }
        }
        for field in fields {
            self.absent(field);
        }
        self.out.push(b'}');
        Ok(())
    }

    #[inline]
    fn absent(&mut self, field: &FieldPlan) {
        if !field.absent.is_empty() {
            self.comma(b'{');
            self.out.extend_from_slice(&field.absent);
        }
    }

    /// Appends a comma, unless the next value is the first after `opening`.
    #[inline]
    pub(super) fn comma(&mut self, opening: u8) {
        if self.out.last() != Some(&opening) {
            self.out.push(b',');
        }
    }

    fn note(&mut self, field: &FieldPlan, reader: &Reader<'_>) -> Result<(), Broken> {
        for (wanted, found) in self.wanted.iter().zip(&mut self.found) {
            if *wanted == Some(field.number) {
                let text = reader.clone().text()?;
                *found = (!text.is_empty()).then(|| text.to_owned());
            }
        }
        Ok(())
    }

    /// Writes a field, and returns the tag that follows it: a list or a map reads up to there.
    #[inline]
    fn field(
        &mut self,
        field: &FieldPlan,
        wire_type: WireType,
        reader: &mut Reader<'_>,
        depth: usize,
    ) -> Result<Option<Tag>, Halt> {
        match &field.form {
            Form::Single => {
                self.single(field.kind, wire_type, reader, depth)?;
                Ok(reader.tag()?)
            }
            Form::List => self.list(field, wire_type, reader, depth),
            Form::Map(map) => self.map(field.number, map, wire_type, reader, depth),
        }
    }

    fn list(
        &mut self,
        field: &FieldPlan,
        mut wire_type: WireType,
        reader: &mut Reader<'_>,
        depth: usize,
    ) -> Result<Option<Tag>, Halt> {
        let of_one = field.kind.wire_type();
        self.out.push(b'[');
        loop {
            if wire_type == WireType::Length && of_one != WireType::Length {
                let mut packed = Reader::new(reader.bytes()?);
                while !packed.is_empty() {
                    self.comma(b'[');
                    self.single(field.kind, of_one, &mut packed, depth)?;
                }
            } else {
                self.comma(b'[');
                self.single(field.kind, wire_type, reader, depth)?;
            }
            match reader.tag()? {
                Some(tag) if tag.number == field.number => wire_type = tag.wire_type,
                next => {
                    self.out.push(b']');
                    return Ok(next);
                }
            }
        }
    }

    #[inline]
    pub(super) fn single(
        &mut self,
        kind: Kind,
        wire_type: WireType,
        reader: &mut Reader<'_>,
        depth: usize,
    ) -> Result<(), Halt> {
        if wire_type != kind.wire_type() {
            return Err(ANOTHER_WIRE_TYPE.into());
        }
        match kind {
            Kind::Message(id) => self.message(id, reader.bytes()?, depth + 1),
            kind => Ok(self.scalar(kind, reader)?),
        }
    }

    #[inline]
    fn scalar(&mut self, kind: Kind, reader: &mut Reader<'_>) -> Result<(), Broken> {
        let out = &mut self.out;
        match kind {
            Kind::String => text::string(reader.text()?, out),
            Kind::Bool => text::boolean(reader.varint()? != 0, out),
            Kind::Enum(id) => {
                let number = low_bits(reader.varint()?).cast_signed();
                self.plans.enumeration(id).write(number, out);
            }
            Kind::Int32 => text::signed(low_bits(reader.varint()?).cast_signed().into(), out),
            Kind::Uint32 => text::unsigned(low_bits(reader.varint()?).into(), out),
            Kind::Sint32 => text::signed(zigzag(low_bits(reader.varint()?).into()), out),
            Kind::Sfixed32 => text::signed(i32::from_le_bytes(reader.fixed()?).into(), out),
            Kind::Fixed32 => text::unsigned(u32::from_le_bytes(reader.fixed()?).into(), out),
            Kind::Int64 => {
                let value = reader.varint()?.cast_signed();
                text::quoted(out, |out| text::signed(value, out));
            }
            Kind::Uint64 => {
                let value = reader.varint()?;
                text::quoted(out, |out| text::unsigned(value, out));
            }
            Kind::Sint64 => {
                let value = zigzag(reader.varint()?);
                text::quoted(out, |out| text::signed(value, out));
            }
            Kind::Sfixed64 => {
                let value = i64::from_le_bytes(reader.fixed()?);
                text::quoted(out, |out| text::signed(value, out));
            }
            Kind::Fixed64 => {
                let value = u64::from_le_bytes(reader.fixed()?);
                text::quoted(out, |out| text::unsigned(value, out));
            }
            Kind::Double => text::double(f64::from_le_bytes(reader.fixed()?), out),
            Kind::Float => text::float(f32::from_le_bytes(reader.fixed()?), out),
            Kind::Bytes => text::base64(reader.bytes()?, out),
            Kind::Message(_) => return Err(ANOTHER_WIRE_TYPE),
        }
        Ok(())
    }

    fn wrapper(&mut self, kind: Kind, bytes: &[u8]) -> Result<(), Halt> {
        let mut reader = Reader::new(bytes);
        let mut last = None;
        while let Some(tag) = reader.tag()? {
            if tag.number == 1 {
                if tag.wire_type != kind.wire_type() {
                    return Err(ANOTHER_WIRE_TYPE.into());
                }
                last = Some(reader.clone());
            }
            reader.skip(tag)?;
        }
        let zero = [0; 8];
        let mut value = last.unwrap_or_else(|| Reader::new(&zero));
        let start = self.out.len();
        self.scalar(kind, &mut value)?;
        // As in `prost-reflect`: a wrapper of a number that is not finite is null, and zero has no sign.
        match &self.out[start..] {
            b"\"NaN\"" | b"\"Infinity\"" | b"\"-Infinity\""
                if matches!(kind, Kind::Double | Kind::Float) =>
            {
                self.out.truncate(start);
                self.out.extend_from_slice(b"null");
            }
            b"-0.0" => drop(self.out.remove(start)),
            _ => {}
        }
        Ok(())
    }

    /// Writes a struct as the map that is its only field, and a list value as its list.
    fn only_field(&mut self, plan: &MessagePlan, bytes: &[u8], depth: usize) -> Result<(), Halt> {
        let mut reader = Reader::new(bytes);
        let mut tag = reader.tag()?;
        let start = self.out.len();
        while let Some(here) = tag {
            match plan.fields.as_slice() {
                [field] if field.number == here.number => {
                    if self.out.len() > start {
                        return Err(Halt::Disorder);
                    }
                    tag = self.field(field, here.wire_type, &mut reader, depth)?;
                }
                _ => {
                    reader.skip(here)?;
                    tag = reader.tag()?;
                }
            }
        }
        if self.out.len() == start {
            let empty: &[u8] = if plan.shape == Shape::Struct {
                b"{}"
            } else {
                b"[]"
            };
            self.out.extend_from_slice(empty);
        }
        Ok(())
    }

    fn value(&mut self, plan: &MessagePlan, bytes: &[u8], depth: usize) -> Result<(), Halt> {
        let mut reader = Reader::new(bytes);
        let start = self.out.len();
        while let Some(tag) = reader.tag()? {
            let Some(at) = plan.position(tag.number) else {
                reader.skip(tag)?;
                continue;
            };
            if self.out.len() > start {
                return Err(Halt::Disorder);
            }
            self.single(plan.fields[at].kind, tag.wire_type, &mut reader, depth)?;
            let is_number = plan.fields[at].kind == Kind::Double;
            if is_number && self.out.get(start) == Some(&b'"') {
                return Err(Broken("a number in a Value is not finite").into());
            }
        }
        if self.out.len() == start {
            self.out.extend_from_slice(b"null");
        }
        Ok(())
    }

    fn empty(&mut self, bytes: &[u8]) -> Result<(), Halt> {
        let mut reader = Reader::new(bytes);
        while let Some(tag) = reader.tag()? {
            reader.skip(tag)?;
        }
        self.out.extend_from_slice(b"{}");
        Ok(())
    }

    fn dynamic(&mut self, plan: &MessagePlan, bytes: &[u8]) -> Result<(), Halt> {
        let broken = Broken("a dynamic message has no JSON form");
        let message = DynamicMessage::decode(plan.descriptor.clone(), bytes).map_err(|_| broken)?;
        let options = SerializeOptions::new().skip_default_fields(false);
        let mut serializer = serde_json::Serializer::new(&mut self.out);
        let written = message.serialize_with_options(&mut serializer, &options);
        Ok(written.map_err(|_| broken)?)
    }
}
