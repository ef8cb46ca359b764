//! Renders one module for its place, with its redirects and its fallback on failure.

use axum::http::{HeaderValue, StatusCode};
use serde_json::{Value, value::RawValue};

use super::{
    builtin,
    compose::{Composer, RenderContext},
    document::{Fragment, Hydration},
    engine::RenderError,
    links,
    message::{self, Rendered},
    pool::Lane,
};
use crate::{
    metrics::{self, ModuleLabels},
    publish::remote::Remote,
    registry::{
        location,
        part::{Content, Part, Place, Position},
        template::Values,
    },
};

pub(super) const MOVED_PERMANENTLY: u16 = 301;

/// A rendered place.
pub(crate) struct Shown<'a> {
    pub(crate) fragment: Fragment<'a>,
    pub(crate) head: Option<Value>,
    pub(crate) status: Option<u16>,
    /// Redirect requested by this module; used only if the module decides for the page.
    pub(crate) redirection: Option<Redirection>,
    /// Part whose styles and scripts the document needs.
    pub(crate) source: Option<&'a Part>,
    pub(crate) failed: Option<RenderError>,
}

/// A redirect status and a target on this site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirection {
    pub(crate) status: u16,
    pub(crate) location: HeaderValue,
}

impl Composer {
    pub(crate) async fn show_place<'a>(
        &self,
        context: &RenderContext<'a>,
        place: &'a Place,
        position: Position,
    ) -> Shown<'a> {
        match &place.content {
            Content::Known(part) => self.show(context, part, position).await,
            Content::Unknown(name) => {
                let error =
                    RenderError::BadAnswer("no module of that name is published".to_owned());
                let label = name.replace(':', "/");
                self.show_fallback(context, (label, String::new()), position, error)
                    .await
            }
        }
    }

    pub(crate) async fn show<'a>(
        &self,
        context: &RenderContext<'a>,
        part: &'a Part,
        position: Position,
    ) -> Shown<'a> {
        let id = position.id();
        let props = context.props(part, position);
        let shown = self.document_part(context, part, &id, &props).await;
        count(&part.remote, shown.as_ref().err());
        match shown {
            Ok((html, rendered, redirection)) => Shown {
                fragment: Fragment {
                    id,
                    label: part.label(),
                    version: part.remote.version.clone(),
                    html,
                    untranslated: rendered.untranslated,
                    inside: Vec::new(),
                    hydration: part.hydrates().then(|| Hydration {
                        part,
                        props: rendered.props.map_or(props, text),
                        messages: rendered.messages.map(text),
                    }),
                },
                head: rendered.head,
                status: rendered.status,
                redirection,
                source: Some(part),
                failed: None,
            },
            Err(error) => {
                let error = if context.is_private() {
                    error.without_details()
                } else {
                    error
                };
                let label = (part.label(), part.remote.version.clone());
                self.show_fallback(context, label, position, error).await
            }
        }
    }

    /// Returns the fallback for a failed module: the shell's error page for the main part, otherwise a small notice.
    async fn show_fallback<'a>(
        &self,
        context: &RenderContext<'a>,
        (label, version): (String, String),
        position: Position,
        error: RenderError,
    ) -> Shown<'a> {
        report(&label, &version, &error);
        let shell = &context.registry.shell;
        let (id, is_main) = (position.id(), context.is_main(position));
        let part = if is_main {
            &shell.failure
        } else {
            &shell.fragment_fallback
        };
        let status = error.status();
        let mut visit = context.visit.clone();
        if is_main {
            let message = status.canonical_reason().unwrap_or_default();
            visit.params = Values::from([
                ("status".to_owned(), status.as_str().to_owned()),
                ("message".to_owned(), message.to_owned()),
            ]);
        }
        let props = message::props(&visit, part.id_in_props(), &[], "null", &context.now);
        let (html, head, source) = match self.document_part(context, part, &id, &props).await {
            Ok((html, rendered, _)) => (html, rendered.head, Some(part)),
            Err(second) => {
                report(&part.label(), &part.remote.version, &second);
                let phone = self.emergency_phone.get();
                let html = builtin::fragment(context.visit.language, &phone);
                (html, None, None)
            }
        };
        Shown {
            fragment: Fragment {
                id,
                label,
                version,
                html,
                untranslated: false,
                inside: Vec::new(),
                hydration: None,
            },
            head,
            status: is_main.then_some(status.as_u16()),
            redirection: None,
            source,
            failed: Some(error),
        }
    }

    /// Returns a module's HTML, its output and its redirect.
    async fn document_part(
        &self,
        context: &RenderContext<'_>,
        part: &Part,
        id: &str,
        props: &str,
    ) -> Result<(String, Rendered, Option<Redirection>), RenderError> {
        let mut rendered = self.render(part, id, props, context.lane).await?;
        let html = rendered.html.take();
        let html = html.ok_or_else(|| RenderError::BadAnswer("no `html`".to_owned()))?;
        let messages = rendered.messages.as_deref();
        if messages.is_some_and(|messages| !messages.get().starts_with('{')) {
            return Err(RenderError::BadAnswer(
                "`messages` is not an object".to_owned(),
            ));
        }
        let html = links::in_language(html, context.visit.language, context.registry);
        let redirection = match redirection(&rendered, &context.visit.path, context.is_read()) {
            Ok(redirection) => redirection,
            // A response with a redirect status has nothing else to show.
            Err(error) if matches!(rendered.status, Some(300..=399)) => return Err(error),
            Err(error) => {
                report(&part.label(), &part.remote.version, &error);
                None
            }
        };
        Ok((html, rendered, redirection))
    }

    /// Calls a module once.
    pub(crate) async fn render(
        &self,
        part: &Part,
        id: &str,
        props: &str,
        lane: Lane,
    ) -> Result<Rendered, RenderError> {
        let input = message::fragment_input(&part.module, &format!("{id}-"), props);
        let rendered: Rendered = message::parse(
            &self
                .call(&part.remote.program, &part.label(), input, lane)
                .await?,
        )?;
        match rendered.status {
            None | Some(200..=599) => Ok(rendered),
            Some(status) => Err(RenderError::BadAnswer(format!("status {status}"))),
        }
    }
}

