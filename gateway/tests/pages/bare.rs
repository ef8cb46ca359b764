//! Pages that declare `bare`: their documents have no script element, whatever the shell declares.

use serde_json::{Value, json};

use crate::{
    isolation::report_of,
    site::{Site, publish, remotes},
};

const RESIDENT: &str = r#""resident": true"#;
const BARE: &str = r#""resident": true, "bare": true"#;

fn shell(version: &str) -> Value {
    json!({"contract": 2, "shell": {"stable": version}, "teams": {"clinic": {"stable": "1.1.0"}, "ward": {"stable": "1.0.0"}}})
}

async fn site(shell_version: &str) -> Site {
    let folder = remotes();
    publish(folder.path(), "1.1.0", "module.json", RESIDENT, BARE);
    let pointers = shell(shell_version).to_string();
    std::fs::write(folder.path().join("remotes.json"), pointers).unwrap();
    Site::start_in(folder, &[]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn bare_document_has_the_small_frame_and_no_script() {
    let site = site("2.0.0").await;
    let reply = site.get("/urgent").await;
    let html = reply.text();
    assert!(
        html.contains("<header>small frame</header>") && html.contains("<h1>Urgent"),
        "{html}"
    );
    assert!(!html.contains("<script"), "{html}");
    assert!(
        html.contains("<style>header{color:navy}\n</style>"),
        "{html}"
    );
    let policy = reply.header("content-security-policy");
    assert!(policy.contains("script-src 'none';"), "{policy}");
    assert!(policy.contains("style-src 'self' 'sha256-"), "{policy}");
    // Other pages of the same version are unchanged.
    let plain = site.get("/plain").await;
    assert!(plain.text().contains("<script>menu()</script>"));
    assert!(!plain.text().contains("color:navy"), "{}", plain.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn bare_document_without_a_small_frame_runs_no_script() {
    let site = site("1.0.0").await;
    let reply = site.get("/urgent").await;
    let html = reply.text();
    assert!(html.contains("<header>emergency bar"), "{html}");
    assert!(!html.contains("speculationrules"), "{html}");
    let policy = reply.header("content-security-policy");
    assert!(policy.contains("script-src 'none';"), "{policy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_bare_pages_that_need_scripts() {
    let site = Site::start().await;
    for (version, from, to) in [
        (
            "1.1.0",
            r#""hydrate": "load","#,
            r#""hydrate": "load", "bare": true,"#,
        ),
        (
            "1.2.0",
            r#""contentType": "text/plain""#,
            r#""contentType": "text/plain", "bare": true"#,
        ),
        (
            "1.3.0",
            r#""fragments": ["./beside","#,
            r#""bare": true, "fragments": ["./beside","#,
        ),
    ] {
        site.publish(version, "module.json", from, to);
        site.point_to(version);
        report_of(&site, version, |report| {
            let refused = &report["clinic"]["refused"][0];
            let detail = refused["detail"].as_str().unwrap_or_default();
            refused["version"] == version && detail.contains("].bare: allows neither scripts")
        })
        .await;
    }
}
