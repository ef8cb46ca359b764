//! Authorisation of writes to blog posts.

use std::{path::PathBuf, time::Duration};

use hospital_proto::content::v1::{CreateBlogRequest, DeleteBlogRequest, UpdateBlogRequest};
use test_kit::{
    database::TestDatabase,
    issuer::Issuer,
    process::{PATIENCE, Process},
    tls::TlsServer,
};
use tonic::{Code, Request};

use crate::{
    PROGRAM,
    blogs::{SCOPE, Site, titled},
    service::client,
};

#[tokio::test]
async fn refuses_unauthorised_writers_first() {
    let mut site = Site::start(TestDatabase::sqlite()).await;
    let refusal = |authorization: Option<String>| {
        let mut request = Request::new(CreateBlogRequest::default());
        if let Some(authorization) = authorization {
            let value = authorization.parse().expect("a header");
            request.metadata_mut().insert("authorization", value);
        }
        let mut client = site.client.clone();
        async move {
            client
                .create_blog(request)
                .await
                .expect_err("refused")
                .code()
        }
    };
    assert_eq!(refusal(None).await, Code::Unauthenticated);
    assert_eq!(
        refusal(Some("Bearer x".to_owned())).await,
        Code::Unauthenticated
    );
    let expired = site.issuer.authorization(SCOPE, -60);
    assert_eq!(refusal(Some(expired)).await, Code::Unauthenticated);
    let other_scope = site.issuer.authorization("appointments:read", 60);
    assert_eq!(refusal(Some(other_scope)).await, Code::PermissionDenied);
    let unknown_issuer = Issuer::new().authorization(SCOPE, 60);
    assert_eq!(refusal(Some(unknown_issuer)).await, Code::Unauthenticated);
    let mut unsigned = site.client.clone();
    let update = unsigned.update_blog(UpdateBlogRequest::default()).await;
    assert_eq!(update.expect_err("refused").code(), Code::Unauthenticated);
    let delete = unsigned.delete_blog(DeleteBlogRequest::default()).await;
    assert_eq!(delete.expect_err("refused").code(), Code::Unauthenticated);
    assert_eq!(site.list(100, "").await.len(), 15);
    site.end().await;

    let database = TestDatabase::sqlite();
    let process = PROGRAM.start(&database.url, &[]).await;
    process.wait_for("/readyz", 200).await;
    let mut without_keys = client(&process).await;
    let refused = without_keys.create_blog(CreateBlogRequest::default()).await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    process.stop().await;
}

/// Starts a process that fetches its keys from `server` and trusts the authority in the file.
async fn trusting(
    server: &TlsServer,
    authority: PathBuf,
    database: &TestDatabase,
    issuer: &Issuer,
) -> Process {
    // Drop the flag for the key file; the keys come from the server.
    let [_, _, flags @ ..] = issuer.flags();
    let url = ["--jwks-url".to_owned(), server.url()];
    let flags = [url.as_slice(), &flags].concat();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let mut serving = PROGRAM.serving(&database.url, &flags);
    let process = Process::start(serving.env("SSL_CERT_FILE", authority)).await;
    process.wait_for("/readyz", 200).await;
    process
}

async fn create(process: &Process, issuer: &Issuer) -> Result<(), Code> {
    let mut request = Request::new(CreateBlogRequest {
        blog: Some(titled("Walking")),
        request_id: "keys-fetched-over-tls".to_owned(),
    });
    let authorization = issuer.authorization(SCOPE, 60).parse().expect("a header");
    let metadata = request.metadata_mut();
    metadata.insert("authorization", authorization);
    let created = client(process).await.create_blog(request).await;
    created.map(drop).map_err(|status| status.code())
}

#[tokio::test]
async fn fetches_keys_over_tls_from_trusted_authorities() {
    let issuer = Issuer::new();
    let key_set = std::fs::read_to_string(issuer.key_set()).expect("a file");
    let server = TlsServer::start(key_set).await;
    let untrusted = TlsServer::start(String::new()).await;

    let database = TestDatabase::sqlite();
    let process = trusting(&server, untrusted.authority(), &database, &issuer).await;
    let asked_again = async {
        while server.visits() < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, asked_again).await;
    in_time.expect("another fetch after an unknown certificate");
    assert_eq!(create(&process, &issuer).await, Err(Code::Unavailable));
    process.stop().await;

    let process = trusting(&server, server.authority(), &database, &issuer).await;
    let keys_are_there = async {
        while create(&process, &issuer).await == Err(Code::Unavailable) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, keys_are_there).await;
    in_time.expect("the keys come");
    assert_eq!(create(&process, &issuer).await, Ok(()));
    process.stop().await;
}
