//! Transitive dependencies of the programs: a rule about direct dependencies alone is easily circumvented.

use std::collections::{BTreeMap, VecDeque};

use anyhow::{Context as _, Result};
use cargo_metadata::{DependencyKind, MetadataCommand, PackageId};

use super::crates::matches;
use crate::{project::Project, shell};

/// Packages that a package must not link, directly or through others. A trailing `*` matches any suffix.
const NEVER_LINKED: [(&str, &[&str]); 5] = [
    (
        "gateway*",
        &[
            "sqlx",
            "sqlx-*",
            "libsqlite3-sys",
            "store-kit",
            "svc-*",
            "service-list",
        ],
    ),
    ("gateway-wire", &["hospital-proto", "service-kit"]),
    ("svc-*", &["svc-*", "gateway*", "service-list"]),
    (
        "service-kit",
        &["sqlx", "sqlx-*", "libsqlite3-sys", "hospital-proto"],
    ),
    ("store-kit", &["hospital-proto", "svc-*", "gateway*"]),
];

/// Names of packages, and the packages that each links directly.
#[derive(Debug)]
struct Graph<Id> {
    names: BTreeMap<Id, String>,
    edges: BTreeMap<Id, Vec<Id>>,
}

pub(super) fn check(project: &Project) -> Result<Vec<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(project.root.join("Cargo.toml"))
        .other_options(["--filter-platform".to_owned(), host(project)?])
        .exec()?;
    let graph = Graph {
        names: metadata
            .packages
            .iter()
            .map(|package| (package.id.clone(), package.name.to_string()))
            .collect(),
        edges: metadata
            .resolve
            .as_ref()
            .context("cargo metadata resolves the dependencies")?
            .nodes
            .iter()
            .map(|node| (node.id.clone(), linked_by(node)))
            .collect(),
    };
    let members = metadata.workspace_members.iter();
    Ok(members.flat_map(|member| broken(&graph, member)).collect())
}

fn linked_by(node: &cargo_metadata::Node) -> Vec<PackageId> {
    let normal = node.deps.iter().filter(|dependency| {
        let mut kinds = dependency.dep_kinds.iter();
        kinds.any(|kind| kind.kind == DependencyKind::Normal)
    });
    normal.map(|dependency| dependency.pkg.clone()).collect()
}

/// Returns the host platform. Without this filter, packages for every platform would have to be downloaded.
fn host(project: &Project) -> Result<String> {
    let about = shell::capture(&mut shell::command(&project.root, "rustc", ["-vV"]))?;
    let line = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("`rustc -vV` names the host")?.to_owned())
}

/// Reports the shortest dependency path to each forbidden package. Packages reached only through another forbidden one
/// are not reported.
fn broken<Id: Ord>(graph: &Graph<Id>, root: &Id) -> Vec<String> {
    let name = |id: &Id| graph.names.get(id).map_or("", String::as_str);
    let mut found = Vec::new();
    let mut from: BTreeMap<&Id, &Id> = BTreeMap::new();
    let mut queue = VecDeque::from([root]);
    while let Some(id) = queue.pop_front() {
        if id != root && forbidden(name(root), name(id)) {
            let mut way = vec![name(id)];
            let mut last = id;
            while let Some(before) = from.get(last) {
                way.push(name(before));
                last = before;
            }
            way.reverse();
            found.push(format!(
                "{} must not link {}: {}",
                name(root),
                name(id),
                way.join(" -> ")
            ));
            continue;
        }
        for next in graph.edges.get(id).into_iter().flatten() {
            if next != root && !from.contains_key(next) {
                from.insert(next, id);
                queue.push_back(next);
            }
        }
    }
    found
}

fn forbidden(package: &str, dependency: &str) -> bool {
    NEVER_LINKED.iter().any(|(who, never)| {
        matches(who, package) && never.iter().any(|rule| matches(rule, dependency))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the violations of `root` in a graph where the first package of each edge links the second.
    fn found(root: &'static str, edges: &[(&'static str, &'static str)]) -> Vec<String> {
        let mut graph = Graph {
            names: BTreeMap::new(),
            edges: BTreeMap::new(),
        };
        for (from, to) in edges {
            for name in [from, to] {
                graph.names.insert(*name, (*name).to_owned());
            }
            graph.edges.entry(*from).or_insert_with(Vec::new).push(*to);
        }
        broken(&graph, &root)
    }

    #[test]
    fn a_database_behind_another_package_is_found_with_the_way_to_it() {
        let edges = [
            ("gateway", "service-kit"),
            ("service-kit", "tokio"),
            ("service-kit", "sqlx"),
            ("sqlx", "sqlx-core"),
        ];
        let way = "gateway must not link sqlx: gateway -> service-kit -> sqlx";
        assert_eq!(found("gateway", &edges), [way]);
        assert_eq!(found("service-kit", &edges).len(), 1);
        assert_eq!(found("gateway", &edges[..2]), Vec::<String>::new());
    }

    #[test]
    fn a_service_links_the_store_kit_but_no_other_service() {
        let edges = [
            ("svc-booking", "store-kit"),
            ("store-kit", "service-kit"),
            ("store-kit", "sqlx"),
            ("svc-booking", "hospital-proto"),
        ];
        assert_eq!(found("svc-booking", &edges), Vec::<String>::new());
        let wrong = [("svc-booking", "words"), ("words", "svc-content")];
        assert_eq!(found("svc-booking", &wrong).len(), 1);
        let wrong = [("store-kit", "words"), ("words", "hospital-proto")];
        assert_eq!(found("store-kit", &wrong).len(), 1);
    }

    #[test]
    fn a_circle_of_tests_ends() {
        let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "a")];
        assert_eq!(found("a", &edges), Vec::<String>::new());
    }
}
