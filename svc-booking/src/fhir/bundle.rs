//! `Bundle` of type `searchset` (R4, 2.36).

use serde_json::{Value, json};
use url::Url;

use super::object;

/// One page of search results.
#[derive(Clone, Debug)]
pub struct SearchSet<'a> {
    /// Public base URL of the API, without a trailing slash: `https://sampige.example/api`.
    pub api: &'a str,
    /// Resource type: the last part of the search's path.
    pub kind: &'static str,
    /// Parameters of the search, as received: names and values.
    pub query: Vec<(&'static str, String)>,
    /// Token of the next page; empty on the last page.
    pub next_page_token: String,
    pub resources: Vec<Value>,
}

/// Returns the page as a resource. Omits `total`, which would need another query.
pub fn search_set(set: SearchSet<'_>) -> Value {
    let base = format!("{}/fhir/{}", set.api, set.kind);
    let asked: Vec<_> = set
        .query
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let mut links = vec![json!({
        "relation": "self",
        "url": address(&base, asked.iter().map(|(name, value)| (*name, value.as_str()))),
    })];
    if !set.next_page_token.is_empty() {
        let others = asked.iter().filter(|(name, _)| *name != "pageToken");
        let next = others
            .map(|(name, value)| (*name, value.as_str()))
            .chain([("pageToken", set.next_page_token.as_str())]);
        links.push(json!({ "relation": "next", "url": address(&base, next) }));
    }
    let entries = set.resources.into_iter().map(|resource| {
        let id = resource["id"].as_str().unwrap_or_default();
        json!({
            "fullUrl": format!("{base}/{id}"),
            "resource": resource,
            "search": { "mode": "match" },
        })
    });
    object(vec![
        ("resourceType", json!("Bundle")),
        ("type", json!("searchset")),
        ("link", Value::Array(links)),
        ("entry", entries.collect()),
    ])
}

fn address<'a>(base: &str, query: impl Iterator<Item = (&'static str, &'a str)>) -> String {
    let mut query = query.peekable();
    match Url::parse(base) {
        Ok(mut url) if query.peek().is_some() => {
            url.query_pairs_mut().extend_pairs(query);
            url.into()
        }
        // The origin was validated at startup.
        _ => base.to_owned(),
    }
}
