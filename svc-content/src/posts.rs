//! What a process keeps of the blog posts in memory: which are related, and the search index. It follows the database,
//! whichever process writes there, and tells the watchers what has changed.

mod catalogue;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use hospital_proto::{content::v1::BlogLink, hospital::api::v1::WatchChangesResponse};
use parking_lot::RwLock;
use tokio::sync::{Mutex, broadcast};

use crate::{
    domain::Content,
    search::{self, Document, Kind, Results, SearchIndex},
    store::{BlogRow, Change, ListPosition, Store, StoreError},
};
use catalogue::{Catalogue, Note};

/// Posts that are kept: the newest. Older ones are listed and shown, but neither found nor recommended.
const POSTS_MAX: usize = 20_000;
/// Posts that are read at once.
const ROWS_AT_ONCE: usize = 200;
/// Changes that are read at once.
const CHANGES_AT_ONCE: usize = 100;
/// Changes that a slow watcher may be behind; further behind, it is told that everything has changed.
const CHANGES_WAITING_MAX: usize = 64;
/// How often the database is asked what others have written.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// Reads of the API that any change of a post may change.
const LIST_PATH: &str = "/blogs";
const SEARCH_PATH: &str = "/search";

#[derive(Debug)]
pub(crate) struct Posts {
    content: Arc<Content>,
    state: RwLock<State>,
    /// Held by whoever brings the state up to date.
    catching_up: Mutex<()>,
    changes: broadcast::Sender<WatchChangesResponse>,
}

#[derive(Debug)]
struct State {
    catalogue: Catalogue,
    index: SearchIndex,
    /// The last change that is in here; `None` before the database was read.
    seq: Option<i64>,
}

impl State {
    /// Everything of the files.
    fn new(content: &Content, seq: Option<i64>) -> Self {
        Self {
            catalogue: Catalogue::default(),
            index: SearchIndex::new(search::of_content(content)),
            seq,
        }
    }

