//! Uploaded pictures in records.

use hospital_proto::{
    content::v1::{
        CreateMediaRequest, DeleteMediaRequest, GetMediaRequest, Media, MediaUse,
        UpdateMediaRequest, media_service_client::MediaServiceClient,
    },
    google::api::HttpBody,
};
use image::ImageFormat;
use serde_json::json;
use tempfile::TempDir;
use test_kit::{database::TestDatabase, process::PATIENCE};
use tonic::{Code, Status, transport::Channel};

use super::desk::{DOCTOR, Desk, reason, violation};
use crate::{
    blogs::on_both_databases,
    media::{client, picture, ready},
};

const SCOPE: &str = "media:write";
const MISSING: &str = "There is no such picture. Choose or upload another one";

on_both_databases!(a_picture_is_kept_while_a_record_shows_it);

struct Pictures<'a> {
    desk: &'a Desk,
    client: MediaServiceClient<Channel>,
}

impl Pictures<'_> {
    async fn upload(&mut self) -> Media {
        let data = picture(400, 300, 1, ImageFormat::Jpeg);
        let message = CreateMediaRequest {
            picture: Some(HttpBody {
                data,
                ..HttpBody::default()
            }),
            alt: "The doctor".to_owned(),
            ..CreateMediaRequest::default()
        };
        let mut request = self.desk.site.issuer.request(SCOPE, message);
        request.set_timeout(PATIENCE);
        let uploaded = self.client.create_media(request).await.expect("stored");
        let hash = uploaded.into_inner().media.expect("a picture").hash;
        ready(&self.client, &self.desk.site.issuer, &hash).await
    }

    async fn uses(&mut self, hash: &str) -> Vec<MediaUse> {
        let hash = hash.to_owned();
        let request = self.desk.signed(GetMediaRequest { hash });
        let reply = self.client.get_media(request).await.expect("a picture");
        reply.into_inner().media.expect("a picture").uses
    }

    async fn describe(&mut self, media: &Media, alt: &str) -> Media {
        let message = UpdateMediaRequest {
            hash: media.hash.clone(),
            etag: media.etag.clone(),
            media: Some(Media {
                alt: alt.to_owned(),
                ..Media::default()
            }),
        };
        let request = self.desk.site.issuer.request(SCOPE, message);
        let reply = self.client.update_media(request).await.expect("described");
        reply.into_inner().media.expect("a picture")
    }

    async fn delete(&mut self, hash: &str, etag: &str) -> Result<(), Status> {
        let message = DeleteMediaRequest {
            hash: hash.to_owned(),
            etag: etag.to_owned(),
        };
        let request = self.desk.site.issuer.request(SCOPE, message);
        self.client.delete_media(request).await.map(drop)
    }
}

async fn a_picture_is_kept_while_a_record_shows_it(database: TestDatabase) {
    let folder = TempDir::new().expect("a folder");
    let place = format!("file:{}", folder.path().display());
    let mut desk = Desk::start_with(database, &["--media-url", &place]).await;
    let media_client = client(&desk.site.process).await;
    macro_rules! pictures {
        () => {
            Pictures {
                desk: &desk,
                client: media_client.clone(),
            }
        };
    }
    let media = pictures!().upload().await;
    let address = format!("/media/{}", media.hash);

    let read = desk.get("doctor", DOCTOR).await;
    let absent = format!("/media/{}", "0".repeat(40));
    let draft = desk.save(&read, json!({ "image": absent })).await;
    let draft = draft.expect("a draft");
    let problem = &draft.problems[0];
    assert_eq!(
        (problem.field.as_str(), problem.message.as_str()),
        ("image", MISSING)
    );
    let refused = desk.publish(&draft).await.expect_err("refused");
    assert_eq!(
        violation(&refused),
        ("body.image".to_owned(), MISSING.to_owned())
    );

    let draft = desk.save(&draft, json!({ "image": address })).await;
    let draft = draft.expect("a draft");
    assert!(!pictures!().uses(&media.hash).await[0].live);
    let live = desk.publish(&draft).await.expect("published");
    desk.reads(DOCTOR, |doctor| {
        let shown = doctor.expect("a doctor").picture;
        shown.is_some_and(|shown| {
            (shown.width, shown.height, shown.alt.as_str()) == (400, 300, "The doctor")
                && shown.widths == [320, 400]
        })
    })
    .await;
    let uses = pictures!().uses(&media.hash).await;
    let [only] = uses.as_slice() else {
        panic!("one use: {uses:?}")
    };
    assert_eq!(
        (only.kind.as_str(), only.record_id.as_str()),
        ("doctor", DOCTOR)
    );
    assert!(only.live && !only.title.is_empty());

    let refused = pictures!().delete(&media.hash, &media.etag).await;
    let refused = refused.expect_err("in use");
    assert_eq!(
        (refused.code(), reason(&refused).0.as_str()),
        (Code::FailedPrecondition, "MEDIA_IN_USE")
    );
    let described = pictures!().describe(&media, "Dr. Rao at work").await;
    desk.reads(DOCTOR, |doctor| {
        let shown = doctor.expect("a doctor").picture;
        shown.is_some_and(|shown| shown.alt == "Dr. Rao at work")
    })
    .await;

    let back = desk
        .revert(&live, read.version, true)
        .await
        .expect("undone");
    desk.reads(DOCTOR, |doctor| doctor.expect("a doctor").picture.is_none())
        .await;
    let stale = pictures!().delete(&media.hash, &media.etag).await;
    assert_eq!(stale.expect_err("stale").code(), Code::Aborted);
    pictures!()
        .delete(&media.hash, &described.etag)
        .await
        .expect("deleted");
    let again = pictures!().delete(&media.hash, &described.etag).await;
    assert_eq!(again.expect_err("gone").code(), Code::NotFound);
    // The store may delete the empty folder too.
    let files = std::fs::read_dir(folder.path()).into_iter().flatten();
    assert!(files.flatten().all(|folder| {
        std::fs::read_dir(folder.path()).is_ok_and(|mut files| files.next().is_none())
    }));
    let refused = desk
        .revert(&back, live.version, true)
        .await
        .expect_err("refused");
    assert_eq!(
        violation(&refused),
        ("body.image".to_owned(), MISSING.to_owned())
    );
    drop(media_client);
    desk.end().await;
}
