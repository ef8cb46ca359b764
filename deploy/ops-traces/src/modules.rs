//! Versions of page modules that a gateway shows, with its refusals and rollbacks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::exposition::{Sample, increases};

const VERSIONS: &str = "remote_version_info";
const REFUSALS: &str = "remote_refusals_total";
const ROLLBACKS: &str = "remote_rollbacks_total";
const RENDERS: &str = "remote_renders_total";

/// Whether samples of this name are kept.
pub fn is_wanted(name: &str) -> bool {
    [VERSIONS, REFUSALS, ROLLBACKS, RENDERS].contains(&name)
}

/// A team's modules on one gateway. Absent values are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Modules {
    pub stable: String,
    pub canary: String,
    /// Refusal counts by reason, since the gateway started.
    pub refused: String,
    /// Number of rollbacks, since the gateway started.
    pub taken_back: String,
    /// Failed renders by version, in the window.
    pub failing: String,
}

/// Returns the modules by team. A rejected change of `remotes.json` as a whole appears under the name of the file.
pub fn of(oldest: &[Sample], newest: &[Sample]) -> BTreeMap<String, Modules> {
    let mut teams = BTreeMap::<String, Modules>::new();
    let known = newest
        .iter()
        .filter(|sample| is_wanted(&sample.name) && sample.value > 0.0);
    for sample in known {
        let team = teams.entry(sample.label("team").to_owned()).or_default();
        match (sample.name.as_str(), sample.label("role")) {
            (VERSIONS, "canary") => add(&mut team.canary, sample.label("version")),
            (VERSIONS, _) => add(&mut team.stable, sample.label("version")),
            (REFUSALS, _) => count(&mut team.refused, sample.label("reason"), sample.value),
            (ROLLBACKS, _) => add(&mut team.taken_back, &sample.value.to_string()),
            _ => {}
        }
    }
    for (sample, added) in increases(oldest, newest) {
        if sample.name == RENDERS && sample.label("outcome") == "failed" && added > 0.0 {
            let team = teams.entry(sample.label("team").to_owned()).or_default();
            count(&mut team.failing, sample.label("version"), added);
        }
    }
    teams
}

/// Kind of a change of a team's page modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Released,
    CanaryBegan,
    CanaryEnded,
    RolledBack,
    Refused,
}

/// A change of a team's page modules on one gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub team: String,
    pub kind: Kind,
    /// Version; of a refusal, the reason.
    pub what: String,
}

impl Change {
    /// Returns the change in words.
    pub fn words(&self) -> String {
        let Self { team, kind, what } = self;
        match kind {
            Kind::Released => format!("{team} {what} released"),
            Kind::CanaryBegan => format!("{team} {what} canary began"),
            Kind::CanaryEnded => format!("{team} {what} canary ended"),
            Kind::RolledBack => format!("{team} rolled back"),
            Kind::Refused => format!("{team}: version refused ({what})"),
        }
    }
}

/// Returns the changes between two scrapes. A gateway without any version has just started: its versions are no change.
pub fn changes(oldest: &[Sample], newest: &[Sample]) -> Vec<Change> {
    let (before, after) = (versions(oldest), versions(newest));
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let change = |team: &str, kind, what: &str| Change {
        team: team.to_owned(),
        kind,
        what: what.to_owned(),
    };
    let mut changes = Vec::new();
    for &(team, role, version) in after.difference(&before) {
        let kind = if role == "canary" {
            Kind::CanaryBegan
        } else {
            Kind::Released
        };
        changes.push(change(team, kind, version));
    }
    for &(team, role, version) in before.difference(&after) {
        if role == "canary" && !after.contains(&(team, "stable", version)) {
            changes.push(change(team, Kind::CanaryEnded, version));
        }
    }
    for (sample, added) in increases(oldest, newest) {
        let (team, reason) = (sample.label("team"), sample.label("reason"));
        match sample.name.as_str() {
            ROLLBACKS if added > 0.0 => changes.push(change(team, Kind::RolledBack, "")),
            REFUSALS if added > 0.0 && reason != "rolled_back" => {
                changes.push(change(team, Kind::Refused, reason));
            }
            _ => {}
        }
    }
    changes
}

