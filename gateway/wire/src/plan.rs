//! Plans of messages, built from the descriptors once: the name of each field, its layout, and its JSON when it is
//! absent.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
};

use prost_reflect::{
    EnumDescriptor, FieldDescriptor, Kind as Described, MessageDescriptor, Value as DefaultValue,
};

use super::{protobuf::WireType, text};

/// Index of a message in [`Plans`].
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct MessageId(u32);

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct EnumId(u32);

/// Type of one value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Bool,
    String,
    Bytes,
    Enum(EnumId),
    Message(MessageId),
}

impl Kind {
    pub(super) fn wire_type(self) -> WireType {
        match self {
            Self::Double | Self::Fixed64 | Self::Sfixed64 => WireType::Fixed64,
            Self::Float | Self::Fixed32 | Self::Sfixed32 => WireType::Fixed32,
            Self::String | Self::Bytes | Self::Message(_) => WireType::Length,
            _ => WireType::Varint,
        }
    }
}

/// How often a field may occur.
#[derive(Debug)]
pub(super) enum Form {
    Single,
    List,
    Map(Box<MapPlan>),
}

#[derive(Debug)]
pub(super) struct MapPlan {
    pub(super) key: FieldPlan,
    pub(super) value: FieldPlan,
}

#[derive(Debug)]
pub(super) struct FieldPlan {
    pub(super) number: u32,
    /// JSON name.
    pub(super) name: Box<str>,
    /// JSON name with quotes and colon.
    pub(super) key: Box<[u8]>,
    /// JSON of the absent field, with its key; empty if an absent field is omitted.
    pub(super) absent: Box<[u8]>,
    pub(super) kind: Kind,
    pub(super) form: Form,
    pub(super) has_presence: bool,
    pub(super) is_packed: bool,
    /// Bit of its oneof in its message; 0 if it shares no oneof.
    pub(super) oneof: u64,
    /// An empty text means that the field is absent.
    pub(super) is_absent_when_empty: bool,
}

/// JSON form of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// An object with its fields.
    Object,
    Timestamp,
    Duration,
    FieldMask,
    /// A scalar that may be absent: `google.protobuf.Int32Value` and similar.
    Wrapper(Kind),
    Struct,
    ListValue,
    Value,
    Empty,
    /// `google.protobuf.Any`, and messages with groups or extensions of proto2: read and written by `prost-reflect`. No
    /// contract of this project has one on a hot path.
    Dynamic,
}

pub(super) struct MessagePlan {
    pub(super) descriptor: MessageDescriptor,
    pub(super) shape: Shape,
    /// In the order of their numbers.
    pub(super) fields: Vec<FieldPlan>,
    /// Positions by JSON name and by the contract's name.
    pub(super) by_name: HashMap<Box<str>, usize>,
}

impl fmt::Debug for MessagePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessagePlan")
            .field("name", &self.descriptor.full_name())
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl MessagePlan {
    /// Returns the position of the field with this number.
    pub(super) fn position(&self, number: u32) -> Option<usize> {
        let found = self.fields.binary_search_by_key(&number, |f| f.number);
        found.ok()
    }
}

#[derive(Debug)]
pub(super) struct EnumPlan {
    /// Names in quotes, by number.
    pub(super) names: BTreeMap<i32, Box<[u8]>>,
    pub(super) numbers: HashMap<Box<str>, i32>,
    /// All names, as a refusal lists them.
    pub(super) listed: Box<str>,
    pub(super) is_null: bool,
}

impl EnumPlan {
    /// Appends the name of a number, or the number itself if the contract has no name for it.
    pub(super) fn write(&self, number: i32, out: &mut Vec<u8>) {
        match self.names.get(&number) {
            _ if self.is_null => out.extend_from_slice(b"null"),
            Some(name) => out.extend_from_slice(name),
            None => text::signed(number.into(), out),
        }
    }
}

/// Plans of all messages that the contracts reach, each built once; a message may contain itself.
#[derive(Debug, Default)]
pub struct Plans {
    messages: Vec<MessagePlan>,
    enums: Vec<EnumPlan>,
    ids: HashMap<String, MessageId>,
    enum_ids: HashMap<String, EnumId>,
}

