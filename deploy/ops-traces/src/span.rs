//! A span as stored and returned. Ids are parsed and OTLP's fields already converted to Jaeger's tags. A search
//! therefore matches exactly what the UI shows.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Approximate cost of the allocator and container per heap string or vector, in bytes.
const ALLOCATION_BYTES: usize = 24;

/// 16 bytes, never all zero; shown as 32 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(u128);

impl TraceId {
    /// `None` unless exactly 16 bytes that are not all zero.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let id = u128::from_be_bytes(bytes.try_into().ok()?);
        (id != 0).then_some(Self(id))
    }

    /// Parses hex as people paste it: up to 32 digits, leading zeros may be missing.
    pub fn parse(hex: &str) -> Option<Self> {
        if hex.is_empty() || hex.len() > 32 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let id = u128::from_str_radix(hex, 16).ok()?;
        (id != 0).then_some(Self(id))
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// 8 bytes, never all zero; shown as 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(u64);

impl SpanId {
    /// `None` unless exactly 8 bytes that are not all zero.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let id = u64::from_be_bytes(bytes.try_into().ok()?);
        (id != 0).then_some(Self(id))
    }
}

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// OpenTelemetry's span kind; `None` in a [`Span`] when the sender left it unspecified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Internal,
    Server,
    Client,
    Producer,
    Consumer,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Server => "server",
            Self::Client => "client",
            Self::Producer => "producer",
            Self::Consumer => "consumer",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    String(Box<str>),
    Bool(bool),
    Int(i64),
    Float(f64),
}

impl Value {
    /// Returns the value as a person types it into the search form.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::String(text) => Cow::Borrowed(text),
            Self::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Self::Int(value) => Cow::Owned(value.to_string()),
            Self::Float(value) => Cow::Owned(value.to_string()),
        }
    }

    fn heap_bytes(&self) -> usize {
        match self {
            Self::String(text) => text.len() + ALLOCATION_BYTES,
            Self::Bool(_) | Self::Int(_) | Self::Float(_) => 0,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    pub key: Box<str>,
    pub value: Value,
}

impl Tag {
    pub fn new(key: &str, value: Value) -> Self {
        Self {
            key: key.into(),
            value,
        }
    }

    pub fn text(key: &str, value: &str) -> Self {
        Self::new(key, Value::String(value.into()))
    }

    pub fn is(&self, key: &str, value: &str) -> bool {
        *self.key == *key && self.value.text() == value
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.key.len() + ALLOCATION_BYTES + self.value.heap_bytes()
    }
}

fn tags_bytes(tags: &[Tag]) -> usize {
    ALLOCATION_BYTES + tags.iter().map(Tag::bytes).sum::<usize>()
}

/// An event of a span; Jaeger calls it a log.
#[derive(Debug)]
pub struct Log {
    pub time_micros: u64,
    pub fields: Vec<Tag>,
}

/// Link to a span that caused this one without being its parent.
#[derive(Debug)]
pub struct Link {
    pub trace: TraceId,
    pub span: SpanId,
}

/// The sender: service name and resource attributes, stored once for all of its spans.
#[derive(Debug)]
pub struct Process {
    /// The encoded resource: equal bytes identify the same process.
    pub identity: Arc<[u8]>,
    pub service: Arc<str>,
    pub tags: Vec<Tag>,
}

impl Process {
    /// Returns the approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.identity.len()
            + self.service.len()
            + tags_bytes(&self.tags)
            + 4 * ALLOCATION_BYTES
    }
}

#[derive(Debug)]
pub struct Span {
    pub trace: TraceId,
    pub id: SpanId,
    pub parent: Option<SpanId>,
    pub process: Arc<Process>,
    pub operation: Arc<str>,
    pub kind: Option<Kind>,
    pub start_nanos: u64,
    pub duration_nanos: u64,
    pub tags: Vec<Tag>,
    pub logs: Vec<Log>,
    pub links: Vec<Link>,
    /// Defects of the span itself, such as an end before its start.
    pub warnings: Vec<&'static str>,
}

impl Span {
    pub fn start_micros(&self) -> u64 {
        self.start_nanos / 1_000
    }

    /// Returns the approximate memory in bytes, without the process. The operation counts twice, because the list of
    /// operations may outlive the span that introduced the name.
    pub fn bytes(&self) -> usize {
        let logs: usize = self
            .logs
            .iter()
            .map(|log| size_of::<Log>() + tags_bytes(&log.fields))
            .sum();
        size_of::<Self>()
            + 2 * self.operation.len()
            + tags_bytes(&self.tags)
            + logs
            + self.links.len() * size_of::<Link>()
            + 6 * ALLOCATION_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_padded_hexadecimal_and_never_zero() {
        let trace = TraceId::parse("a1").expect("short ids are padded");
        assert_eq!(trace.to_string(), format!("{:0>32}", "a1"));
        assert_eq!(TraceId::parse(&trace.to_string()), Some(trace));
        for refused in ["", "0", "xyz", "+1", &"1".repeat(33)] {
            assert_eq!(TraceId::parse(refused), None, "{refused:?}");
        }
        assert_eq!(SpanId::from_bytes(&[0; 8]), None);
        assert_eq!(SpanId::from_bytes(&[1; 7]), None);
        let span = SpanId::from_bytes(&[0, 0, 0, 0, 0, 0, 0, 9]).expect("eight bytes");
        assert_eq!(span.to_string(), "0000000000000009");
    }
}
