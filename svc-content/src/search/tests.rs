use super::*;
use crate::{domain::Content, files::Sources};

fn index() -> SearchIndex {
    let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
    SearchIndex::new(of_content(&content))
}

fn paths(index: &SearchIndex, query: &str) -> Vec<String> {
    let results = index.search(query);
    results.entries.into_iter().map(|entry| entry.key).collect()
}

#[test]
fn the_first_result_is_what_is_meant() {
    let index = index();
    for (query, first) in [
        ("cardiology", "/specialty/cardiology"),
        ("cardeology", "/specialty/cardiology"),
        ("cardiologist", "/specialty/cardiology"),
        ("orthopaedic", "/specialty/orthopedics"),
        ("orthopedic", "/specialty/orthopedics"),
        ("ortopedic", "/specialty/orthopedics"),
        ("gynecologist", "/specialty/gynecology"),
        ("gynacology", "/specialty/gynecology"),
        ("pediatrician", "/specialty/pediatrics"),
        ("piles", "/deluxe-surgeries/piles-surgery"),
        ("pils operation", "/deluxe-surgeries/piles-surgery"),
        ("hemorrhoids", "/deluxe-surgeries/piles-surgery"),
        ("haemorroids", "/deluxe-surgeries/piles-surgery"),
        ("knee replacement", "/deluxe-surgeries/knee-replacement"),
        ("new knee", "/deluxe-surgeries/knee-replacement"),
        ("hernia", "/deluxe-surgeries/hernia-repair"),
        ("gallstones", "/deluxe-surgeries/gallbladder-removal"),
        ("catract", "/deluxe-surgeries/cataract-surgery"),
        ("slip disc", "/deluxe-surgeries/slipped-disc-surgery"),
        ("xray", "/service/digital-x-ray"),
        ("X-Ray", "/service/digital-x-ray"),
        ("icu", "/service/icu-intensive-care-unit"),
        ("ambulence", "/service/ambulance-services"),
        ("labor room", "/service/labour-room"),
        ("ultrasound", "/service/ultrasound-services"),
        ("iyengar", "/doctor/dr-nandini-iyengar"),
        ("Dr Kavita Ramesh", "/doctor/dr-kavitha-ramesh"),
        ("siddiqi", "/doctor/dr-farhan-siddiqui"),
        ("dsouza", "/doctor/dr-shalini-dsouza"),
        ("video consultation", "/virtual-consultation"),
        ("appointment", "/appointment"),
        ("visiting hours", "/contact"),
        ("privacy", "/privacy"),
        ("first aid workshop", "/event/first-aid-workshop"),
    ] {
        let found = paths(&index, query);
        assert_eq!(
            found.first().map(String::as_str),
            Some(first),
            "{query}: {found:?}"
        );
    }
}

#[test]
fn a_specialty_brings_its_doctors() {
    let index = index();
    for (query, doctor) in [
        ("cardeology", "/doctor/dr-nandini-iyengar"),
        ("orthopaedic", "/doctor/dr-raghunandan-shetty"),
        ("orthopedic", "/doctor/dr-meghana-kulkarni"),
        ("piles", "/doctor/dr-sudhakar-gowda"),
    ] {
        let found = paths(&index, query);
        assert!(
            found.iter().take(8).any(|path| path == doctor),
            "{query}: {found:?}"
        );
    }
    assert_eq!(paths(&index, "orthopaedic"), paths(&index, "orthopedic"));
    let unlisted = "/doctor/dr-chandrashekar-rao";
    assert!(
        !paths(&index, "chandrashekar")
            .iter()
            .any(|path| path == unlisted)
    );
}

#[test]
fn what_was_searched_for_instead_is_said() {
    let index = index();
    for (query, corrected) in [
        ("cardeology", "cardiology"),
        ("catract surgery", "cataract surgery"),
        ("cardiology", ""),
        ("orthopaedic", ""),
        ("cardio", ""),
        ("zzzzqqqq", ""),
    ] {
        assert_eq!(index.search(query).corrected, corrected, "{query}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let index = index();
    for query in ["zzzzqqqq", "", "!!!", "ಹೃದಯ", "x"] {
        assert_eq!(paths(&index, query), Vec::<String>::new(), "{query}");
    }
    let long = "heart ".repeat(40);
    assert!(!paths(&index, &long).is_empty());
}

#[test]
fn documents_come_change_and_go() {
    let mut index = index();
    let post = |id: &str, title: &str| {
        of_post(&crate::store::BlogRow {
            id: id.to_owned(),
            slug_key: String::new(),
            has_slug: false,
            title: title.to_owned(),
            content: "<p>About <b>quokkas</b></p>".to_owned(),
            summary: String::new(),
            excerpt: String::new(),
            author: String::new(),
            category: String::new(),
            image: String::new(),
            read_time: String::new(),
            tags: "[\"marsupial\"]".to_owned(),
            sections: "[]".to_owned(),
            published_at: chrono::DateTime::UNIX_EPOCH,
            created_at: chrono::DateTime::UNIX_EPOCH,
            updated_at: chrono::DateTime::UNIX_EPOCH,
            etag: String::new(),
        })
    };
    index.put(&post("p1", "Wombat care"));
    for query in ["wombat", "quokka", "marsupials"] {
        assert_eq!(paths(&index, query), ["p1"], "{query}");
    }
    index.put(&post("p1", "Numbat care"));
    assert_eq!(paths(&index, "numbat"), ["p1"]);
    assert_eq!(paths(&index, "wombat"), Vec::<String>::new().as_slice());
    let before = index.sizes();
    // Far more than are left lying about before they are swept out.
    for _ in 0..1_000 {
        index.put(&post("p1", "Numbat care"));
    }
    let after = index.sizes();
    assert_eq!((before.0, before.1), (after.0, after.1));
    assert!(
        after.2 < before.2 + 20 * 256,
        "postings of what is gone are kept: {after:?}"
    );
    index.remove("p1");
    assert_eq!(paths(&index, "quokka"), Vec::<String>::new());
}