/// Returns the live versions as team, role and version.
fn versions(samples: &[Sample]) -> BTreeSet<(&str, &str, &str)> {
    let live = samples
        .iter()
        .filter(|sample| sample.name == VERSIONS && sample.value > 0.0);
    live.map(|sample| {
        (
            sample.label("team"),
            sample.label("role"),
            sample.label("version"),
        )
    })
    .collect()
}

fn add(list: &mut String, what: &str) {
    if !list.is_empty() {
        list.push_str(", ");
    }
    list.push_str(what);
}

fn count(list: &mut String, what: &str, value: f64) {
    add(list, what);
    // Writing to a string cannot fail.
    let _ = write!(list, ": {value}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposition::read;

    #[test]
    fn shows_one_line_per_team() {
        let before = read(
            "remote_renders_total{team=\"b\",version=\"2\",outcome=\"failed\"} 3\n",
            100,
            is_wanted,
        );
        let after = read(
            "remote_version_info{team=\"b\",version=\"1\",role=\"stable\"} 1\n\
             remote_version_info{team=\"b\",version=\"2\",role=\"canary\"} 1\n\
             remote_version_info{team=\"a\",version=\"7\",role=\"stable\"} 1\n\
             remote_version_info{team=\"a\",version=\"6\",role=\"stable\"} 0\n\
             remote_refusals_total{team=\"a\",reason=\"integrity\"} 2\n\
             remote_refusals_total{team=\"a\",reason=\"signature\"} 1\n\
             remote_refusals_total{team=\"remotes.json\",reason=\"pointers\"} 4\n\
             remote_rollbacks_total{team=\"b\"} 1\n\
             remote_renders_total{team=\"b\",version=\"2\",outcome=\"failed\"} 9\n\
             remote_renders_total{team=\"b\",version=\"1\",outcome=\"ok\"} 9\n",
            100,
            is_wanted,
        );
        let teams = of(&before.unwrap(), &after.unwrap());
        let text = |team: &str| {
            let found = &teams[team];
            [
                &found.stable,
                &found.canary,
                &found.refused,
                &found.taken_back,
                &found.failing,
            ]
            .map(String::as_str)
        };
        assert_eq!(text("a"), ["7", "", "integrity: 2, signature: 1", "", ""]);
        assert_eq!(text("b"), ["1", "2", "", "1", "2: 6"]);
        assert_eq!(text("remotes.json"), ["", "", "pointers: 4", "", ""]);
        assert_eq!(teams.len(), 3);
    }
    #[test]
    fn finds_releases_canaries_and_rollbacks() {
        let parse = |text: &str| read(text, 100, is_wanted).unwrap();
        let live = |role: &str, version: &str| {
            format!("remote_version_info{{team=\"b\",version=\"{version}\",role=\"{role}\"}} 1\n")
        };
        let words = |before: &str, after: &str| -> Vec<String> {
            let changes = changes(&parse(before), &parse(after));
            changes.iter().map(Change::words).collect()
        };
        let (stable, both) = (
            live("stable", "1"),
            live("stable", "1") + &live("canary", "2"),
        );
        assert_eq!(
            words("# EOF\n", &stable),
            [""; 0],
            "a gateway that has just started"
        );
        assert_eq!(words(&stable, &both), ["b 2 canary began"]);
        assert_eq!(words(&both, &live("stable", "2")), ["b 2 released"]);
        let rolled_back = stable.clone()
            + "remote_rollbacks_total{team=\"b\"} 1\nremote_refusals_total{team=\"b\",reason=\"rolled_back\"} 1\n";
        assert_eq!(
            words(&both, &rolled_back),
            ["b 2 canary ended", "b rolled back"]
        );
        let refused = stable.clone() + "remote_refusals_total{team=\"b\",reason=\"signature\"} 1\n";
        assert_eq!(words(&stable, &refused), ["b: version refused (signature)"]);
    }
}
