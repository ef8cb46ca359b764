//! Previews of drafts by a token.

use chrono::TimeDelta;
use hospital_proto::content::v1::{
    Blog, Doctor, GetBlogRequest, GetDoctorRequest, GetPreviewRequest, GetRecordPreviewRequest,
    GetRecordPreviewResponse, ListBlogsRequest, ListDoctorsRequest, Preview,
    preview_service_client::PreviewServiceClient,
};
use serde_json::json;
use service_kit::source::{Clock as _, SystemClock};
use test_kit::database::TestDatabase;
use tonic::{Code, Request, Status, transport::Channel};

use super::desk::{DOCTOR, Desk, SCOPES, new_doctor, reason};
use crate::blogs::on_both_databases;

on_both_databases!(
    shows_a_draft_with_its_token_only,
    refuses_forged_tokens_and_other_staff,
    shows_archived_records_and_names_what_breaks,
    shows_the_draft_of_a_post_in_its_place,
);

const NAME: &str = "Dr. Draft Name";

struct Previewer(PreviewServiceClient<Channel>);

impl Previewer {
    async fn of(desk: &Desk) -> Self {
        let url = desk.site.process.url();
        Self(PreviewServiceClient::connect(url).await.expect("a channel"))
    }

    async fn make(
        &mut self,
        desk: &Desk,
        scopes: &str,
        id: &str,
    ) -> Result<GetRecordPreviewResponse, Status> {
        self.make_of("doctor", desk, scopes, id).await
    }

    async fn make_of(
        &mut self,
        kind: &str,
        desk: &Desk,
        scopes: &str,
        id: &str,
    ) -> Result<GetRecordPreviewResponse, Status> {
        let request = desk.site.issuer.request(
            scopes,
            GetRecordPreviewRequest {
                kind: kind.to_owned(),
                record_id: id.to_owned(),
            },
        );
        Ok(self.0.get_record_preview(request).await?.into_inner())
    }

    async fn token(&mut self, desk: &Desk, id: &str) -> String {
        let made = self.make(desk, SCOPES, id).await.expect("a preview");
        assert!(!made.token.is_empty(), "{:?}", made.preview);
        made.token
    }

    async fn read(&mut self, token: &str) -> Result<Preview, Status> {
        let token = token.to_owned();
        let reply = self.0.get_preview(GetPreviewRequest { token }).await?;
        Ok(reply.into_inner().preview.expect("a preview"))
    }
}

fn with_token<T>(message: T, token: &str) -> Request<T> {
    let mut request = Request::new(message);
    let value = token.parse().expect("visible characters");
    request.metadata_mut().insert("x-preview", value);
    request
}

/// Reads a doctor with a token, and checks that the answer is marked.
async fn previewed(desk: &mut Desk, token: &str, id: &str) -> Result<Doctor, Status> {
    let doctor = id.to_owned();
    let request = with_token(GetDoctorRequest { doctor }, token);
    let reply = desk.site.client.get_doctor(request).await?;
    assert_eq!(reply.metadata().get("x-preview").expect("marked"), "shown");
    Ok(reply.into_inner().doctor.expect("a doctor"))
}

async fn shows_a_draft_with_its_token_only(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let mut previewer = Previewer::of(&desk).await;
    let before = desk.doctor(DOCTOR).await.expect("a doctor");
    let record = desk.get("doctor", DOCTOR).await;
    let draft = desk.save(&record, json!({"name": NAME})).await;
    let draft = draft.expect("a draft");
    let token = previewer.token(&desk, DOCTOR).await;
    let preview = previewer.read(&token).await.expect("a preview");
    assert_eq!(
        (preview.version, preview.is_live, preview.title.as_str()),
        (2, false, NAME)
    );
    assert_eq!(preview.path, format!("/doctor/{}", before.slug));
    assert_eq!(preview.list_path, "/doctors");

    let doctor = previewed(&mut desk, &token, DOCTOR).await;
    assert_eq!(doctor.expect("a doctor").name, NAME);
    let list = ListDoctorsRequest {
        page_size: 100,
        ..ListDoctorsRequest::default()
    };
    let names = async |desk: &mut Desk, request| {
        let reply = desk.site.client.list_doctors(request).await;
        let reply = reply.expect("doctors");
        let is_marked = reply.metadata().contains_key("x-preview");
        let doctors = reply.into_inner().doctors.into_iter();
        let names: Vec<String> = doctors.map(|doctor| doctor.name).collect();
        (names, is_marked)
    };
    let (listed, is_marked) = names(&mut desk, with_token(list.clone(), &token)).await;
    assert!(listed.contains(&NAME.to_owned()) && is_marked);
    let (live, is_marked) = names(&mut desk, Request::new(list)).await;
    assert!(!live.contains(&NAME.to_owned()) && !is_marked);
    assert_eq!(live.len(), listed.len());
    assert_eq!(desk.doctor(DOCTOR).await.expect("a doctor"), before);

    let live = desk.publish(&draft).await.expect("published");
    assert!(previewer.read(&token).await.expect("a preview").is_live);
    let next = desk.save(&live, json!({"name": "Dr. Next"})).await;
    desk.publish(&next.expect("a draft"))
        .await
        .expect("published");
    desk.reads(DOCTOR, |read| {
        read.is_ok_and(|doctor| doctor.name == "Dr. Next")
    })
    .await;
    assert!(!previewer.read(&token).await.expect("a preview").is_live);
    let doctor = previewed(&mut desk, &token, DOCTOR).await;
    assert_eq!(doctor.expect("a doctor").name, NAME, "a version stays");
    desk.end().await;
}

