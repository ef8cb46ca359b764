//! B7: the deployed program rotates the keys between two runs of the service, despite a row that cannot be decrypted.

use std::{path::PathBuf, process::Output};

use hospital_proto::booking::v1::{
    Appointment, ExportPatientRequest, booking_service_client::BookingServiceClient,
};
use store_kit::{
    audit::{self, Verdict},
    keys::Keys,
};
use tempfile::TempDir;
use test_kit::{keys::FILE, on_both_databases, process::Program};
use tonic::transport::Channel;

use crate::{
    privacy::{ASHA, ASHAS_PHONE, EXPORT, RAVI, appointment, ask, book, consultation, privacy},
    serving::{Bench, Serving},
};

on_both_databases!(test_kit::bench::empty:
    the_index_key_is_replaced_between_runs,
    a_broken_row_fails_the_command_at_the_end,
);

const PROGRAM: Program = Program(env!("CARGO_BIN_EXE_svc-booking"));
const NEW: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";

/// Returns the tests' key file with another index key, followed by `more`.
fn with_new_index_key(more: &str) -> String {
    let (before, after) = FILE.split_once("index_key = ").expect("a key");
    let (_, after) = after.split_once('\n').expect("a line");
    format!("{before}index_key = \"{NEW}\"\n{more}\n{after}")
}

fn old_index_key() -> &'static str {
    let (_, after) = FILE.split_once("index_key = ").expect("a key");
    after.split_once('\n').expect("a line").0
}

fn file(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("keys.toml");
    std::fs::write(&path, text).expect("a file");
    path
}

async fn run(bench: &Bench, keys: &PathBuf, command: &str) -> Output {
    let arguments = ["--database-url", &bench.test.url, command];
    let mut program = PROGRAM.command(&arguments);
    program.env("SEAL_KEYS_FILE", keys);
    program.output().await.expect("it ran")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn with_keys(mut bench: Bench, text: &str) -> Bench {
    bench.keys = Keys::parse(text).expect("keys");
    bench
}

/// Counts Asha's exported appointments and consultations.
async fn exported(serving: &Serving) -> (usize, usize) {
    let request = ExportPatientRequest {
        phone: ASHAS_PHONE.to_owned(),
        ..ExportPatientRequest::default()
    };
    let exported = privacy(serving)
        .export_patient(serving.staff(EXPORT, request))
        .await;
    let exported = exported.expect("exported").into_inner();
    (exported.appointments.len(), exported.consultations.len())
}

fn bookings(serving: &Serving) -> BookingServiceClient<Channel> {
    BookingServiceClient::new(serving.channel.clone())
}

async fn the_index_key_is_replaced_between_runs(bench: Bench) {
    let folder = tempfile::tempdir().expect("a folder");
    let serving = Serving::start(&bench).await;
    let asked = appointment(0, ASHA, ASHAS_PHONE);
    let booked: Appointment = book(&serving, asked.clone()).await;
    ask(&serving, consultation(1, ASHA, ASHAS_PHONE)).await;
    assert_eq!(exported(&serving).await, (1, 1));
    serving.stop().await;

    let both = with_new_index_key(&format!("previous_index_key = {}", old_index_key()));
    let bench = with_keys(bench.reopen().await, &both);
    let serving = Serving::start(&bench).await;
    assert_eq!(exported(&serving).await, (1, 1), "by the previous key");
    let again = bookings(&serving).create_appointment(asked.clone()).await;
    let again = again.expect("known").into_inner().appointment;
    assert_eq!(again.expect("a body").id, booked.id);
    book(&serving, appointment(1, RAVI, "080 2222 2222")).await;
    serving.stop().await;

    let keys = file(&folder, &both);
    let rotated = run(&bench, &keys, "rotate-keys").await;
    assert!(rotated.status.success(), "{rotated:?}");
    let rows = said(&rotated);
    assert!(rows.contains("contacts: 1 rows rewritten\n"), "{rows}");
    assert!(rows.contains("consultations: 1 rows rewritten\n"), "{rows}");
    let rows = said(&run(&bench, &keys, "rotate-keys").await);
    assert!(rows.contains("contacts: 0 rows rewritten\n"), "{rows}");

    // Works without the previous key: people are found, and the audit log is unchanged.
    let audit = format!("audit_keys = [{}]", old_index_key());
    let bench = with_keys(bench.reopen().await, &with_new_index_key(&audit));
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { entries, .. }) => assert!(entries >= 4),
        broken => panic!("{broken:?}"),
    }
    let serving = Serving::start(&bench).await;
    assert_eq!(exported(&serving).await, (1, 1), "by the new key");
    serving.stop().await;
    bench.end().await;
}

async fn a_broken_row_fails_the_command_at_the_end(bench: Bench) {
    let folder = tempfile::tempdir().expect("a folder");
    let serving = Serving::start(&bench).await;
    let first = book(&serving, appointment(0, ASHA, ASHAS_PHONE)).await;
    book(&serving, appointment(1, RAVI, "080 2222 2222")).await;
    serving.stop().await;
    let broken = "UPDATE contacts SET phone = email WHERE id IN \
                  (SELECT id FROM appointments ORDER BY starts_at LIMIT 1)";
    assert_eq!(bench.test.execute(broken).await, 1);
    let keys = file(&folder, &FILE.replace("active = \"k1\"", "active = \"k0\""));
    let rotated = run(&bench, &keys, "rotate-keys").await;
    assert!(!rotated.status.success(), "{rotated:?}");
    let rows = said(&rotated);
    assert!(rows.contains("contacts: 1 rows rewritten\n"), "{rows}");
    let named = format!("contacts: row {} cannot be opened\n", first.id);
    assert!(rows.contains(&named), "{rows}");
    assert!(
        rows.contains("consultations: 0 rows"),
        "the other tables follow: {rows}"
    );
    let error = String::from_utf8_lossy(&rotated.stderr).into_owned();
    assert!(error.contains("1 rows cannot be opened"), "{error}");
    bench.end().await;
}
