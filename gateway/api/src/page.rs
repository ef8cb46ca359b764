//! The API as a page for people: every operation with its parameters, its answers and an example. Built from the
//! OpenAPI document, so that the two cannot differ. The page loads and runs nothing: its only style sheet is inline,
//! allowed by its hash.

mod example;
mod text;

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use self::text::{escaped, identifier, name_of, paragraphs, sentence};
use super::description::Description;

const STYLE: &str = include_str!("page/page.css");
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Returns the content security policy of the page.
pub(super) fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// One operation of the document.
struct Operation<'a> {
    path: &'a str,
    method: &'a str,
    value: &'a Value,
}

/// Renders the whole page.
pub(super) fn of(document: &Value) -> String {
    let operations = operations(document);
    let mut out = String::with_capacity(512 * 1024);
    let info = &document["info"];
    let title = escaped(info["title"].as_str().unwrap_or_default());
    let _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\
         <a class=\"skip\" href=\"#operations\">Skip to the operations</a>\
         <header><p><a href=\"/\">To the website</a></p><h1>{title}</h1>\
         <p>Version {}. For programs: <a href=\"{}\">OpenAPI 3.1</a>, <a href=\"{}\">index of collections</a>.</p></header>\
         <main><section aria-labelledby=\"about\"><h2 id=\"about\">What holds for every call</h2>{}</section>",
        escaped(info["version"].as_str().unwrap_or_default()),
        Description::OpenApi.route(),
        Description::Index.route(),
        paragraphs(info["description"].as_str().unwrap_or_default()),
    );
    contents(&mut out, document, &operations);
    out.push_str("<div id=\"operations\">");
    for tag in tags(document) {
        let name = tag["name"].as_str().unwrap_or_default();
        let id = identifier("group", name);
        let about = paragraphs(tag["description"].as_str().unwrap_or_default());
        let title = escaped(&name_of(name));
        let _ = write!(
            out,
            "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>{about}"
        );
        for operation in operations.iter().filter(|o| o.is_of(name)) {
            operation.write(&mut out, document);
        }
        out.push_str("</section>");
    }
    out.push_str("</div>");
    schemas(&mut out, document);
    out.push_str("</main></body></html>");
    out
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object();
    let paths = paths.into_iter().flatten();
    let each = paths.flat_map(|(path, methods)| {
        METHODS.into_iter().filter_map(move |method| {
            let value = methods.get(method)?;
            Some(Operation {
                path,
                method,
                value,
            })
        })
    });
    each.collect()
}

fn tags(document: &Value) -> impl Iterator<Item = &Value> {
    document["tags"].as_array().into_iter().flatten()
}

fn contents(out: &mut String, document: &Value, operations: &[Operation<'_>]) {
    out.push_str("<nav aria-labelledby=\"contents\"><h2 id=\"contents\">Contents</h2>");
    for tag in tags(document) {
        let name = tag["name"].as_str().unwrap_or_default();
        let _ = write!(
            out,
            "<details><summary>{}</summary><ul>",
            escaped(&name_of(name))
        );
        for operation in operations.iter().filter(|o| o.is_of(name)) {
            let _ = write!(
                out,
                "<li><a href=\"#{}\">{} <code>{}</code></a></li>",
                operation.id(),
                operation.method.to_uppercase(),
                escaped(operation.path)
            );
        }
        out.push_str("</ul></details>");
    }
    out.push_str("</nav>");
}

impl Operation<'_> {
    fn is_of(&self, tag: &str) -> bool {
        self.value["tags"][0] == tag
    }

    fn id(&self) -> String {
        identifier("op", self.value["operationId"].as_str().unwrap_or_default())
    }

    fn write(&self, out: &mut String, document: &Value) {
        let Self {
            path,
            method,
            value,
        } = self;
        let text = |key: &str| value[key].as_str().unwrap_or_default();
        let (verb, path_text) = (method.to_uppercase(), escaped(path));
        let summary = sentence(text("summary"));
        let _ = write!(
            out,
            "<details><summary><span class=\"method {method}\">{verb}</span> <code>/api{path_text}</code> \
             <span class=\"what\">{summary}</span></summary><div class=\"operation\" id=\"{}\">{}",
            self.id(),
            paragraphs(text("description")),
        );
        self.write_rules(out);
        self.write_parameters(out);
        if let Some(body) = value.pointer("/requestBody/content/application~1json/schema") {
            let _ = write!(out, "<h3>Body</h3><p>{}</p>", kind(body));
        }
        self.write_answers(out, document);
        let curl = escaped(&example::curl(path, method, value, document));
        let _ = write!(
            out,
            "<h3>Example</h3><pre><code>{curl}</code></pre></div></details>"
        );
    }

    /// Writes who may call and how often, how long an answer may be cached, and the time limit.
    fn write_rules(&self, out: &mut String) {
        let value = self.value;
        out.push_str("<dl>");
        let mut rule = |name: &str, said: &str| {
            let _ = write!(out, "<dt>{name}</dt><dd>{said}</dd>");
        };
        let either = value["security"].as_array().into_iter().flatten();
        let ways = either.filter_map(|way| {
            let (scheme, scopes) = way.as_object()?.iter().next()?;
            Some(match scopes.get(0).and_then(Value::as_str) {
                Some(scope) => format!("a token with the scope <code>{}</code>", escaped(scope)),
                None => format!(
                    "the resource\u{2019}s secret in <code>{}</code>",
                    escaped(scheme)
                ),
            })
        });
        let ways: Vec<String> = ways.collect();
        match ways.as_slice() {
            [] => rule("Access", "public"),
            ways => rule("Access", &ways.join(", or ")),
        }
        if value["x-rate-exempt"] == true {
            rule("Rate", "not counted as a call of the visitor");
        } else {
            let class = value["x-rate-class"].as_str().unwrap_or("read");
            rule(
                "Rate",
                &format!("counted as a call, class <code>{}</code>", escaped(class)),
            );
        }
        if let Some(seconds) = value["x-cache-seconds"].as_u64() {
            rule("Cached for", &format!("at most {seconds} s"));
        }
        if let Some(ms) = value["x-deadline-ms"].as_u64() {
            rule("Timeout", &format!("{ms} ms"));
        }
        out.push_str("</dl>");
    }

    fn write_parameters(&self, out: &mut String) {
        let parameters = self.value["parameters"].as_array();
        let parameters: Vec<_> = parameters.into_iter().flatten().collect();
        if parameters.is_empty() {
            return;
        }
        out.push_str("<h3>Parameters</h3><dl>");
        for parameter in parameters {
            let text = |key: &str| parameter[key].as_str().unwrap_or_default();
            let needed = if parameter["required"] == true {
                ", required"
            } else {
                ""
            };
            let _ = write!(
                out,
                "<dt><code>{}</code> <span>{}{needed}</span></dt><dd>{}{}</dd>",
                escaped(text("name")),
                text("in"),
                kind(&parameter["schema"]),
                said(text("description")),
            );
        }
        out.push_str("</dl>");
    }

    fn write_answers(&self, out: &mut String, document: &Value) {
        out.push_str("<h3>Responses</h3><dl>");
        let answers = self.value["responses"].as_object();
        for (status, answer) in answers.into_iter().flatten() {
            let reference = answer["$ref"].as_str();
            let shared = reference.and_then(|at| document.pointer(at.trim_start_matches('#')));
            let described = shared.unwrap_or(answer);
            let about = sentence(described["description"].as_str().unwrap_or_default());
            let schema = answer.pointer("/content/application~1json/schema");
            let kind = schema.map(|schema| format!(": {}", kind(schema)));
            let _ = write!(
                out,
                "<dt>{status}</dt><dd>{about}{}</dd>",
                kind.unwrap_or_default()
            );
        }
        out.push_str("</dl>");
    }
}

