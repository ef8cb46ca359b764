use std::collections::HashSet;

use prost_reflect::DescriptorPool;

use super::*;
use crate::{index, openapi};

fn document() -> Value {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    openapi::document(&pool).unwrap()
}

#[test]
fn shows_every_operation_and_resolves_every_link() {
    let document = document();
    let page = of(&document);
    let all = operations(&document);
    assert!(all.len() > 70, "{}", all.len());
    for operation in &all {
        let id = operation.id();
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert_eq!(page.matches("<h3>Example</h3>").count(), all.len());
    let ids: Vec<&str> = page
        .split(" id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let distinct: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "an id stands twice");
    for target in page.split("href=\"#").skip(1) {
        let target = target.split('"').next().unwrap();
        assert!(distinct.contains(target), "{target}");
    }
}

#[test]
fn runs_and_loads_nothing() {
    let page = of(&document());
    for forbidden in ["<script", " style=", " src=", "javascript:", " on"] {
        let found = page.split('<').filter(|tag| {
            let tag = tag.split('>').next().unwrap_or_default();
            format!("<{tag}").contains(forbidden)
        });
        assert_eq!(found.count(), 0, "{forbidden}");
    }
    assert_eq!(page.matches("<style>").count(), 1);
    assert!(!STYLE.contains("url(") && !STYLE.contains('<'));
    assert!(!policy().contains("unsafe"));
}

#[test]
fn escapes_texts_of_the_contract() {
    let mut document = document();
    document["info"]["title"] = "<script>alert(1)</script>".into();
    let operation = &mut document["paths"]["/doctors"]["get"];
    operation["description"] = "a < b & `<img src=x>` **\"c\"**".into();
    let page = of(&document);
    assert!(!page.contains("<script") && !page.contains("<img"));
    let shown = "a &lt; b &amp; <code>&lt;img src=x&gt;</code> <strong>&quot;c&quot;</strong>";
    assert!(page.contains(shown));
}

#[test]
fn example_has_exactly_the_required_fields() {
    let document = document();
    let post = &document["paths"]["/appointments"]["post"];
    let curl = example::curl("/appointments", "post", post, &document);
    let lines: Vec<&str> = curl.split(" \\\n  ").collect();
    let body = lines.last().unwrap().strip_prefix("-d '").unwrap();
    let body: Value = serde_json::from_str(body.strip_suffix('\'').unwrap()).unwrap();
    let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["date", "email", "patientName", "phone", "time"]);
    let head = [
        "curl -X POST \"$SITE/api/appointments\"",
        "-H 'Idempotency-Key: one-key-per-create-0001'",
        "-H 'X-Requested-With: curl'",
        "-H 'Content-Type: application/json'",
    ];
    assert_eq!(lines[..4], head);
    let get = &document["paths"]["/availability"]["get"];
    let curl = example::curl("/availability", "get", get, &document);
    assert_eq!(
        curl,
        "curl \"$SITE/api/availability?department=department\""
    );
}

#[test]
fn index_links_collections_and_lists_required_scopes() {
    let index = index::of(&document());
    assert_eq!(index["openapi"], "/api/openapi.json");
    assert_eq!(index["docs"], "/api/docs");
    assert_eq!(index["collections"]["doctors"]["href"], "/api/doctors");
    assert!(index["collections"]["doctors"]["scope"].is_null());
    assert_eq!(
        index["collections"]["appointments"]["scope"],
        "appointments:read"
    );
    let links = index["collections"].as_object().unwrap();
    assert!(links.keys().all(|name| !name.contains('{')));
}
