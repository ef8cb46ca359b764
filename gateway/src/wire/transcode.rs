//! Builds the requests of the operations, and converts their answers.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header::IF_MATCH};
use bytes::Bytes;

use super::{
    from_json::{Decoded, Intake},
    join::{Setting, join},
    json::Unreadable,
    operation::{AnswerForm, BodyPlan, OperationPlan},
    plan::Plans,
    protobuf::{Broken, Reader, Tag, WireType},
    query,
    scalar::Scalar,
    to_json::{Halt, Walk, in_order},
};
use crate::{
    contract::{Operation, RawBody, Routes},
    problem::{Field, Problem},
    request::etag,
};

/// Header that makes a create safe to repeat.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const NO_BYTES: &[u8] = &[];

/// A request in protobuf.
#[derive(Debug)]
pub struct Request {
    /// Canonical: requests with the same parsed values have the same bytes, regardless of the order and spelling of
    /// their parameters. Requests with other values have other bytes. So the bytes can be a cache key.
    pub message: Bytes,
    /// Whether it carries an idempotency key, so that a service creates nothing twice.
    pub is_keyed: bool,
}

impl Request {
    /// Adds this idempotency key, if the request has none.
    #[must_use]
    pub fn with_key(self, operation: &Operation, key: &str) -> Self {
        let Some(field) = operation.request_id.as_ref().filter(|_| !self.is_keyed) else {
            return self;
        };
        let key = Scalar::Bytes(key.as_bytes().to_vec().into()).tagged(field.number());
        Self {
            message: [&self.message[..], &key].concat().into(),
            is_keyed: true,
        }
    }
}

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
    plans: Plans,
    /// In the order of [`Routes::operations`].
    operations: Vec<OperationPlan>,
}

impl Transcoder {
    /// Plans the messages of all operations.
    pub fn new(routes: &Routes) -> Self {
        let mut plans = Plans::default();
        let operations = routes
            .operations()
            .iter()
            .map(|operation| OperationPlan::new(&mut plans, operation));
        Self {
            operations: operations.collect(),
            plans,
        }
    }

