//! Description of one operation: its parameters, its body, and its security.

use axum::http::Method;
use gateway_contract::{BodyRule, Operation, Policy, RateClass};
use gateway_http::language::Language;
use gateway_wire::is_scalar_message;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Value, json};

use super::{
    super::language,
    components::BEARER,
    field::is_required,
    json_of,
    responses::{can_be_known, responses},
    schema::{Direction, Schemas, comment, comment_of_field},
    without_empty,
};

/// Maximum depth of dotted query parameters that are described; deeper fields can be sent, too.
const PARAMETER_DEPTH_MAX: usize = 3;
/// Extension of an operation: its calls do not count against the visitor's rate.
const RATE_EXEMPT: &str = "x-rate-exempt";
/// Extension of an operation: rate class of its calls.
const RATE_CLASS: &str = "x-rate-class";
/// Extension of an operation: seconds for which the gateway may serve its answer from the cache.
const CACHE_SECONDS: &str = "x-cache-seconds";
/// Extension of an operation: milliseconds after which it is answered 504, if the contract sets a deadline.
const DEADLINE_MS: &str = "x-deadline-ms";

/// Describes an operation. `path` names the variables, whose names may differ from those of the fields.
pub(super) fn describe(
    operation: &Operation,
    id: &str,
    path: &str,
    schemas: &mut Schemas,
) -> Value {
    let text = comment(&operation.rpc.parent_file(), operation.rpc.path());
    let mut out = json!({
        "operationId": id,
        "tags": [operation.rpc.parent_service().name()],
        "summary": summary(&text, operation.rpc.name()),
        "description": text,
        "parameters": parameters(operation, path, schemas),
        "responses": responses(operation, schemas),
    });
    if let Some((schema, is_needed)) = body(operation, schemas) {
        let content = if operation.takes_bytes() {
            json!({"image/*": {"schema": {}}})
        } else {
            json_of(&schema)
        };
        let body = json!({"required": is_needed, "content": content});
        out["requestBody"] = without_empty(body);
    }
    let policy = &operation.policy;
    if !policy.scope.is_empty() {
        out["security"] = security(policy);
    }
    out[RATE_CLASS] = operation.rate_class().label().into();
    if operation.rate_class() == RateClass::Exempt {
        out[RATE_EXEMPT] = true.into();
    }
    if !policy.cache.is_zero() {
        out[CACHE_SECONDS] = policy.cache.as_secs().into();
    }
    if let Some(deadline) = policy.deadline {
        out[DEADLINE_MS] = u64::try_from(deadline.as_millis()).ok().into();
    }
    without_empty(out)
}

