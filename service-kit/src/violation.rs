//! One broken rule of an input, named by the field it is about.

use std::fmt::Display;

/// What is wrong with one field, in words for the person who typed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// JSON path of the field, for example `personalInfo.age`.
    pub field: String,
    /// What to do about it.
    pub description: String,
}

impl Violation {
    /// A violation of `field`.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
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

    /// Takes a parsed value, or adds the violation of `field`.
    pub fn take<T>(
        &mut self,
        field: impl Into<String>,
        parsed: Result<T, impl Display>,
    ) -> Option<T> {
        parsed
            .map_err(|problem| self.add(field, problem.to_string()))
            .ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The violations in the order in which they were added.
    pub fn into_vec(self) -> Vec<Violation> {
        self.0
    }

    /// The value made of the fields, unless there is a violation. Every `None` among the fields must have added one: a
    /// missing value without a violation is refused too, but cannot say why.
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
    fn everything_wrong_is_said_in_order() {
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
    fn a_whole_without_violation_passes() {
        assert_eq!(Violations::default().into_result(Some(1)), Ok(1));
        assert!(Violations::default().into_result(None::<u8>).is_err());
    }
}
