//! Changes read from the database and applied to the corpus, before they become visible.

use std::collections::BTreeSet;

use store_kit::error::StoreError;

use super::listing::Note;
use crate::{
    blocking::off_the_runtime,
    html,
    search::{self, Corpus},
    store::{BlogRow, Change, Store},
};

/// Changes read per query.
pub(super) const CHANGES_AT_ONCE: usize = 100;
/// Maximum changes applied incrementally. Beyond that, everything is reloaded.
const CHANGES_BEHIND_MAX: usize = 1_000;

/// Changes applied to the corpus but not yet to the state.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) corpus: Corpus,
    /// Sequence number of the last of these changes.
    pub(super) seq: i64,
    pub(super) changes: Vec<Change>,
    /// Posts by id; `None` if deleted.
    pub(super) posts: Vec<(String, Option<Note>)>,
}

/// Posts by id as read; deleted posts have no row.
pub(super) type Rows = Vec<(String, Option<BlogRow>)>;
pub(super) type Notes = Vec<(String, Option<Note>)>;

/// Upserts posts into the corpus and removes deleted ones. HTML from older binaries or rules is sanitised again and
/// stored.
pub(super) async fn take_in(
    store: &Store,
    corpus: Corpus,
    rows: Rows,
) -> Result<(Corpus, Notes), StoreError> {
    let work = move |corpus: &mut Corpus| {
        let mut resanitised = Vec::new();
        let mut notes = Vec::with_capacity(rows.len());
        for (id, row) in rows {
            let Some(row) = row else {
                corpus.remove(&id);
                notes.push((id, None));
                continue;
            };
            let own = row.resanitised();
            let html = own.as_ref().unwrap_or(&row.content_html);
            corpus.put(&search::of_post(&row, &html::text_of(html)));
            notes.push((id, Some(Note::from(&row))));
            resanitised.extend(own.map(|html| (row.id, row.etag, html)));
        }
        (resanitised, notes)
    };
    let (corpus, (resanitised, notes)) = with_corpus(corpus, work).await;
    for (id, etag, html) in &resanitised {
        store.keep_html(id, etag, html).await?;
    }
    Ok((corpus, notes))
}

/// Applies changed posts to the corpus. Returns `None` if the change log no longer holds the changes, or if there are
/// too many.
pub(super) async fn collect(
    store: &Store,
    corpus: Corpus,
    known: i64,
    mut changes: Vec<Change>,
) -> Result<Option<Pending>, StoreError> {
    let mut pending = Pending {
        corpus,
        seq: known,
        changes: Vec::new(),
        posts: Vec::new(),
    };
    while let (Some(first), Some(last)) = (changes.first(), changes.last()) {
        let is_gap = first.seq != pending.seq + 1;
        let is_unclear = changes.iter().any(|change| change.blog_id.is_empty());
        let is_behind = pending.changes.len() >= CHANGES_BEHIND_MAX;
        if is_gap || is_unclear || is_behind {
            return Ok(None);
        }
        pending.seq = last.seq;
        let rows = changed_rows(store, &changes).await?;
        let posts;
        (pending.corpus, posts) = take_in(store, pending.corpus, rows).await?;
        pending.posts.extend(posts);
        let is_last = changes.len() < CHANGES_AT_ONCE;
        pending.changes.append(&mut changes);
        if is_last {
            break;
        }
        changes = store.changes(pending.seq, CHANGES_AT_ONCE).await?;
    }
    Ok(Some(pending))
}

/// Reads the current rows of changed posts.
async fn changed_rows(store: &Store, changes: &[Change]) -> Result<Rows, StoreError> {
    let ids: BTreeSet<&String> = changes.iter().map(|change| &change.blog_id).collect();
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        // Another post may meanwhile have a slug equal to the deleted post's id.
        let row = store.blog(id).await?.filter(|row| row.id == *id);
        rows.push((id.clone(), row));
    }
    Ok(rows)
}

/// Runs `work` on the corpus on a blocking thread.
pub(super) async fn with_corpus<T: Send + 'static>(
    mut corpus: Corpus,
    work: impl FnOnce(&mut Corpus) -> T + Send + 'static,
) -> (Corpus, T) {
    off_the_runtime(move || {
        let done = work(&mut corpus);
        (corpus, done)
    })
    .await
}
