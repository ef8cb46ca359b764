use axum::http::{Method, StatusCode};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::site::Site;

fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// Returns the text between `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start} in {text}"));
    rest.split_once(end)
        .unwrap_or_else(|| panic!("no {end} after {start} in {text}"))
        .0
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_a_page_in_its_frame() {
    let site = Site::start().await;
    let reply = site.get("/list?q=a%3Cb&unknown=1").await;
    let html = reply.text();
    assert_eq!(reply.status, StatusCode::OK, "{html}");
    assert!(
        html.starts_with("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"),
        "{html}"
    );
    assert!(html.contains("<title>List</title>"), "{html}");
    assert!(
        html.contains("<header>emergency bar, site true</header>"),
        "{html}"
    );
    assert!(html.contains(r#"<main id="main" tabindex="-1" data-shell-version="1.0.0"><div data-fragment="f0" data-module="clinic/list" data-version="1.0.0"><h1>List 1.0.0</h1><p>health true, for a&lt;b</p></div></main>"#), "{html}");
    assert!(html.ends_with("</body></html>"), "{html}");
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "no-cache");
    assert_eq!(reply.header("vary"), "accept-encoding");
    // Nothing hydrates: no script is fetched and no data is embedded for scripts.
    assert!(!html.contains(" src="), "{html}");
    assert!(
        !html.contains("page-data") && !html.contains("preload"),
        "{html}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_allows_exactly_the_inlined_code() {
    let site = Site::start().await;
    let reply = site.get("/list").await;
    let (html, policy) = (reply.text(), reply.header("content-security-policy"));
    let style = between(html, "<style>", "</style>");
    assert_eq!(style, "body{margin:0}\n.list{display:grid}\n");
    let rules = between(html, "<script type=\"speculationrules\">", "</script>");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    let scripts = format!("script-src 'self' {} {};", hash(rules), hash("menu()"));
    assert!(policy.contains(&scripts), "{policy} has not {scripts}");
    assert!(
        policy.contains(&format!("style-src 'self' {};", hash(style))),
        "{policy}"
    );
    let not_found = site.get("/nowhere").await;
    assert!(
        not_found
            .header("content-security-policy")
            .contains(&hash("document.title=location.pathname"))
    );
    assert!(
        not_found
            .text()
            .contains("</main><script>document.title=location.pathname</script>"),
        "before what follows the page"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hydrates_with_the_props_that_the_module_chose() {
    let site = Site::start().await;
    let reply = site.get("/book?service=reduced").await;
    let data = between(
        reply.text(),
        r#"<script type="application/json" id="page-data">"#,
        "</script>",
    );
    let data: serde_json::Value = serde_json::from_str(data).expect("inert JSON");
    assert_eq!(
        data["fragments"][0]["props"],
        serde_json::json!({"query": {"service": "reduced"}, "data": {}, "note": "</script>"})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hydrated_page_includes_hints_and_inert_data() {
    let site = Site::start().await;
    let reply = site.get("/book?service=%3C/script%3E").await;
    let html = reply.text();
    for script in [
        "shell/1.0.0/shell.0001.js",
        "clinic/1.0.0/remoteEntry.0001.js",
        "clinic/1.0.0/book.0001.js",
    ] {
        let preload = format!(r#"<link rel="preload" as="script" href="/remotes/{script}">"#);
        assert_eq!(html.matches(&preload).count(), 1, "{preload} in {html}");
    }
    assert!(
        html.contains(r#"<script src="/remotes/shell/1.0.0/shell.0001.js" defer></script><script type="speculationrules">"#),
        "{html}"
    );
    let data = between(
        html,
        r#"<script type="application/json" id="page-data">"#,
        "</script>",
    );
    assert!(!data.contains('<'), "{data}");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["contract"], 1);
    assert_eq!(data["remotes"][0]["name"], "clinic");
    assert_eq!(
        data["remotes"][0]["entry"],
        "/remotes/clinic/1.0.0/remoteEntry.0001.js"
    );
    let fragment = &data["fragments"][0];
    assert_eq!(fragment["module"], "book");
    assert_eq!(fragment["hydrate"], "load");
    assert_eq!(fragment["identifierPrefix"], "f0-");
    assert_eq!(fragment["props"]["query"]["service"], "</script>");
    assert_eq!(fragment["props"]["data"]["health"]["status"], 404);
    let rules = between(html, "<script type=\"speculationrules\">", "</script>");
    let rules: serde_json::Value = serde_json::from_str(rules).expect("JSON");
    assert!(
        rules["prerender"][0]
            .to_string()
            .contains(r#"{"pathname":"/book"}"#),
        "{rules}"
    );
    assert!(
        rules["prefetch"][0]
            .to_string()
            .contains(r#"{"not":{"href_matches":[{"pathname":"/api/*"},"#),
        "{rules}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn home_keeps_its_working_parts() {
    let site = Site::start().await;
    let reply = site.get("/").await;
    let html = reply.text();
    assert_eq!(reply.status, StatusCode::OK);
    assert!(html.contains("<title>Home</title>"), "{html}");
    assert!(html.contains(r#"<div data-fragment="f0" data-module="clinic/greeting" data-version="1.0.0"><h1>Hello</h1></div>"#), "{html}");
    assert!(html.contains(r#"<div data-fragment="f1" data-module="clinic/throw" data-version="1.0.0"><p>Part missing</p></div>"#), "{html}");
    assert!(html.contains(r#"<div data-fragment="f2" data-module="nobody/nothing" data-version=""><p>Part missing</p></div>"#), "{html}");
    assert!(
        html.contains("emergency bar") && html.contains("footer of /"),
        "{html}"
    );
    assert!(html.contains(".fallback{color:red}"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn applies_parameters_and_statuses() {
    let site = Site::start().await;
    let item = site.get("/items/caf%C3%A9%20%3Cb%3E").await;
    assert!(
        item.text().contains("<h1>café &lt;b></h1>"),
        "{}",
        item.text()
    );
    assert_eq!(site.get("/items/gone").await.status, StatusCode::GONE);
    assert_eq!(site.get("/items/%ff").await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.get("/items/%00").await.status, StatusCode::NOT_FOUND);
    let moved = site.get("/list/").await;
    assert_eq!(
        (moved.status, moved.header("location")),
        (StatusCode::PERMANENT_REDIRECT, "/list")
    );
    for (from, to) in [
        ("/list/?q=a%20b&more=1", "/list?q=a%20b&more=1"),
        ("/list/?", "/list"),
        ("/list/?q=//evil.example", "/list?q=//evil.example"),
        // Browsers treat backslashes as slashes, so the target could be another host.
        ("/list/?q=\\\\evil", "/list"),
    ] {
        let moved = site.get(from).await;
        assert_eq!(moved.status, StatusCode::PERMANENT_REDIRECT, "{from}");
        assert_eq!(moved.header("location"), to, "{from}");
    }
    for path in ["//list/", "//evil.example/", "/%5Cevil.example/"] {
        let location = site.get(path).await.header("location").to_owned();
        assert!(!location.starts_with("//"), "{path}: {location}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_paths_share_one_404_document() {
    let site = Site::start().await;
    let one = site.get("/nowhere").await;
    assert_eq!(one.status, StatusCode::NOT_FOUND);
    assert!(
        one.text().contains("<h1>Not found</h1>") && one.text().contains("footer of /404"),
        "{}",
        one.text()
    );
    let other = site.get("/else/where?x=1").await;
    assert_eq!(
        (other.status, &other.body),
        (StatusCode::NOT_FOUND, &one.body)
    );
    assert_eq!(
        site.get("//example.org/").await.status,
        StatusCode::NOT_FOUND
    );
    let long = format!("/{}", "a".repeat(2000));
    assert_eq!(site.get(&long).await.status, StatusCode::URI_TOO_LONG);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_head_and_refuses_other_methods() {
    let site = Site::start().await;
    let get = site.get("/plain").await;
    let head = site.send(Method::HEAD, "/plain", &[], "").await;
    assert_eq!(head.status, StatusCode::OK);
    assert!(head.body.is_empty());
    assert_eq!(head.header("content-length"), get.body.len().to_string());
    assert_eq!(head.header("etag"), get.header("etag"));
    let delete = site.send(Method::DELETE, "/plain", &[], "").await;
    assert_eq!(
        (delete.status, delete.header("allow")),
        (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
    );
}
