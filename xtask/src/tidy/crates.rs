//! The dependency table of the Rust packages, and the lints that apply to all.

use anyhow::Result;
use cargo_metadata::MetadataCommand;

use super::{SourceFile, linked};
use crate::project::Project;

/// Direct dependencies of any kind that a package must not have. A trailing `*` matches any suffix.
const NEVER: [(&str, &[&str]); 10] = [
    ("svc-*", &["svc-*", "gateway*", "axum", "xtask"]),
    (
        "gateway*",
        &["svc-*", "store-kit", "sqlx", "sqlx-*", "xtask"],
    ),
    // Publishable on its own. Its tests compare the messages of hospital-proto.
    ("gateway-wire", &["service-kit", "test-kit", "service-list"]),
    (
        "service-kit",
        &[
            "hospital-proto",
            "store-kit",
            "test-kit",
            "svc-*",
            "gateway*",
            "xtask",
        ],
    ),
    (
        "store-kit",
        &["hospital-proto", "svc-*", "gateway*", "xtask"],
    ),
    (
        "hospital-proto",
        &[
            "service-kit",
            "store-kit",
            "test-kit",
            "svc-*",
            "gateway*",
            "xtask",
        ],
    ),
    (
        "test-kit",
        &["hospital-proto", "svc-*", "gateway*", "xtask"],
    ),
    // The proof judges the service by its contract and its tables, independently of its code.
    (
        "booking-proof",
        &["svc-*", "store-kit", "test-kit", "gateway*", "xtask"],
    ),
    ("feature-set", &["sqlx", "sqlx-*", "libsqlite3-sys"]),
    (
        "service-list",
        &[
            "hospital-proto",
            "service-kit",
            "store-kit",
            "test-kit",
            "svc-*",
            "gateway*",
            "xtask",
        ],
    ),
];

/// Layers of the gateway, lowest first, and the layers that each may use. Cargo refuses circles only; this table also
/// refuses shortcuts past a layer. Unlisted packages assemble or measure the layers.
const LAYERS: [(&str, &[&str]); 10] = [
    ("gateway-wire", &[]),
    ("gateway-http", &[]),
    ("gateway-session", &[]),
    ("gateway-contract", &["gateway-http"]),
    ("gateway-upstream", &["gateway-http"]),
    (
        "gateway-cache",
        &["gateway-http", "gateway-contract", "gateway-upstream"],
    ),
    (
        "gateway-api",
        &[
            "gateway-http",
            "gateway-contract",
            "gateway-wire",
            "gateway-upstream",
            "gateway-cache",
        ],
    ),
    (
        "gateway-documents",
        &[
            "gateway-http",
            "gateway-contract",
            "gateway-cache",
            "gateway-api",
        ],
    ),
    (
        "gateway-edge",
        &[
            "gateway-http",
            "gateway-session",
            "gateway-contract",
            "gateway-api",
            "gateway-documents",
        ],
    ),
    ("gateway-listen", &["gateway-http", "gateway-edge"]),
];

pub(crate) fn check(project: &Project) -> Result<Vec<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(project.root.join("Cargo.toml"))
        .no_deps()
        .exec()?;
    let edges = metadata
        .workspace_packages()
        .into_iter()
        .flat_map(|package| {
            let name = package.name.to_string();
            let dependencies = package.dependencies.iter();
            dependencies.map(move |dependency| (name.clone(), dependency.name.clone()))
        });
    let mut found = broken(edges);
    found.extend(linked::check(project)?);
    Ok(found)
}

fn broken(edges: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut found = Vec::new();
    for (package, dependency) in edges {
        for (who, never) in NEVER {
            if matches(who, &package) && never.iter().any(|rule| matches(rule, &dependency)) {
                found.push(format!("{package} must not depend on {dependency}"));
            }
        }
        let layer = LAYERS.iter().find(|(layer, _)| *layer == package);
        let breaks = layer.is_some_and(|(_, below)| {
            matches("gateway*", &dependency) && !below.contains(&dependency.as_str())
        });
        if breaks {
            found.push(format!("{package} must not use {dependency}"));
        }
    }
    found
}

pub(super) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// Checks that every package inherits the workspace's lints.
pub(crate) fn check_manifests(files: &[SourceFile]) -> Vec<String> {
    let manifests = files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"));
    manifests
        .flat_map(|file| {
            let Ok(manifest) = file.text.parse::<toml::Table>() else {
                return vec![format!("{}: not a TOML file", file.path)];
            };
            // A separate workspace, such as the fuzz targets, has no table to inherit from.
            if manifest.contains_key("workspace") {
                return Vec::new();
            }
            let lints = manifest
                .get("lints")
                .and_then(|lints| lints.get("workspace"));
            if lints.and_then(toml::Value::as_bool) == Some(true) {
                Vec::new()
            } else {
                vec![format!(
                    "{}: `[lints] workspace = true` is missing",
                    file.path
                )]
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(package: &str, dependency: &str) -> Vec<String> {
        broken([(package.to_owned(), dependency.to_owned())].into_iter())
    }

    #[test]
    fn each_forbidden_edge_is_found() {
        for (package, dependency) in [
            ("svc-booking", "svc-content"),
            ("svc-booking", "gateway"),
            ("svc-content", "axum"),
            ("gateway*", "sqlx"),
            ("gateway*", "svc-booking"),
            ("service-kit", "hospital-proto"),
            ("hospital-proto", "service-kit"),
            ("gateway*", "store-kit"),
            ("service-kit", "store-kit"),
            ("store-kit", "hospital-proto"),
            ("store-kit", "svc-booking"),
            ("service-list", "service-kit"),
            ("booking-proof", "svc-booking"),
            ("svc-booking", "gateway-http"),
            ("gateway-cache", "sqlx"),
            ("gateway-wire", "gateway-http"),
            ("gateway-wire", "service-kit"),
            ("gateway-cache", "gateway-api"),
            ("gateway-edge", "gateway-upstream"),
            ("gateway-listen", "gateway-documents"),
            ("gateway-api", "gateway-session"),
            ("gateway-api", "gateway"),
        ] {
            assert_eq!(
                edge(package, dependency).len(),
                1,
                "{package} -> {dependency}"
            );
        }
    }

    #[test]
    fn the_table_allows_listed_edges() {
        for (package, dependency) in [
            ("svc-booking", "hospital-proto"),
            ("svc-booking", "service-kit"),
            ("svc-booking", "test-kit"),
            ("svc-booking", "sqlx"),
            ("gateway*", "hospital-proto"),
            ("gateway*", "axum"),
            ("service-kit", "axum"),
            ("svc-booking", "store-kit"),
            ("store-kit", "service-kit"),
            ("store-kit", "sqlx"),
            ("test-kit", "store-kit"),
            ("gateway*", "service-list"),
            ("svc-booking", "booking-proof"),
            ("booking-proof", "hospital-proto"),
            ("gateway", "gateway-listen"),
            ("gateway-listen", "gateway-edge"),
            ("gateway-edge", "gateway-session"),
            ("gateway-api", "gateway-wire"),
            ("gateway-wire", "hospital-proto"),
        ] {
            assert_eq!(edge(package, dependency), Vec::<String>::new());
        }
    }

    #[test]
    fn a_package_without_the_lints_is_found() {
        let file = |text: &str| SourceFile {
            path: "x/Cargo.toml".into(),
            text: text.into(),
        };
        assert!(check_manifests(&[file("[lints]\nworkspace = true\n")]).is_empty());
        assert_eq!(
            check_manifests(&[file("[package]\nname = \"x\"\n")]).len(),
            1
        );
    }
}
