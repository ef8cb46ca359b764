//! Responses of an operation: each status that its caller can receive, with its headers and content.

use axum::http::Method;
use gateway_contract::{BodyRule, Operation, RateClass};
use serde_json::{Map, Value, json};

use super::{
    components::{KEY, PROBLEMS, REPLAYED},
    json_of,
    schema::{Direction, Schemas},
};

/// Whether callers of this operation can receive the status.
fn can_meet(operation: &Operation, status: u16) -> bool {
    let is_write = !operation.reads();
    let has_body = !matches!(operation.body, BodyRule::None);
    match status {
        401 => !operation.policy.scope.is_empty(),
        403 => is_write || !operation.policy.scope.is_empty(),
        404 => is_write || !operation.path_fields.is_empty(),
        409 => is_write,
        412 => operation.etag.is_some(),
        408 | 413 | 415 => has_body,
        422 => operation.request_id.is_some(),
        // These depend on the address or the method, not on the operation.
        405 | 501 => false,
        _ => true,
    }
}

pub(super) fn responses(operation: &Operation, schemas: &mut Schemas) -> Value {
    let mut out = Map::new();
    for (status, name, _) in PROBLEMS {
        if can_meet(operation, status) {
            let name = format!("#/components/responses/{name}");
            out.insert(status.to_string(), json!({"$ref": name}));
        }
    }
    let content = content(operation, schemas);
    let (status, description) = if operation.creates() {
        ("201", "Created")
    } else if operation.leaves_nothing() {
        ("204", "Removed")
    } else {
        ("200", "OK")
    };
    let mut headers = json!({});
    if operation.rate_class() != RateClass::Exempt {
        add(&mut headers, &["RateLimit", "RateLimit-Policy"]);
    }
    let cached = !operation.policy.cache.is_zero();
    let mut success = headers.clone();
    // A resource that its content identifies has no address derived from the call's path.
    if operation.creates() && operation.http_method == Method::POST {
        add(&mut success, &["Location"]);
    }
    if operation.request_id.is_some() {
        add(&mut success, &[REPLAYED, KEY]);
    }
    if cached || has_version(operation) {
        add(&mut success, &["ETag"]);
    }
    add(&mut success, &["Cache-Control"]);
    let mut answer = json!({"description": description, "headers": success});
    if status != "204" {
        answer["content"] = content.clone();
    }
    out.insert(status.to_owned(), answer);
    if operation.policy.may_create_nothing {
        let answer = json!({"description": "OK; nothing was created", "headers": headers, "content": content});
        out.insert("200".to_owned(), answer);
    }
    if can_be_known(operation) {
        let mut headers = json!({});
        add(&mut headers, &["ETag", "Cache-Control"]);
        let description = "Not modified since the response with the ETag sent in If-None-Match";
        let answer = json!({"description": description, "headers": headers});
        out.insert("304".to_owned(), answer);
    }
    out.into()
}

fn content(operation: &Operation, schemas: &mut Schemas) -> Value {
    match (&operation.raw, &operation.response_body) {
        (Some(_), _) => json!({"*/*": {"schema": {}}}),
        (None, None) => json_of(&schemas.message(&operation.rpc.output(), Direction::Answer)),
        (None, Some(field)) => json_of(&schemas.bare_field(field, Direction::Answer)),
    }
}

/// Whether an answer has a tag for conditional requests.
pub(super) fn can_be_known(operation: &Operation) -> bool {
    let cached = !operation.policy.cache.is_zero();
    cached || operation.reads() && has_version(operation)
}

fn has_version(operation: &Operation) -> bool {
    let resource = operation.resource();
    resource.is_some_and(|resource| resource.get_field_by_name("etag").is_some())
}

fn add(headers: &mut Value, names: &[&str]) {
    for name in names {
        headers[*name] = json!({"$ref": format!("#/components/headers/{name}")});
    }
}
