//! Storage of personal data: sealed, indexed by keyed hashes, and readable whichever key is active.

use store_kit::{keys::Keys, sealed, sql::Row, values};
use svc_booking::store::{CONTACTS, WAITLIST};
use test_kit::{keys::keys, on_both_databases};

use crate::{
    fixture::{Bench, Hospital, MONDAY, changed, contact, created, key, now, request},
    line::{entry, join, waiting},
};

on_both_databases!(test_kit::bench::empty:
    no_personal_data_is_stored_in_clear_text,
    people_are_found_by_keyed_hashes,
    keys_are_rotated,
    sealed_tables_are_indexed,
);

async fn row<T: Row>(bench: &Bench, sql: &'static str) -> T {
    let row = bench.database.fetch_one("test", sql, values![]).await;
    row.expect("a row")
}

/// Returns the bytes of an SQLite file as text, or the results of `dumps` on PostgreSQL.
pub(crate) async fn stored_text(bench: &Bench, dumps: &[&'static str]) -> String {
    if bench.test.is_sqlite() {
        let path = bench.test.url.trim_start_matches("sqlite:");
        let files = ["", "-wal"].map(|suffix| std::fs::read(format!("{path}{suffix}")));
        let bytes: Vec<u8> = files.into_iter().flatten().flatten().collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut text = String::new();
    for sql in dumps {
        let (rows,): (Option<String>,) = row(bench, sql).await;
        text.push_str(&rows.unwrap_or_default());
    }
    text
}

async fn no_personal_data_is_stored_in_clear_text(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let asked = changed(&request("ENT", "", "9:00 AM"), |body| {
        body.patient_name = "Canary Canarese".into();
        body.email = "canary@nest.example".into();
        body.phone = "+91 80 1234 98765".into();
        body.reason = "canary-reason".into();
        body.notes = "ENT | Preferred: canary-notes".into();
    });
    let booked = created(hospital.book(&asked).await);
    let mut new = waiting("urology", None, MONDAY);
    new.entry.contact = contact(&booked);
    let waits = join(&hospital, &new).await;
    let secrets = [
        hospital.store.secret(&booked).expect("a secret"),
        hospital.store.entry_secret(waits.id),
    ];
    let dumps = [
        "SELECT string_agg(contacts::text, ' ') FROM contacts",
        "SELECT string_agg(appointments::text, ' ') FROM appointments",
        "SELECT string_agg(waitlist_entries::text, ' ') FROM waitlist_entries",
        "SELECT string_agg(request_keys::text, ' ') FROM request_keys",
        "SELECT string_agg(outbox_messages::text, ' ') FROM outbox_messages",
        "SELECT string_agg(events::text, ' ') FROM events",
    ];
    let text = stored_text(&bench, &dumps).await;
    assert!(text.len() > 100, "the search has input");
    // All digits of the number, both as typed and as indexed: five digits may occur in a sealed value by chance.
    let words = ["Canary", "canary", "80 1234 98765", "0123498765"];
    let words = words.into_iter().chain([asked.request_id.as_str()]);
    for word in words.chain(secrets.iter().map(String::as_str)) {
        assert!(!text.contains(word), "{word}");
        let hex = format!("{:02x?}", word.as_bytes()).replace(", ", "");
        let hex = hex.trim_matches(['[', ']']);
        assert!(!text.contains(hex), "{word} in hexadecimal");
    }
    bench.end().await;
}

async fn people_are_found_by_keyed_hashes(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let asked = changed(&request("ENT", "", "9:00 AM"), |body| {
        body.email = "Email@Field.example".into();
        body.phone = "080 1111 1111".into();
    });
    let booked = created(hospital.book(&asked).await);
    let mut new = waiting("urology", None, MONDAY);
    new.entry.contact = contact(&booked);
    join(&hospital, &new).await;
    let digest = |purpose, text: &str| keys().digest(purpose, text.as_bytes()).to_vec();
    let expected = (
        digest("contacts.email", "email@field.example"),
        digest("contacts.phone", "+918011111111"),
    );
    for sql in [
        "SELECT email_index, phone_index FROM contacts",
        "SELECT email_index, phone_index FROM waitlist_entries",
    ] {
        let found: (Vec<u8>, Vec<u8>) = row(&bench, sql).await;
        assert_eq!(found, expected);
    }
    bench.end().await;
}

async fn keys_are_rotated(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let asked = request("ENT", "", "9:00 AM");
    let booked = created(hospital.book(&asked).await);
    let waits = join(&hospital, &waiting("urology", None, MONDAY)).await;
    let text = test_kit::keys::FILE.replace("active = \"k1\"", "active = \"k0\"");
    let other = Keys::parse(&text).expect("keys");
    for table in [CONTACTS, WAITLIST] {
        let rotate = async || {
            let rotated = sealed::rotate(&bench.database, &other, table).await;
            rotated.expect("no error").rows
        };
        assert_eq!((rotate().await, rotate().await), (1, 0), "{}", table.table);
    }
    let with_new = "SELECT (SELECT count(*) FROM contacts WHERE key_id = 'k0') \
                    + (SELECT count(*) FROM waitlist_entries WHERE key_id = 'k0')";
    assert_eq!(bench.test.scalar(with_new).await, 2);
    let read = hospital.store.recall(&key(&asked), now()).await;
    assert_eq!(read.expect("no error"), Some(booked));
    assert_eq!(entry(&hospital, waits.id).await, waits);
    bench.end().await;
}

async fn sealed_tables_are_indexed(bench: Bench) {
    bench.sealed_tables_are_indexed().await;
}
