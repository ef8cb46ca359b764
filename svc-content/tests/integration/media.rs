//! Pictures over gRPC, uploaded and read as the gateway does, with files in a real folder.

use std::{io::Cursor, path::Path, time::Duration};

use hospital_proto::content::v1::{
    CreateMediaRequest, GetMediaFormRequest, GetMediaRequest, ListMediaRequest, Media,
    UpdateMediaRequest, media_service_client::MediaServiceClient,
};
use hospital_proto::google::api::HttpBody;
use image::{ImageFormat, RgbImage};
use tempfile::TempDir;
use test_kit::{
    database::TestDatabase,
    issuer::Issuer,
    process::{PATIENCE, Process},
};
use tokio::task::JoinSet;
use tonic::{Code, Request, Response, Status, transport::Channel};
use tonic_types::StatusExt as _;

use crate::{PROGRAM, blogs::on_both_databases, service::violated_fields};

const READ: &str = "content:read";
const WRITE: &str = "media:write";
const MESSAGE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// A running service with a folder for pictures.
struct Site {
    database: TestDatabase,
    issuer: Issuer,
    process: Process,
    client: MediaServiceClient<Channel>,
    folder: TempDir,
}

impl Site {
    async fn start(database: TestDatabase) -> Self {
        PROGRAM.migrate(&database).await;
        let issuer = Issuer::new();
        let folder = TempDir::new().expect("a folder");
        let process = serve(&database, &issuer, folder.path()).await;
        let client = client(&process).await;
        Self {
            database,
            issuer,
            process,
            client,
            folder,
        }
    }

    async fn put(&self, bytes: Vec<u8>) -> Result<Response<Media>, Status> {
        let picture = HttpBody {
            // Never read.
            content_type: "text/html".to_owned(),
            data: bytes,
            ..HttpBody::default()
        };
        let message = CreateMediaRequest {
            picture: Some(picture),
            alt: "A picture".to_owned(),
            focal_x: Some(20),
            ..CreateMediaRequest::default()
        };
        let mut request = self.issuer.request(WRITE, message);
        // Unoptimised code decodes slowly.
        request.set_timeout(PATIENCE);
        let reply = self.client.clone().create_media(request).await?;
        Ok(reply.map(|reply| reply.media.expect("a picture")))
    }

    async fn get(&self, hash: &str) -> Result<Media, Status> {
        let hash = hash.to_owned();
        let request = self.issuer.request(READ, GetMediaRequest { hash });
        let reply = self.client.clone().get_media(request).await?;
        Ok(reply.into_inner().media.expect("a picture"))
    }

    async fn update(&self, hash: &str, etag: &str, media: Media) -> Result<Media, Status> {
        let message = UpdateMediaRequest {
            hash: hash.to_owned(),
            media: Some(media),
            etag: etag.to_owned(),
        };
        let request = self.issuer.request(WRITE, message);
        let reply = self.client.clone().update_media(request).await?;
        Ok(reply.into_inner().media.expect("a picture"))
    }

    async fn form(&self, hash: &str, form: &str) -> Result<HttpBody, Status> {
        let message = GetMediaFormRequest {
            hash: hash.to_owned(),
            form: form.to_owned(),
        };
        let reply = self.client.clone().get_media_form(message).await?;
        Ok(reply.into_inner())
    }

    /// Polls until the forms are made.
    async fn ready(&self, hash: &str) -> Media {
        ready(&self.client, &self.issuer, hash).await
    }

    async fn list(&self, size: i32) -> Vec<Vec<String>> {
        let mut pages = Vec::new();
        let mut page_token = String::new();
        loop {
            let message = ListMediaRequest {
                page_size: size,
                page_token,
            };
            let request = self.issuer.request(READ, message);
            let reply = self.client.clone().list_media(request).await;
            let page = reply.expect("a page").into_inner();
            pages.push(page.media.into_iter().map(|media| media.hash).collect());
            if page.next_page_token.is_empty() {
                return pages;
            }
            page_token = page.next_page_token;
        }
    }

    async fn end(self) {
        self.process.stop().await;
        self.database.drop_if_exists().await;
    }
}

