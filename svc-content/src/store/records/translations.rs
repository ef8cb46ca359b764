//! Translations that staff enter: by language and English text, each change a row.

use async_trait::async_trait;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use chrono::{DateTime, Utc};
use service_kit::input::Violation;
use sha2::{Digest as _, Sha256};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    row,
    sql::{Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use super::{
    RecordRow, Target,
    publish::note,
    work::{LOCK, body_of, by_id, entry},
};
use crate::{
    language::Language,
    records::{
        Kind,
        translations::{RecordText, TRANSLATIONS_MAX, TranslatedText, texts_of, violations_of},
    },
    store::{Store, work::next_sequence},
};

/// Maximum changes that are returned of a record's texts.
const CHANGES_MAX: i64 = 20;

/// The rows that apply.
macro_rules! current {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM record_translations AS own WHERE NOT EXISTS (SELECT 1 FROM record_translations AS later \
             WHERE later.lang = own.lang AND later.english_hash = own.english_hash AND later.seq > own.seq) AND ",
            $rest
        )
    };
}

/// The hashes are separated by commas.
macro_rules! of_texts {
    ($begin:expr, $end:literal) => {
        Sql::differing(
            concat!(
                $begin,
                "own.english_hash IN (SELECT value FROM json_each('[\"' || replace($2, ',', '\",\"') || '\"]'))",
                $end
            ),
            concat!($begin, "own.english_hash = ANY(string_to_array($2, ','))", $end),
        )
    };
}

const ALL: &str = current!(
    "own.lang, own.english, own.translation",
    "own.translation <> ''"
);
const COUNT: &str = current!("count(*)", "own.translation <> '' AND own.lang = $1");
const OF_TEXTS: Sql = of_texts!(
    current!(
        "own.english, own.translation, own.seq, own.author_name, own.created_at",
        "own.lang = $1 AND "
    ),
    ""
);
const CHANGES: Sql = of_texts!(
    "SELECT own.english, coalesce((SELECT before.translation FROM record_translations AS before \
     WHERE before.lang = own.lang AND before.english_hash = own.english_hash AND before.seq < own.seq \
     ORDER BY before.seq DESC LIMIT 1), '') AS before, own.translation AS after, own.author_name, own.created_at \
     FROM record_translations AS own WHERE own.lang = $1 AND ",
    " ORDER BY own.seq DESC, own.english LIMIT $3"
);
const INSERT: &str = "\
INSERT INTO record_translations (lang, english_hash, seq, english, translation, author, author_name, created_at) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const ADD_PUBLICATION: &str = "\
INSERT INTO record_publications (seq, kind, id, lang, title, path, version_before, version_after, author, author_name, \
  created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)";

row! {
    /// A translation of staff that applies.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Translation {
        pub lang: String,
        pub english: String,
        pub translation: String,
    }
}

row! {
    /// The last change of a text by staff.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TranslationRow {
        pub english: String,
        /// Empty: staff removed theirs.
        pub translation: String,
        pub seq: i64,
        pub author_name: String,
        pub created_at: DateTime<Utc>,
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TranslationChange {
        pub english: String,
        pub before: String,
        pub after: String,
        pub author_name: String,
        pub created_at: DateTime<Utc>,
    }
}

/// The texts of a record with the translations of staff in a language.
#[derive(Debug, Clone, PartialEq)]
pub struct Translations {
    pub row: RecordRow,
    pub texts: Vec<RecordText>,
    pub staff: Vec<TranslationRow>,
    /// The last ones, newest first.
    pub changes: Vec<TranslationChange>,
}

impl Translations {
    /// Returns the translation of staff; `None` if they have none or removed it.
    pub fn of(&self, english: &str) -> Option<&TranslationRow> {
        let mut staff = self.staff.iter();
        staff.find(|own| own.english == english && !own.translation.is_empty())
    }

    /// Changes with the English texts and with the translations of staff.
    pub fn etag(&self) -> String {
        let mut hash = Sha256::new();
        for RecordText { english, .. } in &self.texts {
            let seq = self.staff.iter().find(|own| own.english == *english);
            hash.update(Sha256::digest(english));
            hash.update(seq.map_or(0, |own| own.seq).to_be_bytes());
        }
        BASE64.encode(&hash.finalize()[..16])
    }
}

/// Outcome of a change of translations.
#[derive(Debug, Clone, PartialEq)]
pub enum TranslationOutcome {
    Done,
    Absent,
    /// The English texts or the translations have changed since the caller read them.
    EtagMismatch,
    Invalid(Vec<Violation>),
    /// Staff have [`TRANSLATIONS_MAX`] translations in the language.
    Full,
}

/// Reads in one transaction, so that texts and translations fit to each other.
struct Read {
    kind: &'static Kind,
    id: String,
    language: Language,
}

#[async_trait]
impl UnitOfWork for Read {
    type Outcome = Option<Translations>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Option<Translations>>, StoreError> {
        let found = read(transaction, self.kind, &self.id, self.language).await?;
        Ok(Decision::Rollback(found))
    }
}

