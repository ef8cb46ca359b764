//! Reads of content with a draft, authorised by a preview token. They neither read nor fill the cache.

use std::sync::Arc;

use axum::http::{
    HeaderValue, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use bytes::Bytes;
use gateway_contract::Operation;
use gateway_http::problem::Problem;
use tonic::metadata::{AsciiMetadataValue, MetadataMap};

use super::{Api, Call};

/// Metadata with the token; in the response, the mark of a preview.
pub(super) const METADATA: &str = "x-preview";

/// A token, and the package whose reads it applies to.
pub struct Preview {
    token: AsciiMetadataValue,
    package: Arc<str>,
}

/// Shows nothing of the token.
impl std::fmt::Debug for Preview {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview")
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

impl Preview {
    /// Returns `None` if the token is not visible ASCII.
    pub fn new(token: &str, package: Arc<str>) -> Option<Self> {
        let token = token.parse().ok()?;
        Some(Self { token, package })
    }

    pub(super) fn applies_to(&self, operation: &Operation) -> bool {
        operation.reads() && operation.policy.scope.is_empty() && operation.package == self.package
    }
}

impl Api {
    /// Answers a read with the token of a preview.
    ///
    /// # Errors
    /// The upstream's. 503 if the upstream ignores the token, as releases without previews do: its answer is what
    /// visitors read, and must not be taken for the draft.
    pub(super) async fn previewed(
        &self,
        operation: &Operation,
        call: &Call<'_>,
        preview: &Preview,
    ) -> Result<Response<Bytes>, Problem> {
        let (path, query) = (call.path, call.query);
        let transcoder = &self.transcoder;
        let request = transcoder.request(operation, path, query, call.headers, &[])?;
        let mut metadata = MetadataMap::new();
        metadata.insert(METADATA, preview.token.clone());
        let package = &operation.package;
        let sent = self.send(operation, package, request, metadata, call.deadline);
        let exchange = sent.await?;
        if !exchange.is_preview {
            return Err(Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "PREVIEW_UNAVAILABLE",
                "A preview is not possible at the moment.",
            ));
        }
        let mut response = Response::new(exchange.answer.body);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(response)
    }
}
