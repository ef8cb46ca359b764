//! Violations of input rules, each named by its field.

use std::fmt::{self, Display, Formatter};

/// Problem of one field, worded for the person who typed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// JSON path of the field, for example `personalInfo.age`.
    pub field: String,
    /// Instruction for fixing it.
    pub description: String,
    /// Reason for programs, UPPER_SNAKE; empty if the field is specific enough.
    pub reason: &'static str,
}

/// Why a value is rejected: a reason for programs, and a message for the person who typed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rejection {
    /// UPPER_SNAKE.
    pub reason: &'static str,
    pub message: String,
}

impl Rejection {
    pub fn new(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
        }
    }
}

impl Display for Rejection {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Violation {
    /// Creates a violation of `field` without a reason.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
            reason: "",
        }
    }
}

/// Collects the violations of a request in the order of its fields, so that all are reported at once.
#[derive(Debug, Default)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Adds a violation of `field`.
    pub fn add(&mut self, field: impl Into<String>, description: impl Into<String>) {
        self.0.push(Violation::new(field, description));
    }

    /// Returns a parsed value, or adds the violation of `field` and returns `None`.
    pub fn take<T>(
        &mut self,
        field: impl Into<String>,
        parsed: Result<T, impl Display>,
    ) -> Option<T> {
        parsed
            .map_err(|problem| self.add(field, problem.to_string()))
            .ok()
    }

    /// As [`Self::take`], with the reason of the rejection.
    pub fn accept<T>(
        &mut self,
        field: impl Into<String>,
        parsed: Result<T, Rejection>,
    ) -> Option<T> {
        let Rejection { reason, message } = match parsed {
            Ok(value) => return Some(value),
            Err(rejection) => rejection,
        };
        self.0.push(Violation {
            reason,
            ..Violation::new(field, message)
        });
        None
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the violations in the order in which they were added.
    pub fn into_vec(self) -> Vec<Violation> {
        self.0
    }

    /// Returns `whole`, unless there is a violation. Every `None` among the fields must have added one. A missing value
    /// without a violation is refused too, but with an empty list.
    pub fn into_result<T>(self, whole: Option<T>) -> Result<T, Vec<Violation>> {
        match whole {
            Some(whole) if self.0.is_empty() => Ok(whole),
            _ => Err(self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_all_violations_in_order() {
        let mut violations = Violations::default();
        let one = violations.take("one", Err::<u8, _>("Enter one"));
        let two = violations.take("two", Ok::<_, &str>(2));
        violations.add("three", "Enter three");
        assert_eq!((one, two), (None, Some(2)));
        let found = violations.into_result(two).expect_err("violations");
        let expected = [
            Violation::new("one", "Enter one"),
            Violation::new("three", "Enter three"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_rejection_keeps_its_reason() {
        let mut violations = Violations::default();
        assert_eq!(violations.accept("one", Ok(1)), Some(1));
        let sunday = Rejection::new("SUNDAY", "Closed on Sundays");
        assert_eq!(violations.accept("date", Err::<u8, _>(sunday)), None);
        let found = violations.into_vec().remove(0);
        assert_eq!((found.field.as_str(), found.reason), ("date", "SUNDAY"));
        assert_eq!(found.description, "Closed on Sundays");
    }

    #[test]
    fn passes_a_value_without_violations() {
        assert_eq!(Violations::default().into_result(Some(1)), Ok(1));
        assert!(Violations::default().into_result(None::<u8>).is_err());
    }
}
