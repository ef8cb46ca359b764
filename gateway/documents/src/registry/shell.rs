//! The shell's declarations for every document: scripts, styles, error pages.

use std::{collections::BTreeMap, sync::Arc};

use super::{Shell, builder::Builder};
use crate::{
    error::PagesError,
    language::Language,
    publish::manifest::Hydrate,
    registry::{
        part::{Declaration, Part, unique},
        skeletons, speculation,
        template::PathTemplate,
    },
};

impl Shell {
    /// Returns the speculation rules of documents in a language, as JSON text.
    pub(crate) fn speculation_rules(&self, language: Language) -> &str {
        &self.speculation_rules[language as usize]
    }

    /// Returns the styles of documents in a language, in addition to `styles`.
    pub(crate) fn language_styles(&self, language: Language) -> &[Arc<str>] {
        &self.language_styles[language as usize]
    }

    /// Returns the skeletons of documents in a language. Labels are English. The frame of other languages has one label
    /// for all skeletons.
    pub(crate) fn skeletons(&self, language: Language) -> &str {
        if language == Language::English {
            &self.skeletons
        } else {
            &self.skeletons_without_labels
        }
    }
}

impl Builder<'_> {
    pub(super) fn error_part(&self, kind: &str) -> Result<Part, PagesError> {
        let field = format!("errors.{kind}");
        let module = self.shell.file.errors.get(kind);
        let module =
            module.ok_or_else(|| self.invalid(self.shell, &field, "is missing".to_owned()))?;
        Part::new(
            self.shell,
            &Declaration {
                id: kind,
                module,
                hydrate: Hydrate::None,
                data: &BTreeMap::new(),
                action: false,
            },
            &[],
            &[],
        )
        .map_err(|(_, problem)| self.invalid(self.shell, &field, problem))
    }

    pub(super) fn shell(&self) -> Result<Shell, PagesError> {
        let file = &self.shell.file;
        let hydrates = self.teams.values().any(|team| {
            let pages = team.file.pages.iter().map(|page| page.hydrate);
            pages
                .chain(team.file.fragments.iter().map(|part| part.hydrate))
                .any(|hydrate| hydrate != Hydrate::None)
        });
        if let Some(script) = file
            .script
            .as_ref()
            .filter(|script| self.shell.static_file(script).is_none())
        {
            return Err(self.invalid(self.shell, "script", format!("`{script}` is missing")));
        }
        if hydrates && file.script.is_none() {
            return Err(self.invalid(
                self.shell,
                "script",
                "is missing, and a module hydrates".to_owned(),
            ));
        }
        let site = file
            .site
            .as_deref()
            .map(|path| PathTemplate::parse(path, &[], &[]))
            .transpose();
        let script = file
            .script
            .as_ref()
            .map(|script| self.shell.address(script));
        let measure = file.measure.as_ref().map(|file| self.shell.address(file));
        let pages = self.ahead_pages.iter();
        let ahead_scripts = pages.flat_map(|page| page.load_scripts(script.as_deref()));
        let ahead = unique(ahead_scripts).join(" ");
        let texts = |names: &[String]| {
            let texts = names.iter().filter_map(|name| self.shell.text(name));
            texts.map(Arc::clone).collect()
        };
        let trusted_types = file.trusted_types.clone();
        if trusted_types
            .as_deref()
            .is_some_and(|name| !is_policy_name(name))
        {
            let problem = "is not a name of a Trusted Types policy".to_owned();
            return Err(self.invalid(self.shell, "trustedTypes", problem));
        }
        Ok(Shell {
            remote: Arc::clone(self.shell),
            trusted_types,
            script,
            measure,
            ahead,
            skeletons: self.skeletons.join("|"),
            skeletons_without_labels: skeletons::without_labels(&self.skeletons),
            styles: texts(&file.styles),
            bare_styles: texts(&file.bare_styles),
            desk_styles: texts(&file.desk_styles),
            language_styles: Language::ALL.map(|language| {
                let styles = file.language_styles.get(language.code());
                styles.map_or_else(Vec::new, |names| texts(names))
            }),
            scripts: texts(&file.scripts),
            desk_scripts: texts(&file.desk_scripts),
            speculation_rules: Language::ALL.map(|language| {
                speculation::rules(&self.scripted_routes, &self.feed_routes, language)
            }),
            site: site.map_err(|problem| self.invalid(self.shell, "site", problem))?,
            failure: self.error_part("500")?,
            fragment_fallback: self.error_part("fragment")?,
        })
    }
}

/// Returns whether the name is valid in a header.
fn is_policy_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=64).contains(&name.len()) && name.bytes().all(is_part)
}
