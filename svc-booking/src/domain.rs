//! The rules of booking. Pure: no clock, no randomness, no I/O; their values are passed in.
//!
//! Parsed types cannot hold an invalid value, and parsing reports every violation at once, each under
//! the JSON name of its field.

pub mod appointment;
pub mod availability;
pub mod calendar;
pub mod change;
pub mod closed;
pub mod code;
pub mod consultation;
pub mod contact;
pub mod departments;
pub mod desk;
pub mod hold;
pub mod leave_request;
pub mod proof;
pub mod retention;
pub mod roster;
pub mod seats;
pub mod status;
pub mod waitlist;

/// Returns the slug of a name by the rule of the services and specialties lists (specification, section 9). The slug is
/// lower case with `&` as ` and ` and without parentheses. Each run of characters other than letters and digits becomes
/// one hyphen.
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