async fn serve(database: &TestDatabase, issuer: &Issuer, folder: &Path) -> Process {
    let url = format!("file:{}", folder.display());
    let flags = issuer.flags();
    let mut flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    flags.extend(["--media-url", &url]);
    let process = PROGRAM.start(&database.url, &flags).await;
    process.wait_for("/readyz", 200).await;
    process
}

pub(crate) async fn client(process: &Process) -> MediaServiceClient<Channel> {
    MediaServiceClient::connect(process.url())
        .await
        .expect("a channel")
        .max_encoding_message_size(MESSAGE_BYTES_MAX)
}

pub(crate) async fn ready(
    client: &MediaServiceClient<Channel>,
    issuer: &Issuer,
    hash: &str,
) -> Media {
    let poll = async {
        loop {
            let hash = hash.to_owned();
            let request = issuer.request(READ, GetMediaRequest { hash });
            let reply = client.clone().get_media(request).await;
            let media = reply.expect("an answer").into_inner().media;
            let media = media.expect("a picture");
            match media.state.as_str() {
                "processing" => tokio::time::sleep(Duration::from_millis(50)).await,
                _ => return media,
            }
        }
    };
    tokio::time::timeout(4 * PATIENCE, poll)
        .await
        .expect("forms in time")
}

/// A picture of soft colours, different for each number.
pub(crate) fn picture(width: u32, height: u32, number: u8, format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| {
        let part = |at: u32, of: u32| u8::try_from(at * 255 / of).expect("a byte");
        image::Rgb([part(x, width), part(y, height), number])
    });
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, format).expect("a picture");
    out.into_inner()
}

fn described(alt: &str) -> Media {
    Media {
        alt: alt.to_owned(),
        ..Media::default()
    }
}

/// Returns how many folders of uploads exist.
fn folders(site: &Site) -> usize {
    let entries = std::fs::read_dir(site.folder.path()).expect("a folder");
    entries.count()
}

on_both_databases!(
    an_upload_becomes_ready_and_is_served_in_all_forms,
    one_of_two_descriptions_wins,
    ten_uploads_at_once_are_stored_or_refused_politely,
    forms_are_made_after_a_crash,
);

async fn an_upload_becomes_ready_and_is_served_in_all_forms(database: TestDatabase) {
    let site = Site::start(database).await;
    let bytes = picture(400, 200, 7, ImageFormat::Jpeg);
    let uploaded = site.put(bytes.clone()).await.expect("it is stored");
    assert!(uploaded.metadata().get("resource-created").is_none());
    let uploaded = uploaded.into_inner();
    assert_eq!((uploaded.width, uploaded.height), (400, 200));
    assert_eq!(uploaded.widths, [320, 400]);
    assert_eq!((uploaded.focal_x, uploaded.focal_y), (Some(20), Some(50)));
    assert_eq!(uploaded.bytes, i32::try_from(bytes.len()).expect("small"));
    let media = site.ready(&uploaded.hash).await;
    assert_eq!(
        (media.state.as_str(), &media.etag),
        ("ready", &uploaded.etag)
    );
    for width in &media.widths {
        let webp = site.form(&media.hash, &format!("{width}.webp")).await;
        let webp = webp.expect("a form");
        assert_eq!(webp.content_type, "image/webp");
        let image = image::load_from_memory_with_format(&webp.data, ImageFormat::WebP);
        let image = image.expect("WebP");
        assert_eq!(i32::try_from(image.width()).expect("small"), *width);
        let avif = site.form(&media.hash, &format!("{width}.avif")).await;
        let avif = avif.expect("a form");
        assert_eq!(avif.content_type, "image/avif");
        assert_eq!(&avif.data[4..12], b"ftypavif");
        // Image spatial extents: the width.
        let extents = avif.data.windows(4).position(|four| four == b"ispe");
        let extents = extents.expect("a size") + 8;
        let four = avif.data[extents..extents + 4].try_into().expect("bytes");
        assert_eq!(i32::from_be_bytes(four), *width);
    }
    for absent in [
        "321.webp",
        "1600.webp",
        "320.png",
        "source.png",
        "../320.webp",
        "0320.webp",
        "",
    ] {
        let refused = site.form(&media.hash, absent).await.expect_err("refused");
        assert_eq!(refused.code(), Code::NotFound, "{absent}");
    }
    for absent in ["", "..", "0123456789abcdef0123456789abcdef01234567", "\0"] {
        let refused = site.form(absent, "320.webp").await.expect_err("refused");
        assert_eq!(refused.code(), Code::NotFound, "{absent}");
        let refused = site.get(absent).await.expect_err("refused");
        assert_eq!(refused.code(), Code::NotFound, "{absent}");
    }

    let again = site.put(bytes).await.expect("it is known");
    let created = again.metadata().get("resource-created");
    assert_eq!(created.expect("a mark"), "false");
    assert_eq!(again.into_inner(), media);
    assert_eq!(folders(&site), 1);

    let second = site.put(picture(10, 10, 1, ImageFormat::Png)).await;
    let second = second.expect("it is stored").into_inner();
    assert_eq!(second.widths, [10]);
    let newest_first = vec![vec![second.hash.clone()], vec![media.hash.clone()]];
    assert_eq!(site.list(1).await, newest_first);
    let uploads = "SELECT count(*) FROM audit_entries WHERE action = 'media.uploaded'";
    assert_eq!(site.database.scalar(uploads).await, 2);
    // One for each picture: the same read again within 15 minutes is not recorded.
    let reads = "SELECT count(DISTINCT subject) FROM audit_entries WHERE action = 'media.read'";
    assert_eq!(site.database.scalar(reads).await, 2);
    site.end().await;
}

