//! Documents carry the declared skeletons of pages, shown while a link to such a page loads slowly (S3).

use serde_json::Value;

use crate::{
    isolation::report_of,
    site::{Site, publish, remotes},
};

const LIST: &str = r#""route": "/list","#;
const SKELETON: &str =
    r#""route": "/list", "skeleton": {"shape": "card", "count": 6, "label": "Loading <posts>"},"#;
const RESIDENT: &str = r#""resident": true"#;
const BARE: &str = r#""resident": true, "bare": true"#;

#[tokio::test(flavor = "multi_thread")]
async fn scripted_documents_reference_the_skeletons() {
    let folder = remotes();
    publish(folder.path(), "1.1.0", "module.json", LIST, SKELETON);
    let file = folder.path().join("clinic/1.1.0/module.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(RESIDENT, BARE)).unwrap();
    let site = Site::start_in(folder, &[]).await;
    site.point_to("1.1.0");
    let named = r#" data-skeletons="/list card 6 Loading &lt;posts>""#;
    site.poll("/plain", "the skeleton", |reply| {
        reply.text().contains(named)
    })
    .await;
    let booking = site.get("/book").await;
    assert!(booking.text().contains(named), "{}", booking.text());
    // The frame has one label for all skeletons.
    let kannada = site.get("/kn/plain").await;
    assert!(
        kannada.text().contains(r#" data-skeletons="/list card 6""#),
        "{}",
        kannada.text()
    );
    let bare = site.get("/urgent").await;
    assert!(!bare.text().contains("skeleton"), "{}", bare.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_an_invalid_skeleton() {
    let site = Site::start().await;
    for (version, bad) in [
        ("1.1.0", SKELETON.replace("card", "a card")),
        ("1.2.0", SKELETON.replace('6', "13")),
        ("1.3.0", SKELETON.replace("Loading", "Loading | reading")),
    ] {
        site.publish(version, "module.json", LIST, &bad);
        site.point_to(version);
        report_of(&site, version, |report: &Value| {
            let refused = &report["clinic"]["refused"][0];
            let detail = refused["detail"].as_str().unwrap_or_default();
            refused["version"] == version && detail.contains("pages[0].skeleton: needs a shape")
        })
        .await;
    }
}
