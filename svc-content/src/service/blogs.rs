//! Blog posts: reads, and writes with a staff token.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Datelike, Utc};
use hospital_proto::content::v1::{
    Blog, CreateBlogRequest, DeleteBlogRequest, ListBlogsRequest, ListBlogsResponse,
    UpdateBlogRequest,
};
use service_kit::{
    auth::Caller,
    input::{Line, RequestId, Violation, Violations, optional},
};
use store_kit::requests::RequestKey;
use tonic::Request;

use super::{PAGE_SIZE_DEFAULT, Rpcs, page_unless_wrong, records::author};
use crate::{
    blocking::off_the_runtime,
    domain::{
        blog::{self, CATEGORY, CATEGORY_CHARS_MAX, Draft, NewBlog, READ_TIME, Replacement},
        pictures::Pictured as _,
    },
    error::AnswerError,
    paging::{PageRequest, TOKEN_WANTED},
    records::LEADS_MAX,
    store::{BlogCard, BlogRow, CREATE, CreateOutcome, ListPosition, WriteOutcome, rows},
    wire,
};

/// Scope of tokens that may write.
const SCOPE: &str = "blogs:write";
/// Maximum time that a write waits until search includes the post.
const CATCH_UP_MAX: Duration = Duration::from_millis(500);
/// Maximum length of a post's id or slug, in bytes.
const NAME_BYTES_MAX: usize = 200;
/// Years in which a post can have been published.
const PUBLISHED_YEARS: std::ops::RangeInclusive<i32> = 1970..=9999;

impl Rpcs {
    /// Authenticates the writer. Called first, so that unauthorised callers learn nothing else.
    pub(super) fn authorize<T>(&self, request: &Request<T>) -> Result<Caller, AnswerError> {
        Ok(self.verifier.check_request(request, SCOPE)?)
    }

    pub(super) async fn blog_list(
        &self,
        request: &ListBlogsRequest,
    ) -> Result<ListBlogsResponse, AnswerError> {
        let query = ListQuery::parse(request)?;
        let size = query.page.size();
        // One extra row shows whether there is a next page.
        let mut cards = self
            .shown_cards(
                query.category_key.as_deref(),
                query.after.as_ref(),
                size + 1,
            )
            .await?;
        let has_more = cards.len() > size;
        cards.truncate(size);
        let last = cards.last().filter(|_| has_more);
        Ok(ListBlogsResponse {
            next_page_token: last.map_or_else(String::new, |card| {
                query
                    .page
                    .token_after(&position_text(card.published_at, &card.id))
            }),
            blogs: cards.into_iter().map(|card| self.card(card)).collect(),
        })
    }

    pub(super) async fn blog(&self, name: &str) -> Result<Blog, AnswerError> {
        let name = possible_name(name)?;
        let Some(row) = self.shown_row(name).await? else {
            let location = self.moved_post(name).await?;
            return Err(location.map_or(AnswerError::NotFound("post"), AnswerError::Moved));
        };
        let row = self.with_current_html(row).await?;
        let (related, popular) = (self.posts.related(&row.id), self.posts.popular(&row.id));
        let content_html = row.content_html.clone();
        let whole = self.whole(row);
        let mut blog = Blog {
            content_html: if whole.sections.is_empty() {
                content_html
            } else {
                String::new()
            },
            related,
            popular,
            ..whole
        };
        blog.picture(&self.content().pictures);
        Ok(blog)
    }

    /// Follows where a former address of a post leads to. Addresses that lead in a circle lead home.
    async fn moved_post(&self, name: &str) -> Result<Option<String>, AnswerError> {
        let (store, content) = (self.store()?, self.content());
        let mut next = store.moved_post(name).await?;
        let mut last = None;
        for _ in 0..=LEADS_MAX {
            let Some(location) = next.filter(|location| !location.is_empty()) else {
                return Ok(last);
            };
            let path = location.split(['?', '#']).next().unwrap_or_default();
            let post = ["/blogs/", "/blog/"]
                .iter()
                .find_map(|folder| path.strip_prefix(folder));
            next = match post {
                Some(post) if store.blog(post).await?.is_none() => store.moved_post(post).await?,
                Some(_) => None,
                None => content.moved.get(path).cloned(),
            };
            last = Some(location);
        }
        Ok(Some("/".to_owned()))
    }

