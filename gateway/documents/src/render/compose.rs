//! Composes a document for a visit to a page: fetches data, renders the modules and places them into the frame.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use axum::http::HeaderValue;
use chrono::{SecondsFormat, SubsecRound as _, Timelike as _};
use futures::future::join_all;
use gateway_api::LocalApi;
use gateway_cache::changes::{Basis, Read};
use parking_lot::Mutex;
use serde_json::Value;
use service_kit::source::Clock;
use tracing::Instrument as _;

use super::{
    builtin,
    composed::Composed,
    data::{self, Answers, DataResult},
    directory::{self, Directory},
    emergency_phone::EmergencyPhone,
    engine::RenderError,
    links,
    message::{self, Frame, Visit},
    pool::{Lane, RenderPool},
    positions::Positions,
    show::{MOVED_PERMANENTLY, count, report},
    staff,
};
use crate::{
    publish::{hospital::Hospital, program::Program},
    registry::{
        Page, Registry, desk_lists, location,
        part::{Content, Part, Position},
        template::{DESK, DIRECTORY, RELEASES, SERVICES},
    },
};

/// Beginning of the JSON text of a successful read.
const OK: &str = r#"{"ok":true"#;

/// Makes documents; shared by the whole process.
#[derive(Debug)]
pub(crate) struct Composer {
    pub(crate) api: LocalApi,
    pub(crate) pool: RenderPool,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) data_time_max: Duration,
    pub(crate) directory: Directory,
    pub(crate) emergency_phone: EmergencyPhone,
    /// Set if this site is another hospital's than that of the page modules.
    pub(crate) hospital: Option<Hospital>,
    pub(crate) positions: Positions,
    /// Last successful API results for resident pages, used when a fetch fails. Bounded by the declarations of those
    /// pages.
    pub(crate) last_known: Mutex<Answers>,
}

/// Render context of one document, shared by all of its modules.
pub(crate) struct RenderContext<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) page: &'a Page,
    pub(crate) visit: &'a Visit,
    answers: Answers,
    pub(crate) action: Option<&'a Action>,
    pub(crate) lane: Lane,
    pub(crate) now: String,
    /// Position in the changes of the API before its data was read.
    since: String,
}

/// A native form post and its outcome.
#[derive(Debug)]
pub(crate) struct Action {
    /// The part that took the form. Other parts do not receive the action.
    position: Position,
    /// The `action` prop of that part, as JSON text.
    json: String,
    /// Notice of the gateway itself, shown before all parts.
    pub(crate) notice: Option<&'static str>,
}

impl Composer {
    /// Composes a document. Never fails: the last resort is the built-in page with the emergency number.
    pub(crate) async fn compose(
        &self,
        registry: &Registry,
        page: &Page,
        visit: &Visit,
        action: Option<&Action>,
    ) -> Composed {
        let lane = if action.is_none() {
            Lane::Reads
        } else {
            Lane::Forms
        };
        self.compose_in(lane, registry, page, visit, action).await
    }

    /// Composes a document in the given render lane.
    pub(crate) async fn compose_in(
        &self,
        lane: Lane,
        registry: &Registry,
        page: &Page,
        visit: &Visit,
        action: Option<&Action>,
    ) -> Composed {
        let since = self.api.changes().position();
        let mut paths = api_paths(registry, page, visit);
        let wants_directory = paths.remove(DIRECTORY);
        let wants_desk = paths.remove(DESK);
        let operations = [RELEASES, SERVICES].into_iter().filter_map(|name| {
            let found = || visit.operations.get(name).cloned();
            let is_wanted = paths.remove(name);
            is_wanted.then(|| (name.to_owned(), found().unwrap_or_else(staff::no_listing)))
        });
        let operations: Vec<_> = operations.collect();
        let reads = paths.iter().filter_map(|path| self.api.read(path));
        let mut reads: Vec<Read> = reads.collect();
        let api = self.api_for(visit);
        let fetching = data::fetch(&api, paths, self.data_time_max);
        let mut answers = if wants_directory {
            reads.extend(directory::reads(&self.api, registry));
            let listing = self.directory.get(&self.api, registry, self.data_time_max);
            let (mut answers, listing) = futures::future::join(fetching, listing).await;
            answers.insert(DIRECTORY.to_owned(), listing);
            answers
        } else {
            fetching.await
        };
        if wants_desk {
            let staff = visit.staff.as_ref();
            let listing = staff.map_or_else(staff::no_listing, |staff| staff.listing(registry));
            answers.insert(DESK.to_owned(), listing);
        }
        answers.extend(operations);
        let basis = Basis::new(since, reads);
        let moved = answers.values().find_map(|answer| answer.moved.clone());
        if let (None, Some(location)) = (action, moved)
            && location::path(location.to_str().unwrap_or_default()) != visit.path
        {
            return Composed {
                basis,
                ..Composed::redirection(
                    MOVED_PERMANENTLY,
                    links::location_in(location, visit.language, registry),
                )
            };
        }
        if page.resident && visit.preview.is_none() {
            self.fill_from_last_known(&mut answers);
        }
        self.fill_in_facts(registry, visit, &mut answers);
        let context = RenderContext {
            registry,
            page,
            visit,
            answers,
            action,
            lane,
            now: self.now(),
            since: self.positions.text(since),
        };
        let first = page.places.first().map(|place| &place.content);
        let composed = match (&page.content_type, first) {
            (Some(content_type), Some(Content::Known(part))) => {
                let content_type = content_type.clone();
                self.write_raw(&context, part, content_type).await
            }
            _ => self.make_document(&context).await,
        };
        Composed {
            is_complete: composed.is_complete && context.has_all_data(),
            basis,
            ..composed
        }
    }

