//! Forbidden words and file sizes: nothing unfinished, no path of one machine, no file too long to navigate.

use super::SourceFile;

const LINES_MAX: usize = 450;
/// Endings of files whose length is limited. Generated files are exempt, recognised by their path.
const COUNTED: [&str; 7] = [".rs", ".ts", ".tsx", ".mjs", ".css", ".sql", ".proto"];
const GENERATED: [&str; 3] = ["/gen/", "/generated/", ".gen."];

/// A text that must not occur in files with one of these endings or, without endings, in any file.
struct Forbidden {
    /// Split into pieces, so the check does not match this list.
    text: [&'static str; 2],
    endings: &'static [&'static str],
    why: &'static str,
}

const CODE: &[&str] = &[".rs", ".ts", ".tsx", ".mjs", ".js", ".sql"];
const SCRIPT: &[&str] = &[".ts", ".tsx", ".mjs", ".js"];

const FORBIDDEN: [Forbidden; 16] = [
    forbidden(["todo", "!("], CODE, "unfinished"),
    forbidden(["unimplemented", "!("], CODE, "unfinished"),
    forbidden(["dbg", "!("], CODE, "left from a search for a bug"),
    forbidden(["FIX", "ME"], CODE, "unfinished"),
    forbidden(["#[ign", "ore"], &[".rs"], "a test that does not run"),
    forbidden(["it.sk", "ip("], SCRIPT, "a test that does not run"),
    forbidden(["test.sk", "ip("], SCRIPT, "a test that does not run"),
    forbidden(["describe.sk", "ip("], SCRIPT, "tests that do not run"),
    forbidden(["it.on", "ly("], SCRIPT, "hides all other tests"),
    forbidden(["test.on", "ly("], SCRIPT, "hides all other tests"),
    forbidden(["describe.on", "ly("], SCRIPT, "hides all other tests"),
    forbidden(["/wo", "rk/"], &[], "a path of one machine"),
    forbidden(["/ro", "ot/"], &[], "a path of one machine"),
    forbidden(["/home", "/"], &[], "a path of one machine"),
    forbidden(["/Us", "ers/"], &[], "a path of one machine"),
    forbidden(["<<<<", "<<< "], &[], "an unfinished merge"),
];

const fn forbidden(
    text: [&'static str; 2],
    endings: &'static [&'static str],
    why: &'static str,
) -> Forbidden {
    Forbidden { text, endings, why }
}

pub(crate) fn check(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        found.extend(words(file));
        found.extend(length(file));
        found.extend(lock_hosts(file));
    }
    found
}

fn words(file: &SourceFile) -> Vec<String> {
    let rules = FORBIDDEN.iter().filter(|rule| {
        rule.endings.is_empty()
            || rule
                .endings
                .iter()
                .any(|ending| file.path.ends_with(ending))
    });
    rules
        .flat_map(|rule| {
            let text = rule.text.concat();
            let lines = file.text.lines().enumerate();
            let hits: Vec<_> = lines
                .filter(|(_, line)| contains_word(line, &text))
                .map(|(index, _)| format!("{}:{}: `{text}`: {}", file.path, index + 1, rule.why))
                .collect();
            hits
        })
        .collect()
}

/// Returns whether a line contains a text that is not preceded by a letter, a digit, `_` or `.`. A match inside a
/// longer word (`network/`, `submit.skip(`) does not count.
fn contains_word(line: &str, text: &str) -> bool {
    line.match_indices(text).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.')
    })
}

fn length(file: &SourceFile) -> Option<String> {
    let counted = COUNTED.iter().any(|ending| file.path.ends_with(ending))
        && !GENERATED.iter().any(|part| file.path.contains(part));
    let lines = file.text.lines().count();
    (counted && lines > LINES_MAX).then(|| {
        format!(
            "{}: {lines} lines; at most {LINES_MAX}, better under 400",
            file.path
        )
    })
}

/// Reports a download host other than the public registry. It is specific to one machine, and checksums make it
/// unnecessary.
fn lock_hosts(file: &SourceFile) -> Option<String> {
    let public = "https://registry.npmjs.org/";
    if file.path != "package-lock.json" {
        return None;
    }
    let hosts = file
        .text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("\"resolved\": \"http"));
    let foreign = hosts
        .map(|rest| format!("http{rest}"))
        .find(|address| !address.starts_with(public))?;
    Some(format!(
        "{}: names a download host: {foreign} (npm: omit-lockfile-registry-resolved)",
        file.path
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        check(&[SourceFile::new(path, text)]).len()
    }

    #[test]
    fn every_forbidden_text_is_found() {
        for rule in &FORBIDDEN {
            let path = format!("a/b{}", rule.endings.first().unwrap_or(&".md"));
            let line = format!("x = {}y\n", rule.text.concat());
            assert_eq!(problems(&path, &line), 1, "{line}");
        }
    }

    #[test]
    fn ignores_longer_words_and_other_files() {
        assert_eq!(
            problems(
                "a.md",
                &format!("see docs{}now\n", "/wo".to_owned() + "rk/")
            ),
            0
        );
        assert_eq!(problems("a.rs", "lines.skip(1)\n"), 0);
        assert_eq!(problems("a.md", &format!("{}{}\n", "todo", "!(")), 0);
    }

    #[test]
    fn a_long_file_is_found_unless_generated() {
        let long = "x\n".repeat(LINES_MAX + 1);
        assert_eq!(problems("a.rs", &long), 1);
        assert_eq!(problems("web-kit/api/src/gen/a.ts", &long), 0);
        assert_eq!(problems("a.rs", &"x\n".repeat(LINES_MAX)), 0);
    }

    #[test]
    fn a_lock_file_names_no_host_but_the_public_one() {
        let line = |host: &str| format!("  \"resolved\": \"{host}/react/-/react-19.tgz\",\n");
        assert_eq!(
            problems("package-lock.json", &line("https://registry.npmjs.org")),
            0
        );
        assert_eq!(
            problems("package-lock.json", &line("http://npm.example.org")),
            1
        );
    }
}