    /// Returns the post, and whether an earlier request created it.
    pub(super) async fn create(
        &self,
        request: &CreateBlogRequest,
        caller: &Caller,
    ) -> Result<(Blog, bool), AnswerError> {
        let now = self.clock.now();
        let draft = self.draft(request.blog.as_ref()).await;
        let request_id = RequestId::parse(&request.request_id)
            .map_err(|problem| Violation::new("requestId", problem.to_string()));
        let (request_id, draft) = both(request_id, draft)?;
        let body = wire::fingerprinted(draft.form());
        let key = RequestKey::new(&self.keys, CREATE, request_id.as_str(), &body);
        let new = NewBlog::new(self.ids.uuid().to_string(), draft, now, self.ids.uuid());
        let outcome = self.store()?.create_blog(new, key, author(caller)).await?;
        let (row, replayed) = match outcome {
            CreateOutcome::Created(row) => {
                tracing::info!(blog.id = row.id, "a post was created");
                self.catch_up(CATCH_UP_MAX).await;
                (row, false)
            }
            CreateOutcome::Repeated(row) => (row, true),
            CreateOutcome::RepeatedDeleted => return Err(AnswerError::NotFound("post")),
            CreateOutcome::RequestIdReused => return Err(AnswerError::RequestIdReused),
        };
        Ok((self.whole(*row), replayed))
    }

    pub(super) async fn update(
        &self,
        request: &UpdateBlogRequest,
        caller: &Caller,
    ) -> Result<Blog, AnswerError> {
        let now = self.clock.now();
        let draft = self.draft(request.blog.as_ref()).await;
        let (precondition, draft) = both(blog::precondition(&request.etag), draft)?;
        let id = possible_name(&request.blog_id)?.to_owned();
        let replacement = Replacement::new(id, precondition, draft, now, self.ids.uuid());
        let outcome = self
            .store()?
            .update_blog(replacement, author(caller))
            .await?;
        let row = written(outcome)?;
        tracing::info!(blog.id = row.id, "a post was updated");
        self.catch_up(CATCH_UP_MAX).await;
        Ok(self.whole(*row))
    }

    pub(super) async fn delete(
        &self,
        request: &DeleteBlogRequest,
        caller: &Caller,
    ) -> Result<(), AnswerError> {
        let now = self.clock.now();
        let precondition =
            blog::precondition(&request.etag).map_err(|violation| vec![violation])?;
        let id = possible_name(&request.blog_id)?;
        let outcome = self
            .store()?
            .delete_blog(id, precondition.as_deref(), author(caller), now)
            .await?;
        written(outcome)?;
        tracing::info!(blog.id = id, "a post was deleted");
        self.catch_up(CATCH_UP_MAX).await;
        Ok(())
    }

    /// Validates the post and sanitises its HTML on a blocking thread. A cancelled write stores nothing.
    async fn draft(&self, blog: Option<&Blog>) -> Result<Draft, Vec<Violation>> {
        let form = wire::blog_form(blog.cloned().unwrap_or_default());
        let now = self.clock.now();
        let place = Arc::clone(&self.parsers).acquire_owned().await;
        let work = move || {
            // Held by the thread, because the caller may have been cancelled.
            let _place = place;
            Draft::parse(&form, now)
        };
        off_the_runtime(work).await
    }

    /// Returns the HTML of the content of a post, from a blocking thread.
    pub(super) async fn rendered(&self, text: String) -> Result<String, Vec<Violation>> {
        let place = Arc::clone(&self.parsers).acquire_owned().await;
        let work = move || {
            let _place = place;
            blog::html_of(&text)
        };
        off_the_runtime(work).await
    }

    /// Returns the row with HTML sanitised by the current rules. Usually the stored HTML is current. Otherwise an older
    /// binary wrote the post since the last poll, or the post is too old to be in memory. Its HTML is then sanitised
    /// now and stored.
    async fn with_current_html(&self, row: BlogRow) -> Result<BlogRow, AnswerError> {
        if row.is_html_current() {
            return Ok(row);
        }
        let place = Arc::clone(&self.parsers).acquire_owned().await;
        let work = move || {
            let _place = place;
            let content_html = row.resanitised().unwrap_or_default();
            BlogRow {
                content_html,
                ..row
            }
        };
        let row = off_the_runtime(work).await;
        let kept = self
            .store()?
            .keep_html(&row.id, &row.etag, &row.content_html)
            .await;
        if let Err(error) = kept {
            tracing::warn!(
                error = &error as &(dyn std::error::Error + 'static),
                blog.id = row.id,
                "sanitised HTML could not be stored; the next read sanitises it again"
            );
        }
        Ok(row)
    }

    /// Waits until visitors read the change (read your writes). If that fails, the next poll of the database
    /// catches up.
    pub(super) async fn catch_up(&self, patience: Duration) {
        match tokio::time::timeout(patience, self.posts.caught_up()).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!("a change was stored but could not be taken in yet"),
            Err(_) => tracing::info!("a change was stored; visitors read it a little later"),
        }
    }

    fn author(&self, author: String) -> String {
        if author.is_empty() {
            self.english().site.name.clone()
        } else {
            author
        }
    }

