use std::fs;

use axum::http::StatusCode;
use futures::future::join_all;
use service_kit::source::{Clock as _, SystemClock};

use crate::site::{Site, point_to, publish, refusal, remotes};

/// Checks that the shell's error page replaces the module, inside the frame.
async fn fails_within_the_frame(site: &Site, path: &str) {
    let reply = site.get(path).await;
    let html = reply.text();
    assert_eq!(
        reply.status,
        StatusCode::INTERNAL_SERVER_ERROR,
        "{path}: {html}"
    );
    assert!(html.contains("<h1>Sorry</h1>"), "{path}: {html}");
    assert!(
        html.contains("emergency bar") && html.contains("<footer>"),
        "{path}: {html}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn stops_failing_modules_without_affecting_others() {
    let site = Site::start_with(&["--render-threads", "1"]).await;
    for path in ["/throw", "/loop", "/bomb", "/deep"] {
        fails_within_the_frame(&site, path).await;
        // The only render thread serves good pages right afterwards.
        let good = site
            .get(&format!("/items/after{}", path.replace('/', "-")))
            .await;
        assert_eq!(good.status, StatusCode::OK, "after {path}: {}", good.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tries_a_render_that_exceeds_its_time_once_more() {
    let site = Site::start_with(&["--render-threads", "1"]).await;
    let until = SystemClock.now().timestamp_millis() + 100;
    let reply = site.get(&format!("/loop?until={until}")).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    assert!(reply.text().contains("at last"), "{}", reply.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn discards_a_failed_context() {
    let site = Site::start_with(&["--render-threads", "1"]).await;
    assert!(site.get("/count/a").await.text().contains("render 1"));
    assert!(site.get("/count/b").await.text().contains("render 2"));
    fails_within_the_frame(&site, "/throw").await;
    let after = site.get("/count/c").await;
    assert!(
        after.text().contains("render 1"),
        "what the module kept is gone: {}",
        after.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn o13_quiet_site_keeps_each_bundle_once_for_all_threads() {
    let site = Site::start_with(&["--render-threads", "8"]).await;
    for render in 1..=24 {
        let reply = site.get(&format!("/count/n{render}")).await;
        let expected = format!("render {render}<");
        assert!(reply.text().contains(&expected), "{}", reply.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_failures_by_module_and_version() {
    let site = Site::start().await;
    fails_within_the_frame(&site, "/throw").await;
    let metrics = site.metrics().await;
    let counter = r#"render_failures_total{module="clinic/throw",version="1.0.0"}"#;
    assert!(metrics.text().contains(counter), "{}", metrics.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn shows_the_emergency_number_without_a_frame() {
    let site = Site::start_with(&["--emergency-phone", "+91 80 0000 0108"]).await;
    let reply = site.get("/frameless").await;
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        reply
            .text()
            .contains(r#"<a href="tel:+918000000108">+91 80 0000 0108</a>"#),
        "{}",
        reply.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_many_visitors_of_good_and_failing_pages() {
    let site = Site::start_with(&["--render-threads", "2", "--render-queue-max", "1000"]).await;
    let visits = (0..200).map(|index| {
        let site = &site;
        async move {
            let path = if index % 10 == 0 {
                "/throw".to_owned()
            } else {
                format!("/items/n{index}")
            };
            (index, site.get(&path).await)
        }
    });
    for (index, reply) in join_all(visits).await {
        if index % 10 == 0 {
            assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
        } else {
            assert!(
                reply.text().contains(&format!("<h1>n{index}</h1>")),
                "{index}: {}",
                reply.text()
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn full_queue_sheds_with_the_emergency_number_and_recovers() {
    let site = Site::start_with(&["--render-threads", "1", "--render-queue-max", "1"]).await;
    let replies = join_all((0..60).map(|index| {
        let site = &site;
        async move { site.get(&format!("/items/n{index}")).await }
    }))
    .await;
    let count = |status| {
        replies
            .iter()
            .filter(|reply| reply.status == status)
            .count()
    };
    let shed = replies.len() - count(StatusCode::OK);
    assert!(shed > 0, "60 at once do not fit");
    assert!(
        replies
            .iter()
            .all(|reply| reply.text().contains("In an emergency")
                || reply.text().contains("emergency bar"))
    );
    site.poll("/items/n1", "recovery", |reply| {
        reply.status == StatusCode::OK
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_broken_folders_naming_file_and_field() {
    let cases = [
        (
            "module.json",
            r#""contract": 1"#,
            r#""contract": 4"#,
            "contract: is 4, this gateway supports 1, 2 and 3",
        ),
        (
            "module.json",
            r#""version": "1.0.1""#,
            r#""version": "7""#,
            "version: is `7`",
        ),
        (
            "module.json",
            r#""./list": { "styles""#,
            r#""./lost": { "styles""#,
            "pages[0].module: `./list`",
        ),
        (
            "module.json",
            r#""route": "/items/{slug}""#,
            r#""route": "/list""#,
            "pages[1].route",
        ),
        (
            "module.json",
            "list.css",
            "lost.css",
            ".styles: `lost.css` is missing",
        ),
        (
            "module.json",
            r#""/health-check""#,
            r#""/x/{params.id}""#,
            "pages[0].data",
        ),
        (
            "module.json",
            r#""hydrate": "load""#,
            r#""hydrate": "soon""#,
            "pages[2].hydrate: unknown variant `soon`",
        ),
        (
            "module.json",
            r#""module": "./item" }"#,
            r#""module": "./item", "hydrate": "load" }"#,
            "pages[1].hydrate",
        ),
        (
            "mf-manifest.json",
            "book.0001.js",
            "book.0002.js",
            "`book.0002.js`, which is missing",
        ),
        (
            "server.js",
            "globalThis.hospitalRender",
            "globalThis.other",
            "does not define `hospitalRender`",
        ),
        ("server.js", "const VERSION", "const const", "does not load"),
    ];
    for (file, from, to, expected) in cases {
        let folder = remotes();
        publish(folder.path(), "1.0.1", file, from, to);
        point_to(folder.path(), "1.0.1");
        let error = refusal(folder.path()).await;
        assert!(error.contains(expected), "`{from}` → `{to}`: {error}");
    }
    let folder = remotes();
    fs::write(
        folder.path().join("remotes.json"),
        r#"{"contract":1,"shell":{"stable":"../x"}}"#,
    )
    .expect("writable");
    let error = refusal(folder.path()).await;
    assert!(error.contains("`../x` is not a name"), "{error}");
}