impl Plans {
    /// Plans a message and all messages it contains.
    pub fn add(&mut self, message: &MessageDescriptor) -> MessageId {
        if let Some(id) = self.ids.get(message.full_name()) {
            return *id;
        }
        // Registered before its fields are planned, because a message may contain itself.
        let id = self.push(MessagePlan {
            descriptor: message.clone(),
            shape: Shape::Dynamic,
            fields: Vec::new(),
            by_name: HashMap::new(),
        });
        self.ids.insert(message.full_name().to_owned(), id);
        let mut bits = HashMap::new();
        let fields: Vec<_> = message.fields().filter(|field| !field.is_group()).collect();
        let plans: Vec<_> = fields.iter().map(|f| self.field(f, &mut bits)).collect();
        let mut by_name = HashMap::new();
        for (at, field) in fields.iter().enumerate() {
            by_name.entry(field.name().into()).or_insert(at);
        }
        for (at, field) in fields.iter().enumerate() {
            by_name.insert(field.json_name().into(), at);
        }
        let is_plain = fields.len() == message.fields().len()
            && message.extensions().len() == 0
            && bits.len() <= 64;
        let plan = &mut self.messages[index(id.0)];
        plan.shape = if is_plain {
            shape(message.full_name(), &plans)
        } else {
            Shape::Dynamic
        };
        plan.fields = plans;
        plan.by_name = by_name;
        id
    }

    /// Plans `message` with only one of its fields.
    pub(super) fn add_part(&mut self, message: &MessageDescriptor, number: u32) -> MessageId {
        let whole = self.add(message);
        let field = message.get_field(number);
        let part = field.map(|field| self.field(&field, &mut HashMap::new()));
        let shape = match self.message(whole).shape {
            Shape::Dynamic => Shape::Dynamic,
            _ => Shape::Object,
        };
        self.push(MessagePlan {
            descriptor: message.clone(),
            shape,
            fields: part.into_iter().collect(),
            by_name: HashMap::new(),
        })
    }

    fn push(&mut self, plan: MessagePlan) -> MessageId {
        let id = MessageId(small(self.messages.len()));
        self.messages.push(plan);
        id
    }

    #[inline]
    pub(super) fn message(&self, id: MessageId) -> &MessagePlan {
        &self.messages[index(id.0)]
    }

    #[inline]
    pub(super) fn enumeration(&self, id: EnumId) -> &EnumPlan {
        &self.enums[index(id.0)]
    }

    fn field(&mut self, field: &FieldDescriptor, bits: &mut HashMap<String, u64>) -> FieldPlan {
        let kind = self.kind(&field.kind());
        let entry = field.kind();
        let form = match entry.as_message() {
            Some(entry) if field.is_map() => Form::Map(Box::new(MapPlan {
                key: self.field(&entry.map_entry_key_field(), &mut HashMap::new()),
                value: self.field(&entry.map_entry_value_field(), &mut HashMap::new()),
            })),
            _ if field.is_list() => Form::List,
            _ => Form::Single,
        };
        let mut key = Vec::new();
        text::string(field.json_name(), &mut key);
        key.push(b':');
        let mut absent = Vec::new();
        let default = match &form {
            Form::List => Some(b"[]".to_vec()),
            Form::Map(_) => Some(b"{}".to_vec()),
            Form::Single if field.supports_presence() => None,
            Form::Single => Some(self.default(kind, &field.default_value())),
        };
        if let Some(default) = default {
            absent.extend_from_slice(&key);
            absent.extend(default);
        }
        FieldPlan {
            number: field.number(),
            name: field.json_name().into(),
            key: key.into(),
            absent: absent.into(),
            kind,
            form,
            has_presence: field.supports_presence(),
            is_packed: field.is_packed(),
            oneof: oneof_bit(field, bits),
            is_absent_when_empty: is_absent_when_empty(field),
        }
    }

    fn kind(&mut self, kind: &Described) -> Kind {
        match kind {
            Described::Double => Kind::Double,
            Described::Float => Kind::Float,
            Described::Int32 => Kind::Int32,
            Described::Int64 => Kind::Int64,
            Described::Uint32 => Kind::Uint32,
            Described::Uint64 => Kind::Uint64,
            Described::Sint32 => Kind::Sint32,
            Described::Sint64 => Kind::Sint64,
            Described::Fixed32 => Kind::Fixed32,
            Described::Fixed64 => Kind::Fixed64,
            Described::Sfixed32 => Kind::Sfixed32,
            Described::Sfixed64 => Kind::Sfixed64,
            Described::Bool => Kind::Bool,
            Described::String => Kind::String,
            Described::Bytes => Kind::Bytes,
            Described::Enum(values) => Kind::Enum(self.add_enum(values)),
            Described::Message(message) => Kind::Message(self.add(message)),
        }
    }