    fn plan(&self, operation: &Operation) -> Result<&OperationPlan, Problem> {
        self.operations.get(operation.position).ok_or_else(|| {
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
        let plan = self.plan(operation)?;
        let (base, mut violations) = self.base(plan, body)?;
        let mut settings = Vec::new();
        let captured = operation.template.capture(path);
        let values = captured.ok_or_else(Problem::not_found)?;
        for (way, text) in plan.path.iter().zip(values) {
            match query::read_segment(&self.plans, plan.input, way, text) {
                Ok(setting) => settings.push(setting),
                Err(violation) => violations.push(violation),
            }
        }
        if let Some(text) = query.filter(|text| !text.is_empty()) {
            let is_taken = |way: &[usize]| {
                plan.path.iter().any(|path| path == way)
                    || match plan.body {
                        BodyPlan::None => false,
                        BodyPlan::Whole => true,
                        BodyPlan::Message(at, _) | BodyPlan::Field(at) => way.first() == Some(&at),
                    }
            };
            let (settings, violations) = (&mut settings, &mut violations);
            query::read(
                &self.plans,
                plan.input,
                text,
                &is_taken,
                settings,
                violations,
            );
        }
        self.read_headers(plan, headers, &mut settings, &mut violations);
        if !violations.is_empty() {
            return Err(refusal(violations));
        }
        let mut message = Vec::with_capacity(base.len() + 64);
        join(&self.plans, plan.input, &base, &mut settings, &mut message)
            .map_err(|broken| not_of_the_contract(operation, broken))?;
        let number = plan.request_id.map(|at| self.number(plan, at));
        let found = number.map(|number| only(&message, number)).transpose();
        let key = found.map_err(|_| Problem::internal())?.flatten();
        Ok(Request {
            is_keyed: key.is_some_and(|key| !key.is_empty()),
            message: message.into(),
        })
    }

    fn number(&self, plan: &OperationPlan, at: usize) -> u32 {
        self.plans.message(plan.input).fields[at].number
    }

    /// Reads the body, and returns its canonical bytes and its violations.
    fn base(&self, plan: &OperationPlan, body: &[u8]) -> Result<(Vec<u8>, Vec<Field>), Problem> {
        let is_empty = body.iter().all(u8::is_ascii_whitespace);
        if is_empty || matches!(plan.body, BodyPlan::None) {
            return Ok((Vec::new(), Vec::new()));
        }
        let text = std::str::from_utf8(body).map_err(|_| unreadable(Unreadable::Malformed))?;
        let field = |at: usize| &self.plans.message(plan.input).fields[at];
        let taken = match plan.body {
            BodyPlan::None => return Ok((Vec::new(), Vec::new())),
            BodyPlan::Whole => Intake::of_message(&self.plans, plan.input, text),
            BodyPlan::Field(at) => Intake::of_field(&self.plans, field(at), text),
            BodyPlan::Message(at, id) => {
                Intake::of_message(&self.plans, id, text).map(|inner| Decoded {
                    bytes: Scalar::Message(inner.bytes).tagged(field(at).number),
                    violations: inner.violations,
                })
            }
        };
        let Decoded { bytes, violations } = taken.map_err(unreadable)?;
        Ok((bytes, violations))
    }

    fn read_headers(
        &self,
        plan: &OperationPlan,
        headers: &HeaderMap,
        settings: &mut Vec<Setting<'_>>,
        violations: &mut Vec<Field>,
    ) {
        let mut set = |at: usize, value: Result<String, String>| match value {
            Ok(text) => settings.push(Setting {
                way: vec![at],
                value: Scalar::Bytes(text.into_bytes().into()),
            }),
            Err(message) => {
                let field = &self.plans.message(plan.input).fields[at];
                violations.push(Field::new(field.name.to_string(), message));
            }
        };
        if let (Some(at), Some(key)) = (plan.request_id, headers.get(IDEMPOTENCY_KEY)) {
            let text = key.to_str().map(str::to_owned);
            set(
                at,
                text.map_err(|_| "must be visible ASCII characters".to_owned()),
            );
        }
        if let (Some(at), Some(condition)) = (plan.etag, headers.get(IF_MATCH)) {
            let version = etag::from_if_match(condition);
            set(
                at,
                version.map_err(|expected| format!("If-Match must be {expected}")),
            );
        }
    }

    /// Converts an upstream's answer to its public form.
    ///
    /// # Errors
    /// 500 if it is not a message of the contract.
    pub fn response(&self, operation: &Operation, message: &Bytes) -> Result<Answer, Problem> {
        let plan = self.plan(operation)?;
        let answer = match self.answer(plan, message) {
            Err(Halt::Disorder) => {
                let output = self.plans.message(plan.output);
                in_order(output, message)
                    .map_err(Halt::Broken)
                    .and_then(|ordered| self.answer(plan, &ordered.into()))
            }
            answer => answer,
        };
        answer.map_err(|halt| match halt {
            Halt::Broken(broken) => not_of_the_contract(operation, broken),
            Halt::Disorder => {
                not_of_the_contract(operation, Broken("the fields cannot be ordered"))
            }
        })
    }

    fn answer(&self, plan: &OperationPlan, message: &Bytes) -> Result<Answer, Halt> {
        let bytes = match (&plan.form, plan.part) {
            (AnswerForm::Field(_), _) | (_, None) => &message[..],
            (_, Some(number)) => only(message, number)?.unwrap_or_default(),
        };
        match &plan.form {
            AnswerForm::Raw(raw) => {
                let (media_type, body) = raw_body(raw, bytes)?;
                Ok(Answer {
                    body: message.slice_ref(body),
                    media_type: Some(media_type),
                    ..Answer::default()
                })
            }
            AnswerForm::Resource(id, wanted) => {
                let mut walk = Walk::new(&self.plans, bytes.len(), *wanted);
                walk.message(*id, bytes, 0)?;
                let [id, etag] = walk.found;
                // The body may be cached for long, and its unused capacity with it.
                walk.out.shrink_to_fit();
                Ok(Answer {
                    body: walk.out.into(),
                    media_type: None,
                    id,
                    etag,
                })
            }
            AnswerForm::Field(id) => {
                let mut walk = Walk::new(&self.plans, bytes.len(), [None, None]);
                walk.message(*id, bytes, 0)?;
                let field = self.plans.message(*id).fields.first();
                let body = field.and_then(|field| {
                    let value = walk.out.strip_prefix(b"{")?.strip_suffix(b"}")?;
                    value.strip_prefix(&*field.key)
                });
                Ok(Answer {
                    body: body.map_or(Bytes::from_static(b"null"), Bytes::copy_from_slice),
                    ..Answer::default()
                })
            }
        }
    }
}

/// Returns the only occurrence of a field that has a length.
fn only(message: &[u8], number: u32) -> Result<Option<&[u8]>, Halt> {
    let mut reader = Reader::new(message);
    let mut found = None;
    while let Some(tag) = reader.tag()? {
        match tag {
            Tag {
                wire_type: WireType::Length,
                ..
            } if tag.number == number => {
                if found.replace(reader.bytes()?).is_some() {
                    return Err(Halt::Disorder);
                }
            }
            _ if tag.number == number => {
                return Err(Broken("a field has another wire type").into());
            }
            _ => reader.skip(tag)?,
        }
    }
    Ok(found)
}

/// Returns the media type and the bytes of a `google.api.HttpBody`.
fn raw_body<'b>(raw: &RawBody, bytes: &'b [u8]) -> Result<(HeaderValue, &'b [u8]), Halt> {
    let (content_type, data) = raw.numbers();
    let mut reader = Reader::new(bytes);
    let (mut declared, mut body) = ("", NO_BYTES);
    while let Some(tag) = reader.tag()? {
        match tag.wire_type {
            WireType::Length if tag.number == content_type => declared = reader.text()?,
            WireType::Length if tag.number == data => body = reader.bytes()?,
            _ => reader.skip(tag)?,
        }
    }
    let media_type = RawBody::media_type(declared).ok_or(Broken("the answer has no media type"))?;
    Ok((media_type, body))
}

fn not_of_the_contract(operation: &Operation, broken: Broken) -> Problem {
    tracing::error!(error = %broken, rpc = %operation.rpc_name, "a message is not in the contract");
    Problem::internal()
}

fn unreadable(why: Unreadable) -> Problem {
    let (reason, detail) = match why {
        Unreadable::Malformed => ("MALFORMED_JSON", "The body is not valid JSON."),
        Unreadable::TooDeep => (
            "INVALID_ARGUMENT",
            "The body has more than 64 objects and lists inside each other.",
        ),
    };
    Problem::new(StatusCode::BAD_REQUEST, reason, detail)
}

fn refusal(violations: Vec<Field>) -> Problem {
    match violations
        .iter()
        .find(|violation| violation.field.is_empty())
    {
        // The body as a whole is wrong.
        Some(violation) => Problem::new(
            StatusCode::BAD_REQUEST,
            "INVALID_ARGUMENT",
            format!(
                "The body is not what this call takes: it {}.",
                violation.message
            ),
        ),
        None => Problem::invalid_fields(violations),
    }
}