struct Translate {
    target: Target,
    language: Language,
    changes: Vec<TranslatedText>,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for Translate {
    type Outcome = TranslationOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<TranslationOutcome>, StoreError> {
        let Self {
            target,
            language,
            changes,
            keys,
        } = self;
        let _: (i64,) = transaction.fetch_one(LOCK, values![]).await?;
        let found = read(transaction, target.kind, &target.id, *language).await?;
        let Some(known) = found else {
            return Ok(Decision::Rollback(TranslationOutcome::Absent));
        };
        if known.etag() != target.etag {
            return Ok(Decision::Rollback(TranslationOutcome::EtagMismatch));
        }
        let violations = violations_of(&known.texts, changes);
        if !violations.is_empty() {
            return Ok(Decision::Rollback(TranslationOutcome::Invalid(violations)));
        }
        let before = |english: &str| known.of(english).map_or("", |own| &own.translation);
        let changed: Vec<&TranslatedText> = changes
            .iter()
            .filter(|change| before(&change.english) != change.translation)
            .collect();
        if changed.is_empty() {
            return Ok(Decision::Rollback(TranslationOutcome::Done));
        }
        let code = language.code();
        let added = changed
            .iter()
            .filter(|change| before(&change.english).is_empty());
        let added = i64::try_from(added.count()).unwrap_or(i64::MAX);
        let (count,): (i64,) = transaction.fetch_one(COUNT, values![code]).await?;
        if added > 0 && count.saturating_add(added) > TRANSLATIONS_MAX {
            return Ok(Decision::Rollback(TranslationOutcome::Full));
        }
        let seq = next_sequence(transaction).await?;
        let mut script = Script::new();
        for change in &changed {
            script.push(self.insert(change, seq));
        }
        script.push(self.publication(&known.row, seq));
        script.append(note(target, seq));
        transaction.run(script).await?;
        let detail = format!("{code}: {} texts, change {seq}", changed.len());
        let entry = entry(
            &target.author,
            "record.translated",
            target.kind,
            &target.id,
            &detail,
        );
        audit::append(transaction, keys, &entry, target.now).await?;
        Ok(Decision::Commit(TranslationOutcome::Done))
    }
}

impl Translate {
    fn insert(&self, change: &TranslatedText, seq: i64) -> Statement {
        let Target { author, now, .. } = &self.target;
        let values = values![
            self.language.code(),
            hash_of(&change.english),
            seq,
            &change.english,
            &change.translation,
            &author.subject,
            &author.name,
            *now
        ];
        Statement::new(INSERT, values)
    }

    /// Returns the entry of the list of changes.
    fn publication(&self, row: &RecordRow, seq: i64) -> Statement {
        let Target {
            kind,
            id,
            author,
            now,
            ..
        } = &self.target;
        let values = values![
            seq,
            kind.name,
            id,
            self.language.code(),
            &row.title,
            &row.path,
            row.live_version,
            &author.subject,
            &author.name,
            *now
        ];
        Statement::new(ADD_PUBLICATION, values)
    }
}

async fn read(
    transaction: &mut Transaction<'_>,
    kind: &'static Kind,
    id: &str,
    language: Language,
) -> Result<Option<Translations>, StoreError> {
    let Some(row) = by_id(transaction, kind.name, id).await? else {
        return Ok(None);
    };
    let live = body_of(transaction, &row, row.live_version).await?;
    let latest = body_of(transaction, &row, row.version).await?;
    let texts = texts_of(kind, live.as_ref(), &latest.unwrap_or_default());
    let hashes: Vec<String> = texts.iter().map(|text| hash_of(&text.english)).collect();
    let hashes = hashes.join(",");
    let code = language.code();
    let staff = transaction
        .fetch_all(OF_TEXTS, values![code, &hashes])
        .await?;
    let changes = transaction
        .fetch_all(CHANGES, values![code, &hashes, CHANGES_MAX])
        .await?;
    Ok(Some(Translations {
        row,
        texts,
        staff,
        changes,
    }))
}

fn hash_of(english: &str) -> String {
    BASE64.encode(Sha256::digest(english))
}

impl Store {
    /// Returns the translations of staff that apply, in all languages.
    pub async fn translations(&self) -> Result<Vec<Translation>, StoreError> {
        self.database()
            .fetch_all("SELECT record_translations", ALL, values![])
            .await
    }

    /// Returns the texts of a record with the translations of staff; `None` if there is no such record.
    pub async fn record_translations(
        &self,
        kind: &'static Kind,
        id: String,
        language: Language,
    ) -> Result<Option<Translations>, StoreError> {
        let work = Read { kind, id, language };
        self.database()
            .write("SELECT record_translations", work)
            .await
    }

    /// Stores translations of a record's texts. The etag of the target is that of [`Translations::etag`].
    pub async fn translate_record(
        &self,
        target: Target,
        language: Language,
        changes: Vec<TranslatedText>,
    ) -> Result<TranslationOutcome, StoreError> {
        let keys = self.keys.clone();
        let work = Translate {
            target,
            language,
            changes,
            keys,
        };
        self.database()
            .write("INSERT record_translations", work)
            .await
    }
}
