//! Names of trace attributes are defined in one module only, which keeps their spelling consistent.

use std::{ffi::OsStr, path::Path};

use super::SourceFile;

/// Module that defines the names.
const MODULE: &str = "service-kit/src/semconv.rs";
/// Namespaces of the attribute names in use, by the semantic conventions. They have no dot here, so the check does not
/// match this list.
const NAMESPACES: [&str; 10] = [
    "db",
    "error",
    "hospital",
    "http",
    "messaging",
    "network",
    "otel",
    "rpc",
    "service",
    "url",
];

/// Reports attribute names spelled out in programs. Tests may spell them out. `xtask` and the local traces UI are
/// exempt, because they write no spans.
pub(super) fn check(files: &[SourceFile]) -> Vec<String> {
    let files = files.iter().filter(|file| is_of_a_program(&file.path));
    files.flat_map(in_file).collect()
}

fn is_of_a_program(path: &str) -> bool {
    let is_source = path.contains("/src/") && Path::new(path).extension() == Some(OsStr::new("rs"));
    let is_elsewhere = ["xtask/", "deploy/"]
        .iter()
        .any(|start| path.starts_with(start));
    is_source && !is_elsewhere && path != MODULE && !path.ends_with("tests.rs")
}

fn in_file(file: &SourceFile) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    let lines = lines.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    lines
        .filter(|(_, line)| is_spelled_out(line.trim()))
        .map(|(n, _)| {
            let place = format!("{}:{}", file.path, n + 1);
            format!("{place}: the name of an attribute stands in {MODULE}")
        })
        .collect()
}

/// Returns whether a line contains `"http.route"`, or `http.route = …` as the field of a span or an event.
fn is_spelled_out(line: &str) -> bool {
    if line.starts_with("//") {
        return false;
    }
    // A field ends with a comma, unlike a statement.
    let field = line
        .strip_suffix(',')
        .and_then(|line| line.split_once(" = "));
    let field = field.map(|(name, _)| name);
    field.is_some_and(is_name) || line.split('"').skip(1).step_by(2).any(is_name)
}

fn is_name(text: &str) -> bool {
    let Some((namespace, rest)) = text.split_once('.') else {
        return false;
    };
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    NAMESPACES.contains(&namespace) && rest.split('.').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&[SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }])
    }

    #[test]
    fn an_attribute_is_spelled_in_one_module() {
        let field = ["        http", ".route = route,\n"].concat();
        let quoted = ["KeyValue::new(\"service", ".name\", name)\n"].concat();
        for text in [&field, &quoted] {
            assert_eq!(found("gateway/edge/src/lib.rs", text).len(), 1, "{text}");
            assert!(found(MODULE, text).is_empty());
            assert!(found("gateway/tests/api.rs", text).is_empty());
            assert!(found("gateway/edge/src/beacon/tests.rs", text).is_empty());
            let tests = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
            assert!(found("gateway/edge/src/lib.rs", &tests).is_empty());
            assert!(found("gateway/edge/src/lib.rs", &format!("// {text}")).is_empty());
        }
    }

    #[test]
    fn other_words_with_a_dot_are_ignored() {
        for text in [
            "self.http.route = route;",
            "let a = \"server.js\";",
            "url.tls = Tls::Wrapped;",
            "\"https://db.example\"",
        ] {
            assert!(found("gateway/edge/src/lib.rs", text).is_empty(), "{text}");
        }
    }
}
