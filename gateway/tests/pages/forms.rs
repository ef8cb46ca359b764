use axum::http::{Method, StatusCode};

use crate::site::Site;

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Returns the `action` that the page was rendered with.
fn action(html: &str) -> serde_json::Value {
    let (_, rest) = html.split_once("<output>").expect("an output element");
    let (json, _) = rest.split_once("</output>").expect("its end");
    let json = json
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    serde_json::from_str(&json).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_a_form_into_an_api_call_and_a_page() {
    let site = Site::start().await;
    let reply = site.post("/book", "service=&name=A+%26+B&requestId=").await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(
        reply
            .header("content-security-policy")
            .contains("default-src 'none'")
    );
    let action = action(reply.text());
    assert_eq!(action["form"]["name"], "A & B");
    assert_eq!(action["result"]["ok"], true);
    assert_eq!(action["result"]["body"]["status"], "SERVING");
    // The shared document contains nothing of the form.
    assert!(
        site.get("/book")
            .await
            .text()
            .contains("<output>null</output>")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn page_has_the_status_of_the_apis_refusal() {
    let site = Site::start().await;
    let reply = site.post("/book", "service=unknown&name=kept").await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    let refused = action(reply.text());
    assert_eq!(refused["form"]["name"], "kept");
    assert_eq!(refused["result"]["status"], 404);
    assert_eq!(refused["result"]["body"]["status"], 404, "problem+json");
    site.upstream.stop().await;
    let reply = site.post("/book", "service=&name=kept").await;
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!reply.header("retry-after").is_empty());
    assert_eq!(action(reply.text())["form"]["name"], "kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn intent_may_only_read() {
    let site = Site::start().await;
    let reply = site.post("/book", "intent=times&name=kept").await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(action(reply.text())["result"]["status"], 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn module_cannot_call_outside_the_api() {
    let site = Site::start().await;
    for path in ["http://example.org/", "//example.org/", "/../metrics", "x"] {
        let encoded: String = path.replace(':', "%3A").replace('/', "%2F");
        let reply = site.post("/book", &format!("path={encoded}")).await;
        assert!(!reply.status.is_success(), "{path}: {}", reply.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_foreign_sites_and_unknown_bodies() {
    let site = Site::start().await;
    let post = |headers: Vec<(&'static str, &'static str)>, body: String| {
        let site = &site;
        async move {
            site.send(Method::POST, "/book", &headers, &body)
                .await
                .status
        }
    };
    assert_eq!(
        post(vec![FORM, ("sec-fetch-site", "cross-site")], "a=1".into()).await,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        post(vec![FORM, ("origin", "https://evil.example")], "a=1".into()).await,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        post(
            vec![FORM, ("sec-fetch-site", "same-origin")],
            "a=1&service=".into()
        )
        .await,
        StatusCode::OK
    );
    assert_eq!(
        post(vec![("content-type", "text/plain")], "a=1".into()).await,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
    assert_eq!(
        post(vec![FORM], format!("a={}", "x".repeat(70_000))).await,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let many: Vec<String> = (0..101).map(|index| format!("f{index}=")).collect();
    assert_eq!(
        post(vec![FORM], many.join("&")).await,
        StatusCode::BAD_REQUEST
    );
    let list = site.post("/list", "a=1").await;
    assert_eq!(
        (list.status, list.header("allow")),
        (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
    );
    assert_eq!(
        site.post("/nowhere", "a=1").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn returns_the_input_of_a_rate_limited_form() {
    let site = Site::start_limited(&["--visitor-calls-max=10"]).await;
    for _ in 0..10 {
        let reply = site.post("/book", "service=&name=kept").await;
        assert_eq!(reply.status, StatusCode::OK);
    }
    let reply = site.post("/book", "service=&name=kept").await;
    assert_eq!(reply.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!reply.header("retry-after").is_empty());
    let refused = action(reply.text());
    assert_eq!(refused["form"]["name"], "kept");
    assert_eq!(refused["result"]["body"]["reason"], "RATE_LIMITED");
}
