//! The real program: over gRPC, on both databases, without a database, and with broken content.

use std::time::Duration;

use hospital_proto::content::v1::{
    GetSiteRequest, ListBlogsRequest, ListDepartmentProfilesRequest, ListDoctorsRequest,
    SearchRequest, content_service_client::ContentServiceClient,
};
use svc_content::files::Sources;
use test_kit::{database::TestDatabase, process::Process};
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::{PROGRAM, blogs::on_both_databases, reads};

pub(crate) async fn client(process: &Process) -> ContentServiceClient<Channel> {
    ContentServiceClient::connect(process.url())
        .await
        .expect("a channel")
}

pub(crate) fn violated_fields(status: &Status) -> Vec<String> {
    let details = status.get_error_details();
    let violations = &details.bad_request().expect("BadRequest").field_violations;
    violations
        .iter()
        .map(|violation| violation.field.clone())
        .collect()
}

async fn serves_the_content(database: TestDatabase) {
    PROGRAM.migrate(&database).await;
    let origin = [
        "--site-origin",
        "https://sampige.example",
        "--log-format",
        "json",
    ];
    let process = PROGRAM.start(&database.url, &origin).await;
    process.wait_for("/healthz", 200).await;
    process.wait_for("/readyz", 200).await;
    assert_eq!(
        database
            .scalar("SELECT count(*) FROM content_revision")
            .await,
        1
    );
    let mut client = client(&process).await;

    let site = client
        .get_site(GetSiteRequest {})
        .await
        .expect("a site")
        .into_inner()
        .site;
    let site = site.expect("a site");
    assert_eq!(site.name, "Sampige Hospital");
    assert_eq!(site.origin, "https://sampige.example");

    let first = client.list_doctors(ListDoctorsRequest {
        page_size: 10,
        ..ListDoctorsRequest::default()
    });
    let first = first.await.expect("doctors").into_inner();
    assert_eq!((first.doctors.len(), first.specialties.len()), (10, 15));
    let second = client.list_doctors(ListDoctorsRequest {
        page_size: 10,
        page_token: first.next_page_token,
        ..ListDoctorsRequest::default()
    });
    let second = second.await.expect("doctors").into_inner();
    assert_eq!(
        (second.doctors.len(), second.next_page_token.as_str()),
        (5, "")
    );

    let found = client.list_doctors(ListDoctorsRequest {
        specialty: "Orthopaedics".to_owned(),
        q: "DR".to_owned(),
        ..ListDoctorsRequest::default()
    });
    assert_eq!(found.await.expect("doctors").into_inner().doctors.len(), 2);

    let profiles = client.list_department_profiles(ListDepartmentProfilesRequest::default());
    assert_eq!(
        profiles
            .await
            .expect("departments")
            .into_inner()
            .department_profiles
            .len(),
        12
    );

    reads::everything(&mut client).await;

    let sought = "a visitor's own words ".repeat(6);
    let invalid = client.list_doctors(ListDoctorsRequest {
        q: sought.clone(),
        page_size: -1,
        page_token: "nonsense".to_owned(),
        ..ListDoctorsRequest::default()
    });
    let invalid = invalid.await.expect_err("refused");
    assert_eq!(invalid.code(), Code::InvalidArgument);
    assert_eq!(violated_fields(&invalid), ["q", "pageSize", "pageToken"]);

    let (status, metrics) = process.get("/metrics").await;
    assert_eq!(status, 200);
    assert!(metrics.contains("ListDoctors"), "{metrics}");
    drop(client);
    let log = process.stop().await;
    assert!(
        !log.contains("own words"),
        "the log contains a search query"
    );
    database.drop_if_exists().await;
}

