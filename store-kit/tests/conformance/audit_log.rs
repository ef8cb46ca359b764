//! Reads of the audit log: filters, pages, exports, and checks in parts.

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    audit::{
        self, Entry, Part, Verdict,
        log::{self, Filter, READ_MAX},
    },
    database::Database,
    keys::Keys,
    work::Decision,
};
use test_kit::{database::TestDatabase, keys};

use super::{
    audit::{append, filled, tamper},
    fixture::{at, on_both, open, unit, value},
};

on_both!(
    finds_entries_by_each_condition,
    pages_meet_without_gap_or_repetition,
    a_rare_entry_is_found_by_bounded_reads,
    ids_are_found_however_an_entry_names_them,
    pruned_entries_are_not_found,
    an_export_is_bounded_and_resumes,
    a_read_is_recorded_once_in_a_while,
    a_check_in_parts_finds_what_a_whole_one_finds,
    a_check_survives_a_prune_of_entries_it_has_checked,
    a_check_begins_again_after_a_prune_beyond_it,
);

const ASHA: &str = "0a000000-0000-4000-8000-000000000001";
const BHIM: &str = "0a000000-0000-4000-8000-000000000002";

fn entry(actor: &str, action: &'static str, subject: &str, detail: &str) -> Entry {
    Entry {
        actor: actor.into(),
        action,
        subject: subject.into(),
        detail: detail.into(),
    }
}

