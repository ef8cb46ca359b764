//! Declarations of modules beside their HTML: query parameters of fragments, the directory of pages, scripts and
//! styles.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::site::Site;

async fn listing(site: &Site) -> Value {
    let reply = site.get("/listing").await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let (_, rest) = reply
        .text()
        .split_once("<output>")
        .expect("an output element");
    let (json, _) = rest.split_once("</output>").expect("its end");
    serde_json::from_str(&json.replace("&quot;", "\"").replace("&amp;", "&")).expect("JSON")
}

fn entries<'a>(listing: &'a Value, start: &str) -> Vec<&'a Value> {
    let pages = listing["body"]["pages"].as_array().expect("pages");
    let path = |page: &Value| {
        page["path"]
            .as_str()
            .is_some_and(|path| path.starts_with(start))
    };
    pages.iter().filter(|page| path(page)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fragment_reads_its_declared_query() {
    let site = Site::start().await;
    site.upstream.ledger.write("one", json!({"name": "Asha"}));
    let reply = site.get("/asking?who=one&more=x").await;
    assert!(
        reply.text().contains("asked for one: Asha"),
        "{}",
        reply.text()
    );
    let other = site.get("/asking?who=two").await;
    assert!(
        other.text().contains("asked for two: undefined"),
        "{}",
        other.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn directory_lists_every_page_of_every_team() {
    let site = Site::start_with_new_shell(&[]).await;
    let ledger = &site.upstream.ledger;
    ledger.write(
        "a b",
        json!({"name": "A", "updatedAt": "2026-11-22T08:00:00Z"}),
    );
    ledger.write("c", json!({"name": "C"}));
    let listing = listing(&site).await;
    assert_eq!(
        (&listing["ok"], &listing["status"]),
        (&json!(true), &json!(200))
    );
    let entry = json!({
        "path": "/entry", "team": "ward", "siteMap": true,
        "search": {"title": "New entry", "summary": "Write one", "words": "book keep"},
    });
    assert_eq!(entries(&listing, "/entry"), [&entry]);
    let fragile = json!({"path": "/fragile", "team": "ward", "siteMap": false});
    assert_eq!(entries(&listing, "/fragile"), [&fragile]);
    let made = [
        json!({"path": "/entries/a%20b", "team": "ward", "siteMap": true, "changed": "2026-11-22T08:00:00Z"}),
        json!({"path": "/entries/c", "team": "ward", "siteMap": true}),
    ];
    assert_eq!(
        entries(&listing, "/entries"),
        made.iter().collect::<Vec<_>>()
    );
    let old = json!({"path": "/plain", "team": "clinic", "siteMap": false});
    assert_eq!(entries(&listing, "/plain"), [&old], "a module of version 1");
    let home = json!({"path": "/", "team": "shell", "siteMap": true});
    assert!(entries(&listing, "/").contains(&&home), "a composition");
    assert!(
        entries(&listing, "/items").is_empty(),
        "parameters without a list"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn directory_reports_an_unavailable_list_and_recovers() {
    let site = Site::start().await;
    site.upstream.stop().await;
    let none = listing(&site).await;
    assert_eq!(none, json!({"ok": false, "status": 503, "body": null}));
    site.upstream.ledger.write("late", json!({"name": "L"}));
    site.upstream.restart().await;
    site.poll("/listing", "recovery", |reply| {
        reply.text().contains("/entries/late")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_list_updates_the_directory_at_once() {
    let site = Site::start().await;
    assert!(entries(&listing(&site).await, "/entries").is_empty());
    // A write through the gateway invalidates the reads of its path.
    let sent = site.post("/entry", "name=Asha").await;
    assert_eq!(sent.status, StatusCode::OK);
    assert_eq!(entries(&listing(&site).await, "/entries").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn list_provides_at_most_one_page_of_items() {
    let site = Site::start().await;
    for n in 0..130 {
        site.upstream
            .ledger
            .write(&format!("n{n}"), json!({"name": "N"}));
    }
    assert_eq!(entries(&listing(&site).await, "/entries").len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn includes_the_shells_script_once_and_first() {
    let site = Site::start_with_new_shell(&[]).await;
    for (path, scripts) in [
        ("/plain", "<script>everywhere()</script>"),
        (
            "/nowhere",
            "<script>everywhere()</script><script>notFound()</script>",
        ),
    ] {
        let reply = site.get(path).await;
        let html = reply.text();
        assert_eq!(html.matches("everywhere()").count(), 1, "{path}: {html}");
        assert!(
            html.contains(&format!("</main>{scripts}<footer>")),
            "{path}: {html}"
        );
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("sha256-"), "{policy}");
    }
    // Page data uses the contract version that the shell's script supports.
    for (site, contract) in [(&site, 2), (&Site::start().await, 1)] {
        let book = site.get("/book").await;
        assert!(
            book.text()
                .contains(&format!(r#"{{"contract":{contract},"#)),
            "{}",
            book.text()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn inlines_equal_styles_of_two_teams_once() {
    let site = Site::start().await;
    let reply = site.get("/styles").await;
    let html = reply.text();
    assert_eq!(html.matches(".list{display:grid}").count(), 1, "{html}");
    let order = [
        "body{margin:0}",
        ".ward{color:green}",
        ".list{display:grid}",
        "</style>",
    ];
    let places: Vec<_> = order
        .iter()
        .map(|text| html.find(text).expect("there"))
        .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_an_unknown_path_to_a_page_only_within_its_section() {
    let site = Site::start_with_new_shell(&[]).await;
    let near = site.get("/list/of%20things?x=1").await;
    assert_eq!(near.status, StatusCode::NOT_FOUND);
    assert!(
        near.text().contains("<h1>No /list/of%20things</h1>"),
        "{}",
        near.text()
    );
    for path in ["/nowhere", "/else/where", "/listed", "/404"] {
        let far = site.get(path).await;
        assert_eq!(far.status, StatusCode::NOT_FOUND, "{path}");
        assert!(
            far.text().contains("<h1>No /404</h1>"),
            "{path}: {}",
            far.text()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn error_page_shows_the_status_sent() {
    let site = Site::start_with_new_shell(&[]).await;
    let thrown = site.get("/throw").await;
    assert_eq!(thrown.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        thrown.text().contains("<h1>500 Internal Server Error</h1>"),
        "{}",
        thrown.text()
    );
}
