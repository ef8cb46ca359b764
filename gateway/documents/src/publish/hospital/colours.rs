//! Colours of a hospital, by role, and their contrast.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Deserialize;

/// Roles that a hospital chooses. The colours of danger and success are the same everywhere.
const ROLES: [&str; 14] = [
    "surface",
    "surface-raised",
    "surface-soft",
    "text",
    "text-soft",
    "on-strong",
    "line",
    "line-strong",
    "action",
    "action-strong",
    "action-soft",
    "accent",
    "accent-strong",
    "accent-soft",
];
const SURFACES: [&str; 3] = ["surface", "surface-raised", "surface-soft"];
/// Roles of text on every surface: WCAG 2.2 AA demands 4.5:1.
const TEXTS: [&str; 5] = [
    "text",
    "text-soft",
    "action",
    "action-strong",
    "accent-strong",
];
/// Further pairs of text and ground.
const PAIRS: [(&str, &str); 8] = [
    ("on-strong", "action"),
    ("on-strong", "action-strong"),
    ("accent", "action-strong"),
    ("text", "action-soft"),
    ("action", "action-soft"),
    ("action-strong", "action-soft"),
    ("text", "accent-soft"),
    ("text", "accent"),
];
const TEXT_CONTRAST_MIN: f64 = 4.5;
/// For borders of controls.
const BORDER_CONTRAST_MIN: f64 = 3.0;

/// Colours by role, each `#rrggbb`.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Colours(BTreeMap<String, String>);

impl Colours {
    /// Checks that every role has a colour, that there is no other role, and that the contrast suffices. An error has
    /// the role and the problem.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        if let Some(other) = self.0.keys().find(|role| !ROLES.contains(&role.as_str())) {
            return Err((other.clone(), "is no role of a colour".to_owned()));
        }
        for role in ROLES {
            let problem = match self.0.get(role) {
                None => "is missing",
                Some(colour) if channels(colour).is_none() => "must be like `#0b5563`",
                Some(_) => continue,
            };
            return Err((role.to_owned(), problem.to_owned()));
        }
        let on_surfaces = |roles: &'static [&str], min| {
            let pairs = move |role: &&'static str| SURFACES.map(|ground| (*role, ground, min));
            roles.iter().flat_map(pairs)
        };
        let pairs = PAIRS.map(|(role, ground)| (role, ground, TEXT_CONTRAST_MIN));
        let all = on_surfaces(&TEXTS, TEXT_CONTRAST_MIN)
            .chain(on_surfaces(&["line-strong"], BORDER_CONTRAST_MIN))
            .chain(pairs);
        for (role, ground, min) in all {
            let contrast = self.contrast(role, ground);
            if contrast < min {
                let problem =
                    format!("has a contrast of {contrast:.2}:1 on `{ground}`, less than {min}:1");
                return Err((role.to_owned(), problem));
            }
        }
        Ok(())
    }

    /// Returns the style sheet. It is in the layer of the shell's tokens and comes later, so it takes precedence.
    pub(super) fn style(&self) -> String {
        let mut roles = String::new();
        for (role, colour) in &self.0 {
            // Writing to a string cannot fail.
            let _ = write!(roles, "--{role}:{colour};");
        }
        // As the shell does for visitors who want more contrast.
        format!(
            "@layer tokens{{:root{{{roles}}}\
             @media (prefers-contrast:more){{:root{{--text-soft:{};--line:{};--action:{}}}}}}}",
            self.colour("text"),
            self.colour("line-strong"),
            self.colour("action-strong"),
        )
    }

    /// Returns the colour of the nameboard at the top of the window.
    pub(super) fn theme(&self) -> &str {
        self.colour("action-strong")
    }

    pub(super) fn background(&self) -> &str {
        self.colour("surface")
    }

    fn colour(&self, role: &str) -> &str {
        self.0.get(role).map_or("", String::as_str)
    }

    /// Returns the contrast ratio of WCAG 2.2.
    fn contrast(&self, one: &str, other: &str) -> f64 {
        let [one, other] = [one, other].map(|role| luminance(self.colour(role)) + 0.05);
        one.max(other) / one.min(other)
    }
}

fn channels(colour: &str) -> Option<[u8; 3]> {
    let digits = colour.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some([channel(0)?, channel(2)?, channel(4)?])
}

/// Returns the relative luminance of WCAG 2.2, 0 to 1.
fn luminance(colour: &str) -> f64 {
    let [red, green, blue] = channels(colour).unwrap_or_default().map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
