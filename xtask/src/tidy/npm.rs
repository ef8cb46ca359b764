//! The dependency table of the npm packages: the packages that their manifests and imports may name.

use super::SourceFile;

const SCOPE: &str = "@hospital/";
/// Packages of this tree that a page package (a team's `web/` or the shell) may use.
const FOR_PAGES: [&str; 6] = ["ui", "form", "page", "api", "build", "draw"];
const SOURCES: [&str; 7] = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".css"];

pub(crate) fn check(files: &[SourceFile]) -> Vec<String> {
    let mut found = one_lock(files);
    for file in files {
        let Some(package) = page_package(&file.path) else {
            continue;
        };
        if file.path == format!("{package}/package.json") {
            found.extend(manifest(file));
        } else if SOURCES.iter().any(|ending| file.path.ends_with(ending)) {
            found.extend(imports(file, package));
        }
    }
    found
}

fn one_lock(files: &[SourceFile]) -> Vec<String> {
    let locks = ["package-lock.json", "yarn.lock", "pnpm-lock.yaml"];
    files
        .iter()
        .filter(|file| {
            file.path.contains('/')
                && locks
                    .iter()
                    .any(|lock| file.path.ends_with(&format!("/{lock}")))
        })
        .map(|file| format!("{}: there is one lock file, at the root", file.path))
        .collect()
}

/// Returns the folder of the page package that a file belongs to.
fn page_package(path: &str) -> Option<&str> {
    let first = path.split('/').next()?;
    if first == "web-shell" {
        return Some(first);
    }
    let folder = path.get(..first.len() + "/web".len())?;
    (first.starts_with("svc-") && folder.ends_with("/web") && path[folder.len()..].starts_with('/'))
        .then_some(folder)
}

fn allowed(name: &str) -> bool {
    match name.strip_prefix(SCOPE) {
        Some(own) => FOR_PAGES.contains(&own.split('/').next().unwrap_or_default()),
        None => true,
    }
}

fn manifest(file: &SourceFile) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<serde_json::Value>(&file.text) else {
        return vec![format!("{}: not JSON", file.path)];
    };
    let kinds = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
    ];
    kinds
        .iter()
        .filter_map(|kind| manifest[kind].as_object())
        .flat_map(serde_json::Map::keys)
        .filter(|name| !allowed(name))
        .map(|name| {
            format!(
                "{}: may use only @hospital/{{{}}}, not {name}",
                file.path,
                FOR_PAGES.join(",")
            )
        })
        .collect()
}

fn imports(file: &SourceFile, package: &str) -> Vec<String> {
    specifiers(&file.text)
        .filter(|specifier| !allowed(specifier) || leaves(&file.path, specifier, package))
        .map(|specifier| {
            format!(
                "{}: imports {specifier}, which is not its to use",
                file.path
            )
        })
        .collect()
}

/// Returns the quoted texts after `from`, `import`, `import(`, `require(` and CSS `@import`.
fn specifiers(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(['\'', '"'])
        .filter_map(|(start, quote)| {
            let before = text[..start].trim_end_matches([' ', '(', '\n']);
            let introduces = ["from", "import", "require"]
                .iter()
                .any(|word| before.ends_with(word));
            let rest = &text[start + 1..];
            let end = rest.find(quote)?;
            // `${` means code that generates code.
            let literal = !rest[..end].contains('\n') && !rest[..end].contains("${");
            (introduces && literal).then_some(&rest[..end])
        })
}

/// Returns whether a relative import leads outside the package's slice. A team's slice is the whole folder of its
/// service, because both halves run its test vectors. The shell's slice is its own folder.
fn leaves(path: &str, specifier: &str, package: &str) -> bool {
    if !specifier.starts_with('.') {
        return false;
    }
    let slice = package.strip_suffix("/web").unwrap_or(package);
    let mut depth = path[slice.len() + 1..].split('/').count() - 1;
    for part in specifier.split('/') {
        match part {
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            "." | "" => {}
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        check(&[SourceFile::new(path, text)]).len()
    }

    #[test]
    fn a_team_uses_the_kit_and_not_another_team() {
        let path = "svc-booking/web/package.json";
        assert_eq!(
            problems(
                path,
                r#"{"dependencies":{"@hospital/ui":"*","react":"19"}}"#
            ),
            0
        );
        assert_eq!(
            problems(path, r#"{"dependencies":{"@hospital/content-web":"*"}}"#),
            1
        );
        assert_eq!(
            problems(path, r#"{"devDependencies":{"@hospital/shell":"*"}}"#),
            1
        );
        assert_eq!(
            problems(
                "web-shell/package.json",
                r#"{"dependencies":{"@hospital/booking-web":"*"}}"#
            ),
            1
        );
        assert_eq!(
            problems(
                "e2e/package.json",
                r#"{"dependencies":{"@hospital/booking-web":"*"}}"#
            ),
            0
        );
    }

    #[test]
    fn imports_stay_inside_their_package() {
        let path = "svc-booking/web/src/form/appointment.tsx";
        assert_eq!(
            problems(
                path,
                "import { Button } from '@hospital/ui/button';\nimport x from '../slots';"
            ),
            0
        );
        assert_eq!(
            problems(path, "import { card } from '@hospital/content-web/card';"),
            1
        );
        assert_eq!(
            problems(
                path,
                "import x from '../../../../svc-content/web/src/card';"
            ),
            1
        );
        assert_eq!(
            problems(path, "const x = await import(\"../../../../web-shell/x\");"),
            1
        );
        assert_eq!(
            problems(path, "import cases from '../../../vectors/cases.json';"),
            0,
            "a team's own slice"
        );
        assert_eq!(
            problems(
                "svc-booking/web/src/a.css",
                "@import '../../../web-shell/a.css';"
            ),
            1
        );
        assert_eq!(
            problems(
                "web-shell/src/a.ts",
                "import x from '../../svc-booking/web/src/x';"
            ),
            1
        );
    }

    #[test]
    fn a_second_lock_file_is_found() {
        assert_eq!(problems("package-lock.json", "{}"), 0);
        assert_eq!(problems("e2e/package-lock.json", "{}"), 1);
    }
}
