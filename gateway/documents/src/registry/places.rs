//! Arranges the parts of a page.

use super::builder::{Builder, Mistake};
use crate::{
    publish::{
        manifest::{FragmentEntry, FragmentReference, Slots},
        remote::Remote,
    },
    registry::part::{Content, Declaration, Part, Place, Position, Slot},
};
use std::sync::Arc;

const SLOT_NAME_BYTES_MAX: usize = 64;

/// Builder of the places of one page.
pub(super) struct Arrangement<'a> {
    builder: &'a Builder<'a>,
    /// Owner of fragments that are named without a team.
    remote: &'a Remote,
    parameters: &'a [String],
    pub(super) places: Vec<Place>,
    /// All query parameters read by the parts.
    pub(super) query: Vec<String>,
}

impl<'a> Arrangement<'a> {
    pub(super) fn new(
        builder: &'a Builder<'a>,
        remote: &'a Remote,
        parameters: &'a [String],
        query: &[String],
    ) -> Self {
        Self {
            builder,
            remote,
            parameters,
            places: Vec::new(),
            query: query.to_vec(),
        }
    }

    /// Adds the page's own module.
    pub(super) fn add_own(&mut self, part: Part) {
        self.places.push(Place {
            content: Content::Known(part),
            slot: None,
        });
    }

    /// Adds fragments in order, followed by the fragments in their slots.
    pub(super) fn add_all(&mut self, fragments: &[FragmentReference]) -> Result<(), Mistake> {
        let mut hosts = Vec::new();
        for fragment in fragments {
            let (name, slots) = fragment.parts();
            hosts.push((Position::Place(self.places.len()), slots));
            let content = self.content(name)?;
            self.places.push(Place {
                content,
                slot: None,
            });
        }
        for (host, slots) in hosts {
            if let Some(slots) = slots {
                self.add_slots(host, slots, "fragments")?;
            }
        }
        Ok(())
    }

    /// Adds the fragments in the slots of `host`. `field` is the declaring field, for errors.
    pub(super) fn add_slots(
        &mut self,
        host: Position,
        slots: &Slots,
        field: &'static str,
    ) -> Result<(), Mistake> {
        if slots.is_empty() {
            return Ok(());
        }
        if let Position::Place(index) = host
            && let Content::Known(part) = &self.places[index].content
            && part.hydrates()
        {
            let problem = format!(
                "`{}` hydrates, so its slots cannot hold other fragments",
                part.id
            );
            return Err((field, problem));
        }
        for (name, fragment) in slots {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if name.is_empty() || name.len() > SLOT_NAME_BYTES_MAX || !name.chars().all(is_name) {
                let problem = format!("`{name}` is not a slot's name of letters, digits and `-`");
                return Err((field, problem));
            }
            let content = self.content(fragment)?;
            if let Content::Unknown(fragment) = &content
                && self.builder.has_team_of(fragment)
            {
                // Another version of the team has this fragment. The slot stays empty until that version is live.
                continue;
            }
            let name = name.clone();
            self.places.push(Place {
                content,
                slot: Some(Slot { host, name }),
            });
        }
        Ok(())
    }

    /// Finds a fragment by `team:id`, or by `id` for the page's own team. A fragment that another team has not
    /// published (yet) does not invalidate the page.
    fn content(&mut self, name: &str) -> Result<Content, Mistake> {
        let own = format!("{}:{}", self.remote.name, name.trim_start_matches("./"));
        let name = if name.contains(':') { name } else { &own };
        let Some((remote, fragment)) = self.builder.fragment(name) else {
            if name == own {
                return Err(("fragments", format!("`{name}` is not among `fragments`")));
            }
            return Ok(Content::Unknown(name.to_owned()));
        };
        let part = self
            .part(remote, fragment)
            .map_err(|(field, problem)| ("fragments", format!("`{name}`: {field}: {problem}")))?;
        Ok(Content::Known(part))
    }

    fn part(&mut self, remote: &Arc<Remote>, fragment: &FragmentEntry) -> Result<Part, Mistake> {
        self.query.extend_from_slice(&fragment.query);
        let declaration = Declaration {
            id: &fragment.id,
            module: &fragment.module,
            hydrate: fragment.hydrate,
            data: &fragment.data,
            action: fragment.action,
        };
        Part::new(remote, &declaration, self.parameters, &self.query)
    }
}
