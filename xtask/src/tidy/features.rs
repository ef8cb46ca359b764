//! One feature set for each crate, whichever package is built. Otherwise `cargo check -p` would recompile what
//! `--workspace` has already compiled.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::{project::Project, shell};

/// Packages that are built on their own every day, besides the services. The others link less, and share what they can.
const BUILT_ALONE: [&str; 2] = ["gateway", "service-kit"];

/// Returns the crates whose features differ between a package built alone and all packages together.
pub(super) fn check(project: &Project) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for kinds in [
        // Without macros and build scripts, for whose crates Cargo resolves separate features.
        "normal,no-proc-macro",
        "normal,build",
        "normal,build,dev",
    ] {
        let all = tree(project, &["--workspace", "--edges", kinds])?;
        let services = project.services.iter().map(|service| service.name.as_str());
        for package in BUILT_ALONE.into_iter().chain(services) {
            let alone = tree(project, &["--package", package, "--edges", kinds])?;
            found.extend(differing(package, &alone, &all));
        }
    }
    // The programs compared with their tests: every full run compiles crates with different features twice.
    let edges = |kinds| tree(project, &["--workspace", "--edges", kinds]);
    let programs = edges("normal,no-proc-macro")?;
    let tests = edges("normal,dev,no-proc-macro")?;
    found.extend(differing("a program", &programs, &tests));
    found.sort();
    found.dedup();
    Ok(found)
}

/// Suffix of a crate whose dependencies Cargo has already shown. Shown each time, they would be millions of lines for
/// all packages.
const SHOWN_BEFORE: &str = " (*)";

/// Returns `name version|features` of every third-party crate.
fn tree(project: &Project, arguments: &[&str]) -> Result<BTreeSet<String>> {
    let format = ["tree", "--prefix=none", "--format={p}|{f}"];
    let mut cargo = shell::command(&project.root, "cargo", format);
    let text = shell::capture(cargo.args(arguments))?;
    // Lines of the workspace's own packages contain their folder.
    let crates = text.lines().filter(|line| !line.contains("(/"));
    Ok(crates
        .map(|line| line.strip_suffix(SHOWN_BEFORE).unwrap_or(line))
        .map(|line| line.replace(" (proc-macro)", ""))
        .collect())
}

fn differing(package: &str, alone: &BTreeSet<String>, all: &BTreeSet<String>) -> Vec<String> {
    let foreign = alone
        .difference(all)
        .filter_map(|line| line.split_once('|'));
    foreign
        .map(|(id, features)| {
            let prefix = format!("{id}|");
            let elsewhere: Vec<_> = all
                .iter()
                .filter_map(|line| line.strip_prefix(&prefix))
                .collect();
            format!(
                "feature-set/Cargo.toml: {package} alone has {id} with [{features}], all packages together with [{}]",
                elsewhere.join("] or [")
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(lines: &[&str]) -> BTreeSet<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn other_features_of_the_same_crate_are_named() {
        let all = set(&["tonic v1|default,tls", "serde v1|std", "serde v1|rc,std"]);
        let found = |alone: &[&str]| differing("gateway", &set(alone), &all);
        assert_eq!(
            found(&["serde v1|std", "tonic v1|default,tls"]),
            Vec::<String>::new()
        );
        let problems = found(&["tonic v1|tls"]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("tonic v1 with [tls]"), "{problems:?}");
        assert!(problems[0].contains("[default,tls]"), "{problems:?}");
    }
}
