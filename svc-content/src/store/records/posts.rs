//! Records of posts. Visitors, and programs before post records, read the rows of `blogs`. The live version of a post's
//! record and its row change in one unit of work. What such programs write is seen by the row's etag.

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound as _, Utc};
use store_kit::{
    error::StoreError,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use tokio::runtime::Handle;

use super::{
    Author, RecordRow, Target,
    publish::{LiveVersion, push_archive, push_live},
    work::{LOCK, by_id, insert, push_version, version, written},
};
use crate::{
    blocking::off_the_runtime,
    domain::blog::{BlogForm, Draft, NewBlog, Replacement},
    records::{Body, Live, POST, Problem, post},
    store::{
        Store,
        rows::{self, BlogCard, BlogRow, Change},
        statements,
    },
};

/// Posts that are taken in by one unit of work.
const POSTS_MAX: i64 = 100;

/// Version of a post that is not stored.
const PREVIEW_ETAG: &str = "preview";

const IS_RECORDED: &str = "SELECT recorded_etag = etag FROM blogs WHERE id = $1";
const RECORDED: &str = "UPDATE blogs SET recorded_etag = etag WHERE id = $1";
const CREATED: &str = "\
UPDATE blogs SET created_at = (SELECT created_at FROM record_versions WHERE kind = 'post' AND id = $1 AND lang = 'en' \
  AND version = 1) WHERE id = $1";
const PLACE: &str =
    "UPDATE records SET position = $2 WHERE kind = 'post' AND id = $1 AND lang = 'en'";
/// Another post that is found by this id.
const HOLDER: &str = "SELECT id FROM blogs WHERE slug_key = $1 AND id <> $1 LIMIT 1";
const FIRST_PUBLISHED: &str = "\
SELECT created_at FROM record_publications WHERE kind = 'post' AND id = $1 AND lang = 'en' AND version_after > 0 \
ORDER BY seq LIMIT 1";
const UNRECORDED: &str = "SELECT id FROM blogs WHERE recorded_etag <> etag ORDER BY id LIMIT $1";
const DELETED: &str = "\
SELECT id FROM records WHERE kind = 'post' AND state = 'live' AND lang = 'en' \
  AND NOT EXISTS (SELECT 1 FROM blogs WHERE blogs.id = records.id) ORDER BY id LIMIT $1";
/// Where a name of a post that is not found leads to. `$2` is the page of a slug.
pub(super) const MOVED_POST: &str = "\
SELECT CASE WHEN state = 'live' THEN path ELSE redirect END FROM records \
WHERE kind = 'post' AND lang = 'en' AND (id = $1 AND state = 'archived' OR id = (SELECT id FROM record_paths WHERE path = $2 AND kind = 'post')) \
ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1";

/// Takes in what programs before post records wrote: each post without a record gets one, each changed post a version,
/// and records of deleted posts are archived. Nothing that visitors read changes.
pub(in crate::store) struct TakePosts {
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for TakePosts {
    type Outcome = usize;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<usize>, StoreError> {
        let _: (i64,) = transaction.fetch_one(LOCK, values![]).await?;
        let mut ids: Vec<(String,)> = transaction
            .fetch_all(UNRECORDED, values![POSTS_MAX])
            .await?;
        ids.extend(
            transaction
                .fetch_all::<(String,)>(DELETED, values![POSTS_MAX])
                .await?,
        );
        for (id,) in &ids {
            adopt(transaction, id, self.now).await?;
        }
        Ok(Decision::Commit(ids.len()))
    }
}

/// Brings the record of a post in line with its row, if a program before post records wrote that. The caller locks out
/// other writers.
pub(in crate::store) async fn adopt(
    transaction: &mut Transaction<'_>,
    id: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let recorded: Option<(bool,)> = transaction.fetch_optional(IS_RECORDED, values![id]).await?;
    match recorded {
        Some((true,)) => {}
        Some((false,)) => {
            let blog: BlogRow = transaction
                .fetch_one(statements::BY_ID, values![id])
                .await?;
            let author = Author {
                subject: String::new(),
                name: blog.author.clone(),
            };
            let times = (blog.create_time, blog.update_time);
            follow(transaction, &blog, &author, times).await?;
        }
        None => {
            let record = by_id(transaction, POST.name, id).await?;
            if let Some(record) = record.filter(|record| record.live_version > 0) {
                let etag = format!("{}-deleted", record.etag);
                let target = target(id, &Author::default(), now, &etag);
                let mut script = Script::new();
                push_archive(&mut script, &target, &record, "");
                transaction.run(script).await?;
            }
        }
    }
    Ok(())
}

/// A post as its publication would write it.
#[derive(Debug)]
pub struct DraftPost {
    pub row: BlogRow,
    pub card: BlogCard,
    pub path: String,
}

/// Publishes a post, reads what visitors would read, and undoes it.
struct TryPost {
    target: Target,
    draft: Draft,
}

#[async_trait]
impl UnitOfWork for TryPost {
    type Outcome = Result<DraftPost, Problem>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let _: (i64,) = transaction.fetch_one(LOCK, values![]).await?;
        let Self { target, draft } = self;
        if let Some(problem) = taken(transaction, &target.id).await? {
            return Ok(Decision::Rollback(Err(problem)));
        }
        let (path, _) = put(transaction, target, draft, 0).await?;
        let id = &target.id;
        let row = transaction.fetch_one(statements::BY_ID, values![id]);
        let row = row.await?;
        let card = transaction.fetch_one(statements::CARD_BY_ID, values![id]);
        let card = card.await?;
        Ok(Decision::Rollback(Ok(DraftPost { row, card, path })))
    }
}

/// A post's record before a change through the API, and the version that is live after it (0: none).
pub(in crate::store) struct Followed {
    pub(in crate::store) target: Target,
    pub(in crate::store) before: RecordRow,
    pub(in crate::store) version: i64,
    pub(in crate::store) title: String,
    pub(in crate::store) path: String,
}

/// Stores a post's row as the live version of its record. `times` are those of the first version and of this one.
pub(in crate::store) async fn follow(
    transaction: &mut Transaction<'_>,
    blog: &BlogRow,
    author: &Author,
    (create_time, now): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Followed, StoreError> {
    let target = target(&blog.id, author, now, &blog.etag);
    let body = post::body_of(&blog.id, &form_of(blog), blog.published_at);
    // A row is written at most once per script.
    let mut script = Script::new();
    let (before, next) = if let Some(before) = by_id(transaction, POST.name, &blog.id).await? {
        let next = push_version(&mut script, &target, &before, &body);
        transaction.run(script).await?;
        (before, next)
    } else {
        let position = position_at(blog.published_at);
        script.push(insert(
            POST, &blog.id, position, "draft", &body, author, now, &blog.etag,
        ));
        script.push(version(POST.name, &blog.id, 1, &body, author, create_time));
        transaction.run(script).await?;
        (written(transaction, POST, &blog.id).await?, 1)
    };
    let path = path_of(blog);
    let live = LiveVersion {
        version: next,
        path: &path,
        unpublish_at: before.unpublish_at,
    };
    let mut script = Script::new();
    push_live(&mut script, &target, &before, &live);
    transaction.run(script).await?;
    note_recorded(transaction, blog).await?;
    Ok(Followed {
        target,
        before,
        version: next,
        title: blog.title.clone(),
        path,
    })
}

/// Archives the record of a post that was deleted through the API. Its pages end, as the deletion asks for.
pub(in crate::store) async fn follow_deletion(
    transaction: &mut Transaction<'_>,
    id: &str,
    author: &Author,
    (now, seq): (DateTime<Utc>, i64),
) -> Result<Option<Followed>, StoreError> {
    let Some(before) = by_id(transaction, POST.name, id).await? else {
        return Ok(None);
    };
    let target = target(id, author, now, &format!("deleted-{seq}"));
    let mut script = Script::new();
    push_archive(&mut script, &target, &before, "");
    transaction.run(script).await?;
    Ok(Some(Followed {
        target,
        version: 0,
        title: before.title.clone(),
        path: before.path.clone(),
        before,
    }))
}

/// Parses a body for publication at `at`, off the runtime.
pub(super) async fn parsed(id: &str, body: &Body, at: DateTime<Utc>) -> Result<Draft, Problem> {
    // The writer of SQLite is a thread of its own.
    if Handle::try_current().is_err() {
        return post::parse(id, body, at);
    }
    let (id, body) = (id.to_owned(), body.clone());
    off_the_runtime(move || post::parse(&id, &body, at)).await
}

/// Returns why no post can have this id: another one is found by it.
pub(super) async fn taken(
    transaction: &mut Transaction<'_>,
    id: &str,
) -> Result<Option<Problem>, StoreError> {
    let holder: Option<(String,)> = transaction.fetch_optional(HOLDER, values![id]).await?;
    Ok(holder.map(|(holder,)| Problem {
        record: Some((POST, id.to_owned())),
        field: POST.id_field().to_owned(),
        message: format!("is the address of the post {holder}; give that one another title first"),
    }))
}

/// Writes the row of a published post. Returns its path and the change.
pub(super) async fn put(
    transaction: &mut Transaction<'_>,
    target: &Target,
    draft: &Draft,
    seq: i64,
) -> Result<(String, Change), StoreError> {
    let Target {
        id, now, next_etag, ..
    } = target;
    let before: Option<BlogRow> = transaction
        .fetch_optional(statements::BY_ID, values![id])
        .await?;
    if let Some(before) = &before {
        // The desk edits times to the second.
        let is_same = draft.published_at() == Some(before.published_at.trunc_subsecs(0));
        let replacement = Replacement {
            id: id.clone(),
            precondition: None,
            draft: if is_same {
                draft.clone().undated()
            } else {
                draft.clone()
            },
            update_time: *now,
            etag: next_etag.clone(),
        };
        let values = rows::update_values(&replacement)?;
        transaction.execute(statements::UPDATE, values).await?;
    } else {
        let first: Option<(DateTime<Utc>,)> = transaction
            .fetch_optional(FIRST_PUBLISHED, values![id])
            .await?;
        let first = first.map(|(time,)| time);
        let new = NewBlog {
            id: id.clone(),
            published_at: draft.published_at().or(first).unwrap_or(*now),
            draft: draft.clone(),
            create_time: *now,
            etag: next_etag.clone(),
        };
        let values = rows::insert_values(&new)?;
        transaction.execute(statements::INSERT, values).await?;
        transaction.execute(CREATED, values![id]).await?;
    }
    let blog: BlogRow = transaction
        .fetch_one(statements::BY_ID, values![id])
        .await?;
    note_recorded(transaction, &blog).await?;
    let change = Change {
        seq,
        blog_id: id.clone(),
        slug_before: before.map_or_else(String::new, |before| before.slug_key),
        slug_after: blog.slug_key.clone(),
    };
    Ok((path_of(&blog), change))
}

/// Removes the row of an archived post. Returns the change.
pub(super) async fn remove(
    transaction: &mut Transaction<'_>,
    id: &str,
    seq: i64,
) -> Result<Change, StoreError> {
    let slug: Option<(String,)> = transaction
        .fetch_optional(statements::SLUG_OF, values![id])
        .await?;
    transaction
        .execute(statements::DELETE, values![id, ""])
        .await?;
    Ok(Change {
        seq,
        blog_id: id.to_owned(),
        slug_before: slug.map_or_else(String::new, |(slug,)| slug),
        slug_after: String::new(),
    })
}

/// Notes that the record has the row's version. The desk lists posts newest first, as their page does.
async fn note_recorded(
    transaction: &mut Transaction<'_>,
    blog: &BlogRow,
) -> Result<(), StoreError> {
    let position = position_at(blog.published_at);
    let mut script = Script::new();
    script.push(Statement::new(PLACE, values![&blog.id, position]));
    script.push(Statement::new(RECORDED, values![&blog.id]));
    transaction.run(script).await
}

pub(super) fn position_at(time: DateTime<Utc>) -> i64 {
    -time.timestamp_micros()
}

/// Returns the path of a post's page.
fn path_of(blog: &BlogRow) -> String {
    if blog.slug_key.is_empty() {
        format!("/blog/{}", blog.id)
    } else {
        format!("/blogs/{}", blog.slug_key)
    }
}

fn form_of(blog: &BlogRow) -> BlogForm {
    BlogForm {
        title: blog.title.clone(),
        content: blog.content.clone(),
        summary: blog.summary.clone(),
        excerpt: blog.excerpt.clone(),
        author: blog.author.clone(),
        category: blog.category.clone(),
        image: blog.image.clone(),
        read_time: blog.read_time.clone(),
        tags: rows::tags(&blog.tags),
        sections: rows::sections(&blog.sections),
        published_at: Some(blog.published_at),
    }
}

fn target(id: &str, author: &Author, now: DateTime<Utc>, next_etag: &str) -> Target {
    Target {
        kind: POST,
        id: id.to_owned(),
        etag: String::new(),
        author: author.clone(),
        now,
        next_etag: next_etag.to_owned(),
    }
}

impl Store {
    /// Takes in at most 100 posts and 100 deletions of programs before post records; returns how many there were.
    pub async fn take_posts(&self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let work = TakePosts { now };
        self.database().write("INSERT records", work).await
    }

    /// Returns a post as its publication would write it, or what prevents that. Nothing is stored. Its time may lie
    /// ahead until `latest`.
    pub async fn draft_post(
        &self,
        record: &Live,
        now: DateTime<Utc>,
        latest: DateTime<Utc>,
    ) -> Result<Result<DraftPost, Problem>, StoreError> {
        let draft = match parsed(&record.id, &record.body, latest).await {
            Ok(draft) => draft,
            Err(problem) => return Ok(Err(problem)),
        };
        let target = target(&record.id, &Author::default(), now, PREVIEW_ETAG);
        let work = TryPost { target, draft };
        self.database().write("SELECT blogs", work).await
    }

    /// Returns where an id or slug of a post leads to that has none at the moment. Empty: a program deleted the post.
    pub async fn moved_post(&self, name: &str) -> Result<Option<String>, StoreError> {
        let values = values![name, format!("/blogs/{name}")];
        let moved: Option<(String,)> = self
            .database()
            .fetch_optional("SELECT records", MOVED_POST, values)
            .await?;
        Ok(moved.map(|(location,)| location))
    }
}