    /// Returns the API for the data and forms of a visit: with the person's token for signed-in staff, or with the token
    /// of a preview.
    pub(crate) fn api_for(&self, visit: &Visit) -> LocalApi {
        match (&visit.staff, &visit.preview) {
            (Some(staff), _) => self.api.for_staff(Arc::clone(&staff.person)),
            (None, Some(shown)) => self.api.for_preview(Arc::clone(&shown.preview)),
            (None, None) => self.api.clone(),
        }
    }

    /// Replaces failed results by the last successful ones. They still count as failed, so the page is retried.
    fn fill_from_last_known(&self, answers: &mut Answers) {
        let mut last_known = self.last_known.lock();
        for (path, answer) in answers {
            if !answer.is_failure {
                last_known.insert(path.clone(), answer.clone());
            } else if let Some(known) = last_known.get(path) {
                answer.json.clone_from(&known.json);
            }
        }
    }

    /// Replaces a failed read of the site's facts by those of the hospital's folder. Without them, page modules would show
    /// the hospital that is built into them. The read still counts as failed.
    fn fill_in_facts(&self, registry: &Registry, visit: &Visit, answers: &mut Answers) {
        let (Some(hospital), Some(site)) = (&self.hospital, &registry.shell.site) else {
            return;
        };
        let path = visit.read_of(site);
        let failed = answers.get_mut(&path).filter(|answer| answer.is_failure);
        // The last successful read of a resident page is newer.
        if let Some(answer) = failed.filter(|answer| !answer.json.starts_with(OK)) {
            answer.json = format!("{OK},\"status\":200,\"body\":{}}}", hospital.site);
        }
    }

    /// Renders a page other than HTML. The module writes the whole body.
    async fn write_raw(
        &self,
        context: &RenderContext<'_>,
        part: &Part,
        content_type: HeaderValue,
    ) -> Composed {
        let position = Position::Place(0);
        let props = context.props(part, position);
        let result = self
            .render(part, &position.id(), &props, context.lane)
            .await;
        let rendered = result.and_then(|rendered| {
            let raw = rendered.raw.ok_or_else(|| {
                RenderError::BadAnswer("no `raw`, and the page has a `contentType`".to_owned())
            })?;
            Ok((rendered.status.unwrap_or(200), raw))
        });
        count(&part.remote, rendered.as_ref().err());
        match rendered {
            // An error must neither be cached nor replace a cached feed.
            Ok((status, raw)) => Composed {
                is_complete: status == 200,
                ..Composed::raw(status, raw, content_type)
            },
            Err(error) => {
                report(&part.label(), &part.remote.version, &error);
                let phone = self.emergency_phone.get();
                builtin::document(context.visit.language, error.status().as_u16(), &phone)
            }
        }
    }

    async fn make_document(&self, context: &RenderContext<'_>) -> Composed {
        let page = context.page;
        let head = async {
            match &page.head {
                Some(part) => Some(self.show(context, part, Position::Head).await),
                None => None,
            }
        };
        let places = page
            .places
            .iter()
            .enumerate()
            .map(|(index, place)| self.show_place(context, place, Position::Place(index)));
        let (head, shown) = futures::future::join(head, join_all(places)).await;
        let taker = match context.action.map(|action| action.position) {
            Some(Position::Head) => head.as_ref(),
            Some(Position::Place(index)) => shown.get(index),
            None => None,
        };
        let is_answered = taker.is_none_or(|taker| taker.failed.is_none());
        let composed = self.lay_out(context, head, shown).await;
        Composed {
            is_answered: is_answered && composed.is_answered,
            ..composed
        }
    }