async fn write(database: &Database, entries: &[Entry], now: DateTime<Utc>) {
    let entries = entries.to_vec();
    let append = unit(move |transaction| {
        let entries = entries.clone();
        Box::pin(async move {
            audit::append_all(transaction, &keys::keys(), &entries, now).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("append", append).await.expect("entries");
}

async fn found(database: &Database, filter: &Filter) -> Vec<i64> {
    let page = log::find(database, filter, None, 100)
        .await
        .expect("a page");
    assert_eq!(page.next, None);
    page.entries.iter().map(|entry| entry.seq).collect()
}

fn by(set: impl FnOnce(&mut Filter)) -> Filter {
    let mut filter = Filter::default();
    set(&mut filter);
    filter
}

async fn finds_entries_by_each_condition(test: &TestDatabase) {
    let database = open(test).await;
    let hour = TimeDelta::hours(1).num_seconds();
    for (number, (actor, action, subject)) in [
        ("asha", "appointment.read", ASHA),
        ("bhim", "appointment.read", BHIM),
        ("asha", "appointment.list", "x,y"),
        ("asha", "appointment.read", BHIM),
    ]
    .into_iter()
    .enumerate()
    {
        let now = at(hour * i64::try_from(number).expect("small"));
        write(&database, &[entry(actor, action, subject, "")], now).await;
    }
    assert_eq!(found(&database, &Filter::default()).await, [4, 3, 2, 1]);
    let asha = by(|filter| filter.actor = Some("asha".into()));
    assert_eq!(found(&database, &asha).await, [4, 3, 1]);
    let reads = by(|filter| filter.action = Some("appointment.read".into()));
    assert_eq!(found(&database, &reads).await, [4, 2, 1]);
    let bhim = by(|filter| filter.id = Some(BHIM.into()));
    assert_eq!(found(&database, &bhim).await, [4, 2]);
    let all = Filter {
        actor: Some("asha".into()),
        action: Some("appointment.read".into()),
        id: Some(BHIM.into()),
        ..Filter::default()
    };
    assert_eq!(found(&database, &all).await, [4]);
    // A wildcard, a prefix and another case are other texts.
    for other in ["%", "ash", "Asha", "asha' OR '1'='1"] {
        let filter = by(|filter| filter.actor = Some(other.into()));
        assert!(found(&database, &filter).await.is_empty(), "{other}");
    }
    // From is inclusive, until exclusive.
    let (second, third) = (at(hour), at(2 * hour));
    let from = by(|filter| filter.from = Some(third));
    assert_eq!(found(&database, &from).await, [4, 3]);
    let until = by(|filter| filter.until = Some(third));
    assert_eq!(found(&database, &until).await, [2, 1]);
    let between = Filter {
        from: Some(second),
        until: Some(third),
        ..Filter::default()
    };
    assert_eq!(found(&database, &between).await, [2]);
    let later = by(|filter| filter.from = Some(at(100 * hour)));
    assert!(found(&database, &later).await.is_empty());
    // An entry of a process whose clock is five minutes late is found on its own day.
    write(&database, &[entry("late", "x", "", "")], at(3 * hour + 300)).await;
    write(&database, &[entry("late", "x", "", "")], at(3 * hour - 1)).await;
    let before = by(|filter| filter.until = Some(at(3 * hour)));
    assert_eq!(found(&database, &before).await, [6, 3, 2, 1]);
    let after = by(|filter| filter.from = Some(at(3 * hour + 1)));
    assert_eq!(found(&database, &after).await, [5]);
}

async fn pages_meet_without_gap_or_repetition(test: &TestDatabase) {
    let database = filled(test, 7).await;
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = log::find(&database, &Filter::default(), before, 3).await;
        let page = page.expect("a page");
        seen.extend(page.entries.iter().map(|entry| entry.seq));
        if seen.len() == 3 {
            // An entry written meanwhile moves no page.
            let late = entry("late", "x", "", "");
            append(&database, late, 100).await.expect("an entry");
        }
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
    // The number of any entry is a cursor, also beyond the ends.
    let page = async |before| {
        let page = log::find(&database, &Filter::default(), Some(before), 2).await;
        let page = page.expect("a page");
        (
            page.entries
                .iter()
                .map(|entry| entry.seq)
                .collect::<Vec<_>>(),
            page.next,
        )
    };
    assert_eq!(page(3).await, (vec![2, 1], None));
    assert_eq!(page(1).await, (vec![], None));
    assert_eq!(page(i64::MAX).await, (vec![8, 7], Some(7)));
}

async fn a_rare_entry_is_found_by_bounded_reads(test: &TestDatabase) {
    let database = open(test).await;
    let busy = entry("asha", "appointment.list", "", "");
    write(&database, &[entry("asha", "sender.erased", "", "")], at(0)).await;
    for _ in 0..3 {
        write(&database, &vec![busy.clone(); 500], at(1)).await;
    }
    let rare = Filter {
        actor: Some("asha".into()),
        action: Some("sender.erased".into()),
        ..Filter::default()
    };
    let first = log::find(&database, &rare, None, 25).await.expect("a page");
    assert!(first.entries.is_empty());
    let next = first.next.expect("more");
    let read = usize::try_from(1502 - next).expect("positive");
    assert!((READ_MAX..READ_MAX + 250).contains(&read), "{read}");
    let second = log::find(&database, &rare, Some(next), 25).await;
    let second = second.expect("a page");
    assert_eq!(second.entries.len(), 1);
    assert_eq!(second.next, None);
}

async fn ids_are_found_however_an_entry_names_them(test: &TestDatabase) {
    let database = open(test).await;
    let listed = format!("{ASHA}, {BHIM},{ASHA}");
    let quoted = r#"a"b,c\d,[1]"#;
    let named = format!("{ASHA} {BHIM} 25 appointments");
    let entries = [
        entry("x", "x", &listed, ""),
        // As messaging wrote lists before.
        entry("x", "x", "", &named),
        entry("x", "x", quoted, r#"say "x", \ "#),
        // Longer than any id: recorded, but not found by id.
        entry("x", "x", &"x".repeat(audit::SUBJECT_BYTES_MAX), ""),
        entry("x", "x", &"ಹೃದಯ,".repeat(200), ""),
        entry("x", "x", ",, ,", " "),
    ];
    write(&database, &entries, at(0)).await;
    for (id, expected) in [
        (ASHA, vec![2, 1]),
        (BHIM, vec![2, 1]),
        (r#"a"b"#, vec![3]),
        (r"c\d", vec![3]),
        ("[1]", vec![3]),
        ("ಹೃದಯ", vec![5]),
        ("25", vec![]),
        ("", vec![]),
    ] {
        let filter = by(|filter| filter.id = Some(id.into()));
        assert_eq!(found(&database, &filter).await, expected, "{id}");
    }
    let page = log::find(&database, &Filter::default(), None, 9).await;
    let page = page.expect("a page").entries;
    assert_eq!(page[5].ids, [ASHA, BHIM, ASHA]);
    assert!(page[0].ids.is_empty() && page[4].ids.is_empty());
}

async fn pruned_entries_are_not_found(test: &TestDatabase) {
    let database = open(test).await;
    write(&database, &[entry("x", "x", ASHA, "")], at(0)).await;
    write(&database, &[entry("x", "x", ASHA, "")], at(10)).await;
    audit::prune(&database, &keys::keys(), "job", at(5), at(20))
        .await
        .expect("pruned");
    let asha = by(|filter| filter.id = Some(ASHA.into()));
    assert_eq!(found(&database, &asha).await, [2]);
    assert_eq!(test.scalar("SELECT count(*) FROM audit_ids").await, 1);
}

async fn an_export_is_bounded_and_resumes(test: &TestDatabase) {
    let database = filled(test, 620).await;
    let range = by(|filter| filter.from = Some(at(100)));
    let page = async |after, entries_max, bytes_max| {
        let page = log::export(&database, &range, after, entries_max, bytes_max).await;
        let page = page.expect("a page");
        let seqs: Vec<i64> = page.entries.iter().map(|entry| entry.seq).collect();
        (seqs, page.next)
    };
    let (first, next) = page(None, 250, usize::MAX).await;
    let (second, end) = page(next, 1_000, usize::MAX).await;
    let whole: Vec<i64> = (100..=620).collect();
    assert_eq!([first, second].concat(), whole);
    assert_eq!(end, None);
    let (short, next) = page(None, 1_000, 100).await;
    assert!((2..20).contains(&short.len()), "{short:?}");
    assert_eq!(next, short.last().copied());
    // The exported hash is the stored one.
    let exported = log::export(&database, &range, None, 1, 1).await;
    assert_eq!(exported.expect("a page").entries[0].hash.len(), 32);
}

async fn a_read_is_recorded_once_in_a_while(test: &TestDatabase) {
    let database = open(test).await;
    let read = entry("asha", "audit.read", "", "from=2026-11-01");
    let record = async |entry: &Entry, seconds| {
        log::record_read(&database, &keys::keys(), entry.clone(), at(seconds))
            .await
            .expect("recorded");
        test.scalar("SELECT count(*) FROM audit_entries").await
    };
    for seconds in [0, 1, 899] {
        assert_eq!(record(&read, seconds).await, 1, "{seconds}");
    }
    let other = entry("asha", "audit.read", ASHA, "from=2026-11-01");
    assert_eq!(record(&other, 900).await, 2);
    assert_eq!(record(&read, 901).await, 3);
    let somebody = entry("bhim", "audit.read", "", "from=2026-11-01");
    assert_eq!(record(&somebody, 902).await, 4);
    let checked = entry("asha", "audit.verified", "", "");
    for _ in 0..2 {
        log::record(&database, &keys::keys(), checked.clone(), at(903))
            .await
            .expect("recorded");
    }
    assert_eq!(record(&read, 904).await, 6);
    let verdict = audit::verify(&database, &keys::keys()).await;
    assert!(matches!(verdict, Ok(Verdict::Intact { entries: 6, .. })));
}

/// Checks the log in parts of 1,000 entries; returns the verdict and the number of parts.
async fn in_parts(database: &Database) -> (Verdict, usize) {
    let (mut progress, mut parts) = (None, 0);
    loop {
        parts += 1;
        let part = audit::verify_part(database, &keys::keys(), progress, 1_000).await;
        match part.expect("a part") {
            Part::Done(verdict) => return (verdict, parts),
            Part::More(more) => {
                // By way of its text, as between two calls.
                let token = more.token(&keys::keys());
                assert!(token.len() <= 256, "{token}");
                progress = audit::Progress::parse(&token, &keys::keys());
                assert_eq!(progress, Some(more));
            }
        }
    }
}

async fn many(test: &TestDatabase) -> Database {
    let database = open(test).await;
    for _ in 0..5 {
        write(&database, &vec![entry("x", "x", "", ""); 500], at(0)).await;
    }
    database
}

async fn a_check_in_parts_finds_what_a_whole_one_finds(test: &TestDatabase) {
    let database = many(test).await;
    let whole = audit::verify(&database, &keys::keys()).await;
    let whole = whole.expect("a verdict");
    assert_eq!(in_parts(&database).await, (whole, 3));
    // A token of other keys, an altered one, and none.
    let part = audit::verify_part(&database, &keys::keys(), None, 1_000).await;
    let Ok(Part::More(progress)) = part else {
        panic!("{part:?}")
    };
    let token = progress.token(&keys::keys());
    let other = Keys::parse(&keys::FILE.replace("CQkJ", "CAgI")).expect("other keys");
    assert_eq!(audit::Progress::parse(&token, &other), None);
    for altered in [
        token.replacen("1000", "2000", 1),
        format!("{token}0"),
        token[1..].to_owned(),
        "ಹೃದಯ:".repeat(6),
        ":::::".into(),
        String::new(),
    ] {
        assert_eq!(audit::Progress::parse(&altered, &keys::keys()), None);
    }
    let change = "UPDATE audit_entries SET actor = 'y' WHERE seq = 1500";
    tamper(test, change).await;
    assert_eq!(in_parts(&database).await, (Verdict::Broken { at: 1500 }, 2));
}

async fn a_check_survives_a_prune_of_entries_it_has_checked(test: &TestDatabase) {
    const HASH: &str = "SELECT hash FROM audit_entries WHERE seq = 500";
    // The 1,000 entries so far, the other 1,500, and the entry that records the prune.
    assert_eq!(checked_around_a_prune(test, 500, HASH).await, 2_501);
}

async fn a_check_begins_again_after_a_prune_beyond_it(test: &TestDatabase) {
    const HASH: &str = "SELECT hash FROM audit_entries WHERE seq = 1500";
    assert_eq!(checked_around_a_prune(test, 1_500, HASH).await, 1_001);
}

/// Prunes the entries up to a number, whose hash `hash` selects, between two parts of a check. Returns the entries that
/// were checked in the end.
async fn checked_around_a_prune(test: &TestDatabase, pruned: i64, hash: &'static str) -> u64 {
    let database = many(test).await;
    let part = audit::verify_part(&database, &keys::keys(), None, 1_000).await;
    let Ok(Part::More(progress)) = part else {
        panic!("{part:?}")
    };
    let hash: Vec<u8> = value(&database, hash).await;
    let hash = hash
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let note = entry("job", "audit.pruned", "", &format!("{pruned}:{hash}"));
    write(&database, &[note], at(1)).await;
    let change = format!(
        "UPDATE audit_head SET pruned_seq = {pruned}, \
         pruned_hash = (SELECT hash FROM audit_entries WHERE seq = {pruned}); \
         DELETE FROM audit_entries WHERE seq <= {pruned};"
    );
    tamper(test, &change).await;
    let rest = audit::verify_part(&database, &keys::keys(), Some(progress), 9_999).await;
    match rest {
        Ok(Part::Done(Verdict::Intact { entries, .. })) => entries,
        other => panic!("{other:?}"),
    }
}
