//! What a release's content files change: they seed an empty database, add new records, and replace those that nobody
//! has changed since they came from files. Records that staff changed stay.

use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    row,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use super::{
    Author, Check, parse_body,
    publish::{self, live_records},
    work::{INSERT_CHANGE, LOCK, insert, name, version},
};
use crate::{
    records::{Body, Live, Problem},
    store::work::next_sequence,
};

const KNOWN: &str = "\
SELECT records.kind AS kind, records.id AS id, records.position AS position, records.version AS version, \
  records.author AS author, records.state AS state, record_versions.body AS body \
FROM records JOIN record_versions ON record_versions.kind = records.kind AND record_versions.id = records.id \
  AND record_versions.lang = records.lang AND record_versions.version = records.version \
WHERE records.lang = 'en' AND records.kind <> 'post'";
const REPLACE: &str = "\
UPDATE records SET version = $3, live_version = $3, title = $4, path = $5, updated_at = $6, etag = $7 \
WHERE kind = $1 AND id = $2 AND lang = 'en'";

row! {
    struct KnownRow {
        kind: String,
        id: String,
        position: i64,
        version: i64,
        author: String,
        state: String,
        body: String,
    }
}

/// What the files changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilesOutcome {
    /// Number of records that were added or replaced.
    Taken(usize),
    /// With the records that staff changed, the content would be broken. Nothing was taken.
    Broken(Problem),
}

pub(in crate::store) struct TakeFiles {
    pub(super) records: Vec<Live>,
    /// Whether files that were taken before are taken again.
    pub(super) again: bool,
    pub(super) check: Check,
    pub(super) now: DateTime<Utc>,
    pub(super) etag: String,
}

#[async_trait]
impl UnitOfWork for TakeFiles {
    type Outcome = FilesOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<FilesOutcome>, StoreError> {
        let _: (i64,) = transaction.fetch_one(LOCK, values![]).await?;
        let rows: Vec<KnownRow> = transaction.fetch_all(KNOWN, values![]).await?;
        if !rows.is_empty() && !self.again {
            return Ok(Decision::Rollback(FilesOutcome::Taken(0)));
        }
        let mut last: HashMap<String, i64> = HashMap::new();
        for row in &rows {
            let last = last.entry(row.kind.clone()).or_default();
            *last = row.position.max(*last);
        }
        let known: HashMap<(&str, &str), &KnownRow> = rows
            .iter()
            .map(|row| ((row.kind.as_str(), row.id.as_str()), row))
            .collect();
        let mut live = live_records(transaction).await?;
        let mut script = Script::new();
        let mut names = Vec::new();
        for record in &self.records {
            let Live { kind, id, body } = record;
            match known.get(&(kind.name, id.as_str())) {
                None => {
                    let position = last.entry(kind.name.to_owned()).or_default();
                    *position += 1;
                    let files = Author::default();
                    script.push(insert(
                        kind, id, *position, "live", body, &files, self.now, &self.etag,
                    ));
                    script.push(version(kind.name, id, 1, body, &files, self.now));
                    publish::place(&mut live, kind, id, Some(body));
                }
                Some(row) if is_replaced(row, body)? => {
                    self.replace(&mut script, record, row.version + 1);
                    publish::place(&mut live, kind, id, Some(body));
                }
                Some(_) => continue,
            }
            names.push(name(kind, id));
        }
        if names.is_empty() {
            return Ok(Decision::Rollback(FilesOutcome::Taken(0)));
        }
        if let Err(problem) = publish::checked(live, &self.check).await {
            return Ok(Decision::Rollback(FilesOutcome::Broken(problem)));
        }
        let seq = next_sequence(transaction).await?;
        let name = if names.len() == 1 {
            names[0].as_str()
        } else {
            "*"
        };
        script.push(Statement::new(INSERT_CHANGE, values![seq, name]));
        transaction.run(script).await?;
        Ok(Decision::Commit(FilesOutcome::Taken(names.len())))
    }
}

impl TakeFiles {
    fn replace(&self, script: &mut Script, Live { kind, id, body }: &Live, next: i64) {
        let (title, path) = (kind.title_of(body), kind.path_of(body));
        let values = values![kind.name, id, next, title, path, self.now, &self.etag];
        script.push(Statement::new(REPLACE, values));
        script.push(version(
            kind.name,
            id,
            next,
            body,
            &Author::default(),
            self.now,
        ));
    }
}

/// Returns whether the files replace this record: it is on the site as they brought it, and they have another text now.
fn is_replaced(row: &KnownRow, body: &Body) -> Result<bool, StoreError> {
    let is_of_files = row.author.is_empty() && row.state == "live";
    Ok(is_of_files && parse_body(&row.body)? != *body)
}
