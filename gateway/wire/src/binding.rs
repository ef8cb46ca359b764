//! How an HTTP request is bound to the messages of an RPC (`google.api.http`), and the plan of that.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use super::{
    plan::{MessageId, Plans},
    query,
};

/// Binding of one HTTP method and path to an RPC.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Request message of the RPC.
    pub input: MessageDescriptor,
    /// Response message of the RPC.
    pub output: MessageDescriptor,
    /// Fields bound by the path's variables, each as the chain of descriptors from the request message to the field.
    pub path: Vec<Vec<FieldDescriptor>>,
    /// Part of the request message that the HTTP body carries.
    pub body: Body,
    /// Text field with the idempotency key (AIP-155).
    pub request_id: Option<FieldDescriptor>,
    /// Field of the response message that is the answer; `None` for the whole message.
    pub response_body: Option<FieldDescriptor>,
    /// Fields of an answer that is not JSON (`google.api.HttpBody`).
    pub raw: Option<RawFields>,
}

/// Part of the request message that the HTTP body carries.
#[derive(Clone, Debug)]
pub enum Body {
    /// Nothing: path and query carry all fields.
    None,
    /// The whole request message.
    Whole,
    /// One field of the request message.
    Field(FieldDescriptor),
    /// One field, a message with the bytes of the body in the field of this number.
    Raw(FieldDescriptor, u32),
}

/// Numbers of the fields of an answer that is sent verbatim.
#[derive(Clone, Copy, Debug)]
pub struct RawFields {
    /// Text field with the media type.
    pub media_type: u32,
    /// Bytes field with the body.
    pub data: u32,
}

impl Binding {
    /// Returns the message that is the answer; `None` if the answer is a scalar, a list or a map.
    fn resource(&self) -> Option<MessageDescriptor> {
        match &self.response_body {
            None => Some(self.output.clone()),
            Some(field) if !field.is_list() && !field.is_map() => {
                field.kind().as_message().cloned()
            }
            Some(_) => None,
        }
    }
}

/// Plan of one binding.
#[derive(Debug)]
pub(super) struct BindingPlan {
    pub(super) input: MessageId,
    /// For each variable of the path, the positions that lead to its field.
    pub(super) path: Vec<Vec<usize>>,
    pub(super) body: BodyPlan,
    /// Number of the field with the idempotency key.
    pub(super) request_id: Option<u32>,
    pub(super) output: MessageId,
    /// Number of the output's field that is the answer, if not the whole output.
    pub(super) part: Option<u32>,
    pub(super) form: AnswerForm,
}

#[derive(Debug)]
pub(super) enum BodyPlan {
    None,
    Whole,
    /// A field that is a single message.
    Message(usize, MessageId),
    /// Any other field.
    Field(usize),
    /// A message, and the number of its field that gets the bytes.
    Raw(usize, u32),
}

#[derive(Debug)]
pub(super) enum AnswerForm {
    /// A message, and the numbers of its `id` and `etag`.
    Resource(MessageId, [Option<u32>; 2]),
    /// The only field of this plan: a scalar, a list or a map.
    Field(MessageId),
    Raw(RawFields),
}

impl BindingPlan {
    pub(super) fn new(plans: &mut Plans, binding: &Binding) -> Self {
        let (input, output) = (plans.add(&binding.input), plans.add(&binding.output));
        let position = |number: u32| plans.message(input).position(number);
        let ways = binding.path.iter().map(|fields| {
            let names: Vec<&str> = fields.iter().map(FieldDescriptor::name).collect();
            query::resolve(plans, input, &names.join(".")).unwrap_or_default()
        });
        let path = ways.collect();
        let body = match &binding.body {
            Body::None => BodyPlan::None,
            Body::Whole => BodyPlan::Whole,
            Body::Raw(field, data) => {
                BodyPlan::Raw(position(field.number()).unwrap_or_default(), *data)
            }
            Body::Field(field) => {
                let at = position(field.number()).unwrap_or_default();
                match field.kind().as_message() {
                    Some(message) if !field.is_list() && !field.is_map() => {
                        BodyPlan::Message(at, plans.add(message))
                    }
                    _ => BodyPlan::Field(at),
                }
            }
        };
        let part = binding.response_body.as_ref();
        Self {
            request_id: binding.request_id.as_ref().map(FieldDescriptor::number),
            part: part.map(FieldDescriptor::number),
            form: AnswerForm::new(plans, binding),
            input,
            path,
            body,
            output,
        }
    }
}

impl AnswerForm {
    fn new(plans: &mut Plans, binding: &Binding) -> Self {
        if let Some(raw) = binding.raw {
            return Self::Raw(raw);
        }
        match (binding.resource(), &binding.response_body) {
            (None, Some(field)) => Self::Field(plans.add_part(&binding.output, field.number())),
            (resource, _) => {
                let resource = resource.unwrap_or_else(|| binding.output.clone());
                let text = |name| {
                    let field = resource.get_field_by_name(name)?;
                    let is_text = matches!(field.kind(), Kind::String);
                    (is_text && !field.is_list()).then(|| field.number())
                };
                Self::Resource(plans.add(&resource), [text("id"), text("etag")])
            }
        }
    }
}
