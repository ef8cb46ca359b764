//! Slug rules of the specification (section 9), one function each. The rules differ by kind, because the URLs do.
//!
//! Only ASCII letters are kept, so that slugs need no escaping in URLs.

/// Returns the slug for the lists of services and specialties. `&` becomes ` and `, parentheses are dropped, and every
/// run of other characters becomes one hyphen.
pub fn specialty_list_slug(name: &str) -> String {
    hyphenate(
        &name
            .to_lowercase()
            .replace('&', " and ")
            .replace(['(', ')'], ""),
    )
}

/// Returns the slug for specialty pages. `&` becomes `and` without spaces.
pub fn specialty_detail_slug(name: &str) -> String {
    hyphenate(&name.to_lowercase().replace('&', "and"))
}

/// Returns the slug of a blog title. Everything but letters, digits, spaces and hyphens is dropped; spaces and runs of
/// hyphens become one hyphen. Empty if there are no letters or digits, in which case the post has no slug.
pub fn blog_slug(title: &str) -> String {
    let kept: String = title
        .to_lowercase()
        .chars()
        .map(|character| {
            if character.is_whitespace() {
                '-'
            } else {
                character
            }
        })
        .filter(|character| is_letter_or_digit(*character) || *character == '-')
        .collect();
    if !kept.contains(is_letter_or_digit) {
        return String::new();
    }
    let mut slug = String::with_capacity(kept.len());
    for character in kept.chars() {
        if character != '-' || !slug.ends_with('-') {
            slug.push(character);
        }
    }
    slug
}

/// Returns the slug of a surgery. `&` becomes ` and `, dots are dropped, and runs of spaces, such as those around a
/// replaced `&`, become one hyphen.
pub fn surgery_slug(name: &str) -> String {
    let spaced = name.to_lowercase().replace('&', " and ").replace('.', "");
    spaced.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Returns the slug of a news item, from the meta title if set, otherwise from the title. Everything but letters,
/// digits and spaces is dropped; spaces become hyphens.
pub fn news_slug(meta_title: &str, title: &str) -> String {
    let name = if meta_title.is_empty() {
        title
    } else {
        meta_title
    };
    let kept: String = name
        .to_lowercase()
        .chars()
        .filter(|character| is_letter_or_digit(*character) || character.is_whitespace())
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join("-")
}

fn is_letter_or_digit(character: char) -> bool {
    character.is_ascii_alphanumeric()
}

/// Returns the key shared by synonymous labels. A slug without known synonyms is its own key.
pub fn specialty_key(slug: &str) -> &str {
    match slug {
        "orthopaedics" => "orthopedics",
        // With and without the label's `&`.
        "obstetrics-and-gynaecology"
        | "obstetrics-gynaecology"
        | "obstetrics-and-gynecology"
        | "obstetrics-gynecology"
        | "gynaecology" => "gynecology",
        "paediatrics" => "pediatrics",
        _ => slug,
    }
}

/// Replaces runs of anything but ASCII letters and digits by one hyphen; trims hyphens.
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
    fn makes_slugs_of_labels() {
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
    fn makes_slugs_of_blog_titles() {
        for (title, slug) in [
            (
                "How to measure blood pressure at home",
                "how-to-measure-blood-pressure-at-home",
            ),
            (
                "Your child's vaccines from birth to five",
                "your-childs-vaccines-from-birth-to-five",
            ),
            ("Heart & Lungs", "heart-lungs"),
            (
                "Type-2 diabetes - small  changes",
                "type-2-diabetes-small-changes",
            ),
            ("COVID-19: 10 facts!", "covid-19-10-facts"),
            ("Café, ಹೃದಯ and heart", "caf-and-heart"),
            ("- hyphens stay at the ends -", "-hyphens-stay-at-the-ends-"),
            ("line\tbreak", "line-break"),
            ("ಹೃದಯ", ""),
            ("— ! —", ""),
            ("", ""),
        ] {
            assert_eq!(blog_slug(title), slug, "{title}");
        }
    }

    #[test]
    fn makes_slugs_of_surgeries() {
        for (name, slug) in [
            ("Knee Replacement", "knee-replacement"),
            ("Ear, Nose & Throat Surgery", "ear,-nose-and-throat-surgery"),
            ("A&B", "a-and-b"),
            ("Dr. X. Repair", "dr-x-repair"),
            ("Piles (Haemorrhoid) Surgery", "piles-(haemorrhoid)-surgery"),
        ] {
            assert_eq!(surgery_slug(name), slug, "{name}");
        }
    }

    #[test]
    fn makes_slugs_of_news() {
        for (meta_title, title, slug) in [
            (
                "NABH accreditation renewed",
                "Another title",
                "nabh-accreditation-renewed",
            ),
            (
                "",
                "Emergency X-ray reports: within the hour",
                "emergency-xray-reports-within-the-hour",
            ),
            ("1,200 children", "", "1200-children"),
            ("Heart & Lungs - again", "", "heart-lungs-again"),
            ("", "ಸುದ್ದಿ", ""),
        ] {
            assert_eq!(news_slug(meta_title, title), slug, "{title}");
        }
    }

    #[test]
    fn spellings_of_a_label_share_a_key() {
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
