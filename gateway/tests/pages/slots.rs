//! Fragments inside other modules.

use axum::http::StatusCode;

use crate::site::{Site, point_teams_to, publish_of, refusal, remotes};

/// Checks that the text contains all `parts` in this order.
#[track_caller]
fn in_order(text: &str, parts: &[&str]) {
    let mut from = 0;
    for part in parts {
        let found = text[from..].find(part);
        from +=
            found.unwrap_or_else(|| panic!("no {part} after byte {from} of {text}")) + part.len();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_a_fragment_in_its_hosts_slot() {
    let site = Site::start().await;
    let reply = site.get("/slots/tea").await;
    assert_eq!(reply.status, StatusCode::OK);
    let html = reply.text();
    in_order(
        html,
        &[
            r#"<div data-fragment="f0" data-module="ward/host" data-version="1.0.0"><section><div data-slot="one"><div data-fragment="f2" data-module="ward/form" data-version="1.0.0"><form data-part="ward:desk-form">"#,
            r#"</form></div></div><p>between</p><div data-slot="two"><div data-fragment="f3" data-module="clinic/book""#,
            r#"</div></div></section></div><div data-fragment="f1" data-module="clinic/greeting""#,
            "</main>",
        ],
    );
    // The fragment hydrates independently, with its own data.
    let data = &html[html.find("id=\"page-data\"").expect("there")..];
    assert!(data.contains(r#""id":"f3","remote":"clinic","module":"book","hydrate":"visible","identifierPrefix":"f3-""#), "{data}");
    assert!(data.contains(r#""one":{"ok":"#), "{data}");
    let sent = site
        .post("/slots/tea", "part=ward%3Adesk-form&name=Asha")
        .await;
    assert_eq!(sent.status, StatusCode::OK);
    in_order(
        sent.text(),
        &["data-slot=\"one\"", "&quot;status&quot;:201", "between"],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn fragment_without_a_slot_follows_its_host() {
    let site = Site::start().await;
    let lost = site.get("/slots-lost").await;
    assert_eq!(lost.status, StatusCode::OK);
    let after_host = [
        "plain, null",
        "</div><div data-fragment=\"f2\"",
        "ward:desk-form",
        "f1",
        "Hello",
    ];
    in_order(lost.text(), &after_host);
    let broken = site.get("/slots-broken").await;
    assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
    in_order(
        broken.text(),
        &[
            "<h1>Sorry</h1>",
            "ward:desk-form",
            "nobody/nothing",
            "Part missing",
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn compositions_support_slots() {
    let site = Site::start_with_new_shell(&[]).await;
    let home = site.get("/").await;
    assert_eq!(home.status, StatusCode::OK);
    in_order(
        home.text(),
        &[
            "data-fragment=\"head\"",
            "<div class=\"hero\"><div data-slot=\"lead\"><div data-fragment=\"f3\"",
            "ward:desk-form",
            "data-fragment=\"f0\"",
            "<div data-slot=\"one\"><div data-fragment=\"f2\"",
            "<h1>Hello</h1></div></div><p>between</p><div data-slot=\"two\"></div>",
            "data-fragment=\"f1\"",
            "Part missing",
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slot_is_empty_while_the_live_version_of_its_team_lacks_the_fragment() {
    let folder = remotes();
    let (from, to) = (r#""two": "clinic:beside""#, r#""two": "clinic:later""#);
    publish_of(folder.path(), "ward", "1.1.0", "module.json", from, to);
    point_teams_to(folder.path(), "1.0.0", "1.1.0");
    let site = Site::start_in(folder, &[]).await;
    let reply = site.get("/slots/tea").await;
    assert_eq!(reply.status, StatusCode::OK);
    in_order(
        reply.text(),
        &[
            "ward:desk-form",
            r#"<div data-slot="two"></div></section>"#,
            "clinic/greeting",
        ],
    );
    assert!(!reply.text().contains("Part missing"), "{}", reply.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_unusable_slots() {
    for (from, to, complaint) in [
        (
            r#""two": "clinic:beside""#,
            r#""t>wo": "clinic:beside""#,
            "pages[7].slots: `t>wo` is not a slot's name",
        ),
        (
            r#""one": "desk-form" }
    },"#,
            r#""one": "no-form" }
    },"#,
            "`ward:no-form` is not among",
        ),
    ] {
        let folder = remotes();
        publish_of(folder.path(), "ward", "1.1.0", "module.json", from, to);
        point_teams_to(folder.path(), "1.0.0", "1.1.0");
        let error = refusal(folder.path()).await;
        assert!(error.contains(complaint), "{error}");
    }
    // Hydration of the host would discard the fragment inside it.
    let folder = remotes();
    let (from, to) = (
        r#""hydrate": "load","#,
        r#""hydrate": "load", "slots": { "one": "ward:desk-form" },"#,
    );
    publish_of(folder.path(), "clinic", "1.1.0", "module.json", from, to);
    point_teams_to(folder.path(), "1.1.0", "1.0.0");
    let error = refusal(folder.path()).await;
    assert!(
        error.contains("pages[2].slots: `clinic:/book` hydrates"),
        "{error}"
    );
}
