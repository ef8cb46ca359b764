//! The API described for others: OpenAPI 3.1, made from the same descriptors as the routes.

mod components;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use prost_reflect::{DescriptorPool, FieldDescriptor, MessageDescriptor};
use serde_json::{Map, Value, json};

use self::{
    components::{BEARER, REPLAYED, headers, problem_response, problem_schema, security_schemes},
    schema::{Schemas, comment, comment_of_field},
};
use crate::{
    contract::{BodyRule, ContractError, MOUNT, Operation, Policy, RateClass, Routes},
    wire::query::{is_scalar_message, json_path},
};

/// Query parameters are offered down to this many dots; deeper fields can be sent but are not described.
const PARAMETER_DEPTH_MAX: usize = 3;
/// Extension of an operation: calls of it are not counted against the visitor's rate.
const RATE_EXEMPT: &str = "x-rate-exempt";
/// Extension of an operation: what calls of it are counted for.
const RATE_CLASS: &str = "x-rate-class";

/// The description of every annotated RPC of the pool.
///
/// # Errors
/// When the contracts cannot be offered over HTTP.
pub fn document(pool: &DescriptorPool) -> Result<Value, ContractError> {
    Ok(describe(&Routes::from_pool(pool)?))
}

/// The description of these routes.
pub(crate) fn describe(routes: &Routes) -> Value {
    let mut schemas = Schemas::default();
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    let mut tags: BTreeMap<String, Value> = BTreeMap::new();
    for operation in routes.operations() {
        let path = operation.template.route(str::to_owned);
        let method = operation.http_method.as_str().to_ascii_lowercase();
        let id = operation_id(routes, operation);
        paths
            .entry(path)
            .or_default()
            .insert(method, describe_operation(operation, &id, &mut schemas));
        let service = operation.rpc.parent_service();
        let tag = json!({"name": service.name(), "description": comment(&service.parent_file(), service.path())});
        tags.insert(service.name().to_owned(), without_empty(tag));
    }
    schemas.insert("Problem", problem_schema());
    let policies = routes.operations().iter().map(|o| &o.policy);
    let secret_headers = policies.filter_map(|policy| policy.secret_header.as_ref());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Public API",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": MOUNT}],
        "tags": tags.into_values().collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "schemas": schemas.into_value(),
            "responses": {
                "Problem": problem_response("Retry-After"),
                "Unauthenticated": problem_response("WWW-Authenticate"),
            },
            "headers": headers(),
            "securitySchemes": security_schemes(secret_headers),
        },
    })
}

/// The RPC's name; with its service before it where several share one.
fn operation_id(routes: &Routes, operation: &Operation) -> String {
    let name = operation.rpc.name();
    let same = || routes.operations().iter().filter(|o| o.rpc.name() == name);
    if same().count() == 1 {
        return name.to_owned();
    }
    let service = operation.rpc.parent_service();
    let before = same()
        .take_while(|o| !std::ptr::eq(o.as_ref(), operation))
        .filter(|o| o.rpc == operation.rpc)
        .count();
    match before {
        0 => format!("{}_{name}", service.name()),
        n => format!("{}_{name}{}", service.name(), n + 1),
    }
}

fn describe_operation(operation: &Operation, id: &str, schemas: &mut Schemas) -> Value {
    let text = comment(&operation.rpc.parent_file(), operation.rpc.path());
    let summary = text
        .split_once(". ")
        .map_or(text.as_str(), |(first, _)| first);
    let summary = summary.lines().next().unwrap_or_default();
    let mut out = json!({
        "operationId": id,
        "tags": [operation.rpc.parent_service().name()],
        "summary": summary.trim_end_matches('.'),
        "description": text,
        "parameters": parameters(operation, schemas),
        "responses": responses(operation, schemas),
    });
    let body = match &operation.body {
        BodyRule::None => None,
        BodyRule::Whole => Some(schemas.message(&operation.input())),
        BodyRule::Field(field) => Some(schemas.field(field)),
    };
    if let Some(schema) = body {
        out["requestBody"] = json!({"required": true, "content": json_of(&schema)});
    }
    if !operation.policy.scope.is_empty() {
        out["security"] = security(&operation.policy);
    }
    out[RATE_CLASS] = operation.rate_class().label().into();
    if operation.rate_class() == RateClass::Exempt {
        out[RATE_EXEMPT] = true.into();
    }
    without_empty(out)
}

/// Any one of them is enough.
fn security(policy: &Policy) -> Value {
    let token = json!({BEARER: [policy.scope]});
    let secret = policy.secret_header.as_ref();
    let secret = secret.map(|name| json!({name.as_str(): []}));
    [token].into_iter().chain(secret).collect()
}

