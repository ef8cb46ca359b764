//! What goes into a bundle's one function and what comes out of it, as JSON.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

use super::{engine::RenderError, template::Values};

/// Who asks for what; the part of a module's props that does not depend on the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Visit {
    /// Raw path.
    pub(super) path: String,
    pub(super) params: Values,
    pub(super) query: Values,
}

/// What a module made.
#[derive(Debug, Deserialize)]
pub(super) struct Rendered {
    #[serde(default)]
    pub(super) html: Option<String>,
    /// In place of `html`: all of an answer that is no document.
    #[serde(default)]
    pub(super) raw: Option<String>,
    #[serde(default)]
    pub(super) head: Option<Value>,
    #[serde(default)]
    pub(super) status: Option<u16>,
    /// Where the page should be looked for instead.
    #[serde(default)]
    pub(super) location: Option<String>,
}

/// What the shell lays around a page.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame {
    #[serde(default)]
    pub(super) html_attributes: String,
    pub(super) head: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// The API call that a native form post means.
#[derive(Debug, Deserialize)]
pub(super) struct ActionRequest {
    pub(super) method: String,
    pub(super) path: String,
    #[serde(default)]
    pub(super) body: Option<Value>,
    pub(super) headers: Option<BTreeMap<String, String>>,
    pub(super) receipt: Option<Receipt>,
}

/// What is shown when the call succeeded and the page that should say so cannot be rendered.
#[derive(Debug, Deserialize)]
pub(super) struct Receipt {
    pub(super) title: String,
    pub(super) text: Option<String>,
    /// Label and key of the answer's JSON body, in the module's order.
    #[serde(default, deserialize_with = "in_order")]
    pub(super) facts: Vec<(String, String)>,
}

impl Default for Receipt {
    fn default() -> Self {
        Self {
            title: "Your form was received".to_owned(),
            text: None,
            facts: Vec::new(),
        }
    }
}

/// The entries of an object as they were written: a map would sort them.
fn in_order<'de, D: Deserializer<'de>>(object: D) -> Result<Vec<(String, String)>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of texts")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    object.deserialize_map(Entries)
}

#[derive(Debug, Deserialize)]
pub(super) struct ActionAnswer {
    /// `None`: nothing is called, and the page is shown with the form.
    pub(super) request: Option<ActionRequest>,
}

/// Props of one module. `part` is its id, `data` gives JSON texts by key; `action` and `now` are JSON text and RFC 3339.
pub(super) fn props(
    visit: &Visit,
    part: Option<&str>,
    data: &[(&str, &str)],
    action: &str,
    now: &str,
) -> String {
    let mut json =
        String::with_capacity(256 + data.iter().map(|(_, json)| json.len() + 16).sum::<usize>());
    // Writing to a string cannot fail.
    let _ = write!(
        json,
        r#"{{"params":{},"query":{},"data":{{"#,
        map(&visit.params),
        map(&visit.query)
    );
    for (index, (key, value)) in data.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(json, "{comma}{}:{value}", string(key));
    }
    let _ = write!(
        json,
        r#"}},"action":{action},"now":"{now}","path":{}"#,
        string(&visit.path)
    );
    if let Some(part) = part {
        let _ = write!(json, r#","part":{}"#, string(part));
    }
    json.push('}');
    json
}

pub(super) fn fragment_input(module: &str, prefix: &str, props: &str) -> String {
    let (module, prefix) = (string(module), string(prefix));
    format!(
        r#"{{"kind":"fragment","module":{module},"identifierPrefix":{prefix},"props":{props}}}"#
    )
}

pub(super) fn document_input(
    route: &str,
    path: &str,
    site: &str,
    head: &Value,
    now: &str,
    bare: bool,
) -> String {
    let (route, path) = (string(route), string(path));
    format!(
        r#"{{"kind":"document","route":{route},"path":{path},"site":{site},"head":{head},"now":"{now}","bare":{bare}}}"#
    )
}

/// `form` is JSON text; `visit` is the address that it was sent to.
pub(super) fn action_input(module: &str, form: &str, visit: &Visit, now: &str) -> String {
    format!(
        r#"{{"kind":"action","module":{},"form":{form},"params":{},"query":{},"now":"{now}"}}"#,
        string(module),
        map(&visit.params),
        map(&visit.query),
    )
}

/// Parses an answer. The error does not quote it: it may hold what a visitor typed.
pub(super) fn parse<T: for<'a> Deserialize<'a>>(output: &str) -> Result<T, RenderError> {
    serde_json::from_str(output).map_err(|error| {
        RenderError::BadAnswer(format!(
            "{:?} at line {} column {}",
            error.classify(),
            error.line(),
            error.column()
        ))
    })
}

/// `text` as a JSON string.
pub(super) fn string(text: &str) -> String {
    Value::from(text).to_string()
}

/// `values` as a JSON object.
pub(super) fn map(values: &Values) -> String {
    serde_json::to_string(values).unwrap_or_else(|_| "{}".to_owned())
}
