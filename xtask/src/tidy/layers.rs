//! The layers of the gateway. Each module uses only layers below it, so dependencies point in one direction.

use super::SourceFile;

const SOURCES: &str = "gateway/src/";

/// Each layer and the layers it may use besides [`BASE`]. Unlisted modules are the program itself, which assembles the
/// layers.
const LAYERS: [(&str, &[&str]); 11] = [
    ("listen", &["edge"]),
    ("edge", &["documents", "api", "beacon", "config"]),
    ("documents", &["api", "store"]),
    ("api", &["store", "upstream", "config"]),
    ("beacon", &[]),
    ("store", &["upstream"]),
    ("upstream", &[]),
    ("contract", &[]),
    ("request", &[]),
    ("problem", &[]),
    ("metrics", &[]),
];

/// Layers that every layer may use.
const BASE: [&str; 4] = ["contract", "request", "problem", "metrics"];

pub(super) fn check(files: &[SourceFile]) -> Vec<String> {
    let sources = files.iter().filter_map(|file| {
        let path = file.path.strip_prefix(SOURCES)?;
        let layer = path.split(['/', '.']).next()?;
        let (_, below) = LAYERS.iter().find(|(name, _)| *name == layer)?;
        Some((file, layer, *below))
    });
    sources
        .flat_map(|(file, layer, below)| {
            let allowed = move |used: &String| {
                used == layer || below.contains(&used.as_str()) || BASE.contains(&used.as_str())
            };
            let broken = used(&file.text)
                .into_iter()
                .filter(move |used| !allowed(used));
            broken.map(move |used| format!("{}: {layer} must not use {used}", file.path))
        })
        .collect()
}

/// Returns the layers that a source names after `crate::`, alone or in braces: sorted and without duplicates.
fn used(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        // `hospital_crate::` is another crate.
        let is_word = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_word {
            continue;
        }
        let rest = &text[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(first_level(list)),
            None => found.push(word(rest)),
        }
    }
    found.retain(|name| LAYERS.iter().any(|(layer, _)| layer == name) || name == "config");
    found.sort();
    found.dedup();
    found
}

/// Returns the names at the first level of a braced list, which starts after its opening brace.
fn first_level(list: &str) -> Vec<String> {
    let (mut depth, mut found, mut is_start) = (1_u32, Vec::new(), true);
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => is_start = true,
            c if is_start && c.is_alphanumeric() => {
                found.push(word(&list[at..]));
                is_start = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

fn word(text: &str) -> String {
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    text.chars().take_while(is_part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(path: &str, text: &str) -> Vec<String> {
        let file = SourceFile {
            path: format!("gateway/src/{path}"),
            text: text.to_owned(),
        };
        check(&[file])
    }

    #[test]
    fn arrows_go_down_only() {
        assert!(broken("listen/tls.rs", "use crate::edge::Edge;").is_empty());
        assert!(
            broken(
                "api.rs",
                "use crate::{store::Kept, upstream::{Call, Reply}, problem::Problem};"
            )
            .is_empty()
        );
        assert_eq!(
            broken(
                "store/kept.rs",
                "use crate::{\n    problem::{Field, Problem},\n    documents::Composed,\n};"
            ),
            ["gateway/src/store/kept.rs: store must not use documents"]
        );
        assert_eq!(broken("upstream.rs", "fn f() { crate::api::g() }").len(), 1);
        assert_eq!(broken("edge/rate.rs", "use crate::listen::Peer;").len(), 1);
        assert!(broken("lib.rs", "use crate::{listen::serve, upstream::Call};").is_empty());
        assert!(broken("upstream.rs", "use other_crate::api;").is_empty());
    }
}
