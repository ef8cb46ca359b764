use std::collections::HashMap;

use super::{
    documents::{Document, of_content},
    *,
};
use crate::{domain::Content, files::Sources, store::BlogRow};

fn index() -> SearchIndex {
    corpus().index()
}

fn corpus() -> Corpus {
    let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
    Corpus::new(&content)
}

fn paths(index: &SearchIndex, query: &str) -> Vec<String> {
    let results = index.search(query);
    results.entries.into_iter().map(|entry| entry.key).collect()
}

/// What visitors type, and the path that must come first.
const FIRST: &[(&str, &str)] = &[
    // Departments, as doctors and as patients name them.
    ("cardiology", "/specialty/cardiology"),
    ("cardeology", "/specialty/cardiology"),
    ("cardialogist", "/specialty/cardiology"),
    ("heart", "/specialty/cardiology"),
    ("heart doctor near me", "/specialty/cardiology"),
    ("orthopaedic", "/specialty/orthopedics"),
    ("ortopedic", "/specialty/orthopedics"),
    ("ortho", "/specialty/orthopedics"),
    ("bone doctor", "/specialty/orthopedics"),
    ("doctor for knee pain", "/specialty/orthopedics"),
    ("my back pain is very bad", "/specialty/orthopedics"),
    ("my knee hurts", "/specialty/orthopedics"),
    ("I think something is broken", "/specialty/orthopedics"),
    ("gynec", "/specialty/gynecology"),
    ("gynacology", "/specialty/gynecology"),
    ("lady doctor", "/specialty/gynecology"),
    ("pediatrician", "/specialty/pediatrics"),
    ("child doctor", "/specialty/pediatrics"),
    ("skin doctor", "/specialty/dermatology"),
    ("skin alergy", "/specialty/dermatology"),
    ("eye doctor", "/specialty/ophthalmology"),
    ("ear pain", "/specialty/ent"),
    ("tooth pain", "/specialty/dentistry"),
    ("kidney stone", "/specialty/urology"),
    ("epilepsy", "/specialty/neurology"),
    ("headache", "/specialty/neurology"),
    ("i have a migrane", "/specialty/neurology"),
    ("sugar", "/specialty/general-medicine"),
    ("bp", "/specialty/general-medicine"),
    ("motions", "/specialty/general-medicine"),
    ("loose motions", "/specialty/general-medicine"),
    ("food poisoning", "/specialty/general-medicine"),
    ("physio", "/specialty/physiotherapy"),
    ("scan", "/specialty/radiology"),
    // Operations.
    ("piles", "/deluxe-surgeries/piles-surgery"),
    ("pils operation", "/deluxe-surgeries/piles-surgery"),
    ("hemorrhoids", "/deluxe-surgeries/piles-surgery"),
    ("haemorroids", "/deluxe-surgeries/piles-surgery"),
    ("bleeding piles", "/deluxe-surgeries/piles-surgery"),
    ("knee replacement", "/deluxe-surgeries/knee-replacement"),
    ("new knee", "/deluxe-surgeries/knee-replacement"),
    ("hernia", "/deluxe-surgeries/hernia-repair"),
    ("gallstones", "/deluxe-surgeries/gallbladder-removal"),
    ("catract", "/deluxe-surgeries/cataract-surgery"),
    ("slip disc", "/deluxe-surgeries/slipped-disc-surgery"),
    // Services.
    ("xray", "/service/digital-x-ray"),
    ("X-Ray", "/service/digital-x-ray"),
    ("icu", "/service/icu-intensive-care-unit"),
    ("ambulence", "/service/ambulance-services"),
    ("labor room", "/service/labour-room"),
    ("ultrasound", "/service/ultrasound-services"),
    ("blood test", "/service/laboratory-services"),
    ("sugar test", "/service/laboratory-services"),
    // People, pages and events.
    ("iyengar", "/doctor/dr-nandini-iyengar"),
    ("Dr Kavita Ramesh", "/doctor/dr-kavitha-ramesh"),
    ("siddiqi", "/doctor/dr-farhan-siddiqui"),
    ("dsouza", "/doctor/dr-shalini-dsouza"),
    ("privacy", "/privacy"),
    ("first aid workshop", "/event/first-aid-workshop"),
    // Tasks.
    ("manage my appointment", "/appointment/manage"),
    ("cancel", "/appointment/manage"),
    ("how do I cancel my apointment", "/appointment/manage"),
    ("reschedule", "/appointment/manage"),
    ("book", "/appointment"),
    ("appointment", "/appointment"),
    ("doctor", "/doctors"),
    ("best doctors in jayanagar", "/doctors"),
    ("report", "/service/laboratory-services"),
    ("blood test report", "/service/laboratory-services"),
    ("bill", "/terms#fees"),
    ("insurance", "/terms#fees"),
    ("visiting hours", "/service/wards"),
    ("directions", "/contact"),
    ("phone number", "/contact"),
    ("vacination", "/appointment?department=pediatrics"),
    ("infant vaccination", "/appointment?department=pediatrics"),
    ("video", "/virtual-consultation"),
    ("emergency", "/emergency"),
    ("help", "/emergency"),
    // First aid (finding U3): such a search at night needs what to do, not an article.
    ("fever", "/emergency#child-fever"),
    ("child fever", "/emergency#child-fever"),
    ("my child has a fever", "/emergency#child-fever"),
    ("baby fever", "/emergency#child-fever"),
    ("fever child night", "/emergency#child-fever"),
    ("high fever in kids", "/emergency#child-fever"),
    ("baby has temperature", "/emergency#child-fever"),
    // As typed in Latin letters by who speaks Hindi or Kannada.
    ("bukhar", "/emergency#child-fever"),
    ("bachche ko bukhar", "/emergency#child-fever"),
    ("jwara", "/emergency#child-fever"),
    ("fits", "/emergency#fits"),
    ("fit", "/emergency#fits"),
    ("seizure", "/emergency#fits"),
    ("convulsions", "/emergency#fits"),
    ("breathing", "/emergency#breathing"),
    ("trouble breathing", "/emergency#breathing"),
    ("breathless", "/emergency#breathing"),
    ("asthma attack", "/emergency#breathing"),
    ("allergy", "/emergency#allergy"),
    ("allergic reaction", "/emergency#allergy"),
    ("anaphylaxis", "/emergency#allergy"),
    ("bee sting", "/emergency#allergy"),
    ("chest pain", "/emergency#chest-pain"),
    ("heart attack", "/emergency#chest-pain"),
    ("stroke", "/emergency#stroke"),
    ("bleeding", "/emergency#bleeding"),
    ("burn", "/emergency#burns"),
    ("choking", "/emergency#choking"),
    ("snake", "/emergency#poisoning"),
    ("snake bite", "/emergency#poisoning"),
    ("poison", "/emergency#poisoning"),
    ("labour pains", "/emergency#labour"),
    ("dengue", "/emergency#dengue"),
    ("dengue warning signs", "/emergency#dengue"),
    ("not breathing", "/emergency#not-breathing"),
];

