//! Builds the requests of RPCs, and converts their answers.

use bytes::Bytes;

use super::{
    binding::{AnswerForm, Binding, BindingPlan, BodyPlan, RawFields},
    error::{Violation, WireError},
    from_json::{Decoded, Intake},
    join::{Setting, join},
    json::Unreadable,
    plan::Plans,
    protobuf::{Broken, Reader, Tag, WireType, put_tag, put_varint},
    query,
    scalar::Scalar,
    to_json::{Halt, Walk, in_order},
};

/// Maximum bytes of two tags and lengths.
const HEADS_BYTES_MAX: usize = 32;
const NO_BYTES: &[u8] = &[];

/// Parts of an HTTP request.
#[derive(Debug)]
pub struct Parts<'a> {
    /// Decoded values of the path's variables, in the order of [`Binding::path`].
    pub path: Vec<String>,
    /// Query string, without the question mark.
    pub query: Option<&'a str>,
    /// JSON, or any bytes if the binding takes them; may be empty.
    pub body: &'a [u8],
    /// Values of text fields from other sources, such as headers, by field number. An error is the field's violation.
    pub texts: Vec<(u32, Result<String, String>)>,
}

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
    /// Adds this idempotency key as the field with this number. Meant for a request without one.
    #[must_use]
    pub fn with_key(self, field: u32, key: &str) -> Self {
        let key = Scalar::Bytes(key.as_bytes().to_vec().into()).tagged(field);
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
    pub media_type: Option<String>,
    /// Id of the resource in the body, if it has one.
    pub id: Option<String>,
    /// Version of that resource (AIP-154), if it has one.
    pub etag: Option<String>,
}

/// Index of a binding in a [`Transcoder`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BindingId(usize);

/// Builds the requests of all bindings, and converts their answers.
#[derive(Debug, Default)]
pub struct Transcoder {
    plans: Plans,
    bindings: Vec<BindingPlan>,
}

impl Transcoder {
    /// Plans the messages of a binding.
    pub fn add(&mut self, binding: &Binding) -> BindingId {
        let plan = BindingPlan::new(&mut self.plans, binding);
        self.bindings.push(plan);
        BindingId(self.bindings.len() - 1)
    }

