//! OpenAPI links from the answer of a create to operations on the created resource (OpenAPI 3.1, 4.8.20).

use gateway_contract::Operation;
use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value, json};

/// Returns the location of the created resource's id in the answer.
fn id_of(operation: &Operation) -> Option<String> {
    let answer = operation.resource()?;
    if has_id(&answer) {
        return Some("$response.body#/id".to_owned());
    }
    let mut resources = answer.fields().filter(|field| {
        let kind = field.kind();
        !field.is_list() && kind.as_message().is_some_and(has_id)
    });
    let resource = resources.next()?;
    Some(format!("$response.body#/{}/id", resource.json_name()))
}

fn has_id(message: &MessageDescriptor) -> bool {
    message.get_field_by_name("id").is_some()
}

/// Adds OpenAPI links from the create at `path` to operations on the address of the created resource.
pub(super) fn add(operation: &Operation, path: &str, paths: &mut Map<String, Value>) {
    let Some(id) = id_of(operation).filter(|_| operation.creates()) else {
        return;
    };
    let mut links = Map::new();
    let collection = format!("{path}/{{");
    for (below, methods) in paths.iter() {
        let Some(rest) = below.strip_prefix(&collection) else {
            continue;
        };
        let Some((variable, after)) = rest.split_once('}') else {
            continue;
        };
        if after.contains('{') {
            continue;
        }
        for described in methods
            .as_object()
            .into_iter()
            .flatten()
            .map(|(_, value)| value)
        {
            let mut parameters = json!({variable: id});
            let headers = described["parameters"].as_array().into_iter().flatten();
            if headers
                .into_iter()
                .any(|header| header["name"] == "If-Match")
            {
                parameters["header.If-Match"] = "$response.header.ETag".into();
            }
            let name = described["operationId"].as_str().unwrap_or_default();
            links.insert(
                name.to_owned(),
                json!({"operationId": name, "parameters": parameters}),
            );
        }
    }
    let created = paths
        .get_mut(path)
        .and_then(|methods| methods.pointer_mut("/post/responses/201"));
    if let Some(created) = created.filter(|_| !links.is_empty()) {
        created["links"] = links.into();
    }
}
