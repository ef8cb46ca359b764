//! Page module failures in browsers, counted and logged under the team that can fix them.
//!
//! Anybody can post a report, so it counts only with the token of a document that this site sent to the reporter's
//! network. It may name only modules of versions in that document. Repeated failures are logged only when their count
//! is a power of two.

use std::sync::Arc;

use axum::http::StatusCode;
use gateway_http::{metrics::Metrics, problem::Problem};
use serde::Deserialize;

/// Maximum failures in one report.
const FAILURES_MAX: usize = 8;
/// Label for an unpublished route or team in a report of vitals.
pub(super) const UNKNOWN: &str = "unknown";

/// Published modules and routes, to which reports are restricted.
pub(crate) trait Published {
    /// Returns whether a version of a team has this page module or script.
    fn has(&self, team: &str, version: &str, module: &str) -> bool;

    /// Returns whether modules of this team are published.
    fn has_team(&self, team: &str) -> bool;

    /// Checks a report that these versions (team, version) failed, and returns for each whether it counts. `None`
    /// unless the token belongs to a document that contains all of them and was sent to the reporter's network.
    fn take_report(&self, token: &str, versions: &[(&str, &str)]) -> Option<Vec<bool>>;

    /// Returns whether this is the template of an API route, such as `/api/doctors/{id}`.
    fn is_route(&self, route: &str) -> bool;

    /// Returns the route of the page at a path, such as `/doctors/{slug}`.
    fn page_route(&self, path: &str) -> Option<Arc<str>>;
}

#[derive(Debug, Deserialize)]
pub(super) struct ReportedFailure {
    team: String,
    version: String,
    module: String,
    kind: String,
}

/// A validated failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    team: String,
    version: String,
    module: String,
    kind: &'static str,
}

/// Validates the failures of a report.
///
/// # Errors
/// 400 when there are too many, or when a kind, version or module is unknown.
pub(super) fn read(
    reported: Vec<ReportedFailure>,
    published: &dyn Published,
) -> Result<Vec<Failure>, Problem> {
    if reported.len() > FAILURES_MAX {
        let message = format!("has more than {FAILURES_MAX} entries");
        return Err(Problem::invalid_field("failures", message));
    }
    let reported = reported.into_iter().enumerate();
    let failures = reported.map(|(n, failure)| {
        let invalid =
            |field| Problem::invalid_field(format!("failures[{n}].{field}"), "is not valid");
        let kind = kind(&failure.kind).ok_or_else(|| invalid("kind"))?;
        let ReportedFailure {
            team,
            version,
            module,
            ..
        } = failure;
        if !published.has(&team, &version, &module) {
            return Err(invalid("module"));
        }
        Ok(Failure {
            team,
            version,
            module,
            kind,
        })
    });
    failures.collect()
}

fn kind(text: &str) -> Option<&'static str> {
    ["load", "hydrate", "render", "script"]
        .into_iter()
        .find(|kind| *kind == text)
}

/// Counts those of `failures` that are the first of their version in this document.
///
/// # Errors
/// 403 when the token does not belong to a document that contains all of these versions.
pub(super) fn record(
    failures: &[Failure],
    token: &str,
    metrics: &Metrics,
    published: &dyn Published,
) -> Result<(), Problem> {
    let mut versions: Vec<(&str, &str)> = Vec::new();
    for Failure { team, version, .. } in failures {
        if !versions.contains(&(team, version)) {
            versions.push((team, version));
        }
    }
    if versions.is_empty() {
        return Ok(());
    }
    let counts = published.take_report(token, &versions);
    let counts = counts.ok_or_else(not_trusted)?;
    for ((team, version), _) in versions.iter().zip(counts).filter(|(_, counts)| *counts) {
        let own = failures.iter();
        let own = own.filter(|failure| failure.team == *team && failure.version == *version);
        for failure in own {
            failure.count(metrics);
        }
    }
    Ok(())
}

impl Failure {
    /// Counts the failure. Logs only when the count is a power of two, because thousands of visitors may see one broken
    /// version.
    fn count(&self, metrics: &Metrics) {
        let Self {
            team,
            version,
            module,
            kind,
        } = self;
        let count = metrics.client_failure(team, version, module, kind);
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

/// The token does not prove that such a document was sent to the reporter's network.
fn not_trusted() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "REPORT_NOT_TRUSTED",
        "Failures are taken with the token of a document of this site, for an hour.",
    )
}

/// The body contains neither spans, failures nor vitals.
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

    impl Published for Clinic {
        fn has(&self, team: &str, version: &str, module: &str) -> bool {
            [team, version, module] == ["clinic", "1.0.0", "book"]
        }

        fn has_team(&self, _: &str) -> bool {
            false
        }

        fn take_report(&self, token: &str, versions: &[(&str, &str)]) -> Option<Vec<bool>> {
            (token == "good").then(|| vec![true; versions.len()])
        }

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
    fn g4_refuses_failures_of_unpublished_versions() {
        for (team, version, module) in [
            ("clinic", "1.0.0", "Asha"),
            ("clinic", "9.9.9", "book"),
            ("Asha", "1.0.0", "book"),
            ("unknown", "unknown", "unknown"),
        ] {
            let refused = read(vec![reported(team, version, module, "load")], &Clinic);
            assert!(refused.is_err(), "{team} {version} {module}");
        }
    }

    #[test]
    fn refuses_too_many_failures_and_unknown_kinds() {
        let many = || (0..9).map(|_| reported("clinic", "1.0.0", "book", "load"));
        assert!(read(many().collect(), &Clinic).is_err());
        assert!(read(many().skip(1).collect(), &Clinic).is_ok());
        assert!(read(vec![reported("clinic", "1.0.0", "book", "Asha")], &Clinic).is_err());
    }

    #[test]
    fn g4_counts_nothing_without_a_token() {
        let failures = read(vec![reported("clinic", "1.0.0", "book", "load")], &Clinic).unwrap();
        let metrics = Metrics::global();
        assert!(record(&failures, "bad", metrics, &Clinic).is_err());
        assert!(record(&failures, "good", metrics, &Clinic).is_ok());
        assert!(
            record(&[], "", metrics, &Clinic).is_ok(),
            "nothing to count"
        );
    }
}
