//! Input and output of a bundle's entry function, as JSON.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    sync::Arc,
};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use super::{data::DataResult, engine::RenderError, staff::StaffMember};
use crate::{
    language::{self, Language},
    preview::Shown,
    registry::template::{PathTemplate, Source, Values},
};

/// Path and parameters of a request: the props that are the same for all modules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visit {
    pub(crate) language: Language,
    /// Raw path, without the prefix of the language.
    pub(crate) path: String,
    pub(crate) params: Values,
    pub(crate) query: Values,
    /// The person for whom the document is made. Set only for documents of the staff area, which are never stored.
    pub(crate) staff: Option<Arc<StaffMember>>,
    /// The preview that the document shows. Such documents are never stored.
    pub(crate) preview: Option<Arc<Shown>>,
    /// Facts of this process that the page declares, by the name of their source.
    pub(crate) operations: BTreeMap<&'static str, DataResult>,
}

impl Visit {
    /// Returns the address of the document, without its query.
    pub(crate) fn address(&self) -> String {
        language::address(self.language, &self.path)
    }

    /// Returns a declared source for this visit: the API read in its language, or the name of a list of this process.
    pub(crate) fn read(&self, source: &Source) -> String {
        match source {
            Source::Api(template) => self.read_of(template),
            _ => source.fill(&self.params, &self.query),
        }
    }

    /// Returns the API read of a template for this visit.
    pub(crate) fn read_of(&self, template: &PathTemplate) -> String {
        language::read(self.language, template.fill(&self.params, &self.query))
    }
}

/// Output of a module.
#[derive(Debug, Deserialize)]
pub(crate) struct Rendered {
    #[serde(default)]
    pub(crate) html: Option<String>,
    /// Complete body of a page other than HTML, in place of `html`.
    #[serde(default)]
    pub(crate) raw: Option<String>,
    #[serde(default)]
    pub(crate) head: Option<Value>,
    #[serde(default)]
    pub(crate) status: Option<u16>,
    /// Redirect target.
    #[serde(default)]
    pub(crate) location: Option<String>,
    /// Props with which the browser hydrates, if they differ from those of the render.
    #[serde(default)]
    pub(crate) props: Option<Box<RawValue>>,
    /// Texts that the browser needs to hydrate in another language than English: a JSON object.
    #[serde(default)]
    pub(crate) messages: Option<Box<RawValue>>,
    /// The module's package has no texts in the language of the document, so `html` is English.
    #[serde(default)]
    pub(crate) untranslated: bool,
}

/// The shell's frame around a page.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Frame {
    #[serde(default)]
    pub(crate) html_attributes: String,
    pub(crate) head: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// API call requested by a native form post.
#[derive(Debug, Deserialize)]
pub(crate) struct ActionRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) body: Option<Value>,
    /// Field of the form whose file is the body.
    pub(crate) file: Option<String>,
    pub(crate) headers: Option<BTreeMap<String, String>>,
    pub(crate) receipt: Option<Receipt>,
}

/// Text shown when the call succeeded but the page with the outcome cannot be rendered.
#[derive(Debug, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) title: String,
    pub(crate) text: Option<String>,
    /// Label and key in the JSON response, in the module's order.
    #[serde(default, deserialize_with = "in_order")]
    pub(crate) facts: Vec<(String, String)>,
}

impl Default for Receipt {
    fn default() -> Self {
        Self {
            title: "We have your form".to_owned(),
            text: None,
            facts: Vec::new(),
        }
    }
}

/// Deserialises the entries of an object in their original order. A map would sort them.
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
pub(crate) struct ActionAnswer {
    /// `None`: no call is made, and the page is rendered with the form.
    pub(crate) request: Option<ActionRequest>,
}

/// Builds the props of a module. `part` is its id and `data` holds JSON texts by key. `action` is JSON text and `now`
/// is RFC 3339.
pub(crate) fn props(
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
    // Absent in English.
    if let Some(code) = visit.language.other_than_default() {
        let _ = write!(json, r#","language":"{code}""#);
    }
    // Absent for visitors.
    if let Some(staff) = &visit.staff {
        let _ = write!(json, r#","staff":{}"#, staff.prop());
    }
    json.push('}');
    json
}

pub(crate) fn fragment_input(module: &str, prefix: &str, props: &str) -> String {
    let (module, prefix) = (string(module), string(prefix));
    format!(
        r#"{{"kind":"fragment","module":{module},"identifierPrefix":{prefix},"props":{props}}}"#
    )
}

/// Builds the input of the shell's frame. `site` is JSON text. `further` are fields that not every document has, with
/// JSON texts.
pub(crate) fn document_input(
    route: &str,
    path: &str,
    site: &str,
    head: &Value,
    now: &str,
    bare: bool,
    further: &[(&str, Option<&str>)],
) -> String {
    let (route, path) = (string(route), string(path));
    let further = further
        .iter()
        .filter_map(|(name, json)| Some(format!(r#","{name}":{}"#, (*json)?)));
    let further: String = further.collect();
    format!(
        r#"{{"kind":"document","route":{route},"path":{path},"site":{site},"head":{head},"now":"{now}","bare":{bare}{further}}}"#
    )
}

/// Builds the input of an action. `form` is JSON text, `visit` is the address of the form post.
pub(crate) fn action_input(module: &str, form: &str, visit: &Visit, now: &str) -> String {
    let code = visit.language.other_than_default();
    let language = code.map(|code| format!(r#","language":"{code}""#));
    format!(
        r#"{{"kind":"action","module":{},"form":{form},"params":{},"query":{},"now":"{now}"{}}}"#,
        string(module),
        map(&visit.params),
        map(&visit.query),
        language.unwrap_or_default(),
    )
}

/// Parses a bundle's output. The error does not quote it, because it may contain a visitor's input.
pub(crate) fn parse<T: for<'a> Deserialize<'a>>(output: &str) -> Result<T, RenderError> {
    serde_json::from_str(output).map_err(|error| {
        RenderError::BadAnswer(format!(
            "{:?} at line {} column {}",
            error.classify(),
            error.line(),
            error.column()
        ))
    })
}

/// Formats `text` as a JSON string.
pub(crate) fn string(text: &str) -> String {
    Value::from(text).to_string()
}

/// Formats `values` as a JSON object.
pub(crate) fn map(values: &Values) -> String {
    serde_json::to_string(values).unwrap_or_else(|_| "{}".to_owned())
}
