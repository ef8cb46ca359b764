use super::*;
use crate::domain::Content;

mod each;

/// Returns the error of loading the content with one file replaced.
fn refusal_of(file: &'static str, text: String) -> (usize, String, String) {
    let sources = Sources::embedded().with(file, text);
    match Content::load(&sources, None).expect_err("a refusal") {
        ContentError::Broken {
            file: named,
            line,
            field,
            problem,
        } => {
            assert_eq!(named, file, "{problem}");
            (line, field, problem)
        }
        other @ ContentError::Unreadable { .. } => panic!("{other}"),
    }
}

/// Returns the embedded text with one change, and the changed line's number.
fn changed(text: &str, from: &str, to: &str) -> (String, usize) {
    let at = text
        .find(from)
        .unwrap_or_else(|| panic!("{from} is missing"));
    (
        text.replacen(from, to, 1),
        text[..at].matches('\n').count() + 1,
    )
}

#[test]
fn errors_name_the_line_and_field_of_a_bad_value() {
    let sources = Sources::embedded();
    let doctors = sources.text(DOCTORS_FILE);
    for (from, to, field, problem) in [
        (
            r#"slug = "dr-meghana-kulkarni""#,
            r#"slug = "Dr Meghana""#,
            "doctor[2].slug",
            "lower case",
        ),
        (
            "consultation_fee_rupees = 600",
            "consultation_fee_rupees = 0",
            "doctor[0].consultation_fee_rupees",
            "between 1 and 100000",
        ),
        (
            "consultation_fee_rupees = 600",
            "consultation_fee_rupees = \"600\"",
            "doctor[0].consultation_fee_rupees",
            "invalid type",
        ),
        (
            "timings = \"9:00 AM - 1:00 PM\"",
            "timings = \"\"",
            "doctor[0].timings",
            "empty",
        ),
        (
            "timings = \"9:00 AM - 1:00 PM\"",
            "timing = \"9:00 AM - 1:00 PM\"",
            "doctor[0].timing",
            "unknown field",
        ),
        (
            "image = \"/images/doctors/dr-vasundhara-hegde.svg\"",
            "image = \"https://elsewhere/x.svg\"",
            "doctor[0].image",
            "/images/",
        ),
        (
            "listed = false",
            "listed = \"no\"",
            "doctor[15].listed",
            "invalid type",
        ),
    ] {
        let (text, line) = changed(doctors, from, to);
        let (found_line, found_field, found_problem) = refusal_of(DOCTORS_FILE, text);
        assert_eq!(
            (found_line, found_field.as_str()),
            (line, field),
            "{found_problem}"
        );
        assert!(found_problem.contains(problem), "{found_problem}");
    }
}

#[test]
fn errors_name_the_record_of_a_missing_field() {
    let (text, line) = changed(
        Sources::embedded().text(DOCTORS_FILE),
        "name = \"Dr. Meghana Kulkarni\"\n",
        "",
    );
    let (found, field, problem) = refusal_of(DOCTORS_FILE, text);
    assert_eq!(field, "doctor[2]");
    assert!(problem.contains("missing field `name`"), "{problem}");
    assert_eq!(found, line - 3, "the line where the record begins");
}

#[test]
fn errors_name_the_line_of_bad_toml() {
    let (text, line) = changed(
        Sources::embedded().text(SITE_FILE),
        "beds = 100",
        "beds = one hundred",
    );
    assert_eq!(refusal_of(SITE_FILE, text).0, line);
}

