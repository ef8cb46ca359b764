//! Page views, by route and status class.

use axum::http::Method;

use crate::site::Site;

/// Returns the views of a route that no other test of this process requests.
async fn views(site: &Site, route: &str, class: &str) -> u64 {
    let metrics = site.metrics().await;
    let start = format!("page_views_total{{route=\"{route}\",status_class=\"{class}\"}} ");
    let line = metrics
        .text()
        .lines()
        .find_map(|line| line.strip_prefix(&start));
    line.map_or(0, |count| count.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_only_viewed_documents() {
    let site = Site::start().await;
    let first = site.get("/viewed/asha?q=private").await;
    assert_eq!(views(&site, "/viewed/{name}", "2xx").await, 1);
    // A revalidation counts: the browser shows its cached page again.
    let known = [("if-none-match", first.header("etag"))];
    site.get_with("/viewed/asha", &known).await;
    assert_eq!(views(&site, "/viewed/{name}", "2xx").await, 2);
    for purpose in ["prefetch", "prefetch;prerender", "Prefetch"] {
        site.get_with("/viewed/asha", &[("sec-purpose", purpose)])
            .await;
    }
    site.send(Method::HEAD, "/viewed/asha", &[], "").await;
    site.post("/viewed/asha", "name=A").await;
    site.get("/viewed/asha/").await;
    assert_eq!(views(&site, "/viewed/{name}", "2xx").await, 2);
    site.get("/viewed/gone").await;
    assert_eq!(views(&site, "/viewed/{name}", "4xx").await, 1);
    // A feed is not a page, but a resident page is.
    let before = views(&site, "/urgent", "2xx").await;
    site.get("/urgent").await;
    assert!(views(&site, "/urgent", "2xx").await > before);
    site.get("/feed.xml").await;
    let metrics = site.metrics().await;
    let lines = metrics
        .text()
        .lines()
        .filter(|line| line.starts_with("page_views_total"));
    let lines: Vec<&str> = lines.collect();
    assert!(
        !lines.iter().any(|line| line.contains("/feed.xml")),
        "{lines:?}"
    );
    assert!(
        !lines
            .iter()
            .any(|line| line.contains("asha") || line.contains("private"))
    );
}
