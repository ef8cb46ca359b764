//! OpenAPI 3.1 description of the API, built from the same descriptors as the routes.

mod components;
mod field;
mod links;
mod operation;
mod responses;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use gateway_contract::{ContractError, MOUNT, Operation, Routes};
use prost_reflect::DescriptorPool;
use serde_json::{Map, Value, json};

pub(super) use self::components::KEY;
use self::{
    components::{headers, problem_responses, problem_schema, security_schemes},
    schema::{Schemas, comment},
};

/// Rules that hold for every call.
const ABOUT: &str = include_str!("openapi/about.md");

/// Describes every annotated RPC of the pool.
///
/// # Errors
/// If the contracts cannot be offered over HTTP.
pub fn document(pool: &DescriptorPool) -> Result<Value, ContractError> {
    Ok(describe(&Routes::from_pool(pool)?))
}

/// Describes these routes.
pub(crate) fn describe(routes: &Routes) -> Value {
    let mut schemas = Schemas::default();
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    let mut names = HashMap::new();
    let mut tags: BTreeMap<String, Value> = BTreeMap::new();
    for operation in routes.operations() {
        let path = path_of(operation, &mut names);
        let method = operation.http_method.as_str().to_ascii_lowercase();
        let id = operation_id(routes, operation);
        let described = operation::describe(operation, &id, &path, &mut schemas);
        paths.entry(path).or_default().insert(method, described);
        let service = operation.rpc.parent_service();
        let tag = json!({"name": service.name(), "description": comment(&service.parent_file(), service.path())});
        tags.insert(service.name().to_owned(), without_empty(tag));
    }
    let mut paths: Map<String, Value> = paths
        .into_iter()
        .map(|(path, methods)| (path, methods.into()))
        .collect();
    for operation in routes.operations() {
        links::add(operation, &path_of(operation, &mut names), &mut paths);
    }
    schemas.insert("Problem", problem_schema());
    let policies = routes.operations().iter().map(|o| &o.policy);
    let secret_headers = policies.filter_map(|policy| policy.secret_header.as_ref());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Public API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT.trim_end(),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": MOUNT}],
        "tags": tags.into_values().collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "schemas": schemas.into_value(),
            "responses": problem_responses(),
            "headers": headers(),
            "securitySchemes": security_schemes(secret_headers),
        },
    })
}

/// Returns the path with one name for each variable. Two paths that differ only in names are one path (OpenAPI 3.1,
/// 4.8.8), so the contract that comes first names its variables.
fn path_of(operation: &Operation, names: &mut HashMap<String, String>) -> String {
    let shape = operation.template.route(|_| String::new());
    let path = operation.template.route(str::to_owned);
    names.entry(shape).or_insert(path).clone()
}

/// Returns the RPC's name, preceded by its service if several operations share the name. Further bindings of an RPC are
/// numbered.
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

fn json_of(schema: &Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

/// Removes empty texts, and `required` if it is false.
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
