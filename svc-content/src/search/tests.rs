use super::{documents::Document, *};
use crate::{domain::Content, files::Sources, store::BlogRow};

fn index() -> SearchIndex {
    corpus().index()
}

fn corpus() -> Corpus {
    let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
    Corpus::new(&of_content(&content))
}

fn paths(index: &SearchIndex, query: &str) -> Vec<String> {
    let results = index.search(query);
    results.entries.into_iter().map(|entry| entry.key).collect()
}

#[test]
fn the_best_match_comes_first() {
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

// U3: a visitor with such a search at night needs first aid, not an article.
#[test]
fn first_aid_comes_first_for_an_emergency() {
    let index = index();
    for (query, topic) in [
        ("child fever", "child-fever"),
        ("baby fever", "child-fever"),
        ("fever child night", "child-fever"),
        ("high fever in kids", "child-fever"),
        ("baby has temperature", "child-fever"),
        ("fits", "fits"),
        ("fit", "fits"),
        ("seizure", "fits"),
        ("convulsions", "fits"),
        ("breathing", "breathing"),
        ("trouble breathing", "breathing"),
        ("breathless", "breathing"),
        ("asthma attack", "breathing"),
        ("allergy", "allergy"),
        ("allergic reaction", "allergy"),
        ("anaphylaxis", "allergy"),
        ("bee sting", "allergy"),
        ("chest pain", "chest-pain"),
        ("heart attack", "chest-pain"),
        ("stroke", "stroke"),
        ("bleeding", "bleeding"),
        ("burn", "burns"),
        ("choking", "choking"),
        ("snake bite", "poisoning"),
        ("poison", "poisoning"),
        ("labour pains", "labour"),
        ("dengue warning signs", "dengue"),
    ] {
        let found = paths(&index, query);
        let expected = format!("/emergency#{topic}");
        assert_eq!(found.first(), Some(&expected), "{query}: {found:?}");
    }
    for (query, first) in [
        ("heart", "/specialty/cardiology"),
        ("epilepsy", "/specialty/neurology"),
    ] {
        let found = paths(&index, query);
        assert_eq!(found.first().map(String::as_str), Some(first), "{query}");
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
    for query in ["zzzzqqqq", "", "!!!", "ಹೃದಯ", "x"] {
        assert_eq!(paths(&index, query), Vec::<String>::new(), "{query}");
    }
    let long = "heart ".repeat(40);
    assert!(!paths(&index, &long).is_empty());
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
