//! Text messages to phones.

use service_kit::language::Language;

use super::language::{Words, key};
use crate::{
    mail::content::{AppointmentEvent as Event, Content},
    site::Site,
};

/// Maximum length of a single-part GSM-7 text, in characters.
const GSM_CHARS_MAX: usize = 160;
/// Maximum length of an English UCS-2 text, in UTF-16 units: three parts of 67.
const UCS2_UNITS_MAX: usize = 3 * 67;
/// Maximum length of a text in another language, in UTF-16 units: two parts. A part has 70 units, of which 3 join it to
/// the other part.
const TRANSLATED_UNITS_MAX: usize = 2 * 67;

/// Kind of a text message. Each kind has its own template, registered on India's DLT platform.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TextKind {
    Reminder,
    Cancelled,
}

/// Encoding of a text message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
    /// GSM 7-bit alphabet, 160 characters per part.
    Gsm7,
    /// Any Unicode character, 70 units per part.
    Ucs2,
}

impl Encoding {
    /// Returns the encoding's name in gateway requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gsm7 => "gsm7",
            Self::Ucs2 => "ucs2",
        }
    }
}

/// A text message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Text {
    pub kind: TextKind,
    pub encoding: Encoding,
    pub text: String,
}

/// Returns the text message for a mail in a language; `site` has the facts in that language. `None` if a text is not
/// worth its cost or would reveal too much on a locked screen.
pub fn text_message(content: &Content, language: Option<Language>, site: &Site) -> Option<Text> {
    let Content::Appointment(appointment) = content else {
        return None;
    };
    let (kind, said) = match appointment.event {
        Event::Reminder24h | Event::Reminder2h => (
            TextKind::Reminder,
            key!(
                "{hospital}: Reminder: your appointment is on {when}. Ref {reference}. Call {phone}"
            ),
        ),
        Event::Cancelled => (
            TextKind::Cancelled,
            key!(
                "{hospital}: Cancelled: your appointment on {when}. Ref {reference}. Call {phone}"
            ),
        ),
        _ => return None,
    };
    let words = Words(language);
    let when = words.short_date_time(appointment.starts_at);
    let of = |hospital: &str| {
        let values = [
            ("hospital", hospital),
            ("when", &when),
            ("reference", &appointment.reference),
            ("phone", &site.phone),
        ];
        words.fill(said, &values)
    };
    let text = of(&site.name);
    let is_long = text.encode_utf16().count() > TRANSLATED_UNITS_MAX;
    if language.is_some() && is_long {
        // The sender id names the hospital too. Reference and phone number must not be cut off.
        let unnamed = of("");
        return Some(encoded(kind, unnamed.trim_start_matches([':', ' '])));
    }
    Some(encoded(kind, &text))
}

fn encoded(kind: TextKind, text: &str) -> Text {
    if text.is_ascii() {
        let text = text
            .chars()
            // GSM-7 encodes these in two units or not at all.
            .map(|character| {
                if "[]{}\\^~|`".contains(character) {
                    '-'
                } else {
                    character
                }
            })
            .take(GSM_CHARS_MAX)
            .collect();
        return Text {
            kind,
            encoding: Encoding::Gsm7,
            text,
        };
    }
    let mut units = 0;
    let fits = |character: &char| {
        units += character.len_utf16();
        units <= UCS2_UNITS_MAX
    };
    Text {
        kind,
        encoding: Encoding::Ucs2,
        text: text.chars().take_while(fits).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M8: regression test; Kannada letters were replaced by `?`.
    #[test]
    fn a_text_message_keeps_its_characters() {
        let text = encoded(TextKind::Reminder, "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ: reminder [x]");
        assert_eq!(text.encoding, Encoding::Ucs2);
        assert_eq!(text.text, "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ: reminder [x]");
        let long = encoded(TextKind::Reminder, &"ಸ".repeat(300));
        assert_eq!(long.text.encode_utf16().count(), 201);
        let plain = encoded(TextKind::Reminder, &"a[".repeat(100));
        assert_eq!(plain.encoding, Encoding::Gsm7);
        assert_eq!(plain.text, "a-".repeat(80));
    }
}
