//! `site:/pages`: the list of pages for the site map and the search.

use std::time::{Duration, Instant};

use gateway_api::LocalApi;
use gateway_cache::changes::{Basis, Read};
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use super::data::{self, Answers, DataResult};
use crate::registry::{
    Registry,
    listed::{Entries, Listed},
    template::{self, Values},
};

/// Maximum items of one list, which is one page of the API.
const ITEMS_MAX: usize = 100;
const PAGES_MAX: usize = 5_000;
/// Maximum age of the directory. Bounds the staleness of lists whose changes are not announced.
const FRESH: Duration = Duration::from_mins(1);

/// The cached directory.
#[derive(Debug, Default)]
pub(crate) struct Directory(Mutex<Option<CachedListing>>);

#[derive(Debug)]
struct CachedListing {
    /// Generation of the registry that it was made from.
    generation: u64,
    at: Instant,
    basis: Basis,
    result: DataResult,
}

impl Directory {
    /// Returns the directory of `registry` as module data. Single flight: concurrent callers wait for one fetch.
    pub(crate) async fn get(
        &self,
        api: &LocalApi,
        registry: &Registry,
        time_max: Duration,
    ) -> DataResult {
        let making = async {
            let mut made = self.0.lock().await;
            if let Some(made) = &*made
                && made.generation == registry.generation
                && made.at.elapsed() < FRESH
                && api.changes().is_current(&made.basis)
            {
                return made.result.clone();
            }
            let basis = Basis::new(api.changes().position(), reads(api, registry));
            let answers = data::fetch(api, lists(registry).collect(), time_max).await;
            let result = result(registry, &answers);
            *made = (!result.is_failure).then(|| CachedListing {
                generation: registry.generation,
                at: Instant::now(),
                basis,
                result: result.clone(),
            });
            result
        };
        let made = tokio::time::timeout(time_max, making).await;
        made.unwrap_or_else(|_| failure())
    }
}

/// Returns the API reads that the directory depends on.
pub(crate) fn reads(api: &LocalApi, registry: &Registry) -> Vec<Read> {
    lists(registry).filter_map(|path| api.read(&path)).collect()
}

fn lists(registry: &Registry) -> impl Iterator<Item = String> {
    let listed = registry.listed.iter();
    listed.filter_map(|listed| match &listed.entries {
        Entries::Many { data, .. } => Some(data.fill(&Values::new(), &Values::new())),
        Entries::One { .. } => None,
    })
}

fn failure() -> DataResult {
    DataResult {
        json: r#"{"ok":false,"status":503,"body":null}"#.to_owned(),
        is_failure: true,
        moved: None,
    }
}

fn result(registry: &Registry, answers: &Answers) -> DataResult {
    let mut pages = Vec::new();
    for listed in &registry.listed {
        let Some(entries) = entries(listed, answers) else {
            return failure();
        };
        pages.extend(entries);
    }
    pages.truncate(PAGES_MAX);
    DataResult::found(&json!({ "pages": pages }))
}

/// Returns the entries of one declaration; `None` when its list cannot be read.
fn entries(listed: &Listed, answers: &Answers) -> Option<Vec<Value>> {
    let team = &listed.team;
    match &listed.entries {
        Entries::One { site_map, search } => {
            let mut entry = json!({"path": listed.route, "team": team, "siteMap": site_map});
            if let Some(search) = search {
                entry["search"] = json!(search);
            }
            Some(vec![entry])
        }
        Entries::Many {
            data,
            list,
            changed,
            parameters,
        } => {
            let answer = answers.get(&data.fill(&Values::new(), &Values::new()))?;
            let answer: Value = serde_json::from_str(&answer.json).ok()?;
            let items = answer["body"][list].as_array()?.iter().take(ITEMS_MAX);
            let items = items.filter_map(Value::as_object);
            let entry = |item: &Map<String, Value>| {
                let path = path(&listed.route, parameters, item)?;
                let mut entry = json!({"path": path, "team": team, "siteMap": true});
                let changed = changed.as_ref().and_then(|field| item.get(field));
                if let Some(changed) = changed.and_then(Value::as_str).filter(|t| !t.is_empty()) {
                    entry["changed"] = changed.into();
                }
                Some(entry)
            };
            Some(items.filter_map(entry).collect())
        }
    }
}

/// Fills the route's parameters from the item's fields of the same names. `None` when a field is missing or empty.
fn path(route: &str, parameters: &[String], item: &Map<String, Value>) -> Option<String> {
    let mut path = route.to_owned();
    for name in parameters {
        let value = match item.get(name)? {
            Value::String(text) if !text.is_empty() => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let mut encoded = String::new();
        template::encode_into(&mut encoded, &value);
        path = path
            .replace(&format!("{{{name}}}"), &encoded)
            .replace(&format!("{{*{name}}}"), &encoded);
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_parameters_from_fields_of_the_same_name() {
        let parameters = ["team".to_owned(), "slug".to_owned()];
        let filled = |item: Value| path("/x/{team}/{slug}", &parameters, item.as_object()?);
        let found = filled(json!({"slug": "a/b {team}", "team": 7}));
        assert_eq!(found.as_deref(), Some("/x/7/a%2Fb%20%7Bteam%7D"));
        assert_eq!(filled(json!({"slug": "a"})), None);
        assert_eq!(filled(json!({"slug": "", "team": 7})), None);
        assert_eq!(filled(json!({"slug": ["a"], "team": 7})), None);
    }
}
