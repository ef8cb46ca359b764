//! The built Jaeger UI embedded in `otlp-embedded`. That crate's own query API is never reached, because it supports
//! root spans only.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Html;
use axum::routing::get;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

/// Placeholder in the page, which Jaeger's own server replaces too.
const CONFIG_PLACE: &str = "const JAEGER_CONFIG = DEFAULT_CONFIG;";

/// Configuration of the UI. The monitor page needs a metrics store, which does not exist here. External links do not
/// work offline.
const CONFIG: &str = r#"const JAEGER_CONFIG = {"monitor":{"menuEnabled":false},"menu":[{"label":"Visitors’ actions","url":"/","anchorTarget":"_self"},{"label":"The site now","url":"/site","anchorTarget":"_self"}]};"#;

#[derive(Debug, thiserror::Error)]
#[error("the embedded Jaeger UI has no usable index page: {0}")]
pub struct UiError(&'static str);

/// Returns the UI's router. Every path without a file serves the page, because its script does the routing.
pub async fn router() -> Result<Router, UiError> {
    let no_traces = otlp_embedded::State::new(otlp_embedded::Config {
        max_length: 1,
        max_memory_usage: 1,
    });
    let assets = otlp_embedded::ui_app(no_traces, "/");
    let page = index(assets.clone()).await?;
    let file = move |request: Request| assets.clone().oneshot(request);
    Ok(Router::new()
        .route("/static/{*file}", get(file))
        .fallback_service(get(move || async move { Html(page) })))
}

async fn index(assets: Router) -> Result<Bytes, UiError> {
    let request = Request::get("/index.html")
        .body(Body::empty())
        .map_err(|_| UiError("bad request"))?;
    let response = assets
        .oneshot(request)
        .await
        .map_err(|error| match error {})?;
    if !response.status().is_success() {
        return Err(UiError("it is missing"));
    }
    let page = response
        .into_body()
        .collect()
        .await
        .map_err(|_| UiError("it cannot be read"))?
        .to_bytes();
    let page = std::str::from_utf8(&page).map_err(|_| UiError("it is not UTF-8"))?;
    if !page.contains(CONFIG_PLACE) {
        return Err(UiError("it has no place for a configuration"));
    }
    Ok(page.replace(CONFIG_PLACE, CONFIG).into())
}
