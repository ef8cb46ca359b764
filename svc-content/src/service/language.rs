//! Reads in another language.

use std::{
    convert::Infallible,
    mem,
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{Request, Response};
use service_kit::language::CONTENT_LANGUAGE;
use tonic::{body::Body, server::NamedService};
use tower::Service;

use super::{Rpcs, preview};
use crate::{
    domain::{Content, texts::Texts, translated::Translated},
    language::Language,
    search::Entry,
};

tokio::task_local! {
    static TRANSLATED: Arc<Translated>;
}

/// Returns the content in the language of the current call; `None` for English.
pub(super) fn translated() -> Option<Arc<Translated>> {
    TRANSLATED.try_with(Arc::clone).ok()
}

/// Translates a message into the language of the current call.
pub(super) fn translate(message: &mut impl Texts) {
    if let Some(translated) = translated() {
        let catalogue = translated.catalogue();
        message.each_text(&mut |text| catalogue.translate(text));
    }
}

/// Replaces a name in the language of the current call, which a page has as its filter, by the English name.
pub(super) fn to_english(name: &mut String) {
    if let Some(translated) = translated()
        && let Some(english) = translated.catalogue().english(name.trim())
    {
        english.clone_into(name);
    }
}

/// Translates the titles and summaries of search results into the language of the current call.
pub(super) fn translate_results(entries: &mut [Entry]) {
    let Some(translated) = translated() else {
        return;
    };
    for entry in entries {
        translated.translate_entry(&mut entry.title);
        translated.translate_entry(&mut entry.summary);
    }
}

impl Rpcs {
    /// Returns what visitors read at the moment, in the language of the call. In a call with the token of a preview, this
    /// is the content with its draft.
    pub(super) fn content(&self) -> Arc<Content> {
        translated().map_or_else(
            || self.english(),
            |translated| Arc::clone(&translated.content),
        )
    }

    /// Returns the same in English.
    pub(super) fn english(&self) -> Arc<Content> {
        preview::shown().map_or_else(|| self.posts.content(), |shown| shown.content)
    }
}

/// Answers calls from the content in their language.
#[derive(Debug, Clone)]
pub(crate) struct Localized<S> {
    inner: S,
    rpcs: Rpcs,
}

impl<S> Localized<S> {
    pub(crate) fn new(inner: S, rpcs: Rpcs) -> Self {
        Self { inner, rpcs }
    }
}

impl<S: NamedService> NamedService for Localized<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<Body>> for Localized<S>
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
        let code = request.headers().get(CONTENT_LANGUAGE);
        let code = code.and_then(|code| code.to_str().ok()).unwrap_or_default();
        let Some(language) = Language::of(code) else {
            return Box::pin(self.inner.call(request));
        };
        // The clone may not be ready.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let rpcs = self.rpcs.clone();
        Box::pin(async move {
            match rpcs.english().translated(language).await {
                Some(translated) => TRANSLATED.scope(translated, inner.call(request)).await,
                None => inner.call(request).await,
            }
        })
    }
}
