//! The protobuf wire format: tags, varints, lengths.

/// Maximum nesting of messages, as in prost.
pub(super) const DEPTH_MAX: usize = 100;
/// Maximum bytes of a varint of 64 bits.
const VARINT_BYTES_MAX: usize = 10;

/// Layout of a value after its tag.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum WireType {
    Varint = 0,
    Fixed64 = 1,
    Length = 2,
    GroupStart = 3,
    GroupEnd = 4,
    Fixed32 = 5,
}

/// Number and wire type, which precede each value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Tag {
    pub(super) number: u32,
    pub(super) wire_type: WireType,
}

/// Reason why bytes are not a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Broken(pub(super) &'static str);

const CUT: Broken = Broken("the message is cut off");

/// Reads the bytes of one message once, from front to back.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the number of bytes that are left.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, Broken> {
        if let [first @ 0..=0x7f, rest @ ..] = self.bytes {
            self.bytes = rest;
            return Ok(u64::from(*first));
        }
        let mut value = 0;
        for (at, byte) in self.bytes.iter().take(VARINT_BYTES_MAX).enumerate() {
            value |= u64::from(byte & 0x7f) << (at * 7);
            if *byte < 0x80 {
                if at + 1 == VARINT_BYTES_MAX && *byte > 1 {
                    break;
                }
                self.bytes = &self.bytes[at + 1..];
                return Ok(value);
            }
        }
        Err(Broken("a varint does not end within 64 bits"))
    }

    /// Reads the next tag; `None` at the end of the message.
    #[inline]
    pub(super) fn tag(&mut self) -> Result<Option<Tag>, Broken> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let key = u32::try_from(self.varint()?).map_err(|_| Broken("a tag is too large"))?;
        let number = key >> 3;
        let wire_type = match key & 7 {
            0 => WireType::Varint,
            1 => WireType::Fixed64,
            2 => WireType::Length,
            3 => WireType::GroupStart,
            4 => WireType::GroupEnd,
            5 => WireType::Fixed32,
            _ => return Err(Broken("a wire type is unknown")),
        };
        if number == 0 {
            return Err(Broken("a field has the number 0"));
        }
        Ok(Some(Tag { number, wire_type }))
    }

    /// Reads a length, and returns the bytes that follow it.
    #[inline]
    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Broken> {
        let length = usize::try_from(self.varint()?).map_err(|_| CUT)?;
        let (value, rest) = self.bytes.split_at_checked(length).ok_or(CUT)?;
        self.bytes = rest;
        Ok(value)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Broken> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Broken("a string is not UTF-8"))
    }

    pub(super) fn fixed<const SIZE: usize>(&mut self) -> Result<[u8; SIZE], Broken> {
        let (value, rest) = self.bytes.split_first_chunk().ok_or(CUT)?;
        self.bytes = rest;
        Ok(*value)
    }

    /// Skips the value after `tag`.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<(), Broken> {
        self.skip_at(tag, 0)
    }

    fn skip_at(&mut self, tag: Tag, depth: usize) -> Result<(), Broken> {
        match tag.wire_type {
            WireType::Varint => self.varint().map(drop),
            WireType::Fixed64 => self.fixed::<8>().map(drop),
            WireType::Fixed32 => self.fixed::<4>().map(drop),
            WireType::Length => self.bytes().map(drop),
            WireType::GroupEnd => Err(Broken("a group ends without a start")),
            WireType::GroupStart if depth == DEPTH_MAX => Err(Broken("groups are too deep")),
            WireType::GroupStart => loop {
                let inner = self.tag()?.ok_or(CUT)?;
                if inner.wire_type != WireType::GroupEnd {
                    self.skip_at(inner, depth + 1)?;
                } else if inner.number == tag.number {
                    return Ok(());
                } else {
                    return Err(Broken("a group ends without a start"));
                }
            },
        }
    }
}

pub(super) fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    loop {
        let [low, ..] = value.to_le_bytes();
        if value < 0x80 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
        value >>= 7;
    }
}

pub(super) fn put_tag(number: u32, wire_type: WireType, out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3 | wire_type as u64, out);
}

pub(super) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Writes the length of what `write` appends before it. Short values, which are nearly all, are not moved.
pub(super) fn with_length<W: AsMut<Vec<u8>> + ?Sized, T>(
    writer: &mut W,
    write: impl FnOnce(&mut W) -> T,
) -> T {
    let at = writer.as_mut().len();
    writer.as_mut().push(0);
    let written = write(writer);
    let out = writer.as_mut();
    let length = out.len() - at - 1;
    if let Ok(short @ 0..=0x7f) = u8::try_from(length) {
        out[at] = short;
    } else {
        let mut prefix = Vec::with_capacity(VARINT_BYTES_MAX);
        put_varint(length as u64, &mut prefix);
        out.splice(at..=at, prefix);
    }
    written
}

/// Decodes the varint of a `sint` field.
pub(super) fn zigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

/// Truncates a varint for a field of 32 bits, as protobuf does.
pub(super) fn low_bits(value: u64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "protobuf keeps the low 32 bits"
    )]
    let low = value as u32;
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_malformed_bytes() {
        let too_long = [0xff; 11];
        assert!(Reader::new(&too_long).varint().is_err());
        let overflowing = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2];
        assert!(Reader::new(&overflowing).varint().is_err());
        assert!(Reader::new(&[0x80]).varint().is_err());
        assert!(Reader::new(&[5, 1, 2]).bytes().is_err());
        let end_of_another_group = [0x0b, 0x14];
        let mut reader = Reader::new(&end_of_another_group);
        let tag = reader.tag().unwrap().unwrap();
        assert!(reader.skip(tag).is_err());
        let endless = vec![0x0b; 5_000];
        let mut reader = Reader::new(&endless);
        let tag = reader.tag().unwrap().unwrap();
        assert!(reader.skip(tag).is_err());
    }

    #[test]
    fn prefixes_lengths_of_every_size() {
        for size in [0_usize, 1, 127, 128, 16_384, 70_000] {
            let mut out = vec![7];
            with_length(&mut out, |out| out.extend(vec![9; size]));
            let mut reader = Reader::new(&out[1..]);
            assert_eq!(reader.bytes().unwrap().len(), size);
            assert!(reader.is_empty());
        }
    }
}