async fn refuses_forged_tokens_and_other_staff(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let mut previewer = Previewer::of(&desk).await;
    let record = desk.get("doctor", DOCTOR).await;
    desk.save(&record, json!({"name": NAME}))
        .await
        .expect("a draft");
    let token = previewer.token(&desk, DOCTOR).await;
    let changed = format!("{}{}", &token[..token.len() - 4], "AAAA");
    for forged in ["x", &token[1..], &changed, &"A".repeat(200)] {
        let refused = previewer.read(forged).await.expect_err("forged");
        assert_eq!(refused.code(), Code::NotFound, "{forged}");
        let refused = previewed(&mut desk, forged, DOCTOR).await;
        assert_eq!(refused.expect_err("forged").code(), Code::NotFound);
    }
    let other = previewed(&mut desk, &token, "doc-07").await;
    let live = desk.doctor("doc-07").await;
    assert_eq!(other.expect("a doctor"), live.expect("a doctor"));

    for scopes in ["content:read", "content:publish"] {
        let refused = previewer.make(&desk, scopes, DOCTOR).await;
        let refused = refused.expect_err("not allowed");
        assert_eq!(refused.code(), Code::PermissionDenied, "{scopes}");
    }
    let absent = previewer.make(&desk, SCOPES, "nobody").await;
    assert_eq!(absent.expect_err("no record").code(), Code::NotFound);
    let noted = "SELECT count(*) FROM audit_entries WHERE action = 'record.previewed'";
    assert_eq!(desk.site.database.scalar(noted).await, 1);
    desk.end().await;
}

async fn shows_archived_records_and_names_what_breaks(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let mut previewer = Previewer::of(&desk).await;
    let made = desk.create("0123456789abcdef-1", "doctor", new_doctor("skin-1"));
    let (draft, _) = made.await.expect("made");
    let token = previewer.token(&desk, "skin-1").await;
    let doctor = previewed(&mut desk, &token, "skin-1").await;
    assert_eq!(doctor.expect("a doctor").name, "Dr. skin-1");
    assert_eq!(
        desk.doctor("skin-1").await.expect_err("a draft").code(),
        Code::NotFound
    );

    let live = desk.publish(&draft).await.expect("published");
    let archived = desk.archive(&live, "").await.expect("archived");
    desk.reads("skin-1", |read| {
        read.is_err_and(|status| reason(&status).0 == "MOVED")
    })
    .await;
    let again = previewer.token(&desk, "skin-1").await;
    let doctor = previewed(&mut desk, &again, "skin-1").await;
    assert!(doctor.is_ok(), "{doctor:?}");

    // What was fit becomes unfit: another doctor gets the address.
    let other = desk.get("doctor", DOCTOR).await;
    let other = desk.save(&other, json!({"slug": "dr-skin-1"})).await;
    desk.publish(&other.expect("a draft"))
        .await
        .expect("published");
    desk.reads("dr-skin-1", |read| {
        read.is_ok_and(|doctor| doctor.id == DOCTOR)
    })
    .await;
    let preview = previewer.read(&again).await.expect("a preview");
    assert_eq!(preview.problems.len(), 1, "{preview:?}");
    let refused = previewed(&mut desk, &again, DOCTOR).await;
    let refused = refused.expect_err("unfit");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(reason(&refused).0, "PREVIEW_BROKEN");

    desk.save(&archived, json!({"timings": ""}))
        .await
        .expect("a draft");
    let made = previewer.make(&desk, SCOPES, "skin-1").await;
    let made = made.expect("an answer");
    assert_eq!(made.token, "");
    let problems = made.preview.expect("a preview").problems;
    assert_eq!(problems[0].field, "timings", "{problems:?}");
    desk.end().await;
}

/// Reads a post; with a token, from its preview.
async fn post(desk: &mut Desk, token: &str, name: &str) -> Result<Blog, Status> {
    let blog = name.to_owned();
    let mut request = Request::new(GetBlogRequest { blog });
    if !token.is_empty() {
        request = with_token(request.into_inner(), token);
    }
    let reply = desk.site.client.get_blog(request).await?;
    Ok(reply.into_inner().blog.expect("a post"))
}

