//! Reads with the token of a preview.

use std::{
    convert::Infallible,
    mem,
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{HeaderValue, Request, Response};
use tonic::{Status, body::Body, server::NamedService};
use tower::Service;

use crate::{domain::Content, error::AnswerError, service::Rpcs, store::records::DraftPost};

/// Metadata with the token; in the response, the mark of a preview.
const PREVIEW: &str = "x-preview";
const SHOWN_MARK: HeaderValue = HeaderValue::from_static("shown");

/// What a call shows in place of what is live.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) content: Arc<Content>,
    /// The draft of a post, which is no part of the content.
    pub(crate) post: Option<Arc<DraftPost>>,
}

tokio::task_local! {
    static SHOWN: Shown;
}

/// Returns what the current call shows in place of what is live.
pub(crate) fn shown() -> Option<Shown> {
    SHOWN.try_with(Shown::clone).ok()
}

/// Answers calls with a token from the content of its preview.
#[derive(Debug, Clone)]
pub(crate) struct Previewed<S> {
    inner: S,
    rpcs: Rpcs,
}

impl<S> Previewed<S> {
    pub(crate) fn new(inner: S, rpcs: Rpcs) -> Self {
        Self { inner, rpcs }
    }
}

impl<S: NamedService> NamedService for Previewed<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<Body>> for Previewed<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Some(token) = request.headers().get(PREVIEW).cloned() else {
            return Box::pin(self.inner.call(request));
        };
        // The clone may not be ready.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let rpcs = self.rpcs.clone();
        Box::pin(async move {
            let shown = match rpcs.shown_by(&token).await {
                Ok(shown) => shown,
                Err(error) => return Ok(Status::from(error).into_http()),
            };
            let mut response = SHOWN.scope(shown, inner.call(request)).await?;
            response.headers_mut().insert(PREVIEW, SHOWN_MARK);
            Ok(response)
        })
    }
}

impl Rpcs {
    /// Returns what a token shows.
    async fn shown_by(&self, token: &HeaderValue) -> Result<Shown, AnswerError> {
        let token = self.token(token.to_str().unwrap_or_default())?;
        let built = self.built(&token.draft).await?;
        built.outcome.clone().map_err(|_| {
            let words = "This version can't be published";
            AnswerError::Unfit("PREVIEW_BROKEN", words)
        })
    }
}