    /// Returns the current time, truncated to the minute. Documents are cached, and seconds would only make equal ones
    /// differ.
    pub(crate) fn now(&self) -> String {
        let now = self.clock.now().trunc_subsecs(0);
        now.with_second(0)
            .unwrap_or(now)
            .to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// Calls a bundle once, in a span that names the module.
    pub(crate) async fn call(
        &self,
        program: &Arc<Program>,
        module: &str,
        input: String,
        lane: Lane,
    ) -> Result<String, RenderError> {
        // An unsampled request has no span, so its renders get none either.
        let span = match tracing::Span::current() {
            current if current.is_none() => current,
            _ => tracing::info_span!("render", module, version = program.version),
        };
        self.pool.call(program, input, lane).instrument(span).await
    }

    /// Renders the shell's part of a document.
    pub(crate) async fn frame(
        &self,
        context: &RenderContext<'_>,
        metadata: &Value,
    ) -> Result<Frame, RenderError> {
        let RenderContext {
            registry,
            page,
            visit,
            ..
        } = context;
        let shell = &registry.shell;
        let site_path = shell.site.as_ref().map(|site| visit.read_of(site));
        let site = site_path
            .and_then(|path| context.answers.get(&path))
            .map_or("null", |answer| answer.json.as_str());
        let is_bare = page.bare && !shell.bare_styles.is_empty();
        let now = &context.now;
        let staff = visit.staff.as_ref().map(|staff| staff.of_frame(registry));
        let look = self
            .hospital
            .as_ref()
            .map(|hospital| hospital.look.as_str());
        let code = visit.language.other_than_default();
        let language = code.map(message::string);
        let further = [
            ("staff", staff.as_deref()),
            ("look", look),
            ("language", language.as_deref()),
        ];
        let (route, path) = (&page.route, &visit.path);
        let input = message::document_input(route, path, site, metadata, now, is_bare, &further);
        let program = &shell.remote.program;
        let called = self.call(program, "shell/document", input, context.lane);
        let frame = called.await.and_then(|output| message::parse(&output));
        count(&shell.remote, frame.as_ref().err());
        frame
    }
}

impl RenderContext<'_> {
    /// Returns the props of a module as JSON text.
    pub(crate) fn props(&self, part: &Part, position: Position) -> String {
        let data: Vec<(&str, &str)> = part
            .data
            .iter()
            .filter_map(|(key, path)| {
                let path = self.visit.read(path);
                Some((key.as_str(), self.answers.get(&path)?.json.as_str()))
            })
            .collect();
        let own_action = self.action.filter(|action| action.position == position);
        let action = own_action.map_or("null", |action| action.json.as_str());
        let id = self.registry.id_in_props(part);
        message::props(self.visit, id.as_deref(), &data, action, &self.now)
    }

    /// Returns the collections that a page of the staff area shows, and the position in their changes before they were
    /// read. `None` for visitors and for pages without such data.
    pub(crate) fn live_lists(&self) -> Option<(String, String)> {
        let lists = desk_lists::collections(self.page);
        let is_live = self.visit.staff.is_some() && !lists.is_empty();
        is_live.then(|| (lists, self.since.clone()))
    }

    /// Returns whether the page is a plain read, not the response to a form.
    pub(crate) fn is_read(&self) -> bool {
        self.action.is_none()
    }

    /// Returns whether a module's error message may contain what a person typed or may see.
    pub(crate) fn is_private(&self) -> bool {
        !self.is_read() || self.visit.staff.is_some() || self.visit.preview.is_some()
    }

    /// Returns whether the part is the page's main part. Its head and status apply to the whole page, and the page is
    /// useless without it.
    pub(crate) fn is_main(&self, position: Position) -> bool {
        position == Position::Place(0) && self.page.head.is_none()
    }

    fn has_all_data(&self) -> bool {
        self.answers.values().all(|answer| !answer.is_failure)
    }
}

fn api_paths(registry: &Registry, page: &Page, visit: &Visit) -> BTreeSet<String> {
    let parts = page.parts().map(|(_, part)| part);
    let declared = parts.flat_map(|part| part.data.iter().map(|(_, path)| path));
    let site = registry.shell.site.as_ref();
    declared
        .map(|source| visit.read(source))
        .chain(site.map(|path| visit.read_of(path)))
        .collect()
}

impl Action {
    /// Creates the action of a form post. `form` is JSON text, `result` is the API's answer.
    pub(crate) fn new(
        position: Position,
        form: &str,
        result: &DataResult,
        notice: Option<&'static str>,
    ) -> Self {
        Self {
            position,
            notice,
            json: format!(r#"{{"form":{form},"result":{}}}"#, result.json),
        }
    }
}
