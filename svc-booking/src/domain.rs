//! The rules of booking. Pure: no clock, no randomness, no I/O; what is needed of them is passed in.
//!
//! Parsed types cannot hold an invalid value, and parsing reports every violation at once, each under
//! the JSON name of its field.

pub mod appointment;
pub mod availability;
pub mod calendar;
pub mod change;
pub mod departments;
pub mod resources;
pub mod seats;
pub mod status;

use service_kit::violation::Violation;

/// Collects what is wrong with a request, in the order of its fields.
#[derive(Debug, Default)]
pub(crate) struct Violations(Vec<Violation>);

impl Violations {
    pub(crate) fn add(&mut self, field: &str, description: impl Into<String>) {
        self.0.push(Violation {
            field: field.to_owned(),
            description: description.into(),
        });
    }

    /// Keeps a parsed value, or notes the violation and goes on with the next field.
    pub(crate) fn take<T>(&mut self, field: &str, parsed: Result<T, String>) -> Option<T> {
        parsed
            .map_err(|description| self.add(field, description))
            .ok()
    }

    pub(crate) fn into_vec(self) -> Vec<Violation> {
        self.0
    }
}

/// The slug rule of the services and specialties lists (specification, section 9): lower case, `&` as
/// ` and `, no parentheses, each run of other characters than letters and digits as one hyphen.
pub fn slug(name: &str) -> String {
    let spelled = name
        .to_lowercase()
        .replace('&', " and ")
        .replace(['(', ')'], "");
    spelled
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_follow_the_specification() {
        for (name, expected) in [
            ("General Medicine", "general-medicine"),
            ("ENT", "ent"),
            ("Obstetrics & Gynaecology", "obstetrics-and-gynaecology"),
            ("ICU (Intensive Care)", "icu-intensive-care"),
            ("  --  ", ""),
        ] {
            assert_eq!(slug(name), expected);
        }
    }
}
