//! Pictures in the database and their files: what is deleted, and what remains.

use std::{collections::BTreeSet, net::Ipv4Addr, sync::Arc};

use chrono::TimeDelta;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use image::ImageFormat;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use service_kit::source::{Clock as _, FixedClock, Ids, RandomIds, SystemClock};
use svc_content::{
    domain::media::{Description, DescriptionForm},
    media::{
        Library,
        files::{Files, MediaUrl},
        forms::FormKey,
    },
};
use tempfile::TempDir;

use crate::{
    media::picture,
    store::{Bench, on_both_databases},
};

on_both_databases!(
    folders_without_a_picture_are_deleted,
    unused_pictures_are_deleted_after_30_days,
);

fn library(bench: &Bench, folder: &TempDir) -> (Library, Arc<FixedClock>) {
    let files = Files::open(&MediaUrl::Folder(folder.path().join("media"))).expect("a folder");
    let clock = Arc::new(FixedClock::new(SystemClock.now()));
    let library = Library::new(
        bench.store.clone(),
        files,
        clock.clone(),
        Arc::new(RandomIds),
    );
    (library, clock)
}

fn decorative() -> Description {
    let form = DescriptionForm {
        decorative: true,
        ..DescriptionForm::default()
    };
    Description::parse(&form).expect("valid")
}

async fn folders_without_a_picture_are_deleted(bench: Bench) -> Bench {
    let folder = TempDir::new().expect("a folder");
    let (library, _) = library(&bench, &folder);
    let now = SystemClock.now();
    assert_eq!(library.delete_orphans(now).await.expect("no folder yet"), 0);
    let bytes = picture(30, 30, 1, ImageFormat::Png);
    let (row, is_new) = library
        .upload(bytes, decorative(), "editor")
        .await
        .expect("a picture");
    assert!(is_new);
    // A crash between file and row.
    let orphan = RandomIds.uuid();
    let file = library.files.put(orphan, "source.png", vec![1]).await;
    file.expect("a file");
    // A file of somebody else.
    let other = folder.path().join("media/notes.txt");
    std::fs::write(&other, "mine").expect("a file");
    assert_eq!(
        library.delete_orphans(now).await.expect("a sweep"),
        0,
        "an upload may be on its way"
    );
    let later = now + TimeDelta::hours(25);
    assert_eq!(library.delete_orphans(later).await.expect("a sweep"), 1);
    let gone = library.files.get(orphan, "source.png").await;
    assert_eq!(gone.expect("an answer"), None);
    let kept = library.files.get(row.folder, "source.png").await;
    assert!(kept.expect("an answer").is_some());
    assert!(other.exists());
    bench
}

async fn unused_pictures_are_deleted_after_30_days(bench: Bench) -> Bench {
    let folder = TempDir::new().expect("a folder");
    let (library, _) = library(&bench, &folder);
    let mut hashes = Vec::new();
    let mut folders = Vec::new();
    for number in 0..3 {
        let bytes = picture(30, 30, number, ImageFormat::Png);
        let (row, _) = library
            .upload(bytes, decorative(), "editor")
            .await
            .expect("a picture");
        hashes.push(row.hash);
        folders.push(row.folder);
    }
    let used = |numbers: &[usize]| -> BTreeSet<String> {
        numbers
            .iter()
            .map(|number| hashes[*number].clone())
            .collect()
    };
    let begin = SystemClock.now();
    let day = |days| begin + TimeDelta::days(days);
    let delete = async |numbers: &[usize], days| {
        let deleted = library.delete_unused(&used(numbers), day(days)).await;
        deleted.expect("an answer")
    };
    assert_eq!(delete(&[0, 1], 1).await, 0);
    assert_eq!(delete(&[0], 29).await, 0);
    assert_eq!(delete(&[0], 31).await, 1, "never used");
    assert_eq!(delete(&[0], 58).await, 0, "used until the 29th day");
    assert_eq!(delete(&[0, 1], 59).await, 0, "used again in time");
    assert_eq!(delete(&[0], 60).await, 0);
    assert_eq!(delete(&[0], 91).await, 1);
    assert_eq!(
        library.store.media(&hashes[1]).await.expect("an answer"),
        None
    );
    let gone = library.files.get(folders[1], "source.png").await;
    assert_eq!(gone.expect("an answer"), None);
    let kept = library.files.get(folders[0], "source.png").await;
    assert!(kept.expect("an answer").is_some());
    let deleted = "SELECT count(*) FROM audit_entries WHERE action = 'media.deleted'";
    assert_eq!(bench.database.scalar(deleted).await, 2);
    // The same picture can be uploaded again.
    let bytes = picture(30, 30, 1, ImageFormat::Png);
    let (row, is_new) = library
        .upload(bytes, decorative(), "editor")
        .await
        .expect("a picture");
    assert!(is_new && row.hash == hashes[1]);
    bench
}

/// Starts an S3 server that checks signatures and stores objects as files; returns its address.
async fn s3_server(folder: &TempDir, secret: &str) -> String {
    std::fs::create_dir(folder.path().join("pictures")).expect("a bucket");
    let files = FileSystem::new(folder.path()).expect("a folder");
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single("key", secret));
    let service = builder.build();
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new());
                let served = builder.serve_connection(TokioIo::new(stream), service);
                drop(served.await);
            });
        }
    });
    address
}

#[tokio::test]
async fn stores_files_in_s3() {
    let folder = TempDir::new().expect("a folder");
    let address = s3_server(&folder, "secret").await;
    let open = |secret: &str| {
        let url = "s3://pictures/site/media".parse().expect("a place");
        let settings = [
            ("aws_access_key_id", "key"),
            ("aws_secret_access_key", secret),
            ("aws_region", "us-east-1"),
            ("aws_endpoint", &address),
            ("aws_allow_http", "true"),
        ];
        Files::open_with(&url, settings).expect("a store")
    };
    let files = open("secret");
    let (one, other) = (RandomIds.uuid(), RandomIds.uuid());
    let form = FormKey::parse("320.avif").expect("a form").name();
    assert_eq!(files.get(one, &form).await.expect("an answer"), None);
    for (folder, bytes) in [(one, vec![1; 3_000_000]), (other, vec![2])] {
        files.put(folder, &form, bytes).await.expect("a file");
        files
            .put(folder, "source.png", vec![3])
            .await
            .expect("a file");
    }
    let read = files.get(one, &form).await.expect("an answer");
    assert_eq!(read.expect("a file").len(), 3_000_000);
    let stored = folder
        .path()
        .join(format!("pictures/site/media/{one}/320.avif"));
    assert!(stored.exists());
    let now = SystemClock.now();
    let before = async |time| files.folders_before(time).await.expect("a list");
    assert!(before(now - TimeDelta::hours(1)).await.is_empty());
    assert_eq!(before(now + TimeDelta::hours(1)).await, [one, other].into());
    files.delete(one).await.expect("it is deleted");
    files.delete(one).await.expect("nothing is left to delete");
    assert_eq!(before(now + TimeDelta::hours(1)).await, [other].into());
    assert!(open("another secret").get(other, &form).await.is_err());
}
