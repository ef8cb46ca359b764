//! The text of a post as visitors see it, before it is stored.

use hospital_proto::content::v1::{
    GetBlogRequest, RenderTextRequest, content_service_client::ContentServiceClient,
};
use serde_json::json;
use test_kit::database::TestDatabase;
use tonic::Code;

use super::desk::Desk;
use crate::{blogs::on_both_databases, service::violated_fields};

on_both_databases!(renders_a_text_as_visitors_see_it,);

const TEXT: &str = "## Keep **dry**\n\n- [feet](/services)\n- socks & *shoes*";

async fn renders_a_text_as_visitors_see_it(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let request = |text: &str| RenderTextRequest {
        text: text.to_owned(),
    };
    let signed = desk.signed(request(TEXT));
    let rendered = desk.records.render_text(signed).await.expect("rendered");
    let html = rendered.into_inner().html;
    assert!(
        html.contains("<h2>Keep <strong>dry</strong></h2>"),
        "{html}"
    );

    let fields = json!({"id": "feet", "title": "Feet", "content": TEXT});
    let draft = desk.create("rendered-text-0001", "post", fields).await;
    let (post, _) = draft.expect("a draft");
    desk.publish(&post).await.expect("published");
    let mut visitors = ContentServiceClient::connect(desk.site.process.url())
        .await
        .expect("a channel");
    let name = GetBlogRequest {
        blog: "feet".to_owned(),
    };
    let blog = visitors.get_blog(name).await.expect("a post").into_inner();
    assert_eq!(blog.blog.expect("a post").content_html, html);

    let hostile = "<img src=x onerror=y><script>z</script><p>a</p>";
    for (text, expected) in [(hostile, "<p>a</p>"), ("", ""), ("a\r\nb", "<p>a<br>b</p>")] {
        let signed = desk.signed(request(text));
        let rendered = desk.records.render_text(signed).await.expect("rendered");
        assert_eq!(rendered.into_inner().html, expected);
    }
    for text in ["a".repeat(50_001), ">".repeat(1_000)] {
        let signed = desk.signed(request(&text));
        let refused = desk.records.render_text(signed).await.expect_err("refused");
        assert_eq!(violated_fields(&refused), ["text"]);
    }
    let unsigned = desk.records.render_text(request(TEXT)).await;
    assert_eq!(
        unsigned.expect_err("unsigned").code(),
        Code::Unauthenticated
    );
    let reader = desk.site.issuer.request("content:read", request(TEXT));
    let refused = desk.records.render_text(reader).await;
    assert_eq!(
        refused.expect_err("a reader").code(),
        Code::PermissionDenied
    );
}