fn parameters(operation: &Operation, schemas: &mut Schemas) -> Vec<Value> {
    let mut out = Vec::new();
    for (path, fields) in operation.template.field_paths().zip(&operation.path_fields) {
        if let Some(field) = fields.last() {
            out.push(parameter("path", path, field, true, schemas));
        }
    }
    let mut query = Vec::new();
    if !matches!(operation.body, BodyRule::Whole) {
        collect_query(&operation.input(), &mut Vec::new(), &mut query);
    }
    for fields in &query {
        let by_body = match &operation.body {
            BodyRule::Field(field) => fields.first() == Some(field),
            BodyRule::None | BodyRule::Whole => false,
        };
        let by_header = [&operation.request_id, &operation.etag]
            .into_iter()
            .any(|field| field.is_some() && field.as_ref() == fields.first());
        let by_path = operation.path_fields.contains(fields);
        if let (false, Some(field)) = (by_body || by_header || by_path, fields.last()) {
            let required = comment_of_field(field).starts_with("Required.");
            out.push(parameter(
                "query",
                &json_path(fields),
                field,
                required,
                schemas,
            ));
        }
    }
    if let Some(field) = &operation.request_id {
        out.push(json!({
            "in": "header", "name": "Idempotency-Key", "required": true,
            "description": comment_of_field(field), "schema": {"type": "string"},
        }));
    }
    if let Some(field) = &operation.etag {
        out.push(without_empty(json!({
            "in": "header", "name": "If-Match",
            "description": comment_of_field(field), "schema": {"type": "string"},
        })));
    }
    if !operation.reads() {
        out.push(json!({
            "in": "header", "name": "X-Requested-With", "required": true,
            "description": "Any value. Shows that the call does not come from a foreign page.",
            "schema": {"type": "string"},
        }));
    }
    out.push(json!({
        "in": "header", "name": "X-Client-Id",
        "description": "Random id of a browser tab; with the address it tells visitors apart for the rate limit.",
        "schema": {"type": "string"},
    }));
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
        "schema": schemas.bare_field(field),
    }))
}

/// Every field that a query string can set, as the way down to it.
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

fn responses(operation: &Operation, schemas: &mut Schemas) -> Value {
    let content = match (&operation.raw, &operation.response_body) {
        (Some(_), _) => json!({"*/*": {"schema": {"type": "string", "format": "binary"}}}),
        (None, None) => json_of(&schemas.message(&operation.rpc.output())),
        (None, Some(field)) => json_of(&schemas.bare_field(field)),
    };
    let header = |name: &str| json!({"$ref": format!("#/components/headers/{name}")});
    let mut success_headers = json!({
        "RateLimit": header("RateLimit"),
        "RateLimit-Policy": header("RateLimit-Policy"),
    });
    let (status, description) = if operation.creates() {
        success_headers["Location"] = header("Location");
        if operation.request_id.is_some() {
            success_headers[REPLAYED] = header(REPLAYED);
        }
        ("201", "Created")
    } else if operation.leaves_nothing() {
        ("204", "Removed")
    } else {
        ("200", "OK")
    };
    let cached = !operation.policy.cache.is_zero();
    let has_version = operation
        .resource()
        .is_some_and(|resource| resource.get_field_by_name("etag").is_some());
    if cached || has_version {
        success_headers["ETag"] = header("ETag");
    }
    let problem = json!({"$ref": "#/components/responses/Problem"});
    let mut out = json!({
        status: {"description": description, "headers": success_headers},
        "429": problem,
        "default": problem,
    });
    if !operation.leaves_nothing() {
        out[status]["content"] = content.clone();
    }
    if operation.policy.may_create_nothing {
        let headers = json!({
            "RateLimit": header("RateLimit"),
            "RateLimit-Policy": header("RateLimit-Policy"),
        });
        out["200"] = json!({"description": "Answered; nothing was created", "headers": headers, "content": content});
    }
    if !operation.policy.scope.is_empty() {
        out["401"] = json!({"$ref": "#/components/responses/Unauthenticated"});
        out["403"] = problem.clone();
    }
    if operation.etag.is_some() {
        out["412"] = problem;
    }
    if cached {
        out["304"] = json!({"description": "Not modified since the response with the ETag sent in If-None-Match"});
    }
    out
}

fn json_of(schema: &Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

/// Leaves out what has nothing to say.
fn without_empty(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, value| match value {
            Value::String(text) => !text.is_empty(),
            Value::Bool(flag) => key != "required" || *flag,
            _ => true,
        });
    }
    value
}
