//! Deployment, monitoring and reviewers of the new team's service and pages, copied from the simplest existing team.
//!
//! Files of that neighbour below `deploy/`, and its entries in the files of the whole site, are copied, with names and
//! ports replaced. There are no templates to maintain: a fix in the neighbour's files applies to the next new team.

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

/// Files that describe the whole site, and name the neighbour.
const FILES: [&str; 18] = [
    "deploy/compose/compose.yaml",
    "deploy/compose/compose.observability.yaml",
    "deploy/compose/compose.signed.yaml",
    "deploy/k8s/argocd/prod.yaml",
    "deploy/k8s/base/gateway/kustomization.yaml",
    "deploy/k8s/base/gateway/network-policy.yaml",
    "deploy/k8s/components/upstream-tls/gateway.yaml",
    "deploy/k8s/overlays/dev/kustomization.yaml",
    "deploy/k8s/overlays/staging/kustomization.yaml",
    "deploy/k8s/overlays/prod/kustomization.yaml",
    "deploy/systemd/hospital.target",
    "deploy/systemd/sysusers.conf",
    "deploy/systemd/tmpfiles.conf",
    "deploy/observability/prometheus/targets/site.yml",
    "deploy/observability/prometheus/rules/alerts-site.yml",
    "deploy/observability/prometheus/tests/availability.yml",
    "deploy/observability/alertmanager/alertmanager.yml",
    "CODEOWNERS",
];

/// Files to write, by path from the root: the team's own, and those shared by all teams.
pub(super) struct Written {
    pub(super) own: Vec<(PathBuf, String)>,
    pub(super) of_all: Vec<(PathBuf, String)>,
}

/// Returns the files to write, without writing them. Fails if a file does not name the neighbour.
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
    let of_all = FILES.map(|file| {
        let text = read(root, file)?;
        ensure!(text.contains(NEIGHBOUR), "{file} does not name {NEIGHBOUR}");
        Ok((file.into(), rename.added_to(&text)))
    });
    Ok(Written {
        own,
        of_all: of_all.into_iter().collect::<Result<_>>()?,
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

/// Turns the neighbour's text into the new team's.
struct Rename {
    /// Old and new text: ports, and names in three spellings.
    replacements: [[String; 2]; 5],
    /// Names of the existing teams except the neighbour.
    other_teams: Vec<String>,
}

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
        let other_teams = services
            .iter()
            .filter_map(|known| known.name.strip_prefix("svc-"))
            .filter(|known| ![NEIGHBOUR, team.as_str()].contains(known));
        Ok(Self {
            other_teams: other_teams.map(str::to_owned).collect(),
            // Ports first: a team's name may contain digits.
            replacements: [
                [old.port.to_string(), new.port.to_string()],
                [
                    old.operators_port.to_string(),
                    new.operators_port.to_string(),
                ],
                [NEIGHBOUR.to_owned(), team.as_str().to_owned()],
                [capital(&neighbour), capital(team)],
                [upper(&neighbour), upper(team)],
            ],
        })
    }

    fn in_text(&self, text: &str) -> String {
        let all = self.replacements.iter();
        all.fold(text.to_owned(), |text, [old, new]| text.replace(old, new))
    }

    /// Adds the new team wherever the text names the neighbour. A line that also names other teams is a list, and gets
    /// another entry. Any other line is an item, together with the more deeply indented lines below it. A renamed copy
    /// follows each run of adjacent items, separated by an empty line if one follows the run.
    fn added_to(&self, text: &str) -> String {
        let lines: Vec<_> = text.lines().collect();
        let mut rest = lines.as_slice();
        let mut written = Vec::new();
        while let [line, below @ ..] = rest {
            let length = self.run_length(rest);
            if length == 0 {
                written.push(self.with_entry(line));
                rest = below;
                continue;
            }
            let (run, after) = rest.split_at(length);
            written.extend(run.iter().map(|&line| line.to_owned()));
            if after.first().is_some_and(|line| line.is_empty()) {
                written.push(String::new());
            }
            written.extend(run.iter().map(|line| self.in_text(line)));
            rest = after;
        }
        written.join("\n") + "\n"
    }

    fn is_item(&self, line: &str) -> bool {
        line.contains(NEIGHBOUR) && !self.other_teams.iter().any(|team| line.contains(team))
    }

    /// Returns the number of lines of the run of items that begins on the first line. Empty lines between two items
    /// belong to the run.
    fn run_length(&self, lines: &[&str]) -> usize {
        let (mut end, mut next) = (0, 0);
        while let Some(first) = lines.get(next).filter(|line| self.is_item(line)) {
            let depth = |line: &str| line.len() - line.trim_start().len();
            let is_below = |line: &&&str| !line.is_empty() && depth(line) > depth(first);
            end = next + 1 + lines[next + 1..].iter().take_while(is_below).count();
            next = end
                + lines[end..]
                    .iter()
                    .take_while(|line| line.is_empty())
                    .count();
        }
        end
    }

    /// Repeats the neighbour's entries in a list on one line. The neighbour is neither first nor last.
    fn with_entry(&self, line: &str) -> String {
        let separators = [", ", ",", " "];
        let Some(separator) = separators.into_iter().find(|&text| line.contains(text)) else {
            return line.to_owned();
        };
        let entries = line.split(separator).flat_map(|entry| {
            let more = entry.contains(NEIGHBOUR).then(|| self.in_text(entry));
            [Some(entry.to_owned()), more].into_iter().flatten()
        });
        entries.collect::<Vec<_>>().join(separator)
    }
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
        let services = [
            service("booking", 50_052),
            service(NEIGHBOUR, 50_053),
            service("ward9", 50_060),
        ];
        Rename::new(&services, &"ward9".parse().unwrap()).unwrap()
    }

    #[test]
    fn uses_names_and_ports_of_the_new_team() {
        let text = "svc-assessment SVC_ASSESSMENT_VERSION Assessment 50053 10053";
        let renamed = "svc-ward9 SVC_WARD9_VERSION Ward9 50060 10060";
        assert_eq!(rename().in_text(text), renamed);
    }

    #[test]
    fn a_copy_follows_each_run_of_items() {
        let text = "all:\n  svc-a: 1\n\n  svc-assessment:\n    image: assessment\n\n  migrate-assessment: 2\n\n  svc-b: 3\n";
        let more = "  svc-ward9:\n    image: ward9\n\n  migrate-ward9: 2\n\n  svc-b: 3\n";
        assert_eq!(rename().added_to(text), text.replace("  svc-b: 3\n", more));
        let list = "- booking\n- assessment\n- messaging\n";
        let longer = "- booking\n- assessment\n- ward9\n- messaging\n";
        assert_eq!(rename().added_to(list), longer);
    }

    #[test]
    fn a_list_on_one_line_gets_an_entry() {
        for (list, longer) in [
            (
                "[booking, assessment, a]",
                "[booking, assessment, ward9, a]",
            ),
            (
                "  A=booking:1,assessment:50053,a",
                "  A=booking:1,assessment:50053,ward9:50060,a",
            ),
            (
                "Wants=x@booking x@assessment a",
                "Wants=x@booking x@assessment x@ward9 a",
            ),
        ] {
            assert_eq!(rename().added_to(list), format!("{longer}\n"));
        }
    }
}