    fn put(&mut self, note: Note, document: &Document) {
        self.catalogue.put(note);
        self.index.put(document);
        if self.catalogue.len() > POSTS_MAX
            && let Some(oldest) = self.catalogue.oldest()
        {
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, id: &str) {
        self.catalogue.remove(id);
        self.index.remove(id);
    }
}

/// A post, made ready outside of the lock.
fn prepared(row: &BlogRow) -> (Note, Document) {
    (Note::from(row), search::of_post(row))
}

/// Reading thousands of posts takes long enough that requests would wait: it has a thread of its own.
async fn with_posts(mut state: State, rows: Vec<BlogRow>) -> State {
    let work = move || {
        for row in &rows {
            let (note, document) = prepared(row);
            state.put(note, &document);
        }
        state
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(state) => state,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

impl Posts {
    /// Knows the content of the files, and no post yet.
    pub(crate) fn new(content: Arc<Content>) -> Self {
        Self {
            state: RwLock::new(State::new(&content, None)),
            content,
            catching_up: Mutex::new(()),
            changes: broadcast::channel(CHANGES_WAITING_MAX).0,
        }
    }

    pub(crate) fn related(&self, id: &str) -> Vec<BlogLink> {
        self.state.read().catalogue.related(id)
    }

    pub(crate) fn popular(&self, id: &str) -> Vec<BlogLink> {
        self.state.read().catalogue.popular(id)
    }

    /// Everything that was found, best first; the keys are paths.
    pub(crate) fn search(&self, query: &str) -> Results {
        let state = self.state.read();
        let mut results = state.index.search(query);
        for entry in &mut results.entries {
            if entry.kind == Kind::Blog
                && let Some(path) = state.catalogue.path(&entry.key)
            {
                entry.key = path;
            }
        }
        results
    }

    /// What changes whenever anything changes that is served.
    pub(crate) fn revision(&self) -> String {
        self.revision_at(self.state.read().seq)
    }

    fn revision_at(&self, seq: Option<i64>) -> String {
        let files = self.content.revision.get(..16).unwrap_or_default();
        seq.map_or_else(
            || format!("{files}-starting"),
            |seq| format!("{files}-{seq}"),
        )
    }

    /// Changes from now on.
    pub(crate) fn watch(&self) -> broadcast::Receiver<WatchChangesResponse> {
        self.changes.subscribe()
    }

    /// What a watcher is told who missed some changes.
    pub(crate) fn everything_changed(&self) -> WatchChangesResponse {
        WatchChangesResponse {
            revision: self.revision(),
            paths: vec![LIST_PATH.to_owned(), SEARCH_PATH.to_owned()],
        }
    }

    /// Follows the database for ever. While it is away, what is known stays.
    pub(crate) async fn follow(&self, store: &dyn Store) {
        let mut is_away = false;
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            let outcome = self.catch_up(store).await;
            let was_away = std::mem::replace(&mut is_away, outcome.is_err());
            match outcome {
                Ok(()) if was_away => tracing::info!("changes of posts are seen again"),
                Err(error) if !was_away => tracing::warn!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "changes of posts are not seen"
                ),
                // Said once, not four times a second.
                Ok(()) | Err(_) => {}
            }
        }
    }

    /// Brings the memory up to date with the database, and tells the watchers.
    pub(crate) async fn catch_up(&self, store: &dyn Store) -> Result<(), StoreError> {
        let _only_one = self.catching_up.lock().await;
        loop {
            let known = self.state.read().seq;
            let Some(known) = known else {
                return self.load(store).await;
            };
            let changes = store.changes(known, CHANGES_AT_ONCE).await?;
            let Some(first) = changes.first() else {
                return Ok(());
            };
            let is_unclear = |change: &Change| change.blog_id.is_empty();
            if first.seq != known + 1 || changes.iter().any(is_unclear) {
                return self.load(store).await;
            }
            self.apply(store, &changes).await?;
            if changes.len() < CHANGES_AT_ONCE {
                return Ok(());
            }
        }
    }

    async fn apply(&self, store: &dyn Store, changes: &[Change]) -> Result<(), StoreError> {
        let ids: BTreeSet<&str> = changes
            .iter()
            .map(|change| change.blog_id.as_str())
            .collect();
        let mut posts = Vec::with_capacity(ids.len());
        for id in ids {
            // By then, another post may be found by the name that was the id of one that is gone.
            let row = store.blog(id).await?.filter(|row| row.id == id);
            posts.push((id, row.as_ref().map(prepared)));
        }
        let seq = changes.last().map(|change| change.seq);
        {
            let mut state = self.state.write();
            for (id, post) in posts {
                match post {
                    Some((note, document)) => state.put(note, &document),
                    None => state.remove(id),
                }
            }
            state.seq = seq;
        }
        let mut paths = BTreeSet::from([LIST_PATH.to_owned(), SEARCH_PATH.to_owned()]);
        for change in changes {
            let names = [&change.blog_id, &change.slug_before, &change.slug_after];
            let names = names.into_iter().filter(|name| !name.is_empty());
            paths.extend(names.map(|name| format!("{LIST_PATH}/{name}")));
        }
        self.tell(WatchChangesResponse {
            revision: self.revision_at(seq),
            paths: paths.into_iter().collect(),
        });
        Ok(())
    }

    /// Reads everything anew. What is written meanwhile comes as a change afterwards.
    async fn load(&self, store: &dyn Store) -> Result<(), StoreError> {
        let seq = store.sequence().await?;
        let mut state = State::new(&self.content, Some(seq));
        let mut after: Option<ListPosition> = None;
        while state.catalogue.len() < POSTS_MAX {
            let rows = store.blog_rows(after.as_ref(), ROWS_AT_ONCE).await?;
            let is_last = rows.len() < ROWS_AT_ONCE;
            after = rows.last().map(|row| ListPosition {
                published_at: row.published_at,
                id: row.id.clone(),
            });
            state = with_posts(state, rows).await;
            if is_last {
                break;
            }
        }
        let (documents, terms, postings) = state.index.sizes();
        tracing::info!(
            posts = state.catalogue.len(),
            search.documents = documents,
            search.terms = terms,
            search.postings = postings,
            "posts are loaded"
        );
        *self.state.write() = state;
        self.tell(self.everything_changed());
        Ok(())
    }

    pub(crate) fn tell(&self, change: WatchChangesResponse) {
        // Nobody listening is no failure.
        drop(self.changes.send(change));
    }
}
