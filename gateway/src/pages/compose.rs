//! From a page and a visit to a document: data, renders, frame, and what stands in for parts that fail.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use chrono::{SecondsFormat, SubsecRound as _, Timelike as _};
use futures::future::join_all;
use serde_json::{Value, json};
use service_kit::source::Clock;
use tracing::Instrument as _;

use super::{
    builtin,
    data::{self, Answers, DataResult},
    document::{Document, Fragment},
    engine::{Program, RenderError},
    message::{self, Frame, Rendered, Visit},
    metrics::{self, ModuleLabels},
    part::{Part, Slot},
    registry::{Page, Registry},
    render::RenderPool,
};
use crate::api::LocalApi;

/// Makes documents. Shared by everything that needs one.
#[derive(Debug)]
pub(super) struct Composer {
    pub(super) api: LocalApi,
    pub(super) pool: RenderPool,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) data_time_max: Duration,
    pub(super) emergency_phone: String,
}

/// A document and what may be done with it.
#[derive(Debug)]
pub(super) struct Composed {
    pub(super) status: u16,
    pub(super) html: String,
    pub(super) policy: String,
    /// False when a part of it failed or an API call did: then it must not replace a good one.
    pub(super) is_complete: bool,
}

/// A native form post and what became of it.
#[derive(Debug)]
pub(super) struct Action {
    /// Props' `action` as JSON text.
    pub(super) json: String,
}

/// What one document is made from.
struct Sitting<'a> {
    registry: &'a Registry,
    page: &'a Page,
    visit: &'a Visit,
    answers: Answers,
    action: &'a str,
    now: String,
}

/// A slot after its render.
struct Shown<'a> {
    fragment: Fragment<'a>,
    head: Option<Value>,
    status: Option<u16>,
    /// Whose styles and scripts the document needs for it.
    source: Option<&'a Part>,
    failed: Option<RenderError>,
}

impl Composer {
    /// Never fails: the worst that can come is the built-in page with the emergency number.
    pub(super) async fn compose(
        &self,
        registry: &Registry,
        page: &Page,
        visit: &Visit,
        action: Option<&Action>,
    ) -> Composed {
        let answers = data::fetch(
            &self.api,
            api_paths(registry, page, visit),
            self.data_time_max,
        )
        .await;
        let sitting = Sitting {
            registry,
            page,
            visit,
            answers,
            action: action.map_or("null", |action| action.json.as_str()),
            now: self.now(),
        };
        let head = async {
            match &page.head {
                Some(part) => Some(self.show(&sitting, part, "head").await),
                None => None,
            }
        };
        let slots = page
            .slots
            .iter()
            .enumerate()
            .map(|(index, slot)| self.show_slot(&sitting, slot, index));
        let (head, shown) = futures::future::join(head, join_all(slots)).await;
        self.lay_out(&sitting, head, shown).await
    }

