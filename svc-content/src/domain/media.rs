//! Description of a picture, which staff change.

use service_kit::input::{Line, Violation, Violations, optional};

/// Maximum length of an alternative text, in characters.
pub const ALT_CHARS_MAX: usize = 300;
/// Focal point of a picture that has none, in percent: its centre.
pub const CENTRE: i32 = 50;
const ALT_MISSING: &str = "Describe what the picture shows, or mark it as decorative";
const ALT_UNUSED: &str = "Leave this empty for a decorative picture";

/// A description as it was sent.
#[derive(Debug, Clone, Default)]
pub struct DescriptionForm {
    pub alt: String,
    pub decorative: bool,
    pub focal_x: Option<i32>,
    pub focal_y: Option<i32>,
}

/// Valid description of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    pub alt: String,
    pub decorative: bool,
    pub focal_x: i32,
    pub focal_y: i32,
}

impl Description {
    /// Validates a description, and returns all violations by their field paths.
    pub fn parse(form: &DescriptionForm) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let alt = optional(Line::parse(&form.alt, ALT_CHARS_MAX));
        let alt = violations.take("alt", alt);
        match (&alt, form.decorative) {
            (Some(None), false) => violations.add("alt", ALT_MISSING),
            (Some(Some(_)), true) => violations.add("alt", ALT_UNUSED),
            _ => {}
        }
        let mut percent = |name, value: Option<i32>| {
            let value = value.unwrap_or(CENTRE);
            if !(0..=100).contains(&value) {
                violations.add(name, "Send a number from 0 to 100");
            }
            value
        };
        let (focal_x, focal_y) = (
            percent("focalX", form.focal_x),
            percent("focalY", form.focal_y),
        );
        let violations = violations.into_vec();
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self {
            alt: alt
                .flatten()
                .map_or_else(String::new, |alt| alt.as_str().to_owned()),
            decorative: form.decorative,
            focal_x,
            focal_y,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(form: &DescriptionForm) -> Vec<String> {
        let violations = Description::parse(form).expect_err("refused");
        violations
            .into_iter()
            .map(|violation| violation.field)
            .collect()
    }

    #[test]
    fn requires_a_text_or_the_mark() {
        let described = DescriptionForm {
            alt: " A heart ".to_owned(),
            ..DescriptionForm::default()
        };
        let description = Description::parse(&described).expect("valid");
        assert_eq!(
            (description.alt.as_str(), description.focal_x),
            ("A heart", CENTRE)
        );
        let decorative = DescriptionForm {
            decorative: true,
            ..DescriptionForm::default()
        };
        assert!(Description::parse(&decorative).is_ok());
        assert_eq!(fields(&DescriptionForm::default()), ["alt"]);
        assert_eq!(
            fields(&DescriptionForm {
                decorative: true,
                ..described.clone()
            }),
            ["alt"]
        );
        assert_eq!(
            fields(&DescriptionForm {
                alt: "a".repeat(ALT_CHARS_MAX + 1),
                focal_x: Some(-1),
                focal_y: Some(101),
                ..DescriptionForm::default()
            }),
            ["alt", "focalX", "focalY"]
        );
        assert_eq!(
            fields(&DescriptionForm {
                alt: "a\nb".to_owned(),
                ..DescriptionForm::default()
            }),
            ["alt"]
        );
        let longest = DescriptionForm {
            alt: "ಹೃ".repeat(ALT_CHARS_MAX / 2),
            ..DescriptionForm::default()
        };
        assert!(Description::parse(&longest).is_ok());
    }
}
