//! Blog posts over gRPC, read and written as the gateway does.

use hospital_proto::content::v1::{
    Blog, BlogSection, CreateBlogRequest, DeleteBlogRequest, GetBlogRequest, ListBlogsRequest,
    SearchRequest, UpdateBlogRequest, content_service_client::ContentServiceClient,
};
use test_kit::{database::TestDatabase, issuer::Issuer, process::Process, service::is_replay};
use tokio::task::JoinSet;
use tonic::{Code, Request, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::{
    PROGRAM,
    service::{client, violated_fields},
};

pub(crate) const SCOPE: &str = "blogs:write";

/// A running service and a token issuer for writing posts.
pub(crate) struct Site {
    pub(crate) database: TestDatabase,
    pub(crate) issuer: Issuer,
    pub(crate) process: Process,
    pub(crate) client: ContentServiceClient<Channel>,
}

impl Site {
    pub(crate) async fn start(database: TestDatabase) -> Self {
        Self::start_with(database, &[]).await
    }

    /// Starts a process with further settings.
    pub(crate) async fn start_with(database: TestDatabase, settings: &[&str]) -> Self {
        PROGRAM.migrate(&database).await;
        let issuer = Issuer::new();
        let process = Self::process_with(&database, &issuer, settings).await;
        let client = client(&process).await;
        Self {
            database,
            issuer,
            process,
            client,
        }
    }

    /// Starts a process on the database and waits until it is ready.
    pub(crate) async fn process(database: &TestDatabase, issuer: &Issuer) -> Process {
        Self::process_with(database, issuer, &[]).await
    }

    async fn process_with(database: &TestDatabase, issuer: &Issuer, settings: &[&str]) -> Process {
        let flags = issuer.flags();
        let flags = [&flags.each_ref().map(String::as_str), settings].concat();
        let process = PROGRAM.start(&database.url, &flags).await;
        process.wait_for("/readyz", 200).await;
        process
    }

    fn signed<T>(&self, message: T) -> Request<T> {
        self.issuer.request(SCOPE, message)
    }

    pub(crate) async fn create(&mut self, request_id: &str, blog: Blog) -> Result<Blog, Status> {
        let request = self.signed(CreateBlogRequest {
            blog: Some(blog),
            request_id: request_id.to_owned(),
        });
        let reply = self.client.create_blog(request).await?;
        Ok(reply.into_inner().blog.expect("a post"))
    }

    pub(crate) async fn update(
        &mut self,
        id: &str,
        etag: &str,
        blog: Blog,
    ) -> Result<Blog, Status> {
        let request = self.signed(UpdateBlogRequest {
            blog_id: id.to_owned(),
            blog: Some(blog),
            etag: etag.to_owned(),
        });
        let reply = self.client.update_blog(request).await?;
        Ok(reply.into_inner().blog.expect("a post"))
    }

    pub(crate) async fn delete(&mut self, id: &str, etag: &str) -> Result<(), Status> {
        let request = self.signed(DeleteBlogRequest {
            blog_id: id.to_owned(),
            etag: etag.to_owned(),
        });
        self.client.delete_blog(request).await.map(drop)
    }

    pub(crate) async fn get(&mut self, name: &str) -> Result<Blog, Status> {
        let request = GetBlogRequest {
            blog: name.to_owned(),
        };
        let reply = self.client.get_blog(request).await?;
        Ok(reply.into_inner().blog.expect("a post"))
    }

    pub(crate) async fn list(&mut self, size: i32, category: &str) -> Vec<Blog> {
        let mut request = ListBlogsRequest {
            page_size: size,
            category: category.to_owned(),
            ..ListBlogsRequest::default()
        };
        let mut blogs = Vec::new();
        loop {
            let page = self
                .client
                .list_blogs(request.clone())
                .await
                .expect("a page")
                .into_inner();
            blogs.extend(page.blogs);
            if page.next_page_token.is_empty() {
                return blogs;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Returns the paths of the search results.
    async fn found(&mut self, q: &str) -> Vec<String> {
        let request = SearchRequest {
            q: q.to_owned(),
            ..SearchRequest::default()
        };
        let results = self
            .client
            .search(request)
            .await
            .expect("results")
            .into_inner()
            .results;
        let blogs = results.into_iter().filter(|result| result.kind == "blog");
        blogs.map(|result| result.path).collect()
    }

    pub(crate) async fn end(self) {
        drop(self.client);
        self.process.stop().await;
        self.database.drop_if_exists().await;
    }
}

/// Declares each test twice, on SQLite and on PostgreSQL.
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(test_kit::database::TestDatabase::sqlite()).await;
            })+
        }
        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(test_kit::database::TestDatabase::postgres().await).await;
            })+
        }
    };
}
pub(crate) use on_both_databases;