    /// Builds the request message of a binding. Path and `texts` win over the body.
    ///
    /// # Errors
    /// If the body cannot be read, or fields are wrong.
    ///
    /// # Panics
    /// If `id` is of another transcoder.
    pub fn request(&self, id: BindingId, parts: Parts<'_>) -> Result<Request, WireError> {
        let plan = &self.bindings[id.0];
        let (base, mut violations) = self.base(plan, parts.body)?;
        let mut settings = Vec::new();
        for (way, text) in plan.path.iter().zip(parts.path) {
            match query::read_segment(&self.plans, plan.input, way, text) {
                Ok(setting) => settings.push(setting),
                Err(violation) => violations.push(violation),
            }
        }
        if let Some(text) = parts.query.filter(|text| !text.is_empty()) {
            let is_taken = |way: &[usize]| {
                plan.path.iter().any(|path| path == way)
                    || match plan.body {
                        BodyPlan::None => false,
                        BodyPlan::Whole => true,
                        BodyPlan::Message(at, _) | BodyPlan::Field(at) | BodyPlan::Raw(at, _) => {
                            way.first() == Some(&at)
                        }
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
        let message = self.plans.message(plan.input);
        for (number, text) in parts.texts {
            let Some(at) = message.position(number) else {
                continue;
            };
            match text {
                Ok(text) => settings.push(Setting {
                    way: vec![at],
                    value: Scalar::Bytes(text.into_bytes().into()),
                }),
                Err(why) => {
                    let name = message.fields[at].name.to_string();
                    violations.push(Violation::new(name, why));
                }
            }
        }
        if !violations.is_empty() {
            return Err(WireError::Fields(violations));
        }
        let message = if settings.is_empty() && matches!(plan.body, BodyPlan::Raw(..)) {
            // Large, and canonical already.
            base
        } else {
            let mut message = Vec::with_capacity(base.len() + 64);
            join(&self.plans, plan.input, &base, &mut settings, &mut message)?;
            message
        };
        let found = plan.request_id.map(|number| only(&message, number));
        let key = found.transpose()?.flatten();
        Ok(Request {
            is_keyed: key.is_some_and(|key| !key.is_empty()),
            message: message.into(),
        })
    }

    /// Reads the body, and returns its canonical bytes and its violations.
    fn base(
        &self,
        plan: &BindingPlan,
        body: &[u8],
    ) -> Result<(Vec<u8>, Vec<Violation>), Unreadable> {
        if let BodyPlan::Raw(at, data) = plan.body {
            let number = self.plans.message(plan.input).fields[at].number;
            return Ok((nested_bytes(number, data, body), Vec::new()));
        }
        let is_empty = body.iter().all(u8::is_ascii_whitespace);
        if is_empty || matches!(plan.body, BodyPlan::None) {
            return Ok((Vec::new(), Vec::new()));
        }
        let text = std::str::from_utf8(body).map_err(|_| Unreadable::Malformed)?;
        let field = |at: usize| &self.plans.message(plan.input).fields[at];
        let taken = match plan.body {
            BodyPlan::None | BodyPlan::Raw(..) => return Ok((Vec::new(), Vec::new())),
            BodyPlan::Whole => Intake::of_message(&self.plans, plan.input, text),
            BodyPlan::Field(at) => Intake::of_field(&self.plans, field(at), text),
            BodyPlan::Message(at, id) => {
                Intake::of_message(&self.plans, id, text).map(|inner| Decoded {
                    bytes: Scalar::Message(inner.bytes).tagged(field(at).number),
                    violations: inner.violations,
                })
            }
        };
        let Decoded { bytes, violations } = taken?;
        Ok((bytes, violations))
    }

    /// Converts the response message of a binding to its public form.
    ///
    /// # Errors
    /// If it is not a message of the contract.
    ///
    /// # Panics
    /// If `id` is of another transcoder.
    pub fn response(&self, id: BindingId, message: &Bytes) -> Result<Answer, WireError> {
        let plan = &self.bindings[id.0];
        let answer = match self.answer(plan, message) {
            Err(Halt::Disorder) => {
                let output = self.plans.message(plan.output);
                in_order(output, message)
                    .map_err(Halt::Broken)
                    .and_then(|ordered| self.answer(plan, &ordered.into()))
            }
            answer => answer,
        };
        Ok(answer?)
    }

    fn answer(&self, plan: &BindingPlan, message: &Bytes) -> Result<Answer, Halt> {
        let bytes = match (&plan.form, plan.part) {
            (AnswerForm::Field(_), _) | (_, None) => &message[..],
            (_, Some(number)) => only(message, number)?.unwrap_or_default(),
        };
        match &plan.form {
            AnswerForm::Raw(raw) => {
                let (media_type, body) = raw_body(*raw, bytes)?;
                Ok(Answer {
                    body: message.slice_ref(body),
                    media_type: Some(media_type.to_owned()),
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

/// Returns the field `number`, a message whose field `data` has these bytes. Copies them once.
fn nested_bytes(number: u32, data: u32, bytes: &[u8]) -> Vec<u8> {
    let mut head = Vec::new();
    put_tag(data, WireType::Length, &mut head);
    put_varint(bytes.len() as u64, &mut head);
    let mut out = Vec::with_capacity(bytes.len() + HEADS_BYTES_MAX);
    put_tag(number, WireType::Length, &mut out);
    put_varint((head.len() + bytes.len()) as u64, &mut out);
    out.extend_from_slice(&head);
    out.extend_from_slice(bytes);
    out
}

/// Returns the media type and the bytes of an answer that is sent verbatim.
fn raw_body(raw: RawFields, bytes: &[u8]) -> Result<(&str, &[u8]), Halt> {
    let mut reader = Reader::new(bytes);
    let (mut declared, mut body) = ("", NO_BYTES);
    while let Some(tag) = reader.tag()? {
        match tag.wire_type {
            WireType::Length if tag.number == raw.media_type => declared = reader.text()?,
            WireType::Length if tag.number == raw.data => body = reader.bytes()?,
            _ => reader.skip(tag)?,
        }
    }
    Ok((declared, body))
}
