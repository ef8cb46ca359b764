//! What people type, parsed: one rule each for e-mail addresses, phone numbers, names and text.
//!
//! The browser has the same rules (`web-kit/form/src/rules.ts`), and both run the table of cases in `vectors/input.json`.
//!
//! **Nothing is changed silently but white space around a value and the kind of its line breaks; what cannot be seen is
//! refused.** Taking it out would store another text than was sent, and a reader could not tell two names apart that
//! differ. Refused are controls, bidi and other format characters, default-ignorable characters (zero width space, soft
//! hyphen, byte order mark, tags, variation selectors, fillers), private use, noncharacters and unassigned code points.
//! What spelling needs stays where it is needed:
//! - joiners (U+200C, U+200D) and shape selectors after a letter or mark of a script whose letters join: Arabic and its
//!   kin, the scripts of India and South-East Asia, Mongolian;
//! - joiners and U+FE0F inside of an emoji or a keycap;
//! - the signs of Arabic, Syriac and Kaithi that Unicode calls formats but that are drawn.
//!
//! A text in which nothing can be seen is empty, unless it has controls: those are always refused, so NUL reaches no
//! database. Only the server refuses unassigned code points: a browser may be older than a letter.
//!
//! Lengths are counted in characters (Unicode scalar values) after white space around the value is gone. `Debug` of every
//! type withholds the value, so that no log line has it.

mod unseen;

use std::fmt;

pub use crate::violation::{Rejection, Violation, Violations};

/// Longest address that SMTP can carry (RFC 5321, 4.5.3.1.3).
pub const EMAIL_CHARS_MAX: usize = 254;
/// RFC 5321, 4.5.3.1.1.
pub const EMAIL_LOCAL_CHARS_MAX: usize = 64;
/// RFC 1035, 2.3.4.
const DOMAIN_LABEL_CHARS_MAX: usize = 63;
/// E.164 allows 15 digits; fewer than 7 are no subscriber's number.
pub const PHONE_DIGITS_MIN: usize = 7;
pub const PHONE_DIGITS_MAX: usize = 15;
pub const PHONE_CHARS_MAX: usize = 32;
pub const NAME_CHARS_MAX: usize = 120;
pub const REQUEST_ID_CHARS_MIN: usize = 16;
pub const REQUEST_ID_CHARS_MAX: usize = 128;

const FILL_IN: &str = "Fill this in";
const EMAIL_WANTED: &str = "Enter an e-mail address such as name@example.com";
const PHONE_WANTED: &str = "Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000";
const NAME_WANTED: &str = "Enter a name with at least one letter";

/// Why a text is refused. `Display` says what to do about it, to the person who typed it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Problem {
    /// Nothing in it can be seen; holds what to do.
    #[error("{0}")]
    Empty(&'static str),
    #[error("Shorten this to {chars_max} characters")]
    TooLong { chars_max: usize },
    #[error("Write this on one line")]
    LineBreak,
    #[error("Remove the characters that cannot be seen, or type this again")]
    Unseen,
    #[error("{EMAIL_WANTED}")]
    NoEmail,
    #[error("{PHONE_WANTED}")]
    NoPhone,
    #[error("{NAME_WANTED}")]
    NoName,
    #[error(
        "Send an id of {REQUEST_ID_CHARS_MIN} to {REQUEST_ID_CHARS_MAX} visible ASCII characters, new for each request"
    )]
    NoRequestId,
}

impl Problem {
    /// Says `what_to_do` instead, if the text is empty.
    #[must_use]
    pub fn if_empty(self, what_to_do: &'static str) -> Self {
        match self {
            Self::Empty(_) => Self::Empty(what_to_do),
            other => other,
        }
    }
}

/// Of a field that may be left empty: `None` if it was.
pub fn optional<T>(parsed: Result<T, Problem>) -> Result<Option<T>, Problem> {
    match parsed {
        Ok(value) => Ok(Some(value)),
        Err(Problem::Empty(_)) => Ok(None),
        Err(problem) => Err(problem),
    }
}

macro_rules! parsed_texts {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $($(#[$doc])*
        #[derive(Clone, Eq, PartialEq, Hash)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }

            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(withheld)"))
            }
        })+
    };
}

parsed_texts! {
    /// An e-mail address by the rule of `<input type=email>` (HTML, 4.10.5.1.5) with a dot in its domain: ASCII, at most
    /// [`EMAIL_CHARS_MAX`] characters, [`EMAIL_LOCAL_CHARS_MAX`] of them before the `@`. Only a mail that arrives proves more.
    EmailAddress;

    /// A phone number as typed: [`PHONE_DIGITS_MIN`] to [`PHONE_DIGITS_MAX`] ASCII digits, among them spaces, hyphens, dots
    /// and round brackets, before them perhaps a `+`; at most [`PHONE_CHARS_MAX`] characters.
    PhoneNumber;

    /// A person's name: one line of at most [`NAME_CHARS_MAX`] characters with at least one letter, of whichever script.
    PersonName;

    /// One line of text. It may end up in the header of a mail.
    Line;

    /// Text with line breaks and tabs; every kind of line break is `\n`.
    Paragraphs;

    /// Names a create for ever (AIP-155): [`REQUEST_ID_CHARS_MIN`] to [`REQUEST_ID_CHARS_MAX`] visible ASCII characters.
    RequestId;
}

