//! Cached documents when teams publish, when services fail, and when nothing can be shown.

use crate::site::{Site, point_teams_to, publish_of};

const HERE: &str = "Serving SERVING";

async fn counted(site: &Site, result: &str) -> f64 {
    let metrics = site.metrics().await;
    let start = format!("document_cache_total{{result=\"{result}\"}} ");
    let mut lines = metrics.text().lines();
    let found = lines.find_map(|line| line.strip_prefix(&start));
    found.expect("the counter").parse().expect("a number")
}

/// Publishes the other team's modules as `version` and waits until they are live.
async fn publish_ward(site: &Site, version: &str) {
    let folder = site.folder.path();
    publish_of(
        folder,
        "ward",
        version,
        "first.css",
        "{",
        &format!(" /* {version} */ {{"),
    );
    point_teams_to(folder, "1.0.0", version);
    // A page that is not cached yet.
    let page = format!("/slots/{version}");
    let shown = format!("data-version=\"{version}\"");
    site.poll(&page, "the swap", |reply| reply.text().contains(&shown))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_teams_publish_invalidates_nothing() {
    let site = Site::start_with(&["--render-threads=1"]).await;
    assert!(site.get("/serving").await.text().contains(HERE));
    let plain = site.get("/plain").await;
    publish_ward(&site, "1.1.0").await;
    // The page shows its number of renders: it was not rendered again.
    assert_eq!(site.get("/plain").await.text(), plain.text());
    // The cached documents survive the loss of the service, too.
    site.upstream.stop().await;
    publish_ward(&site, "1.2.0").await;
    for _ in 0..5 {
        let reply = site.get("/serving").await;
        assert!(reply.text().contains(HERE), "{}", reply.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_a_stale_copy_until_its_team_replaces_it() {
    let site = Site::start().await;
    assert!(site.get("/list").await.text().contains("health true"));
    assert!(site.get("/serving").await.text().contains(HERE));
    site.upstream.stop().await;
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    site.point_to("1.1.0");
    // An uncached page shows that the version is live.
    site.poll("/list?q=new", "swap", |reply| {
        reply.text().contains("List 1.1.0") && reply.text().contains("health false")
    })
    .await;
    let reply = site.get("/serving").await;
    assert!(reply.text().contains(HERE), "{}", reply.text());
    site.upstream.restart().await;
    site.poll("/list", "the new version", |reply| {
        reply.text().contains("List 1.1.0") && reply.text().contains("health true")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn caches_negative_answers_briefly_and_separately() {
    let site = Site::start().await;
    let before = counted(&site, "absent").await;
    let gone = site.get("/items/gone").await;
    assert_eq!(gone.status.as_u16(), 410);
    let again = site
        .get_with("/items/gone", &[("accept-encoding", "br")])
        .await;
    assert_eq!(again.decoded(), gone.text());
    assert!(counted(&site, "absent").await > before);
    // Repeated requests do not cause further compression.
    for _ in 0..20 {
        let reply = site
            .get_with("/items/gone", &[("accept-encoding", "br")])
            .await;
        assert!(
            reply.header("etag").ends_with("-br\""),
            "{}",
            reply.header("etag")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn recompresses_a_document_on_its_second_request() {
    let site = Site::start().await;
    let coded = [("accept-encoding", "br")];
    let first = site.get_with("/long", &coded).await;
    assert!(first.header("etag").ends_with("-br\""));
    let started = std::time::Instant::now();
    let best = loop {
        let reply = site.get_with("/long", &coded).await;
        if reply.header("etag").ends_with("-br11\"") {
            break reply;
        }
        assert!(started.elapsed().as_secs() < 20, "{}", reply.header("etag"));
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert!(best.body.len() < first.body.len());
    assert_eq!(best.decoded(), first.decoded());
    // The ETag of the first coding still revalidates.
    let known = [coded[0], ("if-none-match", first.header("etag"))];
    assert_eq!(site.get_with("/long", &known).await.status.as_u16(), 304);
}
