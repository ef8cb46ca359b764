//! Fields that only the hospital may read.

mod renewal;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use service_kit::deadline;
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    keys::{Keys, SealError},
    migrate::migrate,
    row,
    sealed::{Rotated, SealedTable, rotate},
    sql::Value,
    url::{DatabaseKind, DatabaseUrl},
    values,
    work::Decision,
};
use test_kit::{database::TestDatabase, keys};
use uuid::Uuid;

use super::fixture::{PATIENTS, SCHEMA, on_both, open, open_with, phone_index, unit, until, value};

on_both!(
    a_row_opens_with_its_key_only,
    a_value_opens_in_its_place_only,
    rotation_reseals_every_row_during_concurrent_writes,
    an_interrupted_rotation_resumes,
    a_missing_key_fails_the_start,
);

/// Returns keys of which `k0` is active.
fn old_keys() -> Keys {
    let file = keys::FILE.replace("active = \"k1\"", "active = \"k0\"");
    Keys::parse(&file).expect("keys")
}

/// Returns keys with only `k1`: values sealed by `k0` do not open.
fn new_keys_only() -> Keys {
    let (before, after) = keys::FILE.split_once("k0 = ").expect("k0");
    let (_, after) = after.split_once('\n').expect("a line");
    let file = format!("{before}{after}");
    Keys::parse(&file).expect("keys")
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Every third patient has no phone.
fn phone(number: u128) -> Option<String> {
    (!number.is_multiple_of(3)).then(|| format!("98450{number:05}"))
}

async fn keep(
    database: &Database,
    keys: &Keys,
    number: u128,
    name: String,
) -> Result<(), StoreError> {
    keep_all(database, keys, [number].into(), name).await
}

async fn keep_all(
    database: &Database,
    keys: &Keys,
    numbers: Vec<u128>,
    name: String,
) -> Result<(), StoreError> {
    const UPSERT: &str = "\
INSERT INTO patients (id, key_id, name, phone, phone_index) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, name = excluded.name, phone = excluded.phone,
    phone_index = excluded.phone_index";
    let keys = keys.clone();
    let keep = unit(move |transaction| {
        let (keys, numbers, name) = (keys.clone(), numbers.clone(), name.clone());
        Box::pin(async move {
            for number in numbers {
                let id = id(number);
                let name = PATIENTS.seal(&keys, id, "name", &name)?;
                let phone = phone(number);
                let index = phone.as_deref().map(|phone| phone_index(&keys, phone));
                let sealed = phone
                    .map(|phone| PATIENTS.seal(&keys, id, "phone", &phone))
                    .transpose()?;
                let index = index.map(Vec::from);
                let values = values![id, keys.active(), name, Value::from(sealed), index];
                transaction.execute(UPSERT, values).await?;
            }
            Ok(Decision::Commit(()))
        })
    });
    // Sealing thousands of rows takes a while.
    deadline::scope(Duration::from_secs(25), database.write("keep", keep)).await
}

row! {
    struct Patient {
        id: Uuid,
        key_id: String,
        name: Vec<u8>,
        phone: Option<Vec<u8>>,
    }
}

impl Patient {
    fn open(&self, keys: &Keys) -> Result<(String, Option<String>), SealError> {
        let open =
            |column, sealed: &[u8]| PATIENTS.open(keys, &self.key_id, self.id, column, sealed);
        let phone = self.phone.as_deref().map(|phone| open("phone", phone));
        Ok((open("name", &self.name)?, phone.transpose()?))
    }
}

async fn patients(database: &Database) -> Vec<Patient> {
    const SELECT: &str = "SELECT id, key_id, name, phone FROM patients ORDER BY id";
    database
        .fetch_all("SELECT patients", SELECT, values![])
        .await
        .expect("patients")
}

async fn sealed_with(database: &Database, key_id: &str) -> i64 {
    const COUNT: &str = "SELECT count(*) FROM patients WHERE key_id = $1";
    let row: (i64,) = database
        .fetch_one("SELECT patients", COUNT, values![key_id])
        .await
        .expect("a count");
    row.0
}

async fn a_row_opens_with_its_key_only(database: &TestDatabase) {
    let database = open_with(database, Limits::default(), &old_keys()).await;
    for number in 1..=4 {
        keep(&database, &old_keys(), number, format!("Asha Rao {number}"))
            .await
            .expect("kept");
    }
    for (number, patient) in (1..).zip(patients(&database).await) {
        for part in [Some(&patient.name), patient.phone.as_ref()]
            .into_iter()
            .flatten()
        {
            let text = String::from_utf8_lossy(part);
            assert!(!text.contains("Asha") && !text.contains("98450"));
        }
        let expected = (format!("Asha Rao {number}"), phone(number));
        assert_eq!(patient.open(&keys::keys()).expect("opened"), expected);
        let error = patient.open(&new_keys_only()).expect_err("k0 is missing");
        assert_eq!(error, SealError::UnknownKey("k0".into()));
        assert!(error.to_string().contains("k0"));
    }
    let error = rotate(&database, &new_keys_only(), PATIENTS)
        .await
        .expect_err("k0 is missing");
    assert!(matches!(error, StoreError::Sealed(SealError::UnknownKey(key)) if key == "k0"));
    assert_eq!(sealed_with(&database, "k0").await, 4);
}

async fn a_value_opens_in_its_place_only(database: &TestDatabase) {
    const ELSEWHERE: SealedTable = SealedTable {
        table: "visitors",
        columns: &["name", "phone"],
        digests: &[],
    };
    let database = open(database).await;
    let keys = keys::keys();
    for number in [1, 2] {
        keep(&database, &keys, number, format!("patient {number}"))
            .await
            .expect("kept");
    }
    let rows = patients(&database).await;
    let (here, there) = (&rows[0], &rows[1]);
    let open = |table: SealedTable, key_id: &str, id, column| {
        table.open(&keys, key_id, id, column, &here.name)
    };
    assert_eq!(
        open(PATIENTS, "k1", here.id, "name"),
        Ok("patient 1".into())
    );
    for moved in [
        open(PATIENTS, "k1", there.id, "name"),
        open(PATIENTS, "k1", here.id, "phone"),
        open(ELSEWHERE, "k1", here.id, "name"),
        open(PATIENTS, "k0", here.id, "name"),
    ] {
        assert_eq!(moved, Err(SealError::Broken));
    }
    super::fixture::execute(
        &database,
        &["UPDATE patients SET name = phone WHERE phone IS NOT NULL"],
    )
    .await
    .expect("moved by somebody");
    assert_eq!(
        patients(&database).await[0].open(&keys),
        Err(SealError::Broken)
    );
}

async fn rotation_reseals_every_row_during_concurrent_writes(test: &TestDatabase) {
    const ROWS: u128 = 450;
    let keys = keys::keys();
    let database = open_with(test, Limits::default(), &keys).await;
    keep_all(&database, &old_keys(), (1..=ROWS).collect(), "first".into())
        .await
        .expect("kept");
    let is_over = Arc::new(AtomicBool::new(false));
    // One replica was not restarted yet and seals with the old key; another seals with the new one.
    let writers = [("old", old_keys()), ("new", keys.clone())].map(|(name, keys)| {
        let (database, is_over) = (database.clone(), Arc::clone(&is_over));
        tokio::spawn(async move {
            let mut last = BTreeMap::new();
            let mut round = 0;
            while !is_over.load(Ordering::SeqCst) || round < 30 {
                // Each replica has the odd or the even rows, and its last write to each must survive.
                let number = 2 * (7 * round % (ROWS / 2)) + u128::from(name == "old") + 1;
                let words = format!("{name} {round}");
                keep(&database, &keys, number, words.clone())
                    .await
                    .expect("kept");
                last.insert(number, words);
                round += 1;
            }
            last
        })
    });
    let rotated = rotate(&database, &keys, PATIENTS).await.expect("resealed");
    assert!(rotated.rows >= 200, "{rotated:?}");
    is_over.store(true, Ordering::SeqCst);
    let mut last = BTreeMap::new();
    for writer in writers {
        last.append(&mut writer.await.expect("it wrote"));
    }
    rotate(&database, &keys, PATIENTS).await.expect("resealed");
    assert_eq!(sealed_with(&database, "k0").await, 0);
    assert_eq!(
        rotate(&database, &keys, PATIENTS)
            .await
            .expect("nothing left"),
        Rotated::default()
    );
    let only = new_keys_only();
    for patient in patients(&database).await {
        let number = patient.id.as_u128();
        let (name, number_of_phone) = patient.open(&only).expect("the old key may go");
        let expected = last.get(&number).map_or("first", String::as_str);
        assert_eq!(name, expected, "row {number}");
        assert_eq!(number_of_phone, phone(number));
    }
}

async fn an_interrupted_rotation_resumes(test: &TestDatabase) {
    const ROWS: u128 = 3000;
    let keys = keys::keys();
    let database = open_with(test, Limits::default(), &keys).await;
    keep_all(&database, &old_keys(), (1..=ROWS).collect(), "first".into())
        .await
        .expect("kept");
    let rotation = tokio::spawn({
        let (database, keys) = (database.clone(), keys.clone());
        async move { rotate(&database, &keys, PATIENTS).await }
    });
    until("the first step is done", async || {
        sealed_with(&database, "k1").await > 0
    })
    .await;
    rotation.abort();
    let ended = rotation.await;
    let left = sealed_with(&database, "k0").await;
    assert!(
        ended.is_err() && left > 0,
        "it was interrupted: {left} are left"
    );
    let rotated = rotate(&database, &keys, PATIENTS).await.expect("the rest");
    assert!(rotated.rows > 0 && i64::try_from(rotated.rows).expect("a count") <= left);
    assert_eq!(sealed_with(&database, "k0").await, 0);
    let only = new_keys_only();
    for patient in patients(&database).await {
        assert_eq!(patient.open(&only).expect("opened").0, "first");
    }
}

async fn a_missing_key_fails_the_start(test: &TestDatabase) {
    let url = test.parsed_url();
    let database = open_with(test, Limits::default(), &old_keys()).await;
    let only = new_keys_only();
    let opens = async || {
        migrate(&url, &SCHEMA, &only).await.expect("a schema");
        let database = Database::open(&url, Limits::default(), SCHEMA, &only).await?;
        let ready = database.ready().await;
        database.close().await;
        ready
    };
    opens().await.expect("nothing is sealed yet");
    keep(&database, &keys::keys(), 1, "new".into())
        .await
        .expect("kept");
    opens().await.expect("k1 is there");
    keep(&database, &old_keys(), 2, "old".into())
        .await
        .expect("kept");
    let error = opens().await.expect_err("k0 is missing");
    assert!(error.to_string().contains("k0"), "{error}");
    // SQLite does not even open, so the process ends before a port is bound.
    let opened = Database::open(&url, Limits::default(), SCHEMA, &only).await;
    assert_eq!(opened.is_err(), url.kind() == DatabaseKind::Sqlite);
    database.ready().await.expect("who has both keys is ready");
    rotate(&database, &keys::keys(), PATIENTS)
        .await
        .expect("resealed");
    opens().await.expect("k0 may go");
}

/// Neither the file, its log nor any other file contains the plain text.
#[tokio::test]
async fn the_file_contains_no_plain_text() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    keep(&database, &keys::keys(), 1, "Asha Canary Rao".into())
        .await
        .expect("kept");
    let count: i64 = value(&database, "SELECT count(*) FROM patients").await;
    assert_eq!(count, 1);
    let DatabaseUrl::Sqlite(path) = test.parsed_url() else {
        panic!("a file");
    };
    let folder = path.parent().expect("a folder");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let bytes = std::fs::read(entry.expect("a file").path()).expect("a file");
        for part in [&b"Canary"[..], b"98450"] {
            assert!(!bytes.windows(part.len()).any(|window| window == part));
        }
    }
}
