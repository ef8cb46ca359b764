//! Jaeger's v1 query API (`/api/…`), as Jaeger UI 2.14.1 and scripts for Jaeger use it.

use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;

use crate::actions;
use crate::answer::{self, Answer, Failure, OperationJson, TraceJson};
use crate::search::{self, Filter, ParameterError, Parameters};
use crate::store::Store;

/// State of the API. The clock is passed in; `lookback` is relative to it.
#[derive(Debug, Clone)]
pub struct Api {
    pub store: Arc<Store>,
    pub now: fn() -> SystemTime,
}

pub fn router(api: Api) -> Router {
    Router::new()
        .route("/", get(actions_by_route))
        .route("/api/services", get(services))
        .route(
            "/api/services/{service}/operations",
            get(operations_of_service),
        )
        .route("/api/operations", get(operations))
        .route("/api/traces", get(traces))
        .route("/api/traces/{id}", get(trace))
        .route("/api/dependencies", get(dependencies))
        .route("/api/{*rest}", get(not_answered))
        .with_state(api)
}

async fn actions_by_route(State(api): State<Api>) -> Response {
    off_the_reactor(move || actions::page(&api.store, (api.now)())).await
}

async fn services(State(api): State<Api>) -> Response {
    let services = api.store.services();
    answer::list(&services.iter().map(AsRef::as_ref).collect::<Vec<&str>>())
}

async fn operations_of_service(State(api): State<Api>, Path(service): Path<String>) -> Response {
    let operations = api.store.operations(&service);
    let mut names: Vec<&str> = operations.iter().map(|(name, _)| name.as_ref()).collect();
    names.dedup();
    answer::list(&names)
}

async fn operations(State(api): State<Api>, Query(parameters): Query<Parameters>) -> Response {
    let (service, kind) = match search::operations(&parameters) {
        Ok(asked) => asked,
        Err(error) => return bad_request(&error),
    };
    let operations = api.store.operations(service);
    let wanted: Vec<OperationJson<'_>> = operations
        .iter()
        .filter(|(_, found)| kind.is_none() || *found == kind)
        .map(|(name, kind)| OperationJson::new(name, *kind))
        .collect();
    answer::list(&wanted)
}

async fn traces(State(api): State<Api>, Query(parameters): Query<Parameters>) -> Response {
    let ids = match search::trace_ids(&parameters) {
        Ok(ids) => ids,
        Err(error) => return bad_request(&error),
    };
    if !ids.is_empty() {
        return off_the_reactor(move || {
            let found: Vec<_> = ids.iter().filter_map(|id| api.store.trace(*id)).collect();
            let missing = ids
                .iter()
                .filter(|id| found.iter().all(|trace| trace.id != **id));
            let failures = missing.map(|id| Failure::trace_not_found(*id)).collect();
            answer::json(
                StatusCode::OK,
                &Answer::new(found.iter().map(TraceJson::new).collect(), failures),
            )
        })
        .await;
    }
    let filter = match Filter::from_parameters(&parameters, (api.now)()) {
        Ok(filter) => filter,
        Err(error) => return bad_request(&error),
    };
    off_the_reactor(move || {
        let found = api.store.search(&filter);
        answer::list(&found.iter().map(TraceJson::new).collect::<Vec<_>>())
    })
    .await
}

async fn trace(State(api): State<Api>, Path(id): Path<String>) -> Response {
    let id = match search::trace_id(&id) {
        Ok(id) => id,
        Err(error) => return bad_request(&error),
    };
    off_the_reactor(move || match api.store.trace(id) {
        Some(trace) => answer::list(&[TraceJson::new(&trace)]),
        None => answer::failure(StatusCode::NOT_FOUND, Failure::trace_not_found(id)),
    })
    .await
}

async fn dependencies(State(api): State<Api>, Query(parameters): Query<Parameters>) -> Response {
    let (start, end) = match search::dependency_window(&parameters, (api.now)()) {
        Ok(window) => window,
        Err(error) => return bad_request(&error),
    };
    off_the_reactor(move || {
        let found = api.store.dependencies(start, end);
        answer::list(
            &found
                .iter()
                .map(answer::DependencyJson::new)
                .collect::<Vec<_>>(),
        )
    })
    .await
}

async fn not_answered() -> Response {
    answer::failure(
        StatusCode::NOT_FOUND,
        Failure::new(
            StatusCode::NOT_FOUND,
            "this part of the API is not answered here",
        ),
    )
}

fn bad_request(error: &ParameterError) -> Response {
    answer::failure(
        StatusCode::BAD_REQUEST,
        Failure::new(StatusCode::BAD_REQUEST, &error.to_string()),
    )
}

/// Runs a query on a blocking thread. A search may read and serialise every stored span, for tens of milliseconds that
/// must not block the receivers.
async fn off_the_reactor(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "query failed");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