/// Returns the first sentence, or the RPC's name in words.
fn summary(text: &str, name: &str) -> String {
    let first = text.split_once(". ").map_or(text, |(first, _)| first);
    let line = first.lines().next().unwrap_or_default();
    if !line.is_empty() {
        return line.trim_end_matches('.').to_owned();
    }
    let mut words = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_uppercase() {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}

/// Lists the accepted credentials; any one of them is enough.
fn security(policy: &Policy) -> Value {
    let token = json!({BEARER: [policy.scope]});
    let secret = policy.secret_header.as_ref();
    let secret = secret.map(|name| json!({name.as_str(): []}));
    [token].into_iter().chain(secret).collect()
}

/// Returns the schema of the body, and whether a body is required. Without one, every field of it is empty.
fn body(operation: &Operation, schemas: &mut Schemas) -> Option<(Value, bool)> {
    let whole = operation.input();
    match &operation.body {
        BodyRule::None => None,
        BodyRule::Raw(..) => Some((json!({}), true)),
        BodyRule::Whole => {
            // Fields that path or headers carry are not in the body.
            let carries = |field: &FieldDescriptor| {
                let by_path = operation
                    .path_fields
                    .iter()
                    .any(|path| path.as_slice() == std::slice::from_ref(field));
                !by_path && !is_by_header(operation, field)
            };
            let is_needed = whole
                .fields()
                .any(|field| carries(&field) && is_required(&field));
            Some((schemas.body(&whole, &carries), is_needed))
        }
        BodyRule::Field(field) => {
            let kind = field.kind();
            let inner = kind.as_message().filter(|_| !field.is_list());
            let is_needed = is_required(field)
                || inner.is_some_and(|inner| inner.fields().any(|field| is_required(&field)));
            Some((schemas.field(field, Direction::Request), is_needed))
        }
    }
}

/// The contract requires a request id. Over HTTP, the gateway derives one if it is missing.
const KEY_DESCRIPTION: &str = "Identifies the request. The same call with the same key is a retry and returns the first response. Without a \
     key, the same call from the same network within 10 minutes counts as a retry; the response's Idempotency-Key is \
     the key that was used.";

fn is_by_header(operation: &Operation, field: &FieldDescriptor) -> bool {
    let by_header = [&operation.request_id, &operation.etag];
    by_header.into_iter().flatten().any(|known| known == field)
}

fn parameters(operation: &Operation, path: &str, schemas: &mut Schemas) -> Vec<Value> {
    let mut out = Vec::new();
    let names = path.split('{').filter_map(|part| part.split_once('}'));
    for ((name, _), fields) in names.zip(&operation.path_fields) {
        if let Some(field) = fields.last() {
            let mut found = parameter("path", name, field, true, schemas);
            if found["schema"]["type"] == "string" {
                found["schema"]["minLength"] = 1.into();
            }
            out.push(found);
        }
    }
    let mut query = Vec::new();
    if !matches!(operation.body, BodyRule::Whole) {
        collect_query(&operation.input(), &mut Vec::new(), &mut query);
    }
    for fields in &query {
        let by_body = match &operation.body {
            BodyRule::Field(field) | BodyRule::Raw(field, _) => fields.first() == Some(field),
            BodyRule::None | BodyRule::Whole => false,
        };
        let first = fields.first();
        let by_header = first.is_some_and(|field| is_by_header(operation, field));
        let by_path = operation.path_fields.contains(fields);
        if let (false, Some(field)) = (by_body || by_header || by_path, fields.last()) {
            let name = json_path(fields);
            let required = fields.iter().all(is_required);
            let mut found = parameter("query", &name, field, required, schemas);
            // Forms send their empty fields too. Unless it is a text, it is not given then.
            if !required && !matches!(field.kind(), Kind::String | Kind::Bytes) {
                found["allowEmptyValue"] = true.into();
            }
            out.push(found);
        }
    }
    if operation.http_method == Method::GET {
        out.push(json!({
            "in": "query", "name": language::PARAMETER,
            "description": "Language of the answer's texts. A text without a translation is in English.",
            "schema": {
                "type": "string",
                "enum": Language::ALL.map(Language::code),
                "default": Language::default().code(),
            },
        }));
    }
    out.extend(headers(operation, schemas));
    out
}

fn parameter(
    place: &str,
    name: &str,
    field: &FieldDescriptor,
    required: bool,
    schemas: &mut Schemas,
) -> Value {
    without_empty(json!({
        "in": place,
        "name": name,
        "required": required,
        "description": comment_of_field(field),
        "schema": schemas.bare_field(field, Direction::Request),
    }))
}

fn headers(operation: &Operation, schemas: &mut Schemas) -> Vec<Value> {
    let mut out = Vec::new();
    if let Some(field) = &operation.request_id {
        let mut found = parameter("header", "Idempotency-Key", field, false, schemas);
        found["description"] = KEY_DESCRIPTION.into();
        out.push(found);
    }
    if let Some(field) = &operation.etag {
        let mut found = parameter("header", "If-Match", field, is_required(field), schemas);
        found["schema"]["pattern"] = r#"^(\*|"[!#-~]+")$"#.into();
        out.push(found);
    }
    if can_be_known(operation) {
        out.push(json!({
            "in": "header", "name": "If-None-Match",
            "description": "An ETag of this address. Returns 304 without a body if the resource is unchanged.",
            "schema": {"type": "string"},
        }));
    }
    if !operation.reads() {
        out.push(json!({
            "in": "header", "name": "Accept-Language",
            "description": format!("Language of what is sent to the visitor: {}. Default: en.", Language::codes()),
            "schema": {"type": "string"},
        }));
    }
    if !operation.reads() {
        out.push(json!({
            "in": "header", "name": "X-Requested-With", "required": true,
            "description": "Any value. Shows that the call does not come from another site's page.",
            "schema": {"type": "string", "minLength": 1},
        }));
    }
    if operation.rate_class() != RateClass::Exempt || operation.policy.client {
        out.push(json!({
            "in": "header", "name": "X-Client-Id",
            "description": "Random id of a browser tab. Rate limits distinguish visitors by it and the address.",
            "schema": {"type": "string"},
        }));
    }
    out
}

/// Collects every field that a query string can set, as the path of fields leading to it.
fn collect_query(
    message: &MessageDescriptor,
    above: &mut Vec<FieldDescriptor>,
    out: &mut Vec<Vec<FieldDescriptor>>,
) {
    for field in message.fields() {
        let kind = field.kind();
        let inner = kind.as_message().filter(|m| !is_scalar_message(m));
        above.push(field.clone());
        match inner {
            None => out.push(above.clone()),
            Some(inner) if !field.is_list() && !field.is_map() => {
                if above.len() < PARAMETER_DEPTH_MAX {
                    collect_query(inner, above, out);
                }
            }
            Some(_) => {}
        }
        above.pop();
    }
}

/// Returns the dotted camelCase path of a field.
fn json_path(fields: &[FieldDescriptor]) -> String {
    let names: Vec<&str> = fields.iter().map(FieldDescriptor::json_name).collect();
    names.join(".")
}
