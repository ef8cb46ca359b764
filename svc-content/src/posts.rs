//! What visitors read: the content, related posts and the search index. It follows the database's change log,
//! regardless of which process writes, and notifies the watchers.

mod listing;
mod pending;

use std::{collections::BTreeSet, mem, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use change_rpc::Source;
use hospital_proto::{content::v1::BlogLink, hospital::api::v1::WatchChangesResponse};
use parking_lot::RwLock;
use store_kit::error::StoreError;
use tokio::{
    sync::{Mutex, Semaphore, broadcast, mpsc, oneshot},
    time::Instant,
};
use tonic::Status;

use crate::{
    blocking::off_the_runtime,
    domain::Content,
    error::AnswerError,
    records::{self, KINDS, Live},
    search::{Corpus, Kind, Results, SearchIndex},
    store::{ListPosition, Store},
    wire,
};
use listing::Listing;
use pending::{CHANGES_AT_ONCE, Pending, collect, take_in, with_corpus};

/// Maximum posts in memory, the newest. Older posts are listed and served, but neither found by search nor recommended.
const POSTS_MAX: usize = 20_000;
/// Posts read per query.
const ROWS_AT_ONCE: usize = 200;
/// Poll interval for changes by other processes.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum pause after a poll. The pause after a poll is as long as the poll took. A burst of changes thus uses at most
/// half a thread and is applied as one batch.
const REST_MAX: Duration = Duration::from_millis(250);
/// Maximum writers that wait concurrently for the index to include their post; more queue behind them.
const WRITERS_MAX: usize = 64;
/// Maximum concurrent searches, each on its own thread.
const SEARCHES_MAX: usize = 4;

/// API paths invalidated by every change of a post.
const LIST_PATH: &str = "/blogs";
const SEARCH_PATH: &str = "/search";

#[derive(Debug)]
pub(crate) struct Posts {
    /// What visitors read, without posts.
    content: ArcSwap<Content>,
    /// Records that a publication has checked, and their content. Taken by the next rebuild.
    checked: parking_lot::Mutex<Option<(Vec<Live>, Content)>>,
    state: RwLock<State>,
    /// Source of the next index, locked during rebuilds. `None` before the first load and after a cancelled update; the
    /// next poll then reloads everything.
    corpus: Mutex<Option<Corpus>>,
    changes: broadcast::Sender<WatchChangesResponse>,
    /// Writers waiting for a poll that starts after their commit.
    writers: mpsc::Sender<oneshot::Sender<()>>,
    waiting: Mutex<mpsc::Receiver<oneshot::Sender<()>>>,
    searches: Arc<Semaphore>,
}

/// State that serves reads.
#[derive(Debug)]
struct State {
    listing: Listing,
    index: Arc<SearchIndex>,
    /// Sequence number of the last applied change; `None` before the first load.
    seq: Option<i64>,
}

impl Posts {
    /// Creates a view with the content of the files and without posts.
    pub(crate) fn new(content: Arc<Content>) -> Self {
        let index = Corpus::new(&content).index();
        let (writers, waiting) = mpsc::channel(WRITERS_MAX);
        Self {
            state: RwLock::new(State {
                listing: Listing::default(),
                index: Arc::new(index),
                seq: None,
            }),
            content: ArcSwap::new(content),
            checked: parking_lot::Mutex::default(),
            corpus: Mutex::new(None),
            changes: change_rpc::channel(),
            writers,
            waiting: Mutex::new(waiting),
            searches: Arc::new(Semaphore::new(SEARCHES_MAX)),
        }
    }

    pub(crate) fn content(&self) -> Arc<Content> {
        self.content.load_full()
    }

    /// Keeps the content that a publication was checked with, so that it is not built twice.
    pub(crate) fn keep(&self, records: &[Live], content: Content) {
        *self.checked.lock() = Some((records.to_vec(), content));
    }

    pub(crate) fn related(&self, id: &str) -> Vec<BlogLink> {
        self.state.read().listing.related(id)
    }

    pub(crate) fn popular(&self, id: &str) -> Vec<BlogLink> {
        self.state.read().listing.popular(id)
    }

    /// Returns all results, best first; the keys are paths. Runs on its own thread, because a misspelt word is compared
    /// with every indexed term.
    pub(crate) async fn search(&self, query: String) -> Results {
        let place = Arc::clone(&self.searches).acquire_owned().await;
        let index = Arc::clone(&self.state.read().index);
        let work = move || {
            // Held by the thread, because the caller may have been cancelled.
            let _place = place;
            index.search(&query)
        };
        let mut results = off_the_runtime(work).await;
        let state = self.state.read();
        results.entries.retain_mut(|entry| {
            if entry.kind != Kind::Blog {
                return true;
            }
            // A post deleted in the meantime has no path.
            let path = state.listing.path(&entry.key);
            path.map(|path| entry.key = path).is_some()
        });
        results
    }

    fn revision_at(&self, seq: Option<i64>) -> String {
        let content = self.content.load();
        let files = content.revision.get(..16).unwrap_or_default();
        seq.map_or_else(
            || format!("{files}-starting"),
            |seq| format!("{files}-{seq}"),
        )
    }

    /// Returns whether the database has been read.
    pub(crate) fn are_known(&self) -> bool {
        self.state.read().seq.is_some()
    }

    /// Returns an event that invalidates the reads of these kinds and all reads of posts.
    fn changed(&self, kinds: impl Iterator<Item = &'static records::Kind>) -> WatchChangesResponse {
        let mut paths = BTreeSet::from([LIST_PATH, SEARCH_PATH]);
        paths.extend(kinds.flat_map(|kind| kind.reads));
        WatchChangesResponse {
            revision: self.revision_at(self.state.read().seq),
            paths: paths.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Follows the database in an endless loop. While the database is unavailable, the last state stays in use.
    pub(crate) async fn follow(&self, store: &Store) {
        let mut waiting = self.waiting.lock().await;
        let mut is_away = false;
        loop {
            let mut writers = Vec::new();
            tokio::select! {
                () = tokio::time::sleep(LOOK_INTERVAL) => {}
                _ = waiting.recv_many(&mut writers, WRITERS_MAX) => {}
            }
            let began = Instant::now();
            let outcome = self.catch_up(store).await;
            let was_away = mem::replace(&mut is_away, outcome.is_err());
            match outcome {
                Ok(()) => {
                    for writer in writers {
                        // Fails if the writer was cancelled, which is harmless.
                        let _ = writer.send(());
                    }
                    if was_away {
                        tracing::info!("reading changes of posts works again");
                    }
                }
                Err(error) if !was_away => tracing::warn!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "cannot read changes of posts"
                ),
                // Log an outage once, not on every poll.
                Err(_) => {}
            }
            tokio::time::sleep(began.elapsed().min(REST_MAX)).await;
        }
    }

    /// Waits until everything committed so far is indexed (read your writes). Returns false while the database is
    /// unavailable.
    pub(crate) async fn caught_up(&self) -> bool {
        let (done, answer) = oneshot::channel();
        self.writers.send(done).await.is_ok() && answer.await.is_ok()
    }

    /// Applies the changes from the database and notifies the watchers.
    pub(crate) async fn catch_up(&self, store: &Store) -> Result<(), StoreError> {
        let mut place = self.corpus.lock().await;
        let known = self.state.read().seq;
        let Some(known) = known else {
            *place = Some(self.load(store).await?);
            return Ok(());
        };
        let changes = store.changes(known, CHANGES_AT_ONCE).await?;
        if changes.is_empty() {
            return Ok(());
        }
        let pending = match place.take() {
            Some(corpus) => collect(store, corpus, known, changes).await?,
            None => None,
        };
        *place = Some(match pending {
            Some(pending) => self.apply(pending).await,
            None => self.load(store).await?,
        });
        Ok(())
    }

    /// Rebuilds the index, and swaps in the new index and listing.
    async fn apply(&self, pending: Pending) -> Corpus {
        let Pending {
            corpus,
            seq,
            changes,
            posts,
        } = pending;
        let (mut corpus, index) = with_corpus(corpus, Corpus::index).await;
        {
            let mut state = self.state.write();
            for (id, note) in posts {
                match note {
                    Some(note) => state.listing.put(note),
                    None => state.listing.remove(&id),
                }
            }
            while state.listing.len() > POSTS_MAX
                && let Some(oldest) = state.listing.oldest()
            {
                state.listing.remove(&oldest);
                // Without its note the post is no longer returned. Its terms leave the index at the next rebuild.
                corpus.remove(&oldest);
            }
            state.index = Arc::new(index);
            state.seq = Some(seq);
        }
        let mut paths = BTreeSet::from([LIST_PATH.to_owned(), SEARCH_PATH.to_owned()]);
        for change in &changes {
            let names = [&change.blog_id, &change.slug_before, &change.slug_after];
            let names = names.into_iter().filter(|name| !name.is_empty());
            paths.extend(names.map(|name| format!("{LIST_PATH}/{name}")));
        }
        self.notify(WatchChangesResponse {
            revision: self.revision_at(Some(seq)),
            paths: paths.into_iter().collect(),
        });
        corpus
    }

    /// Reloads everything. Writes during the load are applied as changes afterwards.
    async fn load(&self, store: &Store) -> Result<Corpus, StoreError> {
        let seq = store.sequence().await?;
        let before = self.content();
        let content = self.current_content(store).await?;
        let mut listing = Listing::default();
        let mut corpus = Corpus::new(&content);
        let mut after: Option<ListPosition> = None;
        while listing.len() < POSTS_MAX {
            let rows = store.blog_rows(after.as_ref(), ROWS_AT_ONCE).await?;
            let is_last = rows.len() < ROWS_AT_ONCE;
            after = rows.last().map(|row| ListPosition {
                published_at: row.published_at,
                id: row.id.clone(),
            });
            let rows = rows
                .into_iter()
                .map(|row| (row.id.clone(), Some(row)))
                .collect();
            let posts;
            (corpus, posts) = take_in(store, corpus, rows).await?;
            posts
                .into_iter()
                .filter_map(|(_, note)| note)
                .for_each(|note| listing.put(note));
            if is_last {
                break;
            }
        }
        let (corpus, index) = with_corpus(corpus, Corpus::index).await;
        let (documents, terms, postings) = index.sizes();
        tracing::info!(
            posts = listing.len(),
            search.documents = documents,
            search.terms = terms,
            search.postings = postings,
            "posts loaded"
        );
        {
            let mut state = self.state.write();
            self.content.store(Arc::clone(&content));
            *state = State {
                listing,
                index: Arc::new(index),
                seq: Some(seq),
            };
        }
        // A text may be in records of any kind.
        let is_all = content.moved != before.moved || content.catalogues != before.catalogues;
        let kinds = KINDS.iter();
        self.notify(
            self.changed(kinds.filter(|kind| is_all || kind.is_different(&before, &content))),
        );
        Ok(corpus)
    }

    /// Builds the content of the live records. If this build can't, because an older one published what it refuses, the
    /// content stays as it is.
    async fn current_content(&self, store: &Store) -> Result<Arc<Content>, StoreError> {
        let known = self.content();
        let records = store.live_records().await?;
        if records.is_empty() {
            return Ok(known);
        }
        let moved = records::lead_on(store.moved_pages().await?);
        let pictures = store.all_media().await?;
        let translations = store.translations().await?;
        let base = Arc::clone(&known);
        let checked = self.checked.lock().take();
        let work = move || match checked {
            Some((same, content)) if same == records => Ok(content),
            _ => records::load(&base.sources, &records, base.origin.as_ref()),
        };
        match off_the_runtime(work).await {
            Ok(mut content) => {
                content.moved = moved;
                content.show(wire::media::pictures(pictures));
                content.translate(&translations);
                Ok(Arc::new(content))
            }
            Err(problem) => {
                tracing::error!(
                    problem.record = problem.name(),
                    problem.field = problem.field,
                    problem.message = problem.message,
                    "the live records can't be served; the content stays as it was"
                );
                Ok(known)
            }
        }
    }

    fn notify(&self, change: WatchChangesResponse) {
        // Fails if there is no watcher, which is not an error.
        drop(self.changes.send(change));
    }
}

impl Source for Posts {
    /// Changes whenever any served content changes. Before posts are loaded it is provisional: a gateway that received
    /// it would invalidate its whole cache just when the cache is needed most. The gateway retries soon.
    fn revision(&self) -> Result<String, Status> {
        match self.state.read().seq {
            None => Err(AnswerError::Starting.into()),
            seq => Ok(self.revision_at(seq)),
        }
    }

    fn subscribe(&self) -> broadcast::Receiver<WatchChangesResponse> {
        self.changes.subscribe()
    }

    fn everything(&self) -> WatchChangesResponse {
        self.changed(KINDS.iter())
    }
}

#[cfg(test)]
mod tests;