    /// The present minute: a document is cached, so that seconds would only make equal documents different.
    pub(super) fn now(&self) -> String {
        let now = self.clock.now().trunc_subsecs(0);
        now.with_second(0)
            .unwrap_or(now)
            .to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// One call of a bundle, in a span that names the module.
    pub(super) async fn call(
        &self,
        program: &Arc<Program>,
        module: &str,
        input: String,
    ) -> Result<String, RenderError> {
        // A request that is not sampled has no span, and what happens for it makes none either.
        let span = match tracing::Span::current() {
            current if current.is_none() => current,
            _ => tracing::info_span!("render", module, version = program.version),
        };
        self.pool.call(program, input).instrument(span).await
    }

    async fn lay_out(
        &self,
        sitting: &Sitting<'_>,
        head: Option<Shown<'_>>,
        mut shown: Vec<Shown<'_>>,
    ) -> Composed {
        let Sitting {
            registry,
            page,
            visit,
            ..
        } = sitting;
        let shell = &registry.shell;
        let failed_head = head.as_ref().is_some_and(|head| head.failed.is_some());
        let is_complete = !failed_head
            && shown.iter().all(|shown| shown.failed.is_none())
            && sitting.answers.values().all(|answer| !answer.is_failure);
        let leading = head
            .as_ref()
            .filter(|head| head.failed.is_none())
            .or_else(|| shown.first());
        let status = leading
            .and_then(|leading| leading.status)
            .filter(|status| *status != 200);
        let metadata = leading.and_then(|leading| leading.head.clone());
        let metadata = metadata.unwrap_or_else(
            || json!({"title": "", "description": "", "canonicalPath": visit.path}),
        );
        let frame = match self.frame(sitting, &metadata).await {
            Ok(frame) => frame,
            Err(error) => {
                report("shell/document", &shell.remote.version, &error);
                return builtin::document(500, &self.emergency_phone);
            }
        };
        if let Some(head) = head
            && head.failed.is_none()
            && !head.fragment.html.is_empty()
        {
            shown.insert(0, head);
        }
        let sources = || shown.iter().filter_map(|shown| shown.source);
        let styles = unique(
            shell
                .styles
                .iter()
                .chain(sources().flat_map(|part| &part.styles)),
        );
        let scripts = unique(sources().flat_map(|part| &part.scripts));
        let document = Document {
            frame,
            styles,
            scripts,
            fragments: shown.into_iter().map(|shown| shown.fragment).collect(),
            shell_script: shell.script.as_deref(),
            speculation_rules: &shell.speculation_rules,
        };
        let (html, policy) = document.assemble();
        Composed {
            status: status.unwrap_or(page.status),
            html,
            policy,
            is_complete,
        }
    }

    async fn frame(&self, sitting: &Sitting<'_>, metadata: &Value) -> Result<Frame, RenderError> {
        let Sitting {
            registry,
            page,
            visit,
            ..
        } = sitting;
        let shell = &registry.shell;
        let site = shell
            .site
            .as_ref()
            .map(|site| site.fill(&visit.params, &visit.query));
        let site = site
            .and_then(|path| sitting.answers.get(&path))
            .map_or("null", |answer| answer.json.as_str());
        let input = message::document_input(&page.route, &visit.path, site, metadata, &sitting.now);
        message::parse(
            &self
                .call(&shell.remote.program, "shell/document", input)
                .await?,
        )
    }

    async fn show_slot<'a>(
        &self,
        sitting: &Sitting<'a>,
        slot: &'a Slot,
        index: usize,
    ) -> Shown<'a> {
        let id = format!("f{index}");
        match slot {
            Slot::Known(part) => self.show(sitting, part, &id).await,
            Slot::Unknown(name) => {
                let error =
                    RenderError::BadAnswer("no module of that name is published".to_owned());
                self.stand_in(sitting, (name.replace(':', "/"), String::new()), &id, error)
                    .await
            }
        }
    }

    async fn show<'a>(&self, sitting: &Sitting<'a>, part: &'a Part, id: &str) -> Shown<'a> {
        let data: Vec<(&str, &str)> = part
            .data
            .iter()
            .filter_map(|(key, path)| {
                let answer = sitting
                    .answers
                    .get(&path.fill(&sitting.visit.params, &sitting.visit.query))?;
                Some((key.as_str(), answer.json.as_str()))
            })
            .collect();
        let props = message::props(sitting.visit, &data, sitting.action, &sitting.now);
        match self.render(part, id, &props).await {
            Ok(rendered) => Shown {
                fragment: Fragment {
                    id: id.to_owned(),
                    label: part.label(),
                    version: part.remote.version.clone(),
                    html: rendered.html,
                    hydration: part.hydrates().then_some((part, props)),
                },
                head: rendered.head,
                status: rendered.status,
                source: Some(part),
                failed: None,
            },
            Err(error) => {
                let error = if sitting.action == "null" {
                    error
                } else {
                    error.without_details()
                };
                self.stand_in(
                    sitting,
                    (part.label(), part.remote.version.clone()),
                    id,
                    error,
                )
                .await
            }
        }
    }

    /// What is shown where a module failed: for the only module of a page the shell's error page, for one among others
    /// a small notice.
    async fn stand_in<'a>(
        &self,
        sitting: &Sitting<'a>,
        (label, version): (String, String),
        id: &str,
        error: RenderError,
    ) -> Shown<'a> {
        report(&label, &version, &error);
        let shell = &sitting.registry.shell;
        let is_whole_page = sitting.page.head.is_none();
        let part = if is_whole_page {
            &shell.failure
        } else {
            &shell.fragment_fallback
        };
        let props = message::props(sitting.visit, &[], "null", &sitting.now);
        let (html, head, source) = match self.render(part, id, &props).await {
            Ok(rendered) => (rendered.html, rendered.head, Some(part)),
            Err(second) => {
                report(&part.label(), &part.remote.version, &second);
                (builtin::fragment(&self.emergency_phone), None, None)
            }
        };
        let status = if matches!(error, RenderError::Overloaded | RenderError::NoAnswer) {
            503
        } else {
            500
        };
        Shown {
            fragment: Fragment {
                id: id.to_owned(),
                label,
                version,
                html,
                hydration: None,
            },
            head,
            status: is_whole_page.then_some(status),
            source,
            failed: Some(error),
        }
    }

    async fn render(&self, part: &Part, id: &str, props: &str) -> Result<Rendered, RenderError> {
        let input = message::fragment_input(&part.module, &format!("{id}-"), props);
        let rendered: Rendered = message::parse(
            &self
                .call(&part.remote.program, &part.label(), input)
                .await?,
        )?;
        match rendered.status {
            None | Some(200..=599) => Ok(rendered),
            Some(status) => Err(RenderError::BadAnswer(format!("status {status}"))),
        }
    }
}

/// Every failure of a module, named so that its team can be told.
pub(super) fn report(module: &str, version: &str, error: &RenderError) {
    tracing::error!(module, version, %error, "page module failed");
    let labels = ModuleLabels {
        module: module.to_owned(),
        version: version.to_owned(),
    };
    metrics::get().render_failures.get_or_create(&labels).inc();
}

fn api_paths(registry: &Registry, page: &Page, visit: &Visit) -> BTreeSet<String> {
    let parts = page
        .head
        .iter()
        .chain(page.slots.iter().filter_map(|slot| match slot {
            Slot::Known(part) => Some(part),
            Slot::Unknown(_) => None,
        }));
    let declared = parts.flat_map(|part| part.data.iter().map(|(_, path)| path));
    declared
        .chain(&registry.shell.site)
        .map(|path| path.fill(&visit.params, &visit.query))
        .collect()
}

fn unique<'a>(texts: impl Iterator<Item = &'a Arc<str>>) -> Vec<Arc<str>> {
    let mut unique: Vec<Arc<str>> = Vec::new();
    for text in texts {
        if !unique.iter().any(|known| Arc::ptr_eq(known, text)) {
            unique.push(Arc::clone(text));
        }
    }
    unique
}

impl Action {
    /// `form` is JSON text, `result` what the API answered.
    pub(super) fn new(form: &str, result: &DataResult) -> Self {
        Self {
            json: format!(r#"{{"form":{form},"result":{}}}"#, result.json),
        }
    }
}