async fn one_of_two_descriptions_wins(database: TestDatabase) {
    let site = Site::start(database).await;
    let media = site.put(picture(20, 20, 2, ImageFormat::Png)).await;
    let media = media.expect("it is stored").into_inner();
    let (hash, etag) = (media.hash.as_str(), media.etag.as_str());
    let (one, other) = tokio::join!(
        site.update(hash, etag, described("A heart")),
        site.update(hash, etag, described("A lung")),
    );
    let (won, lost) = match (one, other) {
        (Ok(won), Err(lost)) | (Err(lost), Ok(won)) => (won, lost),
        both => panic!("{both:?}"),
    };
    assert_eq!(lost.code(), Code::Aborted);
    let reason = lost.get_details_error_info().expect("a reason").reason;
    assert_eq!(reason, "ETAG_MISMATCH");
    assert_eq!(site.get(hash).await.expect("a picture").alt, won.alt);

    let wrong = Media {
        alt: "a".repeat(301),
        focal_x: Some(101),
        ..Media::default()
    };
    let refused = site.update(hash, &won.etag, wrong).await;
    let refused = refused.expect_err("refused");
    assert_eq!(violated_fields(&refused), ["alt", "focalX"]);
    let refused = site.update(hash, &won.etag, Media::default()).await;
    assert_eq!(violated_fields(&refused.expect_err("refused")), ["alt"]);
    let refused = site.update(hash, "", described("A heart")).await;
    assert_eq!(violated_fields(&refused.expect_err("refused")), ["etag"]);
    let decorative = Media {
        decorative: true,
        focal_x: Some(0),
        focal_y: Some(100),
        ..Media::default()
    };
    let changed = site.update(hash, &won.etag, decorative).await;
    let changed = changed.expect("it is changed");
    assert_eq!((changed.alt.as_str(), changed.decorative), ("", true));
    assert_eq!((changed.focal_x, changed.focal_y), (Some(0), Some(100)));
    let absent = "0123456789abcdef0123456789abcdef01234567";
    let refused = site.update(absent, "x", described("A heart")).await;
    assert_eq!(refused.expect_err("refused").code(), Code::NotFound);
    let updates = "SELECT count(*) FROM audit_entries WHERE action = 'media.updated'";
    assert_eq!(site.database.scalar(updates).await, 2);
    site.end().await;
}

