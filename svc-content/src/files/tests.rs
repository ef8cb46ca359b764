use super::*;

/// File, line, field and problem of what `text` is refused for.
fn refusal<T: std::fmt::Debug>(parsed: Result<T, ContentError>) -> (usize, String, String) {
    match parsed.expect_err("a refusal") {
        ContentError::Broken {
            line,
            field,
            problem,
            ..
        } => (line, field, problem),
        other @ ContentError::Unreadable { .. } => panic!("{other}"),
    }
}

/// The embedded text with one change, and the line of that change.
fn changed(text: &str, from: &str, to: &str) -> (String, usize) {
    let at = text
        .find(from)
        .unwrap_or_else(|| panic!("{from} is not there"));
    (
        text.replacen(from, to, 1),
        text[..at].matches('\n').count() + 1,
    )
}

#[test]
fn a_broken_value_is_named_with_line_and_field() {
    let doctors = Sources::embedded().doctors;
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
        let (text, line) = changed(&doctors, from, to);
        let (found_line, found_field, found_problem) = refusal(parse_doctors(&text));
        assert_eq!(
            (found_line, found_field.as_str()),
            (line, field),
            "{found_problem}"
        );
        assert!(found_problem.contains(problem), "{found_problem}");
    }
}

#[test]
fn a_missing_field_is_named_with_its_record() {
    let (text, line) = changed(
        &Sources::embedded().doctors,
        "name = \"Dr. Meghana Kulkarni\"\n",
        "",
    );
    let (found, field, problem) = refusal(parse_doctors(&text));
    assert_eq!(field, "doctor[2]");
    assert!(problem.contains("missing field `name`"), "{problem}");
    assert_eq!(found, line - 3, "the line where the record begins");
}

#[test]
fn what_is_no_toml_is_named_with_its_line() {
    let (text, line) = changed(
        &Sources::embedded().site,
        "beds = 100",
        "beds = one hundred",
    );
    assert_eq!(refusal(parse_site(&text)).0, line);
}

#[test]
fn ids_slugs_and_purposes_are_there_once() {
    let sources = Sources::embedded();
    let (text, line) = changed(&sources.doctors, r#"id = "doc-02""#, r#"id = "doc-01""#);
    assert_eq!(
        refusal(parse_doctors(&text)),
        (
            line,
            "doctor[1].id".to_owned(),
            "`doc-01` is there twice".to_owned()
        )
    );
    let (text, line) = changed(
        &sources.departments,
        r#"id = "ent""#,
        r#"id = "cardiology""#,
    );
    assert_eq!(
        refusal(parse_departments(&text)),
        (
            line,
            "department[6].id".to_owned(),
            "`cardiology` is there twice".to_owned()
        )
    );
    let (text, line) = changed(
        &sources.site,
        r#"purpose = "ambulance""#,
        r#"purpose = "emergency""#,
    );
    assert_eq!(
        refusal(parse_site(&text)),
        (
            line,
            "phone[1].purpose".to_owned(),
            "`emergency` is there twice".to_owned()
        )
    );
    let (text, line) = changed(
        &sources.site,
        r#"purpose = "ambulance""#,
        r#"purpose = "kitchen""#,
    );
    let (found, field, problem) = refusal(parse_site(&text));
    assert_eq!((found, field.as_str()), (line, "phone[1].purpose"));
    assert!(problem.contains("kitchen"), "{problem}");
}

#[test]
fn every_purpose_must_be_there() {
    let (text, _) = changed(
        &Sources::embedded().site,
        "[[hours]]\npurpose = \"visiting\"\nlabel = \"Visiting hours\"\nhours = \"10:00 AM to 8:00 PM\"\n",
        "",
    );
    let (_, field, problem) = refusal(parse_site(&text));
    assert_eq!(
        (field.as_str(), problem.as_str()),
        ("hours", "none with purpose `visiting`")
    );
}

#[test]
fn a_folder_must_have_all_three_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = Sources::embedded();
    std::fs::write(folder.path().join(SITE_FILE), &sources.site).expect("a file");
    std::fs::write(folder.path().join(DOCTORS_FILE), &sources.doctors).expect("a file");
    let missing = Sources::read(folder.path())
        .expect_err("a refusal")
        .to_string();
    assert!(missing.ends_with(DEPARTMENTS_FILE), "{missing}");
    std::fs::write(folder.path().join(DEPARTMENTS_FILE), &sources.departments).expect("a file");
    let read = Sources::read(folder.path()).expect("three files");
    assert_eq!(read.revision(), sources.revision());
    assert_eq!(read.revision().len(), 64);
    let (changed, _) = changed(&sources.site, "beds = 100", "beds = 101");
    assert_ne!(
        Sources {
            site: changed,
            ..sources
        }
        .revision(),
        read.revision()
    );
}
