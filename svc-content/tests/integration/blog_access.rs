//! Who may write blog posts, and who may not.

use hospital_proto::content::v1::{CreateBlogRequest, DeleteBlogRequest, UpdateBlogRequest};
use tonic::{Code, Request};

use crate::{
    blogs::{SCOPE, Site},
    database::TestDatabase,
    issuer::Issuer,
    process::Process,
    service::client,
};

#[tokio::test]
async fn who_may_not_write_is_refused_before_anything_else() {
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
    let strangers = Issuer::new().authorization(SCOPE, 60);
    assert_eq!(refusal(Some(strangers)).await, Code::Unauthenticated);
    let mut unsigned = site.client.clone();
    let update = unsigned.update_blog(UpdateBlogRequest::default()).await;
    assert_eq!(update.expect_err("refused").code(), Code::Unauthenticated);
    let delete = unsigned.delete_blog(DeleteBlogRequest::default()).await;
    assert_eq!(delete.expect_err("refused").code(), Code::Unauthenticated);
    assert_eq!(site.list(100, "").await.len(), 15);
    site.end().await;

    let database = TestDatabase::sqlite();
    let process = Process::start(&database.url, &[]).await;
    process.wait_for("/readyz", 200).await;
    let mut without_keys = client(&process).await;
    let refused = without_keys.create_blog(CreateBlogRequest::default()).await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    process.stop().await;
}
