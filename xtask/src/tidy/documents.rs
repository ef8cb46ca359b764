//! Documents: relative links resolve, lines of prose are short, and drawings show their sources.

use std::{collections::HashMap, path::Path};

use super::SourceFile;

/// Maximum length of a line of prose, in characters. Tables and code may be wider.
const COLUMNS_MAX: usize = 120;
/// Text of a program, not a document: the start of the API's description.
const TEXTS: &str = "/src/";

pub(super) fn check(files: &[SourceFile], root: &Path) -> Vec<String> {
    let text_of: HashMap<_, _> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let documents = files
        .iter()
        .filter(|file| file.path.strip_suffix(".md").is_some() && !file.path.contains(TEXTS));
    let mut found = Vec::new();
    for SourceFile { path, text } in documents {
        for (number, line) in prose(text) {
            if line.chars().count() > COLUMNS_MAX && !line.trim_start().starts_with('|') {
                found.push(format!(
                    "{path}:{number}: more than {COLUMNS_MAX} characters"
                ));
            }
            for link in links(line).filter(|link| !is_resolved(link, path, &text_of, root)) {
                found.push(format!("{path}:{number}: the link {link} leads nowhere"));
            }
        }
    }
    for SourceFile { path, text } in files {
        let Some(drawing) = path.strip_suffix(".mmd").map(|name| format!("{name}.svg")) else {
            continue;
        };
        let source = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let source = format!("<metadata>{source}</metadata>");
        if !text_of
            .get(drawing.as_str())
            .is_some_and(|svg| svg.contains(&source))
        {
            found.push(format!(
                "{drawing}: is not drawn from {path}: run `node docs/draw.mjs`"
            ));
        }
    }
    found
}

/// Returns the lines outside code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of a line's links within the tree.
fn links(line: &str) -> impl Iterator<Item = &str> {
    // Text between backticks is code.
    let outside_code = line.split('`').step_by(2);
    let targets = outside_code.flat_map(|text| text.split("](").skip(1));
    targets
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .filter(|target| !target.contains(':'))
}

fn is_resolved(link: &str, from: &str, text_of: &HashMap<&str, &str>, root: &Path) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = match file {
        "" => from.to_owned(),
        _ => resolved(from, file),
    };
    let Some(text) = text_of.get(path.as_str()) else {
        // A folder or a picture.
        return anchor.is_empty() && root.join(&path).exists();
    };
    anchor.is_empty() || prose(text).any(|(_, line)| is_heading(line, anchor))
}

/// Returns the path from the root of a path relative to a file.
fn resolved(from: &str, relative: &str) -> String {
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Returns whether a line is the heading with this anchor, as GitHub forms it.
fn is_heading(line: &str, anchor: &str) -> bool {
    let words = line.trim_start_matches('#').trim();
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let formed: String = words.to_lowercase().chars().filter(kept).collect();
    line.starts_with('#') && formed.replace(' ', "-") == anchor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| SourceFile::new(path, text));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        check(&files.collect::<Vec<_>>(), root)
    }

    #[test]
    fn a_link_leads_to_a_file_a_folder_or_a_heading() {
        let other = (
            "docs/b.md",
            "# What's *new*, in `c`\n```\n# no heading\n```\n",
        );
        for good in [
            "b.md",
            "b.md#whats-new-in-c",
            "../src",
            "#a-title",
            "https://a.example/b#c",
        ] {
            let text = format!("# A title\n[text]({good}) and `[code](none.md)`\n");
            assert_eq!(problems(&[("docs/a.md", &text), other]), [""; 0], "{good}");
        }
        for bad in [
            "c.md",
            "b.md#whats-old",
            "b.md#no-heading",
            "../src#a",
            "#b",
            "../b.md",
        ] {
            let text = format!("# A title\nsee [text](b.md), [text]({bad})\n");
            let expected = format!("docs/a.md:2: the link {bad} leads nowhere");
            assert_eq!(problems(&[("docs/a.md", &text), other]), [expected]);
        }
    }

    #[test]
    fn prose_is_narrow_and_tables_and_code_may_be_wide() {
        let wide = "x".repeat(COLUMNS_MAX + 1);
        let narrow = "é".repeat(COLUMNS_MAX);
        let good = format!("{narrow}\n```\n{wide}\n```\n| {wide} |\n");
        assert_eq!(problems(&[("a.md", &good), ("b/src/c.md", &wide)]), [""; 0]);
        assert_eq!(problems(&[("a.md", &wide)]).len(), 1);
    }

    #[test]
    fn a_drawing_contains_its_source() {
        let source = ("a.mmd", "a --> b & c\n");
        let svg = "<svg><metadata>a --&gt; b &amp; c\n</metadata></svg>";
        assert_eq!(problems(&[source, ("a.svg", svg)]), [""; 0]);
        for stale in [svg.replace('c', "d"), String::new()] {
            assert_eq!(problems(&[source, ("a.svg", &stale)]).len(), 1);
        }
    }
}