on_both_databases!(
    creates_finds_updates_and_deletes_a_post,
    refuses_a_lost_update,
    one_request_id_makes_one_post,
    seeds_once_and_pages_through_the_posts,
);

pub(crate) fn titled(title: &str) -> Blog {
    Blog {
        title: title.to_owned(),
        ..Blog::default()
    }
}

fn reason(status: &Status) -> String {
    let details = status.get_error_details();
    details
        .error_info()
        .map(|info| info.reason.clone())
        .unwrap_or_default()
}

async fn creates_finds_updates_and_deletes_a_post(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let blog = Blog {
        title: "Quokkas & you".to_owned(),
        content: "<p onclick=\"x()\">They <a href=\"javascript:y()\">smile</a>.</p><script>alert(1)</script>".to_owned(),
        tags: vec!["marsupial".to_owned(), "heart".to_owned()],
        category: "Cardiology".to_owned(),
        ..Blog::default()
    };
    let created = site
        .create("0123456789abcdef", blog.clone())
        .await
        .expect("a post");
    assert_eq!(created.slug, "quokkas-you");
    assert_eq!(
        (created.author.as_str(), created.read_time.as_str()),
        ("Sampige Hospital", "5 min read")
    );
    assert_eq!(created.content, blog.content, "stored as it was written");
    for name in [created.id.clone(), created.slug.clone()] {
        let read = site.get(&name).await.expect("a post");
        assert_eq!(
            read.content_html,
            "<p>They <a rel=\"noopener\">smile</a>.</p>"
        );
        assert_eq!(read.etag, created.etag);
        assert_eq!(read.popular.len(), 4);
        let related: Vec<_> = read.related.iter().map(|link| link.id.as_str()).collect();
        assert_eq!(related, ["measure-blood-pressure", "hearts-warning-signs"]);
        assert!(
            read.related
                .iter()
                .chain(&read.popular)
                .all(|link| link.id != created.id)
        );
    }
    let first = site.list(1, "").await.swap_remove(0);
    assert_eq!(
        (first.id.as_str(), first.content.as_str()),
        (created.id.as_str(), "They smile.")
    );
    assert_eq!(site.found("quoka").await, ["/blogs/quokkas-you"]);

    let changed = Blog {
        title: "Wombats".to_owned(),
        content: "One <two>\n\nthree & four".to_owned(),
        sections: vec![BlogSection {
            heading: "Why".to_owned(),
            text: "Because.".to_owned(),
            alignment: "imageRight".to_owned(),
            ..BlogSection::default()
        }],
        ..Blog::default()
    };
    let updated = site
        .update(&created.id, &created.etag, changed.clone())
        .await
        .expect("a post");
    assert_eq!(updated.slug, "wombats");
    assert_ne!(updated.etag, created.etag);
    assert_eq!(updated.published_at, created.published_at);
    let read = site.get("wombats").await.expect("a post");
    assert_eq!((read.content_html.as_str(), read.sections.len()), ("", 1));
    assert_eq!(read.sections, changed.sections);
    assert_eq!(read.category, "Health Tips");
    assert_eq!(
        site.get("quokkas-you").await.expect_err("gone").code(),
        Code::NotFound
    );
    assert_eq!(site.found("quokka").await, Vec::<String>::new());
    assert_eq!(site.found("wombat").await, ["/blogs/wombats"]);

    site.delete(&created.id, &updated.etag)
        .await
        .expect("it goes");
    for name in [&created.id, "wombats"] {
        let gone = site.get(name).await.expect_err("gone");
        assert_eq!(
            (gone.code(), reason(&gone).as_str()),
            (Code::NotFound, "NOT_FOUND")
        );
    }
    assert_eq!(site.found("wombat").await, Vec::<String>::new());
    let again = site.delete(&created.id, "").await.expect_err("gone");
    assert_eq!(again.code(), Code::NotFound);
    site.end().await;
}

