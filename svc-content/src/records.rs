//! Content that staff change. A record is an entry of a content file, or a part of a file that occurs once. The live
//! records are assembled to the texts of the files, so that every check of the files holds for them.

pub mod gaps;
mod kinds;
mod mend;
mod pictures;
pub mod post;
#[cfg(test)]
mod tests;
pub mod texts;
pub mod translations;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};
use toml::Table;

pub(crate) use kinds::POST;
pub use kinds::{KINDS, Kind};
pub use mend::problems_of;
pub(crate) use pictures::PictureStates;

use crate::{
    domain::Content,
    files::{ContentError, Sources},
    values::Origin,
};
use kinds::Shape;

/// Maximum size of a body as JSON, in bytes.
pub const BODY_BYTES_MAX: usize = 65_536;
/// Maximum former pages in a row that are followed.
pub(crate) const LEADS_MAX: usize = 10;
/// Maximum length of an id in characters.
const ID_CHARS_MAX: usize = 80;

/// Fields of a record, under the names of its file.
pub type Body = Map<String, Value>;

/// A live record, or a candidate for publication.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    pub kind: &'static Kind,
    pub id: String,
    pub body: Body,
}

/// Why records can't be published together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The record that the problem is in; `None` if it is in none of them, for example because one is missing.
    pub record: Option<(&'static Kind, String)>,
    /// Path in the body, for example `faqs[0].answer`; empty for the record as a whole.
    pub field: String,
    pub message: String,
}

impl Problem {
    /// Returns the record as `kind/id`; empty if the problem is in none.
    pub fn name(&self) -> String {
        let record = self.record.as_ref();
        record.map_or_else(String::new, |(kind, id)| format!("{}/{id}", kind.name))
    }

    /// Returns whether the problem is in this record.
    pub fn is_in(&self, kind: &Kind, id: &str) -> bool {
        let record = self.record.as_ref();
        record.is_some_and(|(own, own_id)| *own == kind && own_id == id)
    }

    fn of(kind: &'static Kind, id: &str, field: &str, message: impl Into<String>) -> Self {
        Self {
            record: Some((kind, id.to_owned())),
            field: field.to_owned(),
            message: message.into(),
        }
    }
}

/// Returns the id that a body names.
///
/// # Errors
/// The problem, if the id is missing or is no address.
pub fn id_of(kind: &'static Kind, body: &Body) -> Result<String, Problem> {
    let id = match (kind.id_field(), body.get(kind.id_field())) {
        ("", _) => return Ok(kind.name.to_owned()),
        (_, Some(Value::String(id))) => id.clone(),
        (_, Some(Value::Number(id))) => id.to_string(),
        _ => String::new(),
    };
    let is_word = |id: &str| {
        let mut parts = id.split('-');
        parts.all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
    };
    if is_word(&id) && id.len() <= ID_CHARS_MAX {
        return Ok(id);
    }
    let message = format!(
        "Enter lower-case letters, digits and single hyphens, at most {ID_CHARS_MAX} characters"
    );
    Err(Problem::of(kind, &id, kind.id_field(), message))
}

/// Splits the content files into records, in the order of the site.
///
/// # Errors
/// If a text is no TOML.
pub fn of_sources(sources: &Sources) -> Result<Vec<Live>, toml::de::Error> {
    let mut records = Vec::new();
    for kind in KINDS {
        let mut table: Table = toml::from_str(sources.text(kind.file))?;
        let bodies: Vec<toml::Value> = match kind.shape {
            Shape::List(name) => match table.remove(name) {
                Some(toml::Value::Array(entries)) => entries,
                _ => Vec::new(),
            },
            Shape::Part(name) => table.remove(name).into_iter().collect(),
            Shape::Whole => vec![toml::Value::Table(table)],
            Shape::Posts => Vec::new(),
        };
        for body in bodies {
            let Value::Object(body) = to_json(body) else {
                continue;
            };
            // A wrong id is reported when the files are read.
            let id = match id_of(kind, &body) {
                Ok(id) => id,
                Err(problem) => problem.record.map(|(_, id)| id).unwrap_or_default(),
            };
            records.push(Live { kind, id, body });
        }
    }
    Ok(records)
}

/// Assembles the texts of the content files from the records, which are in the order of the site. What is no record
/// stays as in `base`.
fn assemble(base: &Sources, records: &[Live]) -> Sources {
    assemble_files(base, records, KINDS.iter())
}

fn assemble_files(
    base: &Sources,
    records: &[Live],
    kinds: impl Iterator<Item = &'static Kind>,
) -> Sources {
    let mut files: BTreeMap<&'static str, Table> = BTreeMap::new();
    for kind in kinds.filter(|kind| !kind.is_post()) {
        let table = files
            .entry(kind.file)
            .or_insert_with(|| toml::from_str(base.text(kind.file)).unwrap_or_default());
        match kind.shape {
            Shape::List(name) => {
                table.insert(name.to_owned(), toml::Value::Array(Vec::new()));
            }
            Shape::Part(name) => drop(table.remove(name)),
            Shape::Whole => table.clear(),
            Shape::Posts => {}
        }
    }
    for record in records {
        let Some(table) = files.get_mut(record.kind.file) else {
            continue;
        };
        let body = to_toml(&record.body);
        match record.kind.shape {
            Shape::List(name) => {
                if let Some(toml::Value::Array(entries)) = table.get_mut(name) {
                    entries.push(toml::Value::Table(body));
                }
            }
            Shape::Part(name) => drop(table.insert(name.to_owned(), toml::Value::Table(body))),
            Shape::Whole => *table = body,
            Shape::Posts => {}
        }
    }
    files
        .into_iter()
        .fold(base.clone(), |sources, (file, table)| {
            sources.with(file, table.to_string())
        })
}

