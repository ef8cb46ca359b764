//! Deployment and monitoring of the new team's service and pages, copied from the simplest existing team.
//!
//! Files and entries of that neighbour below `deploy/` are copied, with names and ports replaced. There are no
//! templates to maintain: a fix in the neighbour's files reaches the next new team.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use service_list::Service;

use super::name::TeamName;

/// The neighbour to copy: it calls no other service, has no settings about the hospital, and no file except its
/// database.
const NEIGHBOUR: &str = "assessment";
/// Folders with files per team. Not `compose`: local runs keep secrets beside its files.
const FOLDERS: [&str; 2] = ["deploy/k8s", "deploy/systemd"];

/// A file shared by all teams, and the entries to copy in it.
struct Place {
    file: &'static str,
    /// Prefixes of the lines to copy, each together with the more deeply indented lines below it.
    items: &'static [&'static str],
    /// Pairs of a text that occurs exactly once, and the text to insert after it, with names and ports replaced.
    parts: &'static [[&'static str; 2]],
}

const UPSTREAM: [&str; 2] = [
    "hospital.assessment.v1=http://svc-assessment:50053",
    ",hospital.assessment.v1=http://svc-assessment:50053",
];
const UPSTREAM_TLS: [&str; 2] = [
    "hospital.assessment.v1=https://svc-assessment:50053",
    ",hospital.assessment.v1=https://svc-assessment:50053",
];
const ENVIRONMENT: &[&str] = &["  - svc-assessment"];

const PLACES: [Place; 15] = [
    Place {
        file: "deploy/compose/compose.yaml",
        items: &[
            "  svc-assessment:",
            "  migrate-assessment:",
            "  pages-assessment:",
            "  assessment:",
            "  assessment-database:",
            "  svc-assessment.pgpass:",
            "  svc-assessment.password:",
            "  svc-assessment.seal-keys.toml:",
        ],
        parts: &[
            [", assessment,", " assessment,"],
            UPSTREAM,
            ["-database, assessment-database,", " assessment-database,"],
            [", svc-assessment.password,", " svc-assessment.password,"],
        ],
    },
    items(
        "deploy/compose/compose.observability.yaml",
        &["  svc-assessment:"],
    ),
    parts("deploy/k8s/base/gateway/kustomization.yaml", &[UPSTREAM]),
    items(
        "deploy/k8s/base/gateway/network-policy.yaml",
        &["    - to: [{ podSelector: { matchLabels: { app.kubernetes.io/name: svc-assessment "],
    ),
    parts(
        "deploy/k8s/components/upstream-tls/gateway.yaml",
        &[UPSTREAM_TLS],
    ),
    items("deploy/k8s/overlays/dev/kustomization.yaml", ENVIRONMENT),
    items(
        "deploy/k8s/overlays/staging/kustomization.yaml",
        ENVIRONMENT,
    ),
    items("deploy/k8s/overlays/prod/kustomization.yaml", ENVIRONMENT),
    parts(
        "deploy/systemd/hospital.target",
        &[
            [
                " hospital-svc@assessment.service",
                " hospital-svc@assessment.service",
            ],
            [
                " hospital-backup@assessment.timer",
                " hospital-backup@assessment.timer",
            ],
        ],
    ),
    items("deploy/systemd/sysusers.conf", &["u hospital-assessment "]),
    items(
        "deploy/systemd/tmpfiles.conf",
        &["d /var/backups/hospital/assessment "],
    ),
    items(
        "deploy/observability/prometheus/targets/site.yml",
        &["- targets: ['svc-assessment:"],
    ),
    items(
        "deploy/observability/prometheus/rules/alerts-site.yml",
        &["          or absent(up{job=\"site\",service=\"svc-assessment\""],
    ),
    items(
        "deploy/observability/prometheus/tests/availability.yml",
        &["      - series: 'up{job=\"site\",instance=\"svc-assessment:"],
    ),
    items(
        "deploy/observability/alertmanager/alertmanager.yml",
        &[
            "        - matchers: [team = assessment]",
            "  - source_matchers: [alertname = ServiceDown, service = svc-assessment]",
            "  - name: assessment-pages",
            "  - name: assessment-tickets",
        ],
    ),
];

