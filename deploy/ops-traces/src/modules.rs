//! Versions of page modules that a gateway shows, with its refusals and rollbacks.

use std::collections::BTreeMap;
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
}