async fn refuses_a_lost_update(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let created = site
        .create("0123456789abcdef", titled("One"))
        .await
        .expect("a post");
    let quoted = format!("\"{}\"", created.etag);
    let second = site
        .update(&created.id, &quoted, titled("Two"))
        .await
        .expect("a post");
    let lost = site
        .update(&created.id, &created.etag, titled("Three"))
        .await
        .expect_err("refused");
    assert_eq!(
        (lost.code(), reason(&lost).as_str()),
        (Code::Aborted, "ETAG_MISMATCH")
    );
    let lost = site
        .delete(&created.id, &created.etag)
        .await
        .expect_err("refused");
    assert_eq!(
        (lost.code(), reason(&lost).as_str()),
        (Code::Aborted, "ETAG_MISMATCH")
    );
    assert_eq!(site.get(&created.id).await.expect("a post").title, "Two");
    for any in ["", "*"] {
        site.update(&second.id, any, titled("Whichever there is"))
            .await
            .expect("a post");
    }
    site.end().await;
}

async fn one_request_id_makes_one_post(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let mut creates = JoinSet::new();
    for _ in 0..10 {
        let request = site.signed(CreateBlogRequest {
            blog: Some(titled("Good sleep")),
            request_id: "0123456789abcdef".to_owned(),
        });
        let mut client = site.client.clone();
        creates.spawn(async move { client.create_blog(request).await });
    }
    let (ids, replays): (Vec<_>, Vec<_>) = creates
        .join_all()
        .await
        .into_iter()
        .map(|reply| {
            let reply = reply.expect("a reply");
            let is_replay = is_replay(&reply);
            (reply.into_inner().blog.expect("a post").id, is_replay)
        })
        .unzip();
    assert_eq!(replays.iter().filter(|replay| **replay).count(), 9);
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let sleep = site
        .list(100, "")
        .await
        .into_iter()
        .filter(|blog| blog.title == "Good sleep");
    assert_eq!(sleep.count(), 1);
    let other = site
        .create("0123456789abcdef", titled("Bad sleep"))
        .await
        .expect_err("refused");
    assert_eq!(
        (other.code(), reason(&other).as_str()),
        (Code::InvalidArgument, "REQUEST_ID_REUSED")
    );

    let invalid = Blog {
        image: "javascript:x".to_owned(),
        tags: vec![String::new()],
        ..Blog::default()
    };
    let invalid = site.create("short", invalid).await.expect_err("refused");
    assert_eq!(invalid.code(), Code::InvalidArgument);
    assert_eq!(
        violated_fields(&invalid),
        ["requestId", "image", "tags[0]", "title"]
    );
    let nothing = site.signed(CreateBlogRequest::default());
    let nothing = site.client.create_blog(nothing).await.expect_err("refused");
    assert_eq!(violated_fields(&nothing), ["requestId", "title"]);
    site.end().await;
}

async fn seeds_once_and_pages_through_the_posts(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let seeded = site.list(100, "").await;
    assert_eq!(seeded.len(), 15);
    assert!(seeded.iter().all(|blog| !blog.slug.is_empty()
        && blog.sections.is_empty()
        && blog.content_html.is_empty()));
    let ids = |blogs: &[Blog]| blogs.iter().map(|blog| blog.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&site.list(4, "").await), ids(&seeded));
    assert_eq!(site.list(1, "cardiology").await.len(), 2);
    for blog in &seeded {
        let read = site.get(&blog.slug).await.expect("a post");
        assert_eq!(read.id, blog.id);
        assert_eq!(read.sections.is_empty(), !read.content_html.is_empty());
        assert!(read.related.len() <= 4 && read.popular.len() == 4);
        // S5: the mark is a separate field and not a visible tag.
        assert!(read.tags.iter().all(|tag| tag != "featured"));
        let featured = seeded
            .iter()
            .filter(|other| other.featured && other.id != blog.id);
        assert!(
            featured
                .zip(&read.popular)
                .all(|(featured, link)| featured.id == link.id)
        );
    }
    let request = ListBlogsRequest {
        page_token: "00".to_owned(),
        page_size: -1,
        category: "c".repeat(61),
    };
    let invalid = site.client.list_blogs(request).await.expect_err("refused");
    assert_eq!(
        violated_fields(&invalid),
        ["category", "pageSize", "pageToken"]
    );

    site.delete(&seeded[0].id, "").await.expect("it goes");
    let Site {
        database,
        issuer,
        process,
        client: first,
    } = site;
    drop(first);
    process.stop().await;
    let process = Site::process(&database, &issuer).await;
    let client = client(&process).await;
    let mut site = Site {
        database,
        issuer,
        process,
        client,
    };
    assert_eq!(
        ids(&site.list(100, "").await),
        ids(&seeded[1..]),
        "a start brings nothing back"
    );
    site.end().await;
}
