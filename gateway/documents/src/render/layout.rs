//! Arranges the rendered modules of a page and places them into the shell's frame.

use std::sync::Arc;

use serde_json::json;

use super::{
    builtin,
    compose::{Composer, RenderContext},
    composed::Composed,
    document::{Document, Fragment},
    links,
    message::Frame,
    show::{Shown, report},
};
use crate::{
    language::Language,
    registry::{
        Page, Registry,
        part::{Part, Position, SLOT_END},
    },
};

impl Composer {
    /// Builds the document from the rendered modules.
    pub(crate) async fn lay_out(
        &self,
        context: &RenderContext<'_>,
        head: Option<Shown<'_>>,
        shown: Vec<Shown<'_>>,
    ) -> Composed {
        let RenderContext {
            registry,
            page,
            visit,
            ..
        } = context;
        let shell = &registry.shell;
        let failed_head = head.as_ref().is_some_and(|head| head.failed.is_some());
        let has_failed = failed_head || shown.iter().any(|shown| shown.failed.is_some());
        let leading = head
            .as_ref()
            .filter(|head| head.failed.is_none())
            .or_else(|| shown.first());
        if let Some(found) = leading.and_then(|leading| leading.redirection.clone()) {
            let location = links::location_in(found.location, visit.language, registry);
            return Composed::redirection(found.status, location);
        }
        let status = leading
            .and_then(|leading| leading.status)
            .filter(|status| *status != 200);
        let metadata = leading.and_then(|leading| leading.head.clone());
        let mut metadata = metadata.unwrap_or_else(
            || json!({"title": "", "description": "", "canonicalPath": visit.path}),
        );
        let preview = visit.preview.as_deref();
        if preview.is_some() {
            metadata["robots"] = "noindex".into();
            metadata["referrer"] = "no-referrer".into();
        }
        let frame = match self.frame(context, &metadata).await {
            Ok(frame) => frame.in_language(visit.language, registry),
            Err(error) => {
                let error = if context.is_private() {
                    error.without_details()
                } else {
                    error
                };
                report("shell/document", &shell.remote.version, &error);
                let status = error.status().as_u16();
                return builtin::document(visit.language, status, &self.emergency_phone.get());
            }
        };
        let (fragments, sources) = arrange(page, head, shown);
        let is_frame = |fragment: &Fragment<'_>| fragment.html.contains("<iframe");
        let has_frames = visit.staff.is_some() && fragments.iter().any(is_frame);
        let styles = sources.iter().flat_map(|part| &part.styles);
        let scripts = sources.iter().flat_map(|part| &part.scripts);
        let has_small_frame = page.bare && !shell.bare_styles.is_empty();
        let (shell_styles, language_styles) = if has_small_frame {
            (&shell.bare_styles, &[][..])
        } else {
            (&shell.styles, shell.language_styles(visit.language))
        };
        let is_staff = visit.staff.is_some();
        let desk_styles = shell.desk_styles.iter().filter(|_| is_staff);
        let shell_styles = shell_styles
            .iter()
            .chain(language_styles)
            .chain(desk_styles);
        let desk_scripts = shell.desk_scripts.iter().filter(|_| is_staff);
        let shell_scripts = shell.scripts.iter().chain(desk_scripts);
        // After the shell's: equal selectors of the same layer override its own.
        let of_hospital = self.hospital.iter().map(|hospital| &hospital.style);
        let preview_style = preview.map(|preview| &preview.style);
        let own_styles = of_hospital.chain(preview_style);
        let document = Document {
            frame,
            styles: unique(shell_styles.chain(styles).chain(own_styles)),
            scripts: unique(shell_scripts.chain(scripts)),
            fragments,
            banner: preview.map_or("", |preview| &preview.banner),
            notice: context.action.and_then(|action| action.notice),
            contract: shell.remote.file.contract,
            shell_version: &shell.remote.version,
            shell_script: shell.script.as_deref(),
            speculation_rules: shell.speculation_rules(visit.language),
            trusted_types: shell.trusted_types.as_deref(),
            // Prefetching is off on resident pages, which must cost a phone nothing extra when everything else is down.
            ahead: if page.resident { "" } else { &shell.ahead },
            measure: shell.measure.as_deref().filter(|_| !page.resident),
            skeletons: shell.skeletons(visit.language),
            live: context.live_lists(),
            bare: false,
            frames: has_frames,
        };
        // Scripts would leave the preview for the live API, and would see its token in the address.
        let document = match (page.bare || preview.is_some(), is_staff) {
            (true, _) => document.bare(),
            (false, true) => document.alone(),
            (false, false) => document,
        };
        let (html, policy) = document.assemble();
        Composed {
            is_complete: !has_failed,
            has_failed,
            language: visit.language,
            ..Composed::document(status.unwrap_or(page.status), html, policy)
        }
    }
}

impl Frame {
    /// Returns the frame with links to pages of the same language.
    fn in_language(self, language: Language, registry: &Registry) -> Self {
        let linked = |html| links::in_language(html, language, registry);
        Self {
            before: linked(self.before),
            after: linked(self.after),
            ..self
        }
    }
}

/// Arranges the fragments of a page in order, each with the fragments in its slots. Also returns the parts whose styles
/// and scripts the fragments need.
///
/// A fragment whose host failed or did not render its slot follows its host.
fn arrange<'a>(
    page: &Page,
    mut head: Option<Shown<'a>>,
    shown: Vec<Shown<'a>>,
) -> (Vec<Fragment<'a>>, Vec<&'a Part>) {
    let (mut fragments, mut sources) = (Vec::new(), Vec::new());
    let mut shown: Vec<Option<Shown<'a>>> = shown.into_iter().map(Some).collect();
    let own = page.places.iter().enumerate();
    let own = own.filter(|(_, place)| place.slot.is_none());
    let hosts = own.map(|(index, _)| Position::Place(index));
    for host in [Position::Head].into_iter().chain(hosts) {
        let found = match host {
            Position::Head => head
                .take()
                .filter(|head| head.failed.is_none() && !head.fragment.html.is_empty()),
            Position::Place(index) => shown[index].take(),
        };
        let has_slots = found.as_ref().is_some_and(|found| found.failed.is_none());
        let mut fragment = found.map(|found| {
            sources.extend(found.source);
            found.fragment
        });
        let mut after = Vec::new();
        for (place, inside) in page.places.iter().zip(&mut shown) {
            let slot = place.slot.as_ref().filter(|slot| slot.host == host);
            let Some((slot, inside)) = slot.and_then(|slot| Some((slot, inside.take()?))) else {
                continue;
            };
            sources.extend(inside.source);
            let marker = slot.marker();
            let start = fragment.as_ref().filter(|_| has_slots);
            let start = start.and_then(|fragment| fragment.html.find(&marker));
            match (&mut fragment, start) {
                (Some(fragment), Some(start)) => {
                    let end = start + marker.len() - SLOT_END.len();
                    fragment.inside.push((end, inside.fragment));
                }
                _ => after.push(inside.fragment),
            }
        }
        if let Some(fragment) = &mut fragment {
            fragment.inside.sort_by_key(|(place, _)| *place);
        }
        fragments.extend(fragment);
        fragments.extend(after);
    }
    (fragments, sources)
}

/// Removes duplicates across modules and keeps the order.
fn unique<'a>(texts: impl Iterator<Item = &'a Arc<str>>) -> Vec<Arc<str>> {
    let mut unique: Vec<Arc<str>> = Vec::new();
    for text in texts {
        if !unique.contains(text) {
            unique.push(Arc::clone(text));
        }
    }
    unique
}
