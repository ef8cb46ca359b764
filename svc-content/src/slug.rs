//! Slug rules of the specification, one named function each, as far as this service uses them.

/// The rule of the services and specialties lists: `&` becomes ` and `, brackets go, every run of other characters
/// becomes one hyphen.
pub fn specialty_list_slug(name: &str) -> String {
    hyphenate(
        &name
            .to_lowercase()
            .replace('&', " and ")
            .replace(['(', ')'], ""),
    )
}

/// The rule of the specialty pages: `&` becomes `and` without spaces.
pub fn specialty_detail_slug(name: &str) -> String {
    hyphenate(&name.to_lowercase().replace('&', "and"))
}

/// The key that labels of one meaning share. A slug that no alias is known for is its own key.
pub fn specialty_key(slug: &str) -> &str {
    match slug {
        "orthopaedics" => "orthopedics",
        // With and without the `&` of the label.
        "obstetrics-and-gynaecology"
        | "obstetrics-gynaecology"
        | "obstetrics-and-gynecology"
        | "obstetrics-gynecology"
        | "gynaecology" => "gynecology",
        "paediatrics" => "pediatrics",
        _ => slug,
    }
}

/// Runs of anything but ASCII letters and digits become one hyphen; none at the ends.
fn hyphenate(text: &str) -> String {
    let words: Vec<_> = text
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_of_labels() {
        for (name, list, detail) in [
            ("Cardiology", "cardiology", "cardiology"),
            ("General Medicine", "general-medicine", "general-medicine"),
            (
                "Obstetrics & Gynaecology",
                "obstetrics-and-gynaecology",
                "obstetrics-and-gynaecology",
            ),
            ("Skin&Hair", "skin-and-hair", "skinandhair"),
            (
                "ICU (Intensive Care)",
                "icu-intensive-care",
                "icu-intensive-care",
            ),
            ("X(ray)", "xray", "x-ray"),
            (
                "  Ear,  Nose / Throat. ",
                "ear-nose-throat",
                "ear-nose-throat",
            ),
            ("ಹೃದಯ", "", ""),
        ] {
            assert_eq!(specialty_list_slug(name), list, "{name}");
            assert_eq!(specialty_detail_slug(name), detail, "{name}");
        }
    }

    #[test]
    fn labels_of_one_meaning_share_a_key() {
        for (label, key) in [
            ("Orthopaedics", "orthopedics"),
            ("Orthopedics", "orthopedics"),
            ("Obstetrics & Gynaecology", "gynecology"),
            ("obstetrics-gynaecology", "gynecology"),
            ("Gynecology", "gynecology"),
            ("Paediatrics", "pediatrics"),
            ("Surgical Oncology", "surgical-oncology"),
            ("Medical Oncology", "medical-oncology"),
        ] {
            assert_eq!(specialty_key(&specialty_detail_slug(label)), key, "{label}");
        }
    }
}
