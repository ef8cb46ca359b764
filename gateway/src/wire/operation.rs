//! Plan of each operation: where path, body and headers go, and which part of the answer is shown.

use prost_reflect::{FieldDescriptor, Kind};

use super::{
    plan::{MessageId, Plans},
    query,
};
use crate::contract::{BodyRule, Operation, RawBody};

/// Plan of one operation.
#[derive(Debug)]
pub(super) struct OperationPlan {
    pub(super) input: MessageId,
    /// For each variable of the path, the positions that lead to its field.
    pub(super) path: Vec<Vec<usize>>,
    pub(super) body: BodyPlan,
    /// Positions of the fields that headers fill.
    pub(super) request_id: Option<usize>,
    pub(super) etag: Option<usize>,
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
}

#[derive(Debug)]
pub(super) enum AnswerForm {
    /// A message, and the numbers of its `id` and `etag`.
    Resource(MessageId, [Option<u32>; 2]),
    /// The only field of this plan: a scalar, a list or a map.
    Field(MessageId),
    Raw(RawBody),
}

impl OperationPlan {
    pub(super) fn new(plans: &mut Plans, operation: &Operation) -> Self {
        let (rpc_input, rpc_output) = (operation.input(), operation.rpc.output());
        let (input, output) = (plans.add(&rpc_input), plans.add(&rpc_output));
        let position = |number: u32| plans.message(input).position(number);
        let ways = operation.path_fields.iter().map(|fields| {
            let names: Vec<&str> = fields.iter().map(FieldDescriptor::name).collect();
            query::resolve(plans, input, &names.join(".")).unwrap_or_default()
        });
        let path = ways.collect();
        let body = match &operation.body {
            BodyRule::None => BodyPlan::None,
            BodyRule::Whole => BodyPlan::Whole,
            BodyRule::Field(field) => {
                let at = position(field.number()).unwrap_or_default();
                match field.kind().as_message() {
                    Some(message) if !field.is_list() && !field.is_map() => {
                        BodyPlan::Message(at, plans.add(message))
                    }
                    _ => BodyPlan::Field(at),
                }
            }
        };
        let position = |number: u32| plans.message(input).position(number);
        let request_id = operation.request_id.as_ref();
        let etag = operation.etag.as_ref();
        Self {
            request_id: request_id.and_then(|field| position(field.number())),
            etag: etag.and_then(|field| position(field.number())),
            part: operation
                .response_body
                .as_ref()
                .map(FieldDescriptor::number),
            form: AnswerForm::new(plans, operation),
            input,
            path,
            body,
            output,
        }
    }
}

impl AnswerForm {
    fn new(plans: &mut Plans, operation: &Operation) -> Self {
        if let Some(raw) = &operation.raw {
            return Self::Raw(raw.clone());
        }
        match (operation.resource(), &operation.response_body) {
            (None, Some(field)) => {
                Self::Field(plans.add_part(&operation.rpc.output(), field.number()))
            }
            (resource, _) => {
                let resource = resource.unwrap_or_else(|| operation.rpc.output());
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
