//! Maps: lists of entries in protobuf, objects in JSON. Both are written in the order of their keys.

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use super::{
    from_json::{Intake, Step},
    json::{Token, Unreadable},
    plan::{FieldPlan, Kind, MapPlan},
    protobuf::{Broken, Reader, Tag, WireType, low_bits, put_tag, put_varint, zigzag},
    scalar::Scalar,
    text,
    to_json::{ANOTHER_WIRE_TYPE, Halt, Walk},
};

/// Key of an entry, which orders the entries. Services keep maps in hash tables: without a fixed order, the same answer
/// would have another ETag each time.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Key<'a> {
    Number(i128),
    Truth(bool),
    Text(Cow<'a, str>),
}

impl Walk<'_> {
    pub(super) fn map(
        &mut self,
        number: u32,
        map: &MapPlan,
        mut wire_type: WireType,
        reader: &mut Reader<'_>,
        depth: usize,
    ) -> Result<Option<Tag>, Halt> {
        let start = self.out.len();
        let mut entries: Vec<(Key<'_>, Range<usize>)> = Vec::new();
        let next = loop {
            if wire_type != WireType::Length {
                return Err(ANOTHER_WIRE_TYPE.into());
            }
            let at = self.out.len();
            let key = self.entry(map, reader.bytes()?, depth)?;
            entries.push((key, at..self.out.len()));
            match reader.tag()? {
                Some(tag) if tag.number == number => wire_type = tag.wire_type,
                next => break next,
            }
        };
        let values = self.out.split_off(start);
        // Stable: of entries with the same key the last one counts.
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.out.push(b'{');
        for (at, (key, value)) in entries.iter().enumerate() {
            if entries.get(at + 1).is_some_and(|(next, _)| next == key) {
                continue;
            }
            self.comma(b'{');
            match key {
                Key::Text(key) => text::string(key, &mut self.out),
                Key::Number(key) => text::displayed(key, &mut self.out),
                Key::Truth(key) => text::displayed(key, &mut self.out),
            }
            self.out.push(b':');
            let value = value.start - start..value.end - start;
            self.out.extend_from_slice(&values[value]);
        }
        self.out.push(b'}');
        Ok(next)
    }

    /// Appends the value of an entry, and returns its key.
    fn entry<'b>(&mut self, map: &MapPlan, bytes: &'b [u8], depth: usize) -> Result<Key<'b>, Halt> {
        let mut reader = Reader::new(bytes);
        let mut key = match map.key.kind {
            Kind::String => Key::Text(Cow::Borrowed("")),
            Kind::Bool => Key::Truth(false),
            _ => Key::Number(0),
        };
        let start = self.out.len();
        while let Some(tag) = reader.tag()? {
            match tag.number {
                1 => key = key_of_bytes(map.key.kind, tag.wire_type, &mut reader)?,
                // A second value: messages would have to be merged.
                2 if self.out.len() > start => return Err(Halt::Disorder),
                2 => self.single(map.value.kind, tag.wire_type, &mut reader, depth)?,
                _ => reader.skip(tag)?,
            }
        }
        if self.out.len() == start {
            self.default(&map.value, depth)?;
        }
        Ok(key)
    }

    /// Appends the default of an entry without a value.
    fn default(&mut self, value: &FieldPlan, depth: usize) -> Result<(), Halt> {
        match value.kind {
            Kind::Message(id) => return self.message(id, &[], depth + 1),
            Kind::Enum(_) => {
                // An enum of proto2 may begin with a number other than 0.
                let Some(text) = value.absent.strip_prefix(&*value.key) else {
                    return Err(Halt::Disorder);
                };
                self.out.extend_from_slice(text);
            }
            kind if kind.wire_type() == WireType::Length => self.out.extend_from_slice(b"\"\""),
            kind => {
                let zero = [0; 8];
                return self.single(kind, kind.wire_type(), &mut Reader::new(&zero), depth);
            }
        }
        Ok(())
    }
}

impl<'p> Intake<'p, '_> {
    pub(super) fn map(
        &mut self,
        number: u32,
        map: &'p MapPlan,
        depth: usize,
    ) -> Result<(), Unreadable> {
        if self.json.peek()? != Token::Object {
            self.json.skip(depth)?;
            self.violation("must be an object");
            return Ok(());
        }
        self.json.open(b'{', depth + 1)?;
        let start = self.out.len();
        let mut entries: BTreeMap<Key<'_>, Range<usize>> = BTreeMap::new();
        let mut is_first = true;
        while let Some(text) = self.json.next_key(is_first)? {
            is_first = false;
            self.path.push(Step::Key(text.to_string()));
            let at = self.out.len();
            if let Some((key, value)) = key_of_text(map.key.kind, text) {
                value.put_single(&map.key, &mut self.out);
                self.single(&map.value, depth + 1)?;
                if entries.insert(key, at..self.out.len()).is_some() {
                    self.violation("is given more than once");
                }
            } else {
                self.violation("is not a key of this map");
                self.json.skip(depth + 1)?;
            }
            self.path.pop();
        }
        let written = self.out.split_off(start);
        for entry in entries.into_values() {
            put_tag(number, WireType::Length, &mut self.out);
            put_varint(entry.len() as u64, &mut self.out);
            let entry = entry.start - start..entry.end - start;
            self.out.extend_from_slice(&written[entry]);
        }
        Ok(())
    }
}

fn key_of_bytes<'b>(
    kind: Kind,
    wire_type: WireType,
    reader: &mut Reader<'b>,
) -> Result<Key<'b>, Broken> {
    if wire_type != kind.wire_type() {
        return Err(ANOTHER_WIRE_TYPE);
    }
    Ok(match kind {
        Kind::String => Key::Text(reader.text()?.into()),
        Kind::Bool => Key::Truth(reader.varint()? != 0),
        Kind::Int32 => Key::Number(low_bits(reader.varint()?).cast_signed().into()),
        Kind::Uint32 => Key::Number(low_bits(reader.varint()?).into()),
        Kind::Sint32 => Key::Number(zigzag(low_bits(reader.varint()?).into()).into()),
        Kind::Int64 => Key::Number(reader.varint()?.cast_signed().into()),
        Kind::Uint64 => Key::Number(reader.varint()?.into()),
        Kind::Sint64 => Key::Number(zigzag(reader.varint()?).into()),
        Kind::Fixed32 => Key::Number(u32::from_le_bytes(reader.fixed()?).into()),
        Kind::Sfixed32 => Key::Number(i32::from_le_bytes(reader.fixed()?).into()),
        Kind::Fixed64 => Key::Number(u64::from_le_bytes(reader.fixed()?).into()),
        Kind::Sfixed64 => Key::Number(i64::from_le_bytes(reader.fixed()?).into()),
        _ => return Err(Broken("a map has an invalid key")),
    })
}

fn key_of_text(kind: Kind, text: Cow<'_, str>) -> Option<(Key<'_>, Scalar<'_>)> {
    match kind {
        Kind::String => {
            let value = Scalar::from_string(kind, text.clone())?;
            Some((Key::Text(text), value))
        }
        Kind::Bool => {
            let truth = text.parse().ok()?;
            Some((Key::Truth(truth), Scalar::boolean(truth)))
        }
        _ => {
            let number = text.parse().ok()?;
            Some((Key::Number(number), Scalar::from_string(kind, text)?))
        }
    }
}
