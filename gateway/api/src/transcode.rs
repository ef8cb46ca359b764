//! Requests and answers of operations in their HTTP form: headers, statuses and media types. `gateway_wire` converts
//! the bytes, and its errors become problems here only.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header::IF_MATCH};
use bytes::Bytes;
use gateway_contract::{BodyRule, Operation, RawBody, Routes};
use gateway_http::{
    problem::{Field, Problem},
    request::etag,
};
use gateway_wire::{
    Binding, BindingId, Body, Parts, RawFields, Request, Unreadable, Violation, WireError,
};
use prost_reflect::FieldDescriptor;

/// Header with the idempotency key of a create; in a response, the key derived for a create without one.
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// An answer in its public form.
#[derive(Debug, Default)]
pub struct Answer {
    /// JSON, or the bytes of `media_type`.
    pub body: Bytes,
    /// Media type of the body, if it is not JSON.
    pub media_type: Option<HeaderValue>,
    /// Id of the resource in the body, if it has one.
    pub id: Option<String>,
    /// Version of that resource (AIP-154), if it has one.
    pub etag: Option<String>,
}

/// Builds the requests of all operations, and converts their answers.
#[derive(Debug)]
pub struct Transcoder {
    wire: gateway_wire::Transcoder,
    /// In the order of [`Routes::operations`].
    bindings: Vec<BindingId>,
}

impl Transcoder {
    /// Plans the messages of all operations.
    pub fn new(routes: &Routes) -> Self {
        let mut wire = gateway_wire::Transcoder::default();
        let operations = routes.operations().iter();
        let bindings = operations.map(|operation| wire.add(&binding(operation)));
        Self {
            bindings: bindings.collect(),
            wire,
        }
    }

    fn binding(&self, operation: &Operation) -> Result<BindingId, Problem> {
        self.bindings
            .get(operation.position)
            .copied()
            .ok_or_else(|| {
                tracing::error!(rpc = %operation.rpc_name, "the operation belongs to other routes");
                Problem::internal()
            })
    }

    /// Builds the request message of an operation.
    ///
    /// # Errors
    /// 400 naming the wrong fields; 404 if the path cannot be decoded.
    pub fn request(
        &self,
        operation: &Operation,
        path: &str,
        query: Option<&str>,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Request, Problem> {
        let captured = operation.template.capture(path);
        let parts = Parts {
            path: captured.ok_or_else(Problem::not_found)?,
            query,
            body,
            texts: texts(operation, headers),
        };
        let request = self.wire.request(self.binding(operation)?, parts);
        request.map_err(|error| refusal(operation, error))
    }

    /// Converts an upstream's answer to its public form.
    ///
    /// # Errors
    /// 500 if it is not a message of the contract.
    pub fn response(&self, operation: &Operation, message: &Bytes) -> Result<Answer, Problem> {
        let answer = self.wire.response(self.binding(operation)?, message);
        let answer = answer.map_err(|error| refusal(operation, error))?;
        let media_type = answer.media_type.map(|text| {
            RawBody::media_type(&text)
                .ok_or_else(|| not_of_the_contract(operation, "the answer has no media type"))
        });
        Ok(Answer {
            body: answer.body,
            media_type: media_type.transpose()?,
            id: answer.id,
            etag: answer.etag,
        })
    }
}

fn binding(operation: &Operation) -> Binding {
    Binding {
        input: operation.input(),
        output: operation.rpc.output(),
        path: operation.path_fields.clone(),
        body: match &operation.body {
            BodyRule::None => Body::None,
            BodyRule::Whole => Body::Whole,
            BodyRule::Field(field) => Body::Field(field.clone()),
            BodyRule::Raw(field, raw) => Body::Raw(field.clone(), raw.numbers().1),
        },
        request_id: operation.request_id.clone(),
        response_body: operation.response_body.clone(),
        raw: operation.raw.as_ref().map(|raw| {
            let (media_type, data) = raw.numbers();
            RawFields { media_type, data }
        }),
    }
}

/// Returns the fields that headers fill.
fn texts(operation: &Operation, headers: &HeaderMap) -> Vec<(u32, Result<String, String>)> {
    let key = headers.get(IDEMPOTENCY_KEY).map(|key| match key.to_str() {
        // An empty field would count as an absent key.
        Ok("") => Err("Idempotency-Key must not be empty".to_owned()),
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err("must be visible ASCII characters".to_owned()),
    });
    let version = headers.get(IF_MATCH).map(|condition| {
        let version = etag::from_if_match(condition);
        version.map_err(|expected| format!("If-Match must be {expected}"))
    });
    let fields = [(&operation.request_id, key), (&operation.etag, version)];
    let number = |field: &Option<FieldDescriptor>| field.as_ref().map(FieldDescriptor::number);
    let given = fields.into_iter();
    given
        .filter_map(|(field, text)| number(field).zip(text))
        .collect()
}

fn not_of_the_contract(operation: &Operation, error: &str) -> Problem {
    tracing::error!(error, rpc = %operation.rpc_name, "a message is not in the contract");
    Problem::internal()
}

fn refusal(operation: &Operation, error: WireError) -> Problem {
    let (reason, detail) = match error {
        WireError::Broken(broken) => return not_of_the_contract(operation, broken),
        WireError::Fields(violations) => return violated(violations),
        WireError::Unreadable(Unreadable::Malformed) => {
            ("MALFORMED_JSON", "The body is not valid JSON.")
        }
        WireError::Unreadable(Unreadable::TooDeep) => (
            "INVALID_ARGUMENT",
            "The body has more than 64 objects and lists inside each other.",
        ),
    };
    Problem::new(StatusCode::BAD_REQUEST, reason, detail)
}

fn violated(violations: Vec<Violation>) -> Problem {
    // The body as a whole is wrong.
    if let Some(whole) = violations
        .iter()
        .find(|violation| violation.field.is_empty())
    {
        let detail = format!(
            "The body is not what this call takes: it {}.",
            whole.message
        );
        return Problem::new(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", detail);
    }
    let fields = violations.into_iter();
    let fields = fields.map(|violation| Field::new(violation.field, violation.message));
    Problem::invalid_fields(fields.collect())
}
