//! Texts that a database cannot store are refused on input, regardless of the database.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use hospital_proto::content::v1::{
    Blog, GetBlogRequest, ListBlogsRequest, ListDoctorsRequest, ListPromosRequest, SearchRequest,
};
use test_kit::database::TestDatabase;
use tonic::Code;

use crate::{
    blogs::{Site, on_both_databases, titled},
    service::violated_fields,
};

on_both_databases!(
    refuses_a_category_that_databases_cannot_store,
    refuses_a_forged_page_token,
    finds_no_post_for_a_name_that_databases_cannot_store,
    refuses_a_post_with_invisible_characters,
    refuses_queries_with_invisible_characters,
);

async fn refuses_a_category_that_databases_cannot_store(database: TestDatabase) {
    let mut site = Site::start(database).await;
    for category in ["\0", "Cardiology\0", "\u{202e}Cardiology", "a\nb"] {
        let request = ListBlogsRequest {
            category: category.to_owned(),
            ..ListBlogsRequest::default()
        };
        let status = site.client.list_blogs(request).await.expect_err("refused");
        assert_eq!(status.code(), Code::InvalidArgument, "{category:?}");
        assert_eq!(violated_fields(&status), ["category"]);
    }
    site.end().await;
}

async fn refuses_a_forged_page_token(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let list = |page_token: String| ListBlogsRequest {
        page_size: 1,
        page_token,
        ..ListBlogsRequest::default()
    };
    let first = site.client.list_blogs(list(String::new())).await;
    let token = first.expect("a page").into_inner().next_page_token;
    site.client
        .list_blogs(list(token.clone()))
        .await
        .expect("the next page");
    let mut bytes = BASE64.decode(&token).expect("base64");
    bytes.push(0);
    // The first token's id ends with NUL; the second token is not base64.
    for crafted in [BASE64.encode(bytes), format!("{token}*")] {
        let status = site.client.list_blogs(list(crafted)).await;
        let status = status.expect_err("refused");
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(violated_fields(&status), ["pageToken"]);
    }
    site.end().await;
}

async fn finds_no_post_for_a_name_that_databases_cannot_store(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let name = "measure-blood-pressure\0";
    let request = GetBlogRequest {
        blog: name.to_owned(),
    };
    let status = site.client.get_blog(request).await.expect_err("none");
    assert_eq!(status.code(), Code::NotFound);
    let status = site.update(name, "", titled("One")).await;
    assert_eq!(status.expect_err("none").code(), Code::NotFound);
    let status = site.delete(name, "").await;
    assert_eq!(status.expect_err("none").code(), Code::NotFound);
    let status = site.delete("measure-blood-pressure", "a\0b").await;
    let status = status.expect_err("refused");
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(violated_fields(&status), ["etag"]);
    site.end().await;
}

async fn refuses_a_post_with_invisible_characters(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let blog = Blog {
        content: "a\0b".to_owned(),
        category: "\u{200b}Heart".to_owned(),
        ..titled("\u{202e}Good sleep")
    };
    let status = site.create("0123456789abcdef", blog).await;
    let status = status.expect_err("refused");
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(violated_fields(&status), ["title", "content", "category"]);
    site.end().await;
}

async fn refuses_queries_with_invisible_characters(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let search = SearchRequest {
        q: "heart\0".to_owned(),
        ..SearchRequest::default()
    };
    let status = site.client.search(search).await.expect_err("refused");
    assert_eq!(violated_fields(&status), ["q"]);
    let doctors = ListDoctorsRequest {
        q: "a\u{7}".to_owned(),
        specialty: "\u{202e}Cardiology".to_owned(),
        ..ListDoctorsRequest::default()
    };
    let status = site
        .client
        .list_doctors(doctors)
        .await
        .expect_err("refused");
    assert_eq!(violated_fields(&status), ["specialty", "q"]);
    for placement in ["home\0".to_owned(), "p".repeat(61)] {
        let promos = ListPromosRequest {
            placement,
            ..ListPromosRequest::default()
        };
        let status = site.client.list_promos(promos).await.expect_err("refused");
        assert_eq!(violated_fields(&status), ["placement"]);
    }
    site.end().await;
}
