//! The shape of the contract between gateway, shell and page modules, and whether a later one is compatible with it.
//!
//! Within a version, everything that a released module relies on must stay: every member of every declaration in
//! `contract.ts`, and every layer and custom property in `tokens.json`. Members added to a declaration must be
//! optional, because released modules lack them. Any other change needs a new version, and the previous one must still
//! be served.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct PageContract {
    version: u64,
    supported: BTreeSet<u64>,
    /// Lines of each declaration, without comments, by declaration, such as `export interface Head`.
    declarations: BTreeMap<String, BTreeSet<String>>,
    tokens: BTreeSet<String>,
}

impl PageContract {
    /// Parses `contract.json`, `contract.ts` and `tokens.json`.
    pub(super) fn parse(file: &Value, source: &str, tokens: &Value) -> Result<Self> {
        let numbers = |list: &Value| -> Option<BTreeSet<u64>> {
            list.as_array()?.iter().map(Value::as_u64).collect()
        };
        let declarations = declarations(source);
        ensure!(!declarations.is_empty(), "contract.ts exports nothing");
        Ok(Self {
            version: file["version"].as_u64().context("`version` is a number")?,
            supported: numbers(&file["supported"]).context("`supported` is a list of numbers")?,
            declarations,
            tokens: names(tokens),
        })
    }

    /// Returns the changes in `new` that break modules of this release.
    pub(super) fn broken_by(&self, new: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if !new.supported.contains(&self.version) {
            found.push(format!(
                "contract.json: version {} was released and is not served any more",
                self.version
            ));
        }
        if new.version < self.version {
            found.push(format!(
                "contract.json: version {} comes after {}, which was released",
                new.version, self.version
            ));
        }
        if new.version == self.version {
            found.extend(self.changes(new));
        }
        found
    }

    fn changes(&self, new: &Self) -> Vec<String> {
        let hint = format!(
            "version {} was released; a new version may say so",
            self.version
        );
        let mut found = Vec::new();
        for (name, lines) in &self.declarations {
            let Some(others) = new.declarations.get(name) else {
                found.push(format!("contract.ts: `{name}` is gone ({hint})"));
                continue;
            };
            let gone = lines.difference(others);
            found.extend(gone.map(|line| format!("contract.ts: `{name}` lost `{line}` ({hint})")));
            let added = others.difference(lines).filter(|line| !is_optional(line));
            found.extend(
                added.map(|line| format!("contract.ts: `{name}` demands `{line}` ({hint})")),
            );
        }
        let gone = self.tokens.difference(&new.tokens);
        found.extend(gone.map(|token| format!("tokens.json: {token} is gone ({hint})")));
        found
    }
}

/// Returns whether a line declares an optional member, `name?: type` or `name?(…)`.
fn is_optional(line: &str) -> bool {
    let name = line.split([':', '(']).next().unwrap_or_default();
    name.ends_with('?')
}

/// Returns the exports of a source formatted by prettier: each starts in the first column, with one member per line.
fn declarations(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in without_comments(source).lines() {
        let text = line.trim();
        if line.starts_with("export ") {
            let name = text.split([' ', '<', '=', ':', '{', '(']).take(3);
            let name = name.collect::<Vec<_>>().join(" ");
            found
                .entry(name.clone())
                .or_default()
                .insert(text.to_owned());
            current = Some(name);
        } else if !line.starts_with(' ') && !text.is_empty() && !text.starts_with('}') {
            current = None;
        } else if let Some(name) = &current
            && text.chars().any(char::is_alphanumeric)
        {
            found
                .entry(name.clone())
                .or_default()
                .insert(text.to_owned());
        }
    }
    found
}

fn without_comments(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.split_once(" // ").map_or(line, |(code, _)| code));
    lines
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// Returns all keys of nested objects and all strings in them: cascade layers and custom properties.
fn names(tokens: &Value) -> BTreeSet<String> {
    match tokens {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| [BTreeSet::from([key.clone()]), names(value)])
            .flatten()
            .collect(),
        Value::Array(entries) => entries.iter().flat_map(names).collect(),
        Value::String(text) => BTreeSet::from([text.clone()]),
        _ => BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SOURCE: &str = "\
import x from 'y';
/** A head. */
export interface Head {
  /** Words. */
  title: string; // shown
  image?: string;
}
export type Data<Body> =
  { ok: true; body: Body } | { ok: false };
const inner = 1;
";

    fn contract(version: u64, source: &str) -> PageContract {
        let file = json!({"version": version, "supported": [1, 2, 3]});
        PageContract::parse(&file, source, &json!({"color": ["--ink"]})).unwrap()
    }

    fn broken(source: &str) -> Vec<String> {
        contract(2, SOURCE).broken_by(&contract(2, source))
    }

    #[test]
    fn comments_and_optional_fields_are_compatible() {
        assert_eq!(broken(SOURCE), Vec::<String>::new());
        assert_eq!(broken(&SOURCE.replace("Words.", "Other words.")), [""; 0]);
        let more = SOURCE.replace("  image?", "  robots?: string;\n  image?");
        assert_eq!(broken(&more), [""; 0]);
        let more = format!("{SOURCE}export interface Foot {{\n  text: string;\n}}\n");
        assert_eq!(broken(&more), [""; 0]);
        assert_eq!(broken(&SOURCE.replace("inner", "other")), [""; 0]);
    }

    #[test]
    fn removing_changing_or_requiring_a_field_is_incompatible() {
        for (from, to, complaint) in [
            ("  image?: string;\n", "", "lost `image?: string;`"),
            ("title: string", "title: number", "lost `title: string;`"),
            (
                "image?: string",
                "image: string",
                "demands `image: string;`",
            ),
            (
                "  title",
                "  more: string;\n  title",
                "demands `more: string;`",
            ),
            ("ok: false", "ok: null", "`export type Data` lost"),
            (
                "interface Head",
                "interface Top",
                "`export interface Head` is gone",
            ),
        ] {
            let found = broken(&SOURCE.replace(from, to)).join("\n");
            assert!(found.contains(complaint), "{complaint}: {found}");
        }
    }

    #[test]
    fn a_new_contract_version_may_change_fields_and_still_serves_the_released_one() {
        let old = contract(2, SOURCE);
        let other = contract(3, "export interface Other {\n  a: string;\n}\n");
        assert_eq!(old.broken_by(&other), [""; 0]);
        let file = json!({"version": 3, "supported": [3]});
        let alone = PageContract::parse(&file, SOURCE, &json!({})).unwrap();
        assert_eq!(alone.declarations, old.declarations);
        assert!(old.broken_by(&alone)[0].contains("is not served any more"));
        assert!(other.broken_by(&old)[0].contains("comes after"));
    }

    #[test]
    fn removing_a_custom_property_is_incompatible() {
        let mut new = contract(2, SOURCE);
        new.tokens.clear();
        let found = contract(2, SOURCE).broken_by(&new).join("\n");
        assert!(found.contains("tokens.json: --ink is gone"), "{found}");
    }
}