#[test]
fn the_expected_result_comes_first() {
    let index = index();
    let wrong = FIRST.iter().filter_map(|(query, expected)| {
        let found = paths(&index, query);
        let is_first = found.first().is_some_and(|first| first == expected);
        (!is_first).then(|| format!("{query}: {expected}, not {:?}", found.iter().take(3)))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn no_phrase_leads_to_two_pages() {
    let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
    let mut leads: HashMap<String, String> = HashMap::new();
    for document in of_content(&content) {
        for phrase in &document.phrases {
            let path = document.entry.key.clone();
            let other = leads.insert(guide::phrase_key(phrase), path.clone());
            assert!(other.is_none_or(|other| other == path), "{phrase}: {path}");
        }
    }
}

#[test]
fn returns_each_path_once() {
    let index = index();
    for (query, _) in FIRST {
        let mut found = paths(&index, query);
        found.sort_unstable();
        let all = found.len();
        found.dedup();
        assert_eq!(found.len(), all, "{query}");
        assert!(found.iter().all(|path| path.starts_with('/')), "{found:?}");
    }
}

/// A page whose text is elsewhere declares its own search terms, so that this service names no other team's route.
#[test]
fn indexes_only_pages_with_texts() {
    let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
    let documents = of_content(&content).into_iter();
    let pages = documents.filter(|document| document.entry.kind == Kind::Page);
    let paths: Vec<_> = pages.map(|document| document.entry.key).collect();
    assert!(paths.contains(&"/privacy".to_owned()), "{paths:?}");
    for path in paths {
        let id = path.trim_start_matches(['/', '#']);
        assert!(content.pages.contains_key(id), "{path}");
    }
}

#[test]
fn a_specialty_query_finds_its_doctors() {
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
fn returns_the_corrected_query() {
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
fn finds_nothing_for_unknown_words() {
    let index = index();
    for query in ["zzzzqqqq", "", "!!!", "ಕಖಗಘಙಚ", "x"] {
        assert_eq!(paths(&index, query), Vec::<String>::new(), "{query}");
    }
    let long = "heart ".repeat(40);
    assert!(!paths(&index, &long).is_empty());
}

#[test]
fn finds_the_same_in_kannada_and_hindi() {
    let index = index();
    for (path, queries) in [
        (
            "/specialty/cardiology",
            ["ಹೃದಯ ತಜ್ಞರು", "दिल का डॉक्टर", "hrudaya", "dil ka doctor"],
        ),
        (
            "/specialty/pediatrics",
            [
                "ಮಕ್ಕಳ ವೈದ್ಯರು",
                "बच्चों का डॉक्टर",
                "makkala doctor",
                "bacchon ka doctor",
            ],
        ),
        (
            "/emergency#poisoning",
            ["ಹಾವು ಕಡಿತ", "साँप ने काटा", "havu kaditha", "saanp ne kaata"],
        ),
        (
            "/appointment",
            ["ಅಪಾಯಿಂಟ್\u{200c}ಮೆಂಟ್", "अपॉइंटमेंट", "apointment", "appointment"],
        ),
        (
            "/service/ambulance-services",
            ["ಆಂಬ್ಯುಲೆನ್ಸ್", "एम्बुलेंस", "ambulans", "turtu vahana"],
        ),
        (
            "/doctor/dr-nandini-iyengar",
            [
                "ನಂದಿನಿ ಅಯ್ಯಂಗಾರ್",
                "नंदिनी अय्यंगार",
                "nandini iyengar",
                "nandini ayyangar",
            ],
        ),
    ] {
        for query in queries {
            let found = paths(&index, query);
            assert_eq!(
                found.first().map(String::as_str),
                Some(path),
                "{query}: {found:?}"
            );
        }
    }
}

fn post(id: &str, title: &str) -> Document {
    let row = BlogRow {
        id: id.to_owned(),
        title: title.to_owned(),
        tags: "[\"marsupial\"]".to_owned(),
        ..crate::store::rows::tests::row()
    };
    of_post(&row, "About quokkas")
}

#[test]
fn adds_replaces_and_removes_documents() {
    let mut corpus = corpus();
    let (before, words) = (corpus.index().sizes(), corpus.word_count());
    corpus.put(&post("p1", "Wombat care"));
    for query in ["wombat", "quokka", "marsupials"] {
        assert_eq!(paths(&corpus.index(), query), ["p1"], "{query}");
    }
    corpus.put(&post("p1", "Numbat care"));
    assert_eq!(paths(&corpus.index(), "numbat"), ["p1"]);
    assert_eq!(
        paths(&corpus.index(), "wombat"),
        Vec::<String>::new().as_slice()
    );
    corpus.remove("p1");
    assert_eq!(paths(&corpus.index(), "quokka"), Vec::<String>::new());
    let after = (corpus.index().sizes(), corpus.word_count());
    assert_eq!(after, (before, words), "nothing is left of what has gone");
}

#[test]
fn corrects_a_query_with_a_typo_that_a_post_once_had() {
    let mut corpus = corpus();
    corpus.put(&post("p1", "Cardeology"));
    assert_eq!(paths(&corpus.index(), "cardeology")[0], "p1");
    corpus.put(&post("p1", "Cardiology"));
    let index = corpus.index();
    assert_eq!(index.search("cardeology").corrected, "cardiology");
    // The same for two spellings of one term: the correction must be a spelling that exists.
    corpus.put(&post("p1", "Quolls"));
    corpus.put(&post("p2", "Kuolls"));
    assert_eq!(corpus.index().search("quolks").corrected, "kuolls");
    corpus.remove("p2");
    assert_eq!(corpus.index().search("quolks").corrected, "quolls");
}

#[test]
fn an_unfinished_word_matches_the_terms_of_highest_weight() {
    let mut corpus = Corpus::default();
    // More candidates than the limit, alphabetically before and after the wanted term.
    for letter in 'a'..='z' {
        corpus.put(&post(
            &format!("p-{letter}"),
            &format!("Quokk{letter}ville"),
        ));
    }
    for number in 0..3 {
        corpus.put(&post(&format!("wanted-{number}"), "Quokkmore"));
    }
    let found = paths(&corpus.index(), "quokk");
    assert_eq!(
        found.iter().filter(|key| key.starts_with("wanted")).count(),
        3,
        "{found:?}"
    );
}
