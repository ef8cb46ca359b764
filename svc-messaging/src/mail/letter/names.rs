//! Names of clinics and places that the booking service sends in English. Names of departments, doctors and events come
//! translated from the content service: [`Site::names`].

use super::language::{Key, Words, key};
use crate::site::Site;

/// Clinics and places of `svc-booking/config/resources.toml`. Any other name is shown as it is.
const NAMES: [Key; 15] = [
    key!("Outpatient block, ground floor"),
    key!("Outpatient block, second floor"),
    key!("Outpatient block, first floor"),
    key!("Outpatient block, third floor"),
    key!("General medicine clinic, duty physicians"),
    key!("Cardiology clinic, ECG and follow-up"),
    key!("Orthopaedic clinic, fractures and plaster"),
    key!("Women’s clinic, visiting consultant"),
    key!("Paediatric clinic, visiting consultant"),
    key!("Paediatric evening clinic, visiting consultant"),
    key!("Skin clinic, visiting consultant"),
    key!("ENT clinic, visiting consultant"),
    key!("Eye clinic, vision tests"),
    key!("Urology clinic, visiting consultant"),
    key!("Counselling clinic, visiting psychologist"),
];

impl Words {
    /// Returns a name in the language; an unknown name unchanged.
    pub(super) fn name<'a>(self, site: &'a Site, english: &'a str) -> &'a str {
        let known = || NAMES.into_iter().find(|Key(name)| *name == english);
        let translation = site.names.get(english).map(String::as_str);
        translation
            .or_else(|| known().map(|name| self.text(name)))
            .unwrap_or(english)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use service_kit::language::Language;

    use super::*;

    #[test]
    fn knows_the_clinics_and_places_of_the_booking_service() {
        let file = "../svc-booking/config/resources.toml";
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(file).expect("the file");
        let values = text.lines().filter_map(|line| {
            let (field, value) = line.split_once(" = \"")?;
            let value = value.strip_suffix('"')?;
            let is_clinic = field == "name" && value.contains("clinic");
            (is_clinic || field == "place").then_some(value)
        });
        let site = Site::default();
        let mut count = 0;
        for value in values {
            count += 1;
            for language in Language::ALL {
                assert_ne!(Words(Some(language)).name(&site, value), value);
            }
            assert_eq!(Words(None).name(&site, value), value);
        }
        assert!(count >= NAMES.len());
        let words = Words(Some(Language::Hindi));
        assert_eq!(words.name(&site, "Hall"), "Hall");
    }
}