const fn items(file: &'static str, items: &'static [&'static str]) -> Place {
    Place {
        file,
        items,
        parts: &[],
    }
}

const fn parts(file: &'static str, parts: &'static [[&'static str; 2]]) -> Place {
    Place {
        file,
        items: &[],
        parts,
    }
}

/// Files to write, by path from the root: the team's own, and those shared by all teams.
pub(super) struct Written {
    pub(super) own: Vec<(PathBuf, String)>,
    pub(super) of_all: Vec<(PathBuf, String)>,
}

/// Returns the files to write, without writing them. Fails if a file does not have the expected form.
pub(super) fn of(root: &Path, services: &[Service], team: &TeamName) -> Result<Written> {
    let rename = Rename::new(services, team)?;
    let mut own = Vec::new();
    for folder in FOLDERS {
        for path in files_below(&root.join(folder))? {
            let path = path.strip_prefix(root)?.to_owned();
            let name = path.to_str().context("a path in UTF-8")?;
            if name.contains(NEIGHBOUR) {
                let text = read(root, name)?;
                own.push((rename.in_text(name).into(), rename.in_text(&text)));
            }
        }
    }
    let of_all = PLACES.iter().map(|place| {
        let text = place.with_one_more(&read(root, place.file)?, &rename);
        let text = text.with_context(|| format!("{} is written in another way", place.file))?;
        Ok((place.file.into(), text))
    });
    Ok(Written {
        own,
        of_all: of_all.collect::<Result<_>>()?,
    })
}

fn read(root: &Path, file: &str) -> Result<String> {
    let path = root.join(file);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder);
    for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Replacements that turn the neighbour's text into the new team's: ports, and names in three spellings.
struct Rename(Vec<[String; 2]>);

impl Rename {
    fn new(services: &[Service], team: &TeamName) -> Result<Self> {
        let of = |name: &str| {
            let service = format!("svc-{name}");
            let found = services.iter().find(|known| known.name == service);
            found.with_context(|| format!("the list of services has no {service}"))
        };
        let (old, new) = (of(NEIGHBOUR)?, of(team.as_str())?);
        let neighbour: TeamName = NEIGHBOUR.parse()?;
        let capital = |name: &TeamName| name.fill("@Team@");
        let upper = |name: &TeamName| name.as_str().to_ascii_uppercase();
        // Ports first: a team's name may contain digits.
        Ok(Self(vec![
            [old.port.to_string(), new.port.to_string()],
            [
                old.operators_port.to_string(),
                new.operators_port.to_string(),
            ],
            [NEIGHBOUR.to_owned(), team.as_str().to_owned()],
            [capital(&neighbour), capital(team)],
            [upper(&neighbour), upper(team)],
        ]))
    }

    fn in_text(&self, text: &str) -> String {
        let all = self.0.iter();
        all.fold(text.to_owned(), |text, [old, new]| text.replace(old, new))
    }
}

impl Place {
    fn with_one_more(&self, text: &str, rename: &Rename) -> Result<String> {
        let mut text = text.to_owned();
        for [behind, again] in self.parts {
            let count = text.matches(behind).count();
            ensure!(
                count == 1,
                "`{behind}` stands there {count} times, not once"
            );
            let more = rename.in_text(again);
            text = text.replace(behind, &format!("{behind}{more}"));
        }
        for item in self.items {
            let is_there = text.lines().any(|line| line.starts_with(item));
            ensure!(is_there, "no line begins with `{item}`");
        }
        Ok(repeat(&text, self.items, rename))
    }
}

/// Returns the text with a renamed copy below each run of adjacent items. A run ends before a line that is not an item
/// and not indented deeper. Empty lines between two items belong to the run. If an empty line follows the run, one also
/// separates it from its copy.
fn repeat(text: &str, items: &[&str], rename: &Rename) -> String {
    let lines: Vec<_> = text.lines().collect();
    let mut written = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        let mut end = start;
        while let Some(next) = end_of_item(&lines, at, items) {
            end = next;
            at = next
                + lines[next..]
                    .iter()
                    .take_while(|line| line.is_empty())
                    .count();
        }
        if end == start {
            written.push(lines[start].to_owned());
            at = start + 1;
            continue;
        }
        let run = &lines[start..end];
        written.extend(run.iter().map(|&line| line.to_owned()));
        if lines.get(end).is_some_and(|line| line.is_empty()) {
            written.push(String::new());
        }
        written.extend(run.iter().map(|line| rename.in_text(line)));
        at = end;
    }
    written.join("\n") + "\n"
}

/// Returns the exclusive end of the item that begins on this line, if one does.
fn end_of_item(lines: &[&str], start: usize, items: &[&str]) -> Option<usize> {
    let first = lines.get(start)?;
    if !items.iter().any(|item| first.starts_with(item)) {
        return None;
    }
    let depth = |line: &str| line.len() - line.trim_start().len();
    let below = lines[start + 1..].iter();
    let deeper = below.take_while(|line| !line.is_empty() && depth(line) > depth(first));
    Some(start + 1 + deeper.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename() -> Rename {
        let service = |team: &str, port| Service {
            name: format!("svc-{team}"),
            package: format!("hospital.{team}.v1"),
            port,
            operators_port: port - 40_000,
            database_url: "sqlite:a.db".to_owned(),
            offers: team.to_owned(),
        };
        let services = [service(NEIGHBOUR, 50_053), service("ward9", 50_060)];
        Rename::new(&services, &"ward9".parse().unwrap()).unwrap()
    }

    #[test]
    fn names_and_ports_are_those_of_the_new_team() {
        let text = "svc-assessment SVC_ASSESSMENT_VERSION Assessment 50053 10053";
        let renamed = "svc-ward9 SVC_WARD9_VERSION Ward9 50060 10060";
        assert_eq!(rename().in_text(text), renamed);
    }

    #[test]
    fn a_run_of_items_is_said_again_below_it() {
        let text = "all:\n  svc-a: 1\n\n  svc-assessment:\n    image: assessment\n\n  migrate-assessment: 2\n\n  svc-b: 3\n";
        let more = "  svc-ward9:\n    image: ward9\n\n  migrate-ward9: 2\n\n  svc-b: 3\n";
        let items = ["  svc-assessment:", "  migrate-assessment:"];
        let expected = text.replace("  svc-b: 3\n", more);
        assert_eq!(repeat(text, &items, &rename()), expected);
        let list = "- booking\n- assessment\n- messaging\n";
        let longer = "- booking\n- assessment\n- ward9\n- messaging\n";
        assert_eq!(repeat(list, &["- assessment"], &rename()), longer);
    }

    #[test]
    fn a_file_of_another_shape_is_refused() {
        let items = items("a", &["- assessment"]);
        let error = items.with_one_more("- none\n", &rename()).unwrap_err();
        assert!(error.to_string().contains("no line begins"), "{error}");
        let parts = parts("b", &[["x@assessment", " x@assessment"]]);
        for (text, times) in [("", 0), ("x@assessment x@assessment", 2)] {
            let error = parts.with_one_more(text, &rename()).unwrap_err();
            let expected = format!("stands there {times} times");
            assert!(error.to_string().contains(&expected), "{error}");
        }
        let good = parts.with_one_more("x@assessment y\n", &rename());
        assert_eq!(good.unwrap(), "x@assessment x@ward9 y\n");
    }
}