impl EmailAddress {
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let text = visible(text, EMAIL_WANTED)?;
        if text.chars().count() > EMAIL_CHARS_MAX {
            return Err(Problem::TooLong {
                chars_max: EMAIL_CHARS_MAX,
            });
        }
        refuse_unseen(text.chars())?;
        if is_email(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Problem::NoEmail)
        }
    }
}

impl PhoneNumber {
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let text = visible(text, PHONE_WANTED)?;
        refuse_unseen(text.chars())?;
        if is_phone(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Problem::NoPhone)
        }
    }
}

impl PersonName {
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let line =
            Line::parse(text, NAME_CHARS_MAX).map_err(|problem| problem.if_empty(NAME_WANTED))?;
        if line.0.chars().any(char::is_alphabetic) {
            Ok(Self(line.0))
        } else {
            Err(Problem::NoName)
        }
    }
}

impl Line {
    /// Of 1 to `chars_max` characters.
    pub fn parse(text: &str, chars_max: usize) -> Result<Self, Problem> {
        let text = visible(text, FILL_IN)?;
        if text.chars().count() > chars_max {
            return Err(Problem::TooLong { chars_max });
        }
        if text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
            return Err(Problem::LineBreak);
        }
        refuse_unseen(text.chars())?;
        Ok(Self(text.to_owned()))
    }
}

impl Paragraphs {
    /// Of 1 to `chars_max` characters; a line break is one, however it was sent.
    pub fn parse(text: &str, chars_max: usize) -> Result<Self, Problem> {
        let text = text
            .replace("\r\n", "\n")
            .replace(['\r', '\u{2028}', '\u{2029}'], "\n");
        let text = visible(&text, FILL_IN)?;
        if text.chars().count() > chars_max {
            return Err(Problem::TooLong { chars_max });
        }
        let as_space = |character| match character {
            '\n' | '\t' => ' ',
            other => other,
        };
        refuse_unseen(text.chars().map(as_space))?;
        Ok(Self(text.to_owned()))
    }
}

impl RequestId {
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let lengths = REQUEST_ID_CHARS_MIN..=REQUEST_ID_CHARS_MAX;
        if lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Problem::NoRequestId)
        }
    }
}

/// What an e-mail address is looked up by: nobody relies on a mailbox whose name differs from another one's in case only.
pub fn email_to_look_up(email: &str) -> String {
    email.trim().to_lowercase()
}

/// What a telephone number is looked up by: E.164 such as `+918000000199`. A number of ten digits without a country is one of
/// India, with or without the trunk prefix `0`; `00` before a country stands for `+`. Any other number without a country stands as
/// its digits: a guessed country would join two people.
pub fn phone_to_look_up(phone: &str) -> String {
    /// The country of a number that names none.
    const INDIA: &str = "91";
    /// Shortest country and number together that `00` may stand before.
    const INTERNATIONAL_DIGITS_MIN: usize = 8;
    let typed: String = phone.chars().filter(char::is_ascii_digit).collect();
    let after_prefix = typed
        .strip_prefix("00")
        .filter(|rest| rest.len() >= INTERNATIONAL_DIGITS_MIN && !rest.starts_with('0'));
    let has_plus = phone.trim_start().starts_with('+');
    let (digits, has_country) = match after_prefix {
        Some(rest) if !has_plus => (rest, true),
        _ => (typed.as_str(), has_plus),
    };
    let without_trunk = |digits| str::strip_prefix(digits, "0").unwrap_or(digits);
    let of_india = if has_country {
        digits.strip_prefix(INDIA).map(without_trunk)
    } else {
        let bare = without_trunk(digits);
        let national = bare.strip_prefix(INDIA).map(without_trunk);
        national.filter(|number| is_national(number)).or(Some(bare))
    };
    match of_india.filter(|number| is_national(number)) {
        Some(national) => format!("+{INDIA}{national}"),
        None if has_country => format!("+{digits}"),
        None => typed,
    }
}

/// Whether these digits are a whole number in India, without country and trunk prefix.
fn is_national(digits: &str) -> bool {
    const DIGITS: usize = 10;
    digits.len() == DIGITS && !digits.starts_with('0')
}

/// The text without white space around it, if there is anything to see.
fn visible<'a>(text: &'a str, wanted: &'static str) -> Result<&'a str, Problem> {
    if unseen::is_blank(text) {
        Err(Problem::Empty(wanted))
    } else {
        Ok(text.trim())
    }
}

fn refuse_unseen(text: impl Iterator<Item = char> + Clone) -> Result<(), Problem> {
    if unseen::has_unseen(text) {
        Err(Problem::Unseen)
    } else {
        Ok(())
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let is_local =
        |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let is_label = |label: &str| {
        (1..=DOMAIN_LABEL_CHARS_MAX).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    (1..=EMAIL_LOCAL_CHARS_MAX).contains(&local.len())
        && local.bytes().all(is_local)
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let number = text.strip_prefix('+').unwrap_or(text);
    text.len() <= PHONE_CHARS_MAX
        && (PHONE_DIGITS_MIN..=PHONE_DIGITS_MAX).contains(&digits)
        && number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b" -.()".contains(&byte))
}

#[cfg(test)]
mod tests;