/// Returns the titles of all posts of a preview, read in pages of `size`.
async fn titles(desk: &mut Desk, token: &str, size: i32, category: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut page_token = String::new();
    loop {
        let list = ListBlogsRequest {
            page_size: size,
            page_token,
            category: category.to_owned(),
        };
        let reply = desk.site.client.list_blogs(with_token(list, token)).await;
        let page = reply.expect("posts").into_inner();
        assert!(page.blogs.len() <= usize::try_from(size).expect("a size"));
        titles.extend(page.blogs.into_iter().map(|blog| blog.title));
        if page.next_page_token.is_empty() {
            return titles;
        }
        page_token = page.next_page_token;
    }
}

async fn shows_the_draft_of_a_post_in_its_place(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let mut previewer = Previewer::of(&desk).await;
    let live = desk.site.list(100, "").await;
    let titles_of =
        |blogs: &[Blog]| -> Vec<String> { blogs.iter().map(|blog| blog.title.clone()).collect() };
    let ahead = json!({
        "id": "rest", "title": "Rest <well>", "content": "<p>Go <b onclick='x'>home</b>.</p>", "category": "Sleep",
    });
    let made = desk.create("0123456789abcdef-1", "post", ahead).await;
    let (draft, _) = made.expect("a draft");
    let made = previewer.make_of("post", &desk, SCOPES, "rest").await;
    let made = made.expect("a preview");
    let preview = made.preview.expect("a preview");
    assert_eq!(
        (preview.path.as_str(), preview.list_path.as_str()),
        ("/blogs/rest-well", "/blogs")
    );
    for name in ["rest", "rest-well"] {
        let read = post(&mut desk, &made.token, name).await.expect("a post");
        assert_eq!(read.title, "Rest <well>");
        assert_eq!(read.content_html, "<p>Go <b>home</b>.</p>");
        let hidden = post(&mut desk, "", name).await.expect_err("a draft");
        assert_eq!(hidden.code(), Code::NotFound);
    }
    let mut wanted = titles_of(&live);
    wanted.insert(0, "Rest <well>".to_owned());
    for size in [1, 2, 100] {
        let listed = titles(&mut desk, &made.token, size, "").await;
        assert_eq!(listed, wanted, "{size}");
    }
    let of_category = titles(&mut desk, &made.token, 1, "sleep").await;
    assert_eq!(of_category, ["Rest <well>"]);
    assert_eq!(titles_of(&desk.site.list(100, "").await), titles_of(&live));

    // A planned post is the newest one.
    let time = SystemClock.now() + TimeDelta::days(30);
    let time = time.format("%Y-%m-%dT%H:%M:%S+05:30").to_string();
    let planned = json!({"published_at": time});
    desk.save(&draft, planned).await.expect("a draft");
    let planned = previewer.make_of("post", &desk, SCOPES, "rest").await;
    let planned = planned.expect("a preview").token;
    assert_eq!(titles(&mut desk, &planned, 2, "").await, wanted);

    // A live post keeps its place, and is found by its former address.
    let seed = live.last().expect("a post").clone();
    let record = desk.get("post", &seed.id).await;
    let saved = json!({"title": "Renamed", "category": "Sleep", "image": "/media/0123"});
    let saved = desk.save(&record, saved).await.expect("a draft");
    let made = previewer.make_of("post", &desk, SCOPES, &seed.id).await;
    let token = made.expect("a preview").token;
    let mut wanted = titles_of(&live);
    "Renamed".clone_into(wanted.last_mut().expect("a title"));
    for size in [1, 100] {
        assert_eq!(titles(&mut desk, &token, size, "").await, wanted, "{size}");
    }
    let others = titles(&mut desk, &token, 100, &seed.category).await;
    assert!(!others.contains(&"Renamed".to_owned()), "{others:?}");
    for name in [&seed.id, &seed.slug, "renamed"] {
        let read = post(&mut desk, &token, name).await.expect("a post");
        assert_eq!(
            (&read.title, &read.published_at, &read.created_at),
            (&"Renamed".to_owned(), &seed.published_at, &seed.created_at)
        );
    }
    let other = post(&mut desk, &token, &live[0].id).await.expect("a post");
    assert_eq!(other.title, live[0].title);
    let now = post(&mut desk, "", &seed.id).await.expect("a post");
    assert_eq!((now.title, now.etag), (seed.title, seed.etag));

    desk.save(&saved, json!({"title": ""}))
        .await
        .expect("a draft");
    let made = previewer.make_of("post", &desk, SCOPES, &seed.id).await;
    let made = made.expect("an answer");
    let problems = made.preview.expect("a preview").problems;
    assert_eq!(
        (made.token.as_str(), problems[0].field.as_str()),
        ("", "title")
    );
    desk.end().await;
}
