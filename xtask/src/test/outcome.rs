//! Outcome of a step, and its result line.

use std::time::Duration;

use super::totals::Totals;
use crate::shell;

/// Outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) totals: Totals,
    pub(crate) note: String,
}

impl Outcome {
    pub(crate) fn passed() -> Self {
        Self {
            totals: Totals::verdict(true),
            note: String::new(),
        }
    }

    pub(super) fn failed(note: impl Into<String>) -> Self {
        Self {
            totals: Totals::verdict(false),
            note: note.into(),
        }
    }

    /// Returns the outcome of a skipped step. It is counted separately in the last line, so it is not mistaken for a
    /// pass.
    pub(crate) fn skipped(why: &str) -> Self {
        let totals = Totals {
            skipped: 1,
            ..Totals::default()
        };
        println!("skipped: {why}");
        let note = why.to_owned();
        Self { totals, note }
    }

    /// Returns the outcome of a check that lists its findings: it has passed if there are none.
    pub(crate) fn clean_if_empty(found: &[String]) -> Self {
        if found.is_empty() {
            return Self::passed();
        }
        println!("{}", found.join("\n"));
        Self::failed("")
    }

    /// Formats the result line of a step, for people and for [`Self::in_line`].
    pub(super) fn line(&self, name: &str, elapsed: Duration) -> String {
        let time = shell::seconds(elapsed);
        format!("== {name}: {} in {time} {}", self.totals, self.note)
    }

    /// Parses the result line of a step from the output of a command that ran it.
    pub(super) fn in_line(output: &str, name: &str) -> Option<Self> {
        let start = format!("== {name}: ");
        let said = output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(&start))?;
        let (totals, timed) = said.split_once(" in ")?;
        let (_, note) = timed.split_once(" s ")?;
        Some(Self {
            totals: Totals::read(totals)?,
            note: note.to_owned(),
        })
    }

    pub(crate) fn with_totals(mut self, totals: Totals) -> Self {
        self.totals = totals;
        self
    }

    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.note = note;
        self
    }

    /// Adds a note to those that the outcome has.
    pub(crate) fn with_also(self, note: &str) -> Self {
        let all = match self.note.as_str() {
            "" => note.to_owned(),
            first => format!("{first}; {note}"),
        };
        self.with_note(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_result_line_of_a_step() {
        let outcome = Outcome::skipped("no network");
        let line = outcome.line("npm audit", Duration::from_millis(1_250));
        let output = format!("much in 3.0 s\n{line}\n1 skipped");
        assert_eq!(Outcome::in_line(&output, "npm audit"), Some(outcome));
        assert_eq!(Outcome::in_line(&output, "npm"), None);
        let failed = Outcome::failed("").line("clippy", Duration::ZERO);
        assert_eq!(
            Outcome::in_line(&failed, "clippy"),
            Some(Outcome::failed(""))
        );
    }

    #[test]
    fn a_skipped_step_is_counted_as_skipped_only() {
        let Totals {
            passed,
            failed,
            skipped,
        } = Outcome::skipped("no network").totals;
        assert_eq!((passed, failed, skipped), (0, 0, 1));
    }
}