async fn ten_uploads_at_once_are_stored_or_refused_politely(database: TestDatabase) {
    let site = std::sync::Arc::new(Site::start(database).await);
    let mut uploads = JoinSet::new();
    // Each picture is sent twice.
    for number in 0..10 {
        let site = std::sync::Arc::clone(&site);
        uploads.spawn(async move {
            let bytes = picture(900, 900, number / 2, ImageFormat::Png);
            site.put(bytes).await
        });
    }
    let mut stored = std::collections::BTreeMap::new();
    while let Some(answer) = uploads.join_next().await {
        match answer.expect("no panic") {
            Ok(media) => {
                let is_new = media.metadata().get("resource-created").is_none();
                *stored.entry(media.into_inner().hash).or_insert(0) += i32::from(is_new);
            }
            Err(refused) => {
                assert_eq!(refused.code(), Code::ResourceExhausted, "{refused:?}");
                let retry = refused.get_details_retry_info().expect("a time");
                assert!(retry.retry_delay.is_some());
            }
        }
    }
    assert!(!stored.is_empty());
    assert!(stored.values().all(|created| *created == 1), "{stored:?}");
    let rows = site.database.scalar("SELECT count(*) FROM media").await;
    assert_eq!(usize::try_from(rows).expect("a count"), stored.len());
    let left = folders(&site);
    assert_eq!(left, stored.len(), "files of second uploads remain");
    let site = std::sync::Arc::into_inner(site).expect("all uploads ended");
    site.end().await;
}

async fn forms_are_made_after_a_crash(database: TestDatabase) {
    let site = Site::start(database).await;
    let media = site.put(picture(300, 200, 3, ImageFormat::Png)).await;
    let media = media.expect("it is stored").into_inner();
    let Site {
        database,
        issuer,
        process,
        folder,
        ..
    } = site;
    process.stop().await;
    // The lease of the process that stopped has ended.
    let expire = "UPDATE media SET attempt_at = created_at WHERE state = 'processing'";
    database.execute(expire).await;
    let process = serve(&database, &issuer, folder.path()).await;
    let client = client(&process).await;
    let media = ready(&client, &issuer, &media.hash).await;
    assert_eq!(media.state, "ready");
    process.stop().await;
    database.drop_if_exists().await;
}

#[tokio::test]
async fn refuses_callers_without_the_scope_and_what_is_no_picture() {
    let site = Site::start(TestDatabase::sqlite()).await;
    let mut client = site.client.clone();
    let unsigned = client.create_media(CreateMediaRequest::default()).await;
    assert_eq!(unsigned.expect_err("refused").code(), Code::Unauthenticated);
    let message = CreateMediaRequest::default();
    let other = client
        .create_media(site.issuer.request(READ, message))
        .await;
    assert_eq!(other.expect_err("refused").code(), Code::PermissionDenied);
    let message = ListMediaRequest::default();
    let other = client.list_media(site.issuer.request(WRITE, message)).await;
    assert_eq!(other.expect_err("refused").code(), Code::PermissionDenied);
    let list = |page_size, page_token: &str| {
        let message = ListMediaRequest {
            page_size,
            page_token: page_token.to_owned(),
        };
        let request: Request<_> = site.issuer.request(READ, message);
        let mut client = site.client.clone();
        async move { client.list_media(request).await.expect_err("refused") }
    };
    assert_eq!(
        violated_fields(&list(-1, "x").await),
        ["pageSize", "pageToken"]
    );
    let gif = include_bytes!("../fixtures/pictures/animated.gif");
    let truncated = {
        let mut bytes = picture(300, 300, 1, ImageFormat::Jpeg);
        bytes.truncate(bytes.len() / 2);
        bytes
    };
    let message = CreateMediaRequest {
        decorative: true,
        alt: "A heart".to_owned(),
        ..CreateMediaRequest::default()
    };
    let undescribed = client.create_media(site.issuer.request(WRITE, message));
    let undescribed = undescribed.await.expect_err("refused");
    assert_eq!(violated_fields(&undescribed), ["alt", "picture"]);
    for (bytes, text) in [
        (gif.to_vec(), "GIF is not accepted"),
        (truncated, "incomplete or damaged"),
        (vec![0; 20 * 1024 * 1024 + 1], "larger than 20 MiB"),
        (Vec::new(), "missing"),
    ] {
        let refused = site.put(bytes).await.expect_err("refused");
        assert_eq!(violated_fields(&refused), ["picture"]);
        let details = refused.get_error_details();
        let violations = &details.bad_request().expect("fields").field_violations;
        assert!(violations[0].description.contains(text), "{violations:?}");
    }
    assert_eq!(site.database.scalar("SELECT count(*) FROM media").await, 0);
    assert_eq!(folders(&site), 0);
    site.end().await;
}
