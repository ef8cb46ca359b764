//! The hospital's profile, read from the file of svc-content and written as the response of `/site`.

use std::path::Path;

use serde_json::{Map, Value};

use crate::error::PagesError;

/// Tables of the file whose name in the response is plural.
const LISTS: [(&str, &str); 3] = [
    ("phone", "phones"),
    ("email", "emails"),
    ("statistic", "statistics"),
];

/// What documents show while svc-content is not available.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) name: String,
    pub(super) tagline: String,
    /// For display.
    pub(super) emergency_phone: String,
    /// JSON body of `/site`.
    pub(super) site: String,
}

impl Facts {
    /// Reads the fields that documents need. svc-content checks the whole file.
    pub(super) fn read(path: &Path) -> Result<Self, PagesError> {
        let file: Map<String, Value> = super::parse(path)?;
        let mut site = camel(&file);
        for phone in site
            .get_mut("phones")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let display = phone["display"].as_str().unwrap_or_default();
            let dialled: String = display
                .chars()
                .filter(|c| c.is_ascii_digit() || *c == '+')
                .collect();
            phone["e164"] = dialled.into();
        }
        let text = |name: &str| {
            let found = site
                .get(name)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty());
            found
                .map(str::to_owned)
                .ok_or_else(|| PagesError::invalid(path.to_owned(), name, "is missing".to_owned()))
        };
        let phones = site
            .get("phones")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let mut emergency = phones.filter(|phone| phone["purpose"] == "emergency");
        let emergency_phone = emergency.find_map(|phone| phone["display"].as_str());
        let emergency_phone = emergency_phone.ok_or_else(|| {
            let problem = "nothing has the purpose `emergency`".to_owned();
            PagesError::invalid(path.to_owned(), "phone", problem)
        })?;
        Ok(Self {
            name: text("name")?,
            tagline: text("tagline")?,
            emergency_phone: emergency_phone.to_owned(),
            site: Value::from(site.clone()).to_string(),
        })
    }
}

/// Converts names to those of the API: `founded_year` to `foundedYear`, `phone` to `phones`.
fn camel(table: &Map<String, Value>) -> Map<String, Value> {
    let entries = table.iter().map(|(name, value)| {
        let list = LISTS
            .iter()
            .find(|(own, _)| own == name && value.is_array());
        let name = list.map_or_else(|| camel_case(name), |(_, plural)| (*plural).to_owned());
        (name, camel_value(value))
    });
    entries.collect()
}

fn camel_value(value: &Value) -> Value {
    match value {
        Value::Object(table) => camel(table).into(),
        Value::Array(values) => values.iter().map(camel_value).collect(),
        other => other.clone(),
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let initial = letters.next().into_iter().flat_map(char::to_uppercase);
        name + &initial.chain(letters).collect::<String>()
    })
}
