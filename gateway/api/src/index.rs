//! Index of the API, for programs that begin at its root.

use serde_json::{Map, Value, json};

use super::{MOUNT, description::Description};

/// Lists the description, the page for people, and every collection that can be read without further knowledge.
///
/// A collection is a path without variables. `scope` is what a caller's token must carry, if anything.
pub(super) fn of(document: &Value) -> Value {
    let mut collections = Map::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        let read = &methods["get"];
        if read.is_null() || path.contains('{') {
            continue;
        }
        let mut entry = json!({"href": format!("{MOUNT}{path}"), "title": read["summary"]});
        if let Some(scope) = read.pointer("/security/0/bearer/0") {
            entry["scope"] = scope.clone();
        }
        collections.insert(path.trim_start_matches('/').to_owned(), entry);
    }
    json!({
        "title": document["info"]["title"],
        "version": document["info"]["version"],
        "openapi": Description::OpenApi.route(),
        "docs": Description::Page.route(),
        "collections": collections,
    })
}