/// Follows where former pages lead to, so that a visitor is led on once. Those that lead in a circle lead home.
pub fn lead_on(moved: Vec<(String, String)>) -> HashMap<String, String> {
    let next: HashMap<String, String> = moved.into_iter().collect();
    let path = |location: &str| {
        location
            .split(['?', '#'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let last = |from: &String| {
        let mut location = next.get(from)?;
        for _ in 0..=next.len().min(LEADS_MAX) {
            match next.get(&path(location)) {
                Some(later) => location = later,
                None => return Some(location.clone()),
            }
        }
        None
    };
    next.keys()
        .map(|from| (from.clone(), last(from).unwrap_or_else(|| "/".to_owned())))
        .collect()
}

/// Puts a record into the live ones, in place of its live version if it has one.
pub fn put(records: &mut Vec<Live>, record: Live) {
    let is_same = |live: &&mut Live| live.kind == record.kind && live.id == record.id;
    if let Some(live) = records.iter_mut().find(is_same) {
        live.body = record.body;
    } else if record.kind.newest_first {
        records.insert(0, record);
    } else {
        records.push(record);
    }
}

/// Builds the content of these records. `base` has what is no record.
///
/// # Errors
/// The first problem, with the record that it is in.
pub fn load(base: &Sources, records: &[Live], origin: Option<&Origin>) -> Result<Content, Problem> {
    Content::load(&assemble(base, records), origin).map_err(|error| locate(error, records))
}

/// Checks the file of a kind, which has these records. The files that it refers to are those of `base`.
///
/// # Errors
/// The first problem, with the record that it is in.
fn check_file(base: &Sources, records: &[Live], kind: &Kind) -> Result<(), Problem> {
    let of_file = KINDS.iter().filter(|one| one.file == kind.file);
    let sources = assemble_files(base, records, of_file);
    Content::check(&sources, kind.file).map_err(|error| locate(error, records))
}

/// Finds the record of an error in an assembled file.
fn locate(error: ContentError, records: &[Live]) -> Problem {
    let ContentError::Broken {
        file,
        field,
        problem,
        ..
    } = error
    else {
        return Problem {
            record: None,
            field: String::new(),
            message: error.to_string(),
        };
    };
    let of_file = || KINDS.iter().filter(|kind| kind.file == file);
    let nth = |kind: &Kind, index: usize| {
        records
            .iter()
            .filter(|record| record.kind.name == kind.name)
            .nth(index)
    };
    for kind in of_file() {
        let found = match kind.shape {
            Shape::List(name) => {
                entry(&field, name).and_then(|(index, rest)| Some((nth(kind, index)?, rest)))
            }
            Shape::Part(name) => field
                .strip_prefix(name)
                .and_then(|rest| Some((nth(kind, 0)?, rest))),
            Shape::Whole => nth(kind, 0).map(|record| (record, field.as_str())),
            Shape::Posts => None,
        };
        if let Some((record, rest)) = found {
            let field = named(rest.trim_start_matches('.'), &problem);
            let is_missing = problem.starts_with("missing field `");
            let problem = if is_missing {
                "is required".to_owned()
            } else {
                problem
            };
            return Problem::of(record.kind, &record.id, &field, problem);
        }
    }
    Problem {
        record: None,
        field,
        message: problem,
    }
}

/// Adds the name of a missing or unknown field, which the parser reports at the table that it is missing in.
fn named(field: &str, problem: &str) -> String {
    let name = ["missing field `", "unknown field `"]
        .iter()
        .find_map(|begin| problem.strip_prefix(begin)?.split('`').next());
    match name {
        None => field.to_owned(),
        Some(name) if field == name || field.ends_with(&format!(".{name}")) => field.to_owned(),
        Some(name) if field.is_empty() => name.to_owned(),
        Some(name) => format!("{field}.{name}"),
    }
}

/// Splits `name[3].field` into the index and the rest.
fn entry<'a>(field: &'a str, name: &str) -> Option<(usize, &'a str)> {
    let (index, rest) = field
        .strip_prefix(name)?
        .strip_prefix('[')?
        .split_once(']')?;
    Some((index.parse().ok()?, rest))
}

fn to_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(is) => is.into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(values) => values.into_iter().map(to_json).collect(),
        toml::Value::Table(table) => Value::Object(
            table
                .into_iter()
                .map(|(name, value)| (name, to_json(value)))
                .collect(),
        ),
    }
}

/// Converts a body. TOML has no null: such a field is left out, and is then reported if it is required.
fn to_toml(body: &Body) -> Table {
    let values = body.iter();
    values
        .filter_map(|(name, value)| Some((name.clone(), toml_value(value)?)))
        .collect()
}

fn toml_value(value: &Value) -> Option<toml::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(is) => toml::Value::Boolean(*is),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => toml::Value::Integer(whole),
            None => toml::Value::Float(number.as_f64()?),
        },
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Array(values) => toml::Value::Array(values.iter().filter_map(toml_value).collect()),
        Value::Object(body) => toml::Value::Table(to_toml(body)),
    })
}