fn text(json: Box<RawValue>) -> String {
    Box::<str>::from(json).into()
}

/// Returns the redirect requested by a module. A `location` without a redirect status names the canonical address and
/// moves only reads, with 301. A redirect status applies to forms too. The target may come from the request's address,
/// so it must be on this site. A read must not redirect to its own path.
fn redirection(
    rendered: &Rendered,
    path: &str,
    is_read: bool,
) -> Result<Option<Redirection>, RenderError> {
    let bad = |what: &str| Err(RenderError::BadAnswer(what.to_owned()));
    let status = match rendered.status {
        None | Some(200..=299) if is_read => MOVED_PERMANENTLY,
        Some(status @ (301 | 302 | 303 | 307 | 308)) => status,
        Some(300..=399) => return bad("a status that pages may not have"),
        _ => return Ok(None),
    };
    let is_asked = rendered.status == Some(status);
    let location = match &rendered.location {
        Some(location) if location != path || is_asked && !is_read => location,
        _ if is_asked => return bad("a status that needs another `location`"),
        _ => return Ok(None),
    };
    let Some(location) = location::on_this_site(location) else {
        return bad("a `location` that is not a path of this site");
    };
    Ok(Some(Redirection { status, location }))
}

/// Counts a render of a version, for its trial too. A shed render is not attributed to the module.
pub(crate) fn count(remote: &Remote, error: Option<&RenderError>) {
    let outcome = match error {
        None => "ok",
        Some(error) if error.status() == StatusCode::SERVICE_UNAVAILABLE => "shed",
        Some(_) => "failed",
    };
    if outcome != "shed" {
        remote.tally.rendered(outcome == "failed");
    }
    metrics::get().rendered(remote, outcome);
}

/// Counts and logs a module's failure under its name, where its team finds it.
pub(crate) fn report(module: &str, version: &str, error: &RenderError) {
    tracing::error!(module, version, %error, "page module failed");
    let labels = ModuleLabels {
        module: module.to_owned(),
        version: version.to_owned(),
    };
    metrics::get().render_failures.get_or_create(&labels).inc();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(status: Option<u16>, location: Option<&str>, is_read: bool) -> Result<u16, String> {
        let rendered = Rendered {
            html: None,
            raw: None,
            head: None,
            status,
            location: location.map(str::to_owned),
            props: None,
            messages: None,
            untranslated: false,
        };
        redirection(&rendered, "/here", is_read)
            .map(|found| found.map_or(200, |found| found.status))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn redirects_readers_to_the_canonical_address() {
        assert_eq!(decide(Some(200), Some("/there"), true), Ok(301));
        assert_eq!(decide(None, Some("/there"), true), Ok(301));
        assert_eq!(decide(Some(200), Some("/here"), true), Ok(200));
        assert_eq!(decide(Some(404), Some("/there"), true), Ok(200));
        assert_eq!(decide(Some(200), Some("/there"), false), Ok(200));
        assert_eq!(decide(Some(200), None, true), Ok(200));
        assert!(decide(Some(200), Some("//there"), true).is_err());
    }

    #[test]
    fn redirecting_status_needs_a_location() {
        for status in [301, 302, 303, 307, 308] {
            assert_eq!(decide(Some(status), Some("/there"), true), Ok(status));
            assert!(decide(Some(status), None, true).is_err());
            assert!(decide(Some(status), Some("/here"), true).is_err());
        }
        assert!(decide(Some(304), Some("/there"), true).is_err());
        // A successful form may redirect to its own page.
        assert_eq!(decide(Some(303), Some("/here"), false), Ok(303));
    }
}
