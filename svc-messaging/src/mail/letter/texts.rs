//! Texts to phones.

use super::short_date_time;
use crate::{
    mail::content::{AppointmentEvent as Event, Content},
    site::Site,
};

/// Longest text of one part in the alphabet of GSM.
const GSM_CHARS_MAX: usize = 160;
/// Longest text in UCS-2, in units of UTF-16: three parts of 67.
const UCS2_UNITS_MAX: usize = 3 * 67;

/// What a text is about. Each kind has a template of its own, registered with the telephone authority of India (DLT).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TextKind {
    Reminder,
    Cancelled,
}

/// How a text is encoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
    /// The alphabet of GSM, 160 characters in a part.
    Gsm7,
    /// Every character, 70 in a part.
    Ucs2,
}

impl Encoding {
    /// For the gateway.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gsm7 => "gsm7",
            Self::Ucs2 => "ucs2",
        }
    }
}

/// A text to a phone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Text {
    pub kind: TextKind,
    pub encoding: Encoding,
    pub text: String,
}

/// The text to a phone for a mail of this content; `None` where a text is not worth its price, or would say too much on a locked screen.
pub fn text_message(content: &Content, site: &Site) -> Option<Text> {
    let Content::Appointment(appointment) = content else {
        return None;
    };
    let (kind, said) = match appointment.event {
        Event::Reminder24h | Event::Reminder2h => {
            (TextKind::Reminder, "Reminder: your appointment is on")
        }
        Event::Cancelled => (TextKind::Cancelled, "Cancelled: your appointment on"),
        _ => return None,
    };
    let text = format!(
        "{}: {said} {}. Ref {}. Call {}",
        site.name,
        short_date_time(appointment.starts_at),
        appointment.reference,
        site.phone
    );
    Some(encoded(kind, &text))
}

fn encoded(kind: TextKind, text: &str) -> Text {
    if text.is_ascii() {
        let text = text
            .chars()
            // In the alphabet of GSM these take two places, or are not there.
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

    /// M8: `?` for every letter of a name in Kannada.
    #[test]
    fn a_text_keeps_its_letters() {
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