fn schemas(out: &mut String, document: &Value) {
    out.push_str(
        "<section aria-labelledby=\"schemas\"><h2 id=\"schemas\">Bodies of requests and responses</h2>",
    );
    let all = document
        .pointer("/components/schemas")
        .and_then(Value::as_object);
    for (name, schema) in all.into_iter().flatten() {
        let (title, id) = (escaped(name), identifier("schema", name));
        let about = paragraphs(schema["description"].as_str().unwrap_or_default());
        let _ = write!(
            out,
            "<details><summary><code>{title}</code></summary><div class=\"operation\" id=\"{id}\">{about}",
        );
        let properties = schema["properties"].as_object();
        if properties.is_none() {
            let _ = write!(out, "<p>{}</p>", kind(schema));
        }
        if let Some(properties) = properties.filter(|properties| !properties.is_empty()) {
            out.push_str("<dl>");
            let required = schema["required"].as_array();
            for (field, value) in properties {
                let is_required = required.is_some_and(|all| all.iter().any(|one| one == field));
                let needed = match (value["readOnly"] == true, is_required) {
                    (true, _) => " <span>answers only</span>",
                    (false, true) if name.ends_with("Input") => " <span>required</span>",
                    (false, _) => "",
                };
                let _ = write!(
                    out,
                    "<dt><code>{}</code>{needed}</dt><dd>{}{}</dd>",
                    escaped(field),
                    kind(value),
                    said(value["description"].as_str().unwrap_or_default())
                );
            }
            out.push_str("</dl>");
        }
        out.push_str("</div></details>");
    }
    out.push_str("</section>");
}

/// Describes the kind of value of a schema, and its limits.
fn kind(schema: &Value) -> String {
    if let Some(found) = schema["$ref"].as_str() {
        let name = found.rsplit('/').next().unwrap_or_default();
        let id = identifier("schema", name);
        return format!("<a href=\"#{id}\"><code>{}</code></a>", escaped(name));
    }
    if let Some(ways) = schema["anyOf"].as_array() {
        return ways.first().map(kind).unwrap_or_default();
    }
    let mut words = match &schema["type"] {
        Value::String(name) => name.clone(),
        // `null` is omitted: the introduction explains that it means an absent field.
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names
                .filter(|name| *name != "null")
                .collect::<Vec<_>>()
                .join(" or ")
        }
        _ => "any".to_owned(),
    };
    if words == "array" {
        words = format!("list of {}", kind(&schema["items"]));
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().filter_map(Value::as_str);
        let values: Vec<_> = values
            .filter(|value| !value.is_empty())
            .map(|value| format!("<code>{}</code>", escaped(value)))
            .collect();
        let _ = write!(words, ", one of {}", values.join(", "));
    }
    for (key, before) in [
        ("format", ""),
        ("pattern", "pattern "),
        ("minLength", "characters at least "),
        ("maxLength", "characters at most "),
        ("minimum", "at least "),
        ("maximum", "at most "),
        ("minItems", "entries at least "),
        ("maxItems", "entries at most "),
    ] {
        let text = match &schema[key] {
            Value::Null => continue,
            // The bounds of the type itself carry no information.
            Value::Number(number) if is_type_bound(number) => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let _ = write!(words, ", {before}<code>{}</code>", escaped(&text));
    }
    words
}

fn is_type_bound(number: &serde_json::Number) -> bool {
    let number = number.as_i64().unwrap_or_default();
    number == i64::from(i32::MIN) || number == i64::from(i32::MAX) || number == i64::from(u32::MAX)
}

fn said(description: &str) -> String {
    if description.is_empty() {
        return String::new();
    }
    format!(". {}", sentence(description))
}

#[cfg(test)]
mod tests;