#[test]
fn ids_slugs_and_purposes_are_unique() {
    let sources = Sources::embedded();
    let (text, line) = changed(
        sources.text(DOCTORS_FILE),
        r#"id = "doc-02""#,
        r#"id = "doc-01""#,
    );
    assert_eq!(
        refusal_of(DOCTORS_FILE, text),
        (
            line,
            "doctor[1].id".to_owned(),
            "`doc-01` occurs twice".to_owned()
        )
    );
    let (text, line) = changed(
        sources.text(DEPARTMENTS_FILE),
        r#"id = "ent""#,
        r#"id = "cardiology""#,
    );
    assert_eq!(
        refusal_of(DEPARTMENTS_FILE, text),
        (
            line,
            "department[6].id".to_owned(),
            "`cardiology` occurs twice".to_owned()
        )
    );
    let (text, line) = changed(
        sources.text(SITE_FILE),
        r#"purpose = "ambulance""#,
        r#"purpose = "emergency""#,
    );
    assert_eq!(
        refusal_of(SITE_FILE, text),
        (
            line,
            "phone[1].purpose".to_owned(),
            "`emergency` occurs twice".to_owned()
        )
    );
    let (text, line) = changed(
        sources.text(SITE_FILE),
        r#"purpose = "ambulance""#,
        r#"purpose = "kitchen""#,
    );
    let (found, field, problem) = refusal_of(SITE_FILE, text);
    assert_eq!((found, field.as_str()), (line, "phone[1].purpose"));
    assert!(problem.contains("kitchen"), "{problem}");
}

#[test]
fn requires_every_purpose() {
    let (text, _) = changed(
        Sources::embedded().text(SITE_FILE),
        "[[hours]]\npurpose = \"visiting\"\nlabel = \"Visiting hours\"\nhours = \"10:00 AM to 8:00 PM\"\n\
         weekdays = [\"Mon\", \"Tue\", \"Wed\", \"Thu\", \"Fri\", \"Sat\", \"Sun\"]\nopens = \"10:00\"\ncloses = \"20:00\"\n",
        "",
    );
    let (_, field, problem) = refusal_of(SITE_FILE, text);
    assert_eq!(
        (field.as_str(), problem.as_str()),
        ("hours", "nothing has the purpose `visiting`")
    );
}

#[test]
fn an_event_has_either_a_date_or_a_rule() {
    let sources = Sources::embedded();
    let date = "date = \"2025-01-15\"\n";
    for (to, found) in [
        ("", "event[0].date"),
        (
            "date = \"2025-01-15\"\nrepeats = \"first Sat\"\n",
            "event[0].date",
        ),
        ("repeats = \"first Sat\"\n", "event[0].date"),
        ("since = \"2026-10\"\n", "event[0].date"),
        (
            "repeats = \"fifth Sat\"\nsince = \"2026-10\"\n",
            "event[0].repeats",
        ),
    ] {
        let (text, _) = changed(sources.text(EVENTS_FILE), date, to);
        assert_eq!(refusal_of(EVENTS_FILE, text).1, found);
    }
}

#[test]
fn an_event_cannot_take_an_address_of_a_series() {
    let text = Sources::embedded().text(EVENTS_FILE).to_owned();
    for (from, to, found) in [
        (
            "\"health-camp-2025\"",
            "\"first-aid-workshop-2026-12\"",
            "event[0].id",
        ),
        (
            "\"knee-pain-seminar\"",
            "\"knee-pain-seminar-2026-12\"",
            "event[6].id",
        ),
    ] {
        let (text, _) = changed(&text, from, to);
        assert_eq!(refusal_of(EVENTS_FILE, text).1, found);
    }
}

#[test]
fn a_post_has_either_content_or_sections() {
    let sources = Sources::embedded();
    let (text, _) = changed(
        sources.text(BLOGS_FILE),
        "tags = [\"diabetes\", \"food\"",
        "content = \"too much\"\ntags = [\"diabetes\", \"food\"",
    );
    let (_, field, problem) = refusal_of(BLOGS_FILE, text);
    assert_eq!(field, "blog[0].content");
    assert!(problem.contains("either"), "{problem}");
}

#[test]
fn requires_all_files_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = Sources::embedded();
    for (file, text) in sources.files() {
        let missing = Sources::read(folder.path()).expect_err("a refusal");
        assert!(
            matches!(missing, ContentError::Unreadable { .. }),
            "{missing}"
        );
        std::fs::write(folder.path().join(file), text).expect("a file");
    }
    let read = Sources::read(folder.path()).expect("all files");
    assert_eq!(read.files().count(), 17);
    assert_eq!(read.revision(), sources.revision());
    assert_eq!(read.revision().len(), 43);
    for (file, text) in sources.files() {
        let other = read.clone().with(file, format!("{text}\n"));
        assert_ne!(other.revision(), read.revision(), "{file}");
    }
}
