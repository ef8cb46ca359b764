//! Tests of the assembly: records and files are the same content.

use serde_json::json;

use super::*;

fn records() -> Vec<Live> {
    of_sources(&Sources::embedded()).expect("the embedded files")
}

fn find<'a>(records: &'a mut [Live], kind: &str, id: &str) -> &'a mut Live {
    let mut all = records.iter_mut();
    all.find(|record| record.kind.name == kind && record.id == id)
        .expect("a record of the files")
}

#[test]
fn the_records_of_the_files_are_the_content_of_the_files() {
    let files = Sources::embedded();
    let from_files = Content::load(&files, None).expect("the files");
    let mut from_records = load(&files, &records(), None).expect("the records");
    from_records.sources = files;
    // Maps are printed in any order.
    let shown = |content: &Content| {
        let text = format!("{content:?}").replace(&content.revision, "");
        let mut words: Vec<String> = text
            .split(|letter: char| !letter.is_alphanumeric())
            .map(str::to_owned)
            .collect();
        words.sort_unstable();
        words
    };
    assert!(
        shown(&from_records) == shown(&from_files),
        "the contents differ"
    );
}

#[test]
fn every_kind_occurs_in_the_files_and_every_id_once() {
    let records = records();
    let mut names = std::collections::HashSet::new();
    for kind in KINDS.iter().filter(|kind| !kind.is_post()) {
        assert!(
            records.iter().any(|record| record.kind == kind),
            "{}",
            kind.name
        );
    }
    for record in &records {
        assert!(names.insert((record.kind.name, &record.id)), "{record:?}");
        assert_eq!(id_of(record.kind, &record.body).as_ref(), Ok(&record.id));
        assert!(!record.kind.title_of(&record.body).is_empty());
    }
}

#[test]
fn names_the_record_and_the_field_of_a_problem() {
    let mut records = records();
    let base = Sources::embedded();
    let second = records[1].id.clone();
    records[1].body.insert("timings".to_owned(), json!(""));
    let problem = load(&base, &records, None).expect_err("an empty field");
    assert_eq!(
        problem.record,
        Some((Kind::of("doctor").expect("a kind"), second))
    );
    assert_eq!(
        (problem.field.as_str(), problem.message.as_str()),
        ("timings", "must not be empty")
    );
}

#[test]
fn refuses_a_record_that_another_one_needs() {
    let base = Sources::embedded();
    let mut records = records();
    let doctor = find(&mut records, "surgery", "1").body["doctor"].clone();
    records.retain(|record| record.kind.name != "doctor" || record.body["id"] != doctor);
    let problem = load(&base, &records, None).expect_err("its doctor is missing");
    let (kind, _) = problem.record.clone().expect("a record");
    assert!(["specialty", "surgery"].contains(&kind.name), "{problem:?}");
}

#[test]
fn reports_problems_of_records_that_occur_once() {
    let base = Sources::embedded();
    let mut broken = records();
    find(&mut broken, "site", "site")
        .body
        .insert("beds".to_owned(), json!("many"));
    let problem = load(&base, &broken, None).expect_err("no number");
    assert_eq!(
        (
            problem.record.map(|(kind, _)| kind.name),
            problem.field.as_str()
        ),
        (Some("site"), "beds")
    );
    let mut broken = records();
    find(&mut broken, "insurance", "insurance")
        .body
        .insert("approval".to_owned(), json!(" x"));
    let problem = load(&base, &broken, None).expect_err("white space");
    assert_eq!(
        (
            problem.record.map(|(kind, _)| kind.name),
            problem.field.as_str()
        ),
        (Some("insurance"), "approval")
    );
    let mut broken = records();
    broken.retain(|record| record.kind.name != "page" || record.id != "emergency");
    let problem = load(&base, &broken, None).expect_err("no page for first aid");
    assert_eq!(problem.record, None);
}

#[test]
fn an_id_is_an_address() {
    let kind = Kind::of("doctor").expect("a kind");
    for id in ["", "A", "a b", "a--b", "-a", "a/b", "ä", &"a".repeat(81)] {
        let body = Body::from_iter([("id".to_owned(), json!(id))]);
        let problem = id_of(kind, &body).expect_err(id);
        assert_eq!(problem.field, "id");
    }
    assert!(id_of(kind, &Body::new()).is_err());
    let body = Body::from_iter([("id".to_owned(), json!("doc-31"))]);
    assert_eq!(id_of(kind, &body), Ok("doc-31".to_owned()));
}

#[test]
fn names_pages() {
    let mut records = records();
    let mut path = |kind: &str, id: &str| {
        let record = find(&mut records, kind, id);
        record.kind.path_of(&record.body)
    };
    assert_eq!(path("service", "icu"), "/service/icu-intensive-care-unit");
    assert_eq!(
        path("news", "accreditation-renewed"),
        "/news/accreditation-renewed"
    );
    assert_eq!(path("page", "privacy"), "/privacy");
    assert_eq!(path("site", "site"), "");
}

#[test]
fn former_pages_lead_on_once() {
    let moved = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
        lead_on(pairs.collect())
    };
    let found = moved(&[
        ("/a", "/b?c#d"),
        ("/b", "/c"),
        ("/x", "/y#z"),
        ("/y", "/x"),
        ("/self", "/self"),
    ]);
    assert_eq!(found["/a"], "/c");
    assert_eq!(found["/b"], "/c");
    for circle in ["/x", "/y", "/self"] {
        assert_eq!(found[circle], "/", "{circle}");
    }
    assert!(!found.contains_key("/c"));
}
