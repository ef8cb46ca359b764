//! What is wrong now: the conditions of the alerts that a single process can decide from its newest minute of metrics.

use std::cmp::Reverse;
use std::time::Duration;

use crate::exposition::{Sample, increases};
use crate::figures::{RPCS, Sum};
use crate::history::Step;
use crate::modules::{Change, Kind};

/// Time in which failed requests and changes of page modules count.
pub const RECENT: Duration = Duration::from_mins(5);
/// Share of failed requests that uses up the budget of 0.1 % in 30 days within two days, as in the alerts.
const ERROR_SHARE_MAX: f64 = 14.4 * 0.001;
/// As in the alert on failing RPCs.
const RPC_ERROR_SHARE_MAX: f64 = 0.05;
/// Fewer failed requests prove nothing.
const ERRORS_MIN: f64 = 3.0;

/// How bad a problem is; the worst comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Notice,
    Warning,
    Broken,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    /// Process or team.
    pub place: String,
    pub words: String,
    pub runbook: &'static str,
}

#[derive(Clone, Copy)]
enum Condition {
    /// The value is at least this.
    AtLeast(f64),
    /// The value is below this.
    Below(f64),
    /// The counter grew in the newest minute.
    Grew,
}
use Condition::{AtLeast, Below, Grew};
use Severity::{Broken, Notice, Warning};

/// Values of a label that a rule counts or leaves out.
#[derive(Clone, Copy)]
struct Labels {
    name: &'static str,
    values: &'static [&'static str],
    are_counted: bool,
}

#[derive(Clone, Copy)]
struct Rule {
    metric: &'static str,
    labels: Option<Labels>,
    condition: Condition,
    severity: Severity,
    runbook: &'static str,
    /// `{n}` is the value, `{min}` and `{h}` a value in seconds, `{state}` a breaker's state, other names are labels.
    words: &'static str,
}

/// Limits of one network, which harm nobody else.
const OF_NETWORK: &[&str] = &["network", "network_bodies", "person_streams"];
const CREATES: &[&str] = &[
    "creates_ipv4_32",
    "creates_ipv4_24",
    "creates_ipv6_64",
    "creates_ipv6_56",
    "creates_ipv6_48",
];

#[rustfmt::skip]
const RULES: [Rule; 24] = [
    rule("process_ready", Below(1.0), Broken, "NotReady", "not ready for traffic"),
    rule("upstream_breaker_state", AtLeast(1.0), Broken, "BreakerOpen", "breaker to {upstream} is {state}"),
    rule("outbox_dead", AtLeast(1.0), Broken, "OutboxDead", "messages given up by the outbox: {n}"),
    rule("outbox_oldest_age_seconds", AtLeast(600.0), Warning, "OutboxLate", "a due message waits in the outbox for {min} min")
        .without("lane", &["bulk"]),
    rule("bookings_total", Grew, Broken, "BookingBudgetBurnsFast", "bookings failed in the last minute: {n}")
        .only("outcome", &["failed"]),
    rule("mails_total", Grew, Warning, "MailFails", "mails failed in the last minute: {n}")
        .only("outcome", &["failed", "expired"]),
    rule("mail_refused_total", Grew, Warning, "MailRefused", "mails refused by the mail server ({reason}): {n}")
        .without("reason", &["recipient", "mailbox", "deferred"]),
    rule("mails_postponed", AtLeast(11.0), Warning, "MailsPostponed", "notices to patients postponed: {n}")
        .only("cause", &["patient"]),
    rule("quarantine_oldest_age_seconds", AtLeast(43_200.0), Warning, "QuarantineWaits", "a message waits in quarantine for {h} h"),
    rule("render_failures_total", Grew, Broken, "RenderFailing", "renders of {module} {version} failed: {n}"),
    rule("browser_module_failures_total", Grew, Warning, "RemoteFailing", "failures of {module} {version} in browsers: {n}"),
    rule("emergency_page_built_in", AtLeast(1.0), Broken, "EmergencyPageBuiltIn", "/emergency is the built-in page"),
    rule("http_server_shed_total", Grew, Broken, "GatewaySheds", "requests shed for lack of room ({limit}): {n}")
        .without("limit", OF_NETWORK),
    rule("http_server_shed_total", Grew, Notice, "NetworkShed", "requests shed of a network with too many at once: {n}")
        .only("limit", OF_NETWORK),
    rule("upstream_refused_total", Grew, Broken, "BulkheadFull", "calls to {upstream} refused, too many at once: {n}")
        .only("reason", &["bulkhead"]),
    rule("upstream_retry_budget_exhausted_total", Grew, Warning, "RetryBudgetExhausted", "calls to {upstream} not retried, too many retries: {n}"),
    rule("rate_limit_exhausted_keys", AtLeast(1.0), Warning, "CreatesUnderAttack", "networks that used up {limit}: {n}")
        .only("limit", CREATES),
    rule("http_server_rate_limited_total", Grew, Notice, "", "requests refused by the limiter ({class} per {limit}): {n}"),
    rule("booking_bursts", AtLeast(1.0), Warning, "BookingBurst", "networks with ten bookings in ten minutes: {n}"),
    rule("db_client_operation_duration_seconds_count", Grew, Broken, "DatabaseFails", "database calls failed ({error_type}): {n}")
        .without("error_type", &["", "conflict", "cancelled"]),
    rule("day_lists_total", Grew, Warning, "DayListFails", "a day list is out of date").only("outcome", &["failed"]),
    rule("access_codes_total", Grew, Notice, "CodesGuessed", "wrong codes entered: {n}").only("outcome", &["wrong", "refused"]),
    rule("process_spans_total", Grew, Notice, "SpansLost", "spans lost, so traces are incomplete: {n}")
        .only("outcome", &["failed", "dropped"]),
    rule("log_lines_dropped_total", Grew, Notice, "LogLinesDropped", "log lines dropped: {n}"),
];

