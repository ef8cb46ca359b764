//! Page modules that fail in browsers: counted and logged under the team that can mend them.
//!
//! Anybody can post a report, so it names only what is published here, and each name is logged ever more rarely.

use std::sync::Arc;

use axum::http::StatusCode;
use serde::Deserialize;

use crate::{metrics::Metrics, problem::Problem};

/// Failures of one report at most.
const FAILURES_MAX: usize = 8;
/// Stands for whatever is not published.
pub(super) const UNKNOWN: &str = "unknown";

/// What is published and offered here, so that a report can name nothing else.
pub(crate) trait Known {
    /// The module is `None` when only the version is asked for.
    fn has(&self, team: &str, version: &str, module: Option<&str>) -> bool;

    /// Whether modules of this team are published.
    fn has_team(&self, team: &str) -> bool;

    /// A version failed in a browser of this report's sender.
    fn failed(&self, team: &str, version: &str);

    /// Whether this is the template of a route of the API, `/api/doctors/{id}`.
    fn is_route(&self, route: &str) -> bool;

    /// The route of the page at a path, `/doctors/{slug}`.
    fn page_route(&self, path: &str) -> Option<Arc<str>>;
}

#[derive(Debug, Deserialize)]
pub(super) struct ReportedFailure {
    team: String,
    version: String,
    module: String,
    kind: String,
}

/// A failure as it is counted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    team: String,
    version: String,
    module: String,
    kind: &'static str,
}

/// Checks what a browser reported.
///
/// # Errors
/// 400 when there are too many, or naming a `kind` that nobody knows.
pub(super) fn read(
    reported: Vec<ReportedFailure>,
    published: &dyn Known,
) -> Result<Vec<Failure>, Problem> {
    if reported.len() > FAILURES_MAX {
        let message = format!("has more than {FAILURES_MAX} entries");
        return Err(Problem::invalid_field("failures", message));
    }
    let reported = reported.into_iter().enumerate();
    let failures = reported.map(|(n, failure)| {
        let kind = kind(&failure.kind)
            .ok_or_else(|| Problem::invalid_field(format!("failures[{n}].kind"), "is not valid"))?;
        Ok(failure.known(kind, published))
    });
    failures.collect()
}

impl ReportedFailure {
    fn known(self, kind: &'static str, published: &dyn Known) -> Failure {
        let unknown = || UNKNOWN.to_owned();
        let is_known = published.has(&self.team, &self.version, None);
        let has_module = is_known && published.has(&self.team, &self.version, Some(&self.module));
        let (team, version) = if is_known {
            (self.team, self.version)
        } else {
            (unknown(), unknown())
        };
        Failure {
            team,
            version,
            module: if has_module { self.module } else { unknown() },
            kind,
        }
    }
}

fn kind(text: &str) -> Option<&'static str> {
    ["load", "hydrate", "render", "script"]
        .into_iter()
        .find(|kind| *kind == text)
}

impl Failure {
    /// Counts it. Logs the first of a name and then each time the number has doubled: one broken version is shown to thousands.
    pub(super) fn record(self, metrics: &Metrics, published: &dyn Known) {
        let Self {
            team,
            version,
            module,
            kind,
        } = self;
        published.failed(&team, &version);
        let count = metrics.client_failure(&team, &version, &module, kind);
        if count.is_power_of_two() {
            tracing::warn!(
                team,
                version,
                module,
                kind,
                count,
                "page module failed in a browser"
            );
        }
    }
}

/// The body is neither spans nor failures.
pub(super) fn malformed() -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        "MALFORMED_REPORT",
        "The body is not a report of spans, failures or vitals.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Clinic;

    impl Known for Clinic {
        fn has(&self, team: &str, version: &str, module: Option<&str>) -> bool {
            team == "clinic" && version == "1.0.0" && module.is_none_or(|module| module == "book")
        }

        fn has_team(&self, _: &str) -> bool {
            false
        }

        fn failed(&self, _: &str, _: &str) {}

        fn is_route(&self, _: &str) -> bool {
            false
        }

        fn page_route(&self, _: &str) -> Option<Arc<str>> {
            None
        }
    }

    fn reported(team: &str, version: &str, module: &str, kind: &str) -> ReportedFailure {
        ReportedFailure {
            team: team.to_owned(),
            version: version.to_owned(),
            module: module.to_owned(),
            kind: kind.to_owned(),
        }
    }

    #[test]
    fn only_what_is_published_is_named() {
        for (team, version, module, expected) in [
            ("clinic", "1.0.0", "book", ["clinic", "1.0.0", "book"]),
            ("clinic", "1.0.0", "Asha", ["clinic", "1.0.0", UNKNOWN]),
            ("clinic", "9.9.9", "book", [UNKNOWN; 3]),
            ("Asha", "1.0.0", "book", [UNKNOWN; 3]),
        ] {
            let failures = read(vec![reported(team, version, module, "load")], &Clinic).unwrap();
            let Failure {
                team,
                version,
                module,
                ..
            } = &failures[0];
            assert_eq!([team, version, module], expected);
        }
    }

    #[test]
    fn too_many_and_unknown_kinds_are_refused() {
        let many = || (0..9).map(|_| reported("clinic", "1.0.0", "book", "load"));
        assert!(read(many().collect(), &Clinic).is_err());
        assert!(read(many().skip(1).collect(), &Clinic).is_ok());
        assert!(read(vec![reported("clinic", "1.0.0", "book", "Asha")], &Clinic).is_err());
    }
}
