use http::{Request, StatusCode, header};
use http_body_util::Full;

use crate::running::Running;

#[tokio::test]
async fn serves_the_jaeger_ui_with_all_its_files() {
    let traces = Running::start(&[]).await;
    for path in [
        "/index.html",
        "/search",
        "/dependencies",
        "/trace/0123456789abcdef0123456789abcdef",
    ] {
        let page = traces.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(
            page.content_type().starts_with("text/html"),
            "{path}: {}",
            page.content_type()
        );
        assert!(page.text().contains("<title>Jaeger UI</title>"), "{path}");
    }
    let page = traces.get("/search").await.text();
    assert!(
        page.contains(r#"const JAEGER_CONFIG = {"monitor":{"menuEnabled":false}"#),
        "the configuration is in place"
    );
    let files: Vec<&str> = page
        .split('"')
        .filter_map(|text| text.strip_prefix("./"))
        .filter(|text| text.starts_with("static/"))
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let reply = traces.get(&format!("/{file}")).await;
        assert_eq!(reply.status, StatusCode::OK, "{file}");
        assert!(
            !reply.body.is_empty() && !reply.content_type().starts_with("text/html"),
            "{file}"
        );
    }
    assert_eq!(
        traces.get("/static/absent.js").await.status,
        StatusCode::NOT_FOUND
    );
    traces.stop().await;
}

#[tokio::test]
async fn unknown_api_paths_are_not_found() {
    let traces = Running::start(&[]).await;
    let reply = traces.get("/api/metrics/calls").await;
    assert_eq!(
        (reply.status, reply.content_type()),
        (StatusCode::NOT_FOUND, "application/json")
    );
    assert_eq!(reply.json()["errors"][0]["code"], 404);
    traces.stop().await;
}

#[tokio::test]
async fn refuses_a_foreign_host_name_on_both_http_ports() {
    let traces = Running::start(&[]).await;
    let (ui, otlp) = (traces.addresses.ui, traces.addresses.otlp_http);
    for (address, path) in [(ui, "/api/services"), (ui, "/"), (otlp, "/v1/traces")] {
        let send = |host: String| {
            let request =
                Request::get(format!("http://{address}{path}")).header(header::HOST, host);
            traces.request(request.body(Full::default()).expect("request"))
        };
        for foreign in [
            "rebound.example".to_owned(),
            format!("rebound.example:{}", address.port()),
            "10.0.0.1".to_owned(),
        ] {
            assert_eq!(
                send(foreign.clone()).await.status,
                StatusCode::MISDIRECTED_REQUEST,
                "{foreign} {path}"
            );
        }
        for own in [
            format!("localhost:{}", address.port()),
            "[::1]:1".to_owned(),
            address.to_string(),
        ] {
            let answer = send(own.clone()).await;
            assert_ne!(
                answer.status,
                StatusCode::MISDIRECTED_REQUEST,
                "{own} {path}"
            );
            assert_eq!(answer.headers["x-content-type-options"], "nosniff");
            assert_eq!(answer.headers["x-frame-options"], "DENY");
        }
    }
    traces.stop().await;
}