    fn add_enum(&mut self, values: &EnumDescriptor) -> EnumId {
        if let Some(id) = self.enum_ids.get(values.full_name()) {
            return *id;
        }
        let id = EnumId(small(self.enums.len()));
        self.enum_ids.insert(values.full_name().to_owned(), id);
        let mut plan = EnumPlan {
            names: BTreeMap::new(),
            numbers: HashMap::new(),
            listed: Box::default(),
            is_null: values.full_name() == "google.protobuf.NullValue",
        };
        let mut listed = Vec::new();
        for value in values.values() {
            // One number may have several names; JSON shows the one that the descriptor prefers.
            let shown = values.get_value(value.number());
            let mut name = Vec::new();
            text::string(shown.as_ref().unwrap_or(&value).name(), &mut name);
            plan.names.insert(value.number(), name.into());
            plan.numbers.insert(value.name().into(), value.number());
            listed.push(value.name().to_owned());
        }
        plan.listed = listed.join(", ").into();
        self.enums.push(plan);
        id
    }

    /// Returns the JSON of an absent field without presence.
    fn default(&self, kind: Kind, value: &DefaultValue) -> Vec<u8> {
        match kind {
            Kind::Double | Kind::Float => b"0.0".to_vec(),
            Kind::Int32
            | Kind::Sint32
            | Kind::Sfixed32
            | Kind::Uint32
            | Kind::Fixed32
            | Kind::Message(_) => b"0".to_vec(),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 | Kind::Uint64 | Kind::Fixed64 => {
                b"\"0\"".to_vec()
            }
            Kind::Bool => b"false".to_vec(),
            Kind::String | Kind::Bytes => b"\"\"".to_vec(),
            Kind::Enum(values) => {
                let mut out = Vec::new();
                let number = value.as_enum_number().unwrap_or_default();
                self.enumeration(values).write(number, &mut out);
                out
            }
        }
    }
}

fn shape(name: &str, fields: &[FieldPlan]) -> Shape {
    match name {
        "google.protobuf.Any" => Shape::Dynamic,
        "google.protobuf.Timestamp" => Shape::Timestamp,
        "google.protobuf.Duration" => Shape::Duration,
        "google.protobuf.FieldMask" => Shape::FieldMask,
        "google.protobuf.Struct" => Shape::Struct,
        "google.protobuf.ListValue" => Shape::ListValue,
        "google.protobuf.Value" => Shape::Value,
        "google.protobuf.Empty" => Shape::Empty,
        "google.protobuf.DoubleValue"
        | "google.protobuf.FloatValue"
        | "google.protobuf.Int64Value"
        | "google.protobuf.UInt64Value"
        | "google.protobuf.Int32Value"
        | "google.protobuf.UInt32Value"
        | "google.protobuf.BoolValue"
        | "google.protobuf.StringValue"
        | "google.protobuf.BytesValue" => match fields {
            [value] => Shape::Wrapper(value.kind),
            _ => Shape::Dynamic,
        },
        _ => Shape::Object,
    }
}

/// Whether `hospital.api.v1.limits` declares that an empty text means an absent field. Not for texts, bytes and
/// messages, where an empty text is a value.
fn is_absent_when_empty(field: &FieldDescriptor) -> bool {
    let extension = field
        .parent_pool()
        .get_extension_by_name("hospital.api.v1.limits");
    let Some(extension) = extension.filter(|_| {
        !matches!(
            field.kind(),
            Described::String | Described::Bytes | Described::Message(_)
        )
    }) else {
        return false;
    };
    let options = field.options();
    let limits = options.get_extension(&extension);
    limits
        .as_message()
        .and_then(|limits| limits.get_field_by_name("empty_is_absent")?.as_bool())
        .unwrap_or_default()
}

/// Returns the bit of the field's oneof; 0 for a oneof with one field, which is how `optional` is described.
fn oneof_bit(field: &FieldDescriptor, bits: &mut HashMap<String, u64>) -> u64 {
    match field.containing_oneof() {
        Some(oneof) if oneof.fields().len() > 1 => {
            // A 65th oneof has no bit; its message is then planned as dynamic.
            let next = 1_u64.checked_shl(small(bits.len())).unwrap_or_default();
            *bits.entry(oneof.full_name().to_owned()).or_insert(next)
        }
        _ => 0,
    }
}

fn index(id: u32) -> usize {
    id as usize
}

/// Converts a count of messages, enums or oneofs, which is always far below the limit.
fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
