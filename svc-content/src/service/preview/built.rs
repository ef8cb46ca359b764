//! Content with a draft in place of what is live, built once for many reads.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync;

use super::{Draft, Shown};
use crate::{
    blocking::off_the_runtime,
    domain::Content,
    error::AnswerError,
    records::{self, Live, Problem},
    service::{Rpcs, records::requests::AHEAD_MAX},
};

/// Maximum previews in memory; the one read longest ago leaves first.
const BUILT_MAX: usize = 8;

/// Previews in memory.
#[derive(Debug, Default)]
pub(crate) struct Previews {
    /// The one read last is the last.
    built: Mutex<Vec<Arc<Built>>>,
    /// Held during a build: one at a time.
    building: sync::Mutex<()>,
}

/// A draft among what was live when it was built.
#[derive(Debug)]
pub(super) struct Built {
    draft: Draft,
    /// What visitors read at that time.
    base: Arc<Content>,
    pub(super) title: String,
    pub(super) path: String,
    pub(super) outcome: Result<Shown, Problem>,
}

impl Previews {
    fn find(&self, draft: &Draft, base: &Arc<Content>) -> Option<Arc<Built>> {
        let mut all = self.built.lock();
        let is_it = |built: &Arc<Built>| built.draft == *draft && Arc::ptr_eq(&built.base, base);
        let built = all.iter().position(is_it).map(|index| all.remove(index))?;
        all.push(Arc::clone(&built));
        Some(built)
    }

    fn keep(&self, built: Arc<Built>) {
        let mut all = self.built.lock();
        // A preview of content that has changed since is never read again.
        all.retain(|other| other.draft != built.draft && Arc::ptr_eq(&other.base, &built.base));
        if all.len() >= BUILT_MAX {
            all.remove(0);
        }
        all.push(built);
    }
}

impl Rpcs {
    /// Returns the preview of a draft, built with the check of a publication.
    pub(super) async fn built(&self, draft: &Draft) -> Result<Arc<Built>, AnswerError> {
        let store = self.store()?;
        let base = self.posts.content();
        if let Some(built) = self.previews.find(draft, &base) {
            return Ok(built);
        }
        let _place = self.previews.building.lock().await;
        let base = self.posts.content();
        if let Some(built) = self.previews.find(draft, &base) {
            return Ok(built);
        }
        let Draft { kind, id, version } = draft;
        let body = store.record_body(kind, id, *version).await?;
        let body = body.ok_or(AnswerError::NotFound("preview"))?;
        let title = kind.title_of(&body);
        let record = Live {
            kind,
            id: id.clone(),
            body,
        };
        let (path, outcome) = if kind.is_post() {
            let outcome = self.shown_post(&record, &base).await?;
            let post = outcome.as_ref().ok().and_then(|shown| shown.post.as_ref());
            let path = post.map_or_else(String::new, |post| post.path.clone());
            (path, outcome)
        } else {
            let path = kind.path_of(&record.body);
            (path, self.shown_record(record, &base).await?)
        };
        let built = Arc::new(Built {
            draft: draft.clone(),
            base,
            title,
            path,
            outcome,
        });
        self.previews.keep(Arc::clone(&built));
        Ok(built)
    }

    /// Builds the content with a record in place of its live version.
    async fn shown_record(
        &self,
        record: Live,
        base: &Arc<Content>,
    ) -> Result<Result<Shown, Problem>, AnswerError> {
        let mut live = self.store()?.live_records().await?;
        records::put(&mut live, record);
        let parser = Arc::clone(&self.parsers).acquire_owned().await;
        let files = Arc::clone(base);
        let work = move || {
            // Held by the thread, because the caller may have been cancelled.
            let _parser = parser;
            records::load(&files.sources, &live, files.origin.as_ref())
        };
        Ok(off_the_runtime(work).await.map(|mut content| {
            content.moved.clone_from(&base.moved);
            content.show(base.pictures.clone());
            content.catalogues.clone_from(&base.catalogues);
            Shown {
                content: Arc::new(content),
                post: None,
            }
        }))
    }

    /// Returns the content beside a post as its publication would write it.
    async fn shown_post(
        &self,
        record: &Live,
        base: &Arc<Content>,
    ) -> Result<Result<Shown, Problem>, AnswerError> {
        let _parser = self.parsers.acquire().await;
        let now = self.now();
        let post = self
            .store()?
            .draft_post(record, now, now + AHEAD_MAX)
            .await?;
        Ok(post.map(|post| Shown {
            content: Arc::clone(base),
            post: Some(Arc::new(post)),
        }))
    }
}
