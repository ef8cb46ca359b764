//! The built Jaeger UI that `otlp-embedded` carries. Its own query API is never reached: it knows root
//! spans only.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Html;
use axum::routing::get;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

/// The line of the page that Jaeger's own server replaces, too.
const CONFIG_PLACE: &str = "const JAEGER_CONFIG = DEFAULT_CONFIG;";

/// The monitor page asks a metrics store, which is not here; links out of the house go nowhere offline.
const CONFIG: &str = r#"const JAEGER_CONFIG = {"monitor":{"menuEnabled":false},"menu":[{"label":"The site now","url":"/site","anchorTarget":"_self"}]};"#;

#[derive(Debug, thiserror::Error)]
#[error("the embedded Jaeger UI has no usable index page: {0}")]
pub struct UiError(&'static str);

/// Every path without a file of its own answers the page, because its script does the routing.
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