const fn rule(
    metric: &'static str,
    condition: Condition,
    severity: Severity,
    runbook: &'static str,
    words: &'static str,
) -> Rule {
    Rule {
        metric,
        labels: None,
        condition,
        severity,
        runbook,
        words,
    }
}

impl Rule {
    const fn only(self, name: &'static str, values: &'static [&'static str]) -> Self {
        self.with(name, values, true)
    }

    const fn without(self, name: &'static str, values: &'static [&'static str]) -> Self {
        self.with(name, values, false)
    }

    const fn with(
        mut self,
        name: &'static str,
        values: &'static [&'static str],
        are_counted: bool,
    ) -> Self {
        self.labels = Some(Labels {
            name,
            values,
            are_counted,
        });
        self
    }

    fn counts(&self, sample: &Sample) -> bool {
        let is_counted = |labels: Labels| {
            labels.values.contains(&sample.label(labels.name)) == labels.are_counted
        };
        sample.name == self.metric && self.labels.is_none_or(is_counted)
    }

    /// Returns the value that breaks the rule.
    fn broken_by(&self, sample: &Sample, added: f64) -> Option<f64> {
        match self.condition {
            AtLeast(least) => Some(sample.value).filter(|value| *value >= least),
            Below(least) => Some(sample.value).filter(|value| *value < least),
            Grew => Some(added).filter(|added| *added >= 1.0),
        }
    }

    fn words(&self, sample: &Sample, value: f64) -> String {
        let figures = [
            ("{n}", value),
            ("{min}", value / 60.0),
            ("{h}", value / 3_600.0),
        ];
        let mut words = self.words.replace("{state}", breaker(value));
        for (place, figure) in figures {
            words = words.replace(place, &format!("{figure:.0}"));
        }
        for (name, label) in &sample.labels {
            words = words.replace(&format!("{{{name}}}"), label);
        }
        words
    }
}

/// Whether samples of this name are kept.
pub fn is_wanted(name: &str) -> bool {
    RULES.iter().any(|rule| rule.metric == name)
}

/// Returns the state of a circuit breaker in words.
pub fn breaker(state: f64) -> &'static str {
    match state {
        0.0 => "closed",
        2.0 => "on trial",
        _ => "open",
    }
}

/// Returns the problems of a process from its newest minute of samples.
pub fn of_samples(place: &str, oldest: &[Sample], newest: &[Sample]) -> Vec<Problem> {
    let broken = |(sample, added): (&Sample, f64)| -> Vec<Problem> {
        let rules = RULES.iter().filter(|rule| rule.counts(sample));
        let problem = |rule: &Rule| {
            let value = rule.broken_by(sample, added)?;
            Some(Problem {
                severity: rule.severity,
                place: place.to_owned(),
                words: rule.words(sample, value),
                runbook: rule.runbook,
            })
        };
        rules.filter_map(problem).collect()
    };
    increases(oldest, newest).flat_map(broken).collect()
}