#[tokio::test]
async fn serves_the_content_on_sqlite() {
    serves_the_content(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn serves_the_content_on_postgres() {
    serves_the_content(TestDatabase::postgres().await).await;
}

/// Asserts that the process is alive and serves from memory but is not ready, so that it gets no traffic.
async fn answers_but_is_not_ready(process: &Process) {
    assert_eq!(process.get("/healthz").await.0, 200);
    assert_eq!(process.get("/readyz").await.0, 503);
    let mut client = client(process).await;
    let site = client.get_site(GetSiteRequest {}).await;
    assert!(site.expect("a site").into_inner().site.is_some());
    let search = SearchRequest {
        q: "cardeology".to_owned(),
        ..SearchRequest::default()
    };
    let found = client.search(search).await.expect("results").into_inner();
    assert_eq!(found.results[0].path, "/specialty/cardiology");
    let posts = client.list_blogs(ListBlogsRequest::default()).await;
    assert_eq!(posts.expect_err("no database").code(), Code::Unavailable);
}

/// A SQLite file is local, so if it cannot be created, waiting does not help.
#[tokio::test]
async fn names_an_sqlite_file_that_cannot_be_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let obstacle = folder.path().join("data");
    std::fs::write(&obstacle, "a file where the folder should be").expect("a file");
    let url = format!("sqlite:{}", obstacle.join("content.db").display());
    let log = PROGRAM.refusal(&url, &[]).await;
    let path = obstacle.display().to_string();
    assert!(log.contains(&format!("cannot make {path}")), "{log}");
}

#[tokio::test]
async fn is_not_ready_until_postgres_is_up_and_migrated() {
    let database = TestDatabase::postgres().await;
    database.drop_if_exists().await;
    let process = PROGRAM.start(&database.url, &[]).await;
    answers_but_is_not_ready(&process).await;
    database.create().await;
    PROGRAM.migrate(&database).await;
    process.wait_for("/readyz", 200).await;
    assert_eq!(
        database
            .scalar("SELECT count(*) FROM content_revision")
            .await,
        1
    );
    let log = process.stop().await;
    assert!(
        log.contains("not ready: the database is unavailable"),
        "{log}"
    );
    database.drop_if_exists().await;
}

/// The process stays ready, because it can serve from memory; load balancers keep sending traffic.
async fn serves_from_memory_while_the_database_is_unavailable(database: TestDatabase) {
    PROGRAM.migrate(&database).await;
    let process = PROGRAM.start(&database.url, &[]).await;
    process.wait_for("/readyz", 200).await;
    let disturbance = database.disturb().await;
    let mut client = client(&process).await;
    let site = client.get_site(GetSiteRequest {}).await;
    assert!(site.expect("a site").into_inner().site.is_some());
    let search = SearchRequest {
        q: "measure blood pressure".to_owned(),
        ..SearchRequest::default()
    };
    let found = client.search(search).await.expect("results").into_inner();
    let is_post = |path: &str| path.starts_with("/blogs/");
    assert!(found.results.iter().any(|found| is_post(&found.path)));
    // Longer than the kit's health check needs to notice, which would make a service without in-memory data unready.
    let until = tokio::time::Instant::now() + Duration::from_secs(8);
    while tokio::time::Instant::now() < until {
        assert_eq!(process.get("/readyz").await.0, 200);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    database.repair(disturbance).await;
    let posts = client.list_blogs(ListBlogsRequest::default()).await;
    assert!(!posts.expect("posts").into_inner().blogs.is_empty());
    process.stop().await;
    database.drop_if_exists().await;
}

on_both_databases!(serves_from_memory_while_the_database_is_unavailable,);

#[tokio::test]
async fn a_process_that_never_became_ready_stops_cleanly() {
    // No server listens on port 1.
    let process = PROGRAM
        .start("postgres://desk:secret-word@127.0.0.1:1/hospital", &[])
        .await;
    answers_but_is_not_ready(&process).await;
    let log = process.stop().await;
    assert!(!log.contains("secret-word"), "the password is in the log");
}

#[tokio::test]
async fn serves_content_of_a_folder_and_refuses_broken_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = folder.path().to_str().expect("a path");
    let sources = Sources::embedded();
    let write =
        |file: &str, text: &str| std::fs::write(folder.path().join(file), text).expect("a file");
    for (file, text) in sources.files() {
        write(file, &text.replace("beds = 100", "beds = 101"));
    }
    let database = TestDatabase::sqlite();
    let process = PROGRAM
        .start(&database.url, &["--content-dir", directory])
        .await;
    let site = client(&process)
        .await
        .get_site(GetSiteRequest {})
        .await
        .expect("a site");
    assert_eq!(site.into_inner().site.expect("a site").beds, 101);
    process.stop().await;

    write(
        "doctors.toml",
        &sources
            .text("doctors.toml")
            .replace("slug = \"dr-aravind-bhat\"", "slug = \"Dr Bhat\""),
    );
    let log = PROGRAM
        .refusal(&database.url, &["--content-dir", directory])
        .await;
    let line = sources
        .text("doctors.toml")
        .lines()
        .position(|line| line.contains("dr-aravind-bhat"))
        .expect("a line")
        + 1;
    assert!(
        log.contains(&format!("doctors.toml, line {line}, doctor[3].slug:")),
        "{log}"
    );
}

#[tokio::test]
async fn metrics_identify_the_service() {
    let database = TestDatabase::sqlite();
    let process = PROGRAM.start(&database.url, &[]).await;
    process.says_what_it_is("svc-content", "content").await;
    process.stop().await;
}
