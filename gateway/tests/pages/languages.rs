//! Pages in Kannada and Hindi: addresses, data, links, forms and the built-in pages.

use axum::http::{Method, StatusCode};

use crate::site::{Reply, Site, point_to, publish, refusal, remotes};

/// Checks that a reply is a document in a language.
fn is_in(reply: &Reply, language: &str) {
    let html = reply.text();
    let start = format!("<!doctype html><html lang=\"{language}\">");
    assert!(html.starts_with(&start), "{html}");
    assert_eq!(reply.header("content-language"), language);
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_a_page_below_the_prefix_of_its_language() {
    let site = Site::start().await;
    for (address, language) in [
        ("/tongue", "en"),
        ("/kn/tongue", "kn"),
        ("/hi/tongue", "hi"),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        is_in(&reply, language);
        let props = match language {
            "en" => "<p>nothing at /tongue</p>".to_owned(),
            other => format!("<p>{other} at /tongue</p>"),
        };
        assert!(reply.text().contains(&props), "{}", reply.text());
        assert!(reply.text().contains("footer of /tongue"));
    }
    // Documents and joined renders of different languages are kept apart.
    let (one, other) = tokio::join!(site.get("/kn/count/a"), site.get("/hi/count/a"));
    is_in(&one, "kn");
    is_in(&other, "hi");
    is_in(&site.get("/count/a").await, "en");
    assert_eq!(
        site.get("/kn/nowhere").await.header("content-language"),
        "kn"
    );
    assert_eq!(site.get("/nowhere").await.header("content-language"), "en");
    assert_eq!(site.get("/feed.xml").await.header("content-language"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_within_the_language() {
    let site = Site::start().await;
    for (status, from, to) in [
        (308, "/kn/", "/kn"),
        (308, "/en", "/"),
        (308, "/en/list?q=1", "/list?q=1"),
        (308, "/KN/list", "/kn/list"),
        (308, "/kn/LIST/?q=A", "/kn/list?q=A"),
        (308, "/hi/Status", "/hi/status"),
        (301, "/kn/short", "/kn/items/long"),
        (301, "/kn/items/old", "/kn/items/new?from=old#top"),
        (301, "/kn/later", "/not-yet"),
        (301, "/hi/moved/elsewhere?to=/list", "/hi/list"),
        (301, "/hi/moved/elsewhere?to=/robots.txt", "/robots.txt"),
        (301, "/moved/elsewhere?to=/list", "/list"),
    ] {
        let reply = site.get(from).await;
        assert_eq!(reply.status, status, "{from}: {}", reply.text());
        assert_eq!(reply.header("location"), to, "{from}");
        assert_eq!(reply.header("content-language"), "", "{from}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_pages_of_visitors_have_languages() {
    let site = Site::start().await;
    for none in [
        "/kn/robots.txt",
        "/kn/feed.xml",
        "/kn/api/health-check",
        "/kn/staff",
        "/kn/preview/token/list",
        "/kn/hi/list",
        "/kn/en/list",
        "/kn//list",
        "/en//evil.example",
        "/knee",
    ] {
        let reply = site.get(none).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{none}");
    }
    let folder = remotes();
    let (from, to) = (r#""route": "/long""#, r#""route": "/hi/long""#);
    publish(folder.path(), "1.1.0", "module.json", from, to);
    point_to(folder.path(), "1.1.0");
    let refused = refusal(folder.path()).await;
    assert!(
        refused.contains("`/hi/long` is not an allowed route"),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn links_and_forms_stay_in_the_language() {
    let site = Site::start().await;
    let links = [
        ("<a href=\"/list?q=1#x\">", "<a href=\"/kn/list?q=1#x\">"),
        ("<a href=\"/status\">", "<a href=\"/kn/status\">"),
        ("<form action=\"/list\">", "<form action=\"/kn/list\">"),
        ("<a href=\"/feed.xml\">", "<a href=\"/feed.xml\">"),
        ("<a href=\"/robots.txt\">", "<a href=\"/robots.txt\">"),
        (
            "<a hreflang=\"en\" href=\"/list\">",
            "<a hreflang=\"en\" href=\"/list\">",
        ),
    ];
    let (english, kannada) = (site.get("/tongue").await, site.get("/kn/tongue").await);
    for (own, translated) in links {
        assert!(english.text().contains(own), "{own}");
        assert!(kannada.text().contains(translated), "{}", kannada.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_messages_to_fragments_that_hydrate() {
    let site = Site::start().await;
    let (english, kannada) = (site.get("/book").await, site.get("/kn/book").await);
    assert!(
        !english.text().contains("\"messages\""),
        "{}",
        english.text()
    );
    assert!(
        !english.text().contains("\"language\""),
        "{}",
        english.text()
    );
    let data = r#","messages":{"Book":"ಕಾಯ್ದಿರಿಸಿ \u003cb>"}}]}</script>"#;
    assert!(kannada.text().contains(data), "{}", kannada.text());
    assert!(kannada.text().contains(r#""language":"kn""#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resident_page_is_available_in_each_language() {
    let site = Site::start_without_upstream().await;
    for (address, language) in [
        ("/urgent", "en"),
        ("/kn/urgent", "kn"),
        ("/hi/urgent", "hi"),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}");
        is_in(&reply, language);
        assert!(reply.text().contains("<p>unknown</p>"), "{}", reply.text());
    }
    site.upstream.restart().await;
    site.poll("/kn/urgent", "renewal", |reply| {
        reply.text().contains("<p>SERVING</p>") && reply.text().contains("site true")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_rerenders_all_languages() {
    let site = Site::start().await;
    let addresses = ["/serving", "/kn/serving", "/hi/serving"];
    for address in addresses {
        assert!(site.get(address).await.text().contains("Serving SERVING"));
    }
    site.upstream.set_serving(false).await;
    for address in addresses {
        site.poll(address, "change", |reply| {
            if site.upstream.announcer.streams() > 0 {
                site.upstream.announcer.announce("2", &["/health-check"]);
            }
            reply.text().contains("Serving NOT_SERVING")
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_are_answered_in_their_language() {
    let site = Site::start().await;
    let reply = site.post("/kn/book", "intent=times").await;
    is_in(&reply, "kn");
    let failed = site.post("/kn/entry?ref=x", "translate=throws").await;
    assert!(failed.text().contains("ಏನನ್ನೂ ಕಳುಹಿಸಿಲ್ಲ."), "{}", failed.text());
    let receipt = site.post("/hi/fragile", "name=x&confirm=throws").await;
    is_in(&receipt, "hi");
    let back = "<a href=\"/hi/fragile\">पेज पर वापस जाएँ</a>";
    assert!(receipt.text().contains(back), "{}", receipt.text());
    let none = site.post("/kn/list", "a=b").await;
    assert_eq!(none.status, StatusCode::METHOD_NOT_ALLOWED);
    is_in(&none, "kn");
    let none = site.post("/kn/nowhere", "a=b").await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    is_in(&none, "kn");
}

#[tokio::test(flavor = "multi_thread")]
async fn built_in_pages_are_in_the_language_of_the_address() {
    let site = Site::start_limited(&["--address-documents-max=3"]).await;
    let long = format!("/kn/{}", "x".repeat(1024));
    let reply = site.get(&long).await;
    assert_eq!(reply.status, StatusCode::URI_TOO_LONG);
    is_in(&reply, "kn");
    let reply = site.send(Method::DELETE, "/hi/list", &[], "").await;
    assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
    is_in(&reply, "hi");
    let refused = site.poll("/kn/list", "limit", |reply| {
        reply.status == StatusCode::TOO_MANY_REQUESTS
    });
    is_in(&refused.await, "kn");
    // Neither needs a permit.
    for address in ["/kn/status", "/kn/emergency"] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}");
        is_in(&reply, "kn");
        assert!(reply.text().contains("<a href=\"/kn\">ಮುಖಪುಟ</a>"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_views_under_the_route_of_the_page() {
    let site = Site::start().await;
    site.get("/kn/items/long").await;
    let metrics = site.metrics().await;
    assert!(metrics.text().contains("route=\"/items/{slug}\""));
    assert!(!metrics.text().contains("/kn"), "{}", metrics.text());
}