/// Returns the surfaces of a process that fail too often.
pub fn of_errors(place: &str, recent: &Step) -> Vec<Problem> {
    let fails = |(surface, sum): (&&str, &Sum)| {
        let (share_max, runbook) = if *surface == RPCS {
            (RPC_ERROR_SHARE_MAX, "ServiceFailing")
        } else {
            (ERROR_SHARE_MAX, "ReadBudgetBurnsFast")
        };
        let share = sum
            .error_share()
            .filter(|share| *share > share_max && sum.errors >= ERRORS_MIN)?;
        Some(Problem {
            severity: Broken,
            place: place.to_owned(),
            words: format!(
                "{:.1} % of {surface} failed in the last {} min",
                share * 100.0,
                RECENT.as_secs() / 60
            ),
            runbook,
        })
    };
    recent.surfaces.iter().filter_map(fails).collect()
}

/// Returns a refused or rolled back version as a problem.
pub fn of_change(change: &Change) -> Option<Problem> {
    let runbook = match change.kind {
        Kind::RolledBack => "RolledBackByItself",
        Kind::Refused => "PublishRefused",
        Kind::Released | Kind::CanaryBegan | Kind::CanaryEnded => return None,
    };
    Some(Problem {
        severity: Warning,
        place: change.team.clone(),
        words: change.words(),
        runbook,
    })
}

/// Sorts the problems, the worst first, and merges equal ones.
pub fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|one, other| {
        let key = |problem: &Problem| {
            (
                Reverse(problem.severity),
                problem.place.clone(),
                problem.words.clone(),
            )
        };
        key(one).cmp(&key(other))
    });
    problems.dedup();
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposition::read;
    use crate::runbooks;

    fn found(before: &str, after: &str) -> Vec<(Severity, String, &'static str)> {
        let parse = |text: &str| read(text, 100, is_wanted).unwrap();
        let problems = of_samples("x", &parse(before), &parse(after));
        sorted(problems)
            .into_iter()
            .map(|p| (p.severity, p.words, p.runbook))
            .collect()
    }

    #[test]
    fn finds_what_is_wrong_and_nothing_else() {
        let fine = "process_ready 1\nupstream_breaker_state{upstream=\"b\"} 0\noutbox_dead 0\n\
                    bookings_total{outcome=\"failed\"} 3\nrate_limit_exhausted_keys{limit=\"visitor\"} 2\n\
                    outbox_oldest_age_seconds{lane=\"bulk\"} 9000\n";
        assert_eq!(found(fine, fine), []);
        let bad = "process_ready 0\nupstream_breaker_state{upstream=\"b\"} 2\noutbox_dead 5\n\
                   bookings_total{outcome=\"failed\"} 4\nhttp_server_rate_limited_total{class=\"read\",limit=\"visitor\"} 7\n";
        let expected = [
            (
                Broken,
                "bookings failed in the last minute: 1",
                "BookingBudgetBurnsFast",
            ),
            (Broken, "breaker to b is on trial", "BreakerOpen"),
            (Broken, "messages given up by the outbox: 5", "OutboxDead"),
            (Broken, "not ready for traffic", "NotReady"),
            (
                Notice,
                "requests refused by the limiter (read per visitor): 7",
                "",
            ),
        ];
        let expected: Vec<_> = expected
            .map(|(severity, words, book)| (severity, words.to_owned(), book))
            .into();
        assert_eq!(found(fine, bad), expected);
    }

    #[test]
    fn failed_requests_count_by_share_and_number() {
        let step = |surface, requests, errors| {
            let sum = Sum {
                requests,
                errors,
                ..Sum::default()
            };
            Step {
                surfaces: [(surface, sum)].into(),
                ..Step::default()
            }
        };
        assert_eq!(
            of_errors("x", &step("API", 10.0, 2.0)),
            [],
            "two failures prove nothing"
        );
        assert_eq!(of_errors("x", &step("API", 1_000.0, 14.0)), []);
        assert_eq!(of_errors("x", &step("RPCs", 100.0, 5.0)), []);
        assert_eq!(
            of_errors("x", &step("API", 100.0, 3.0))[0].words,
            "3.0 % of API failed in the last 5 min"
        );
        assert_eq!(
            of_errors("x", &step("RPCs", 10.0, 3.0))[0].runbook,
            "ServiceFailing"
        );
    }

    #[test]
    fn every_named_runbook_exists() {
        let books = RULES
            .iter()
            .map(|rule| rule.runbook)
            .filter(|book| !book.is_empty());
        let others = [
            "ServiceDown",
            "ServiceFailing",
            "ReadBudgetBurnsFast",
            "RolledBackByItself",
            "PublishRefused",
        ];
        for book in books.chain(others) {
            assert!(runbooks::text(book).is_some(), "{book}");
        }
    }
}