    fn card(&self, card: BlogCard) -> Blog {
        let (tags, featured) = wire::shown_tags(rows::tags(&card.tags));
        let mut blog = Blog {
            slug: if card.has_slug {
                card.slug_key
            } else {
                String::new()
            },
            id: card.id,
            title: card.title,
            content: card.teaser,
            summary: card.summary,
            excerpt: card.excerpt,
            author: self.author(card.author),
            category: or(card.category, CATEGORY),
            image: card.image,
            read_time: or(card.read_time, READ_TIME),
            tags,
            featured,
            published_at: Some(wire::timestamp(card.published_at)),
            created_at: Some(wire::timestamp(card.create_time)),
            updated_at: Some(wire::timestamp(card.update_time)),
            etag: card.etag,
            ..Blog::default()
        };
        blog.picture(&self.content().pictures);
        blog
    }

    /// Converts a row, without the fields computed only for the post's page.
    fn whole(&self, row: BlogRow) -> Blog {
        let (tags, featured) = wire::shown_tags(rows::tags(&row.tags));
        let mut blog = Blog {
            slug: if row.has_slug {
                row.slug_key
            } else {
                String::new()
            },
            id: row.id,
            title: row.title,
            content: row.content,
            summary: row.summary,
            excerpt: row.excerpt,
            author: self.author(row.author),
            category: or(row.category, CATEGORY),
            image: row.image,
            read_time: or(row.read_time, READ_TIME),
            tags,
            featured,
            sections: rows::sections(&row.sections)
                .into_iter()
                .map(wire::blog_section)
                .collect(),
            published_at: Some(wire::timestamp(row.published_at)),
            created_at: Some(wire::timestamp(row.create_time)),
            updated_at: Some(wire::timestamp(row.update_time)),
            etag: row.etag,
            ..Blog::default()
        };
        blog.picture(&self.content().pictures);
        blog
    }
}

/// Combines two results, or returns every violation of both.
fn both<A, B>(
    one: Result<A, Violation>,
    other: Result<B, Vec<Violation>>,
) -> Result<(A, B), Vec<Violation>> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(violation), Ok(_)) => Err(vec![violation]),
        (Ok(_), Err(violations)) => Err(violations),
        (Err(violation), Err(more)) => Err([vec![violation], more].concat()),
    }
}

fn written<T>(outcome: WriteOutcome<T>) -> Result<T, AnswerError> {
    match outcome {
        WriteOutcome::Done(done) => Ok(done),
        WriteOutcome::Absent => Err(AnswerError::NotFound("post")),
        WriteOutcome::EtagMismatch => Err(AnswerError::EtagMismatch),
    }
}

fn or(text: String, default: &str) -> String {
    if text.is_empty() {
        default.to_owned()
    } else {
        text
    }
}

/// Requested page of the list.
struct ListQuery {
    category_key: Option<String>,
    after: Option<ListPosition>,
    page: PageRequest,
}

impl ListQuery {
    fn parse(request: &ListBlogsRequest) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let category = optional(Line::parse(&request.category, CATEGORY_CHARS_MAX));
        let category = violations.take("category", category).flatten();
        let category_key = category.map(|category| blog::category_key(category.as_str()));
        let filter = ["blogs", category_key.as_deref().unwrap_or_default()];
        let page = PageRequest::parse_sized(
            request.page_size,
            &request.page_token,
            &filter,
            PAGE_SIZE_DEFAULT,
        );
        let page = page_unless_wrong(violations.into_vec(), page)?;
        let after = page.after().map(position);
        if after == Some(None) {
            return Err(vec![Violation::new("pageToken", TOKEN_WANTED)]);
        }
        Ok(Self {
            category_key,
            after: after.flatten(),
            page,
        })
    }
}

/// Rejects names that no post can have, for example with NUL, which PostgreSQL does not accept.
fn possible_name(name: &str) -> Result<&str, AnswerError> {
    if name.len() > NAME_BYTES_MAX || name.contains(char::is_control) {
        return Err(AnswerError::NotFound("post"));
    }
    Ok(name)
}

/// Encodes the end of a page for its token.
fn position_text(published_at: DateTime<Utc>, id: &str) -> String {
    format!("{}:{id}", published_at.timestamp_micros())
}

fn position(text: &str) -> Option<ListPosition> {
    let (micros, id) = text.split_once(':')?;
    let published_at = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
    // chrono accepts years that PostgreSQL does not.
    PUBLISHED_YEARS
        .contains(&published_at.year())
        .then(|| ListPosition {
            published_at,
            id: id.to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_positions_that_no_post_can_have() {
        let at = DateTime::from_timestamp(1_795_000_000, 5000).expect("a time");
        let read = position(&position_text(at, "post")).expect("a position");
        assert_eq!((read.published_at, read.id.as_str()), (at, "post"));
        // The years 1969, 10000 and -262143, then invalid ones.
        for bad in [
            "-1:post",
            "253402300800000000:post",
            "-8334601228800000000:post",
            "9223372036854775807:post",
            "0",
            ":post",
            "x:post",
        ] {
            assert!(position(bad).is_none(), "{bad}");
        }
    }
}
