//! Parsers for user input: one rule each for e-mail addresses, phone numbers, names and text.
//!
//! The browser has the same rules (`web-kit/form/src/rules.ts`). Both run the cases in `vectors/input.json`.
//!
//! **Only surrounding white space and the kind of line breaks are changed silently. Invisible characters are refused.**
//! Removing them would store a text that was not sent. Keeping them would let different names look the same. Refused
//! are controls, bidi and other format characters, default-ignorable characters (zero width space, soft hyphen, byte
//! order mark, tags, variation selectors, fillers), private use, noncharacters and unassigned code points. Characters
//! that spelling needs are kept where they are needed:
//! - joiners (U+200C, U+200D) and shape selectors after a letter or mark of a script whose letters join: Arabic and
//!   related scripts, the scripts of India and South-East Asia, Mongolian;
//! - joiners and U+FE0F inside an emoji or a keycap;
//! - the signs of Arabic, Syriac and Kaithi that are visible although Unicode classifies them as format characters.
//!
//! A text without visible characters counts as empty, unless it has controls. Controls are always refused, so NUL never
//! reaches a database. Only the server refuses unassigned code points, because a browser may be older than a letter.
//!
//! Lengths are counted in characters (Unicode scalar values) after trimming. `Debug` of every type withholds the value,
//! so it never appears in logs.

mod own;
mod unseen;

use std::fmt;

pub use own::OwnMailboxes;

pub use crate::violation::{Rejection, Violation, Violations};

/// Maximum length of an address that SMTP can carry (RFC 5321, 4.5.3.1.3).
pub const EMAIL_CHARS_MAX: usize = 254;
/// RFC 5321, 4.5.3.1.1.
pub const EMAIL_LOCAL_CHARS_MAX: usize = 64;
/// RFC 1035, 2.3.4.
const DOMAIN_LABEL_CHARS_MAX: usize = 63;
/// E.164 allows at most 15 digits; fewer than 7 are not a subscriber's number.
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
/// Maximum combining marks in a row; Tibetan and Vedic spelling needs three.
const MARKS_MAX: usize = 4;

/// Why a text is refused. `Display` gives the instruction for the person who typed it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Problem {
    /// No visible characters; holds the instruction.
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
    /// A spreadsheet would evaluate it as a formula.
    #[error("Begin the name with a letter")]
    Formula,
    /// Mail programs would turn it into a link.
    #[error("Enter a name without a web address")]
    Link,
    #[error("Remove the extra marks above or below the letters")]
    Marks,
    #[error(
        "Send an id of {REQUEST_ID_CHARS_MIN} to {REQUEST_ID_CHARS_MAX} visible ASCII characters, new for each request"
    )]
    NoRequestId,
}

impl Problem {
    /// Replaces the instruction of [`Self::Empty`] with `what_to_do`.
    #[must_use]
    pub fn if_empty(self, what_to_do: &'static str) -> Self {
        match self {
            Self::Empty(_) => Self::Empty(what_to_do),
            other => other,
        }
    }
}

/// Treats an empty optional field as `None`.
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
    /// E-mail address by the rule of `<input type=email>` (HTML, 4.10.5.1.5), ASCII only. The domain needs a dot. The
    /// local part must not begin or end with a dot, or have two in a row. At most [`EMAIL_CHARS_MAX`] characters,
    /// [`EMAIL_LOCAL_CHARS_MAX`] of them before the `@`. Only a delivered mail proves more.
    EmailAddress;

    /// Phone number as typed: an optional `+`, then [`PHONE_DIGITS_MIN`] to [`PHONE_DIGITS_MAX`] ASCII digits. Spaces,
    /// hyphens, dots and round brackets are allowed among them. At most [`PHONE_CHARS_MAX`] characters.
    PhoneNumber;

    /// Person's name: one line of at most [`NAME_CHARS_MAX`] characters with at least one letter of any script. Staff
    /// see it in lists and mails. It must not begin like a formula or contain a web address, and has at most
    /// 4 combining marks in a row.
    PersonName;

    /// One line of text, which may end up in a mail header.
    Line;

    /// Text with line breaks and tabs; all line breaks are normalised to `\n`.
    Paragraphs;

    /// Permanent id of a create (AIP-155): [`REQUEST_ID_CHARS_MIN`] to [`REQUEST_ID_CHARS_MAX`] visible ASCII
    /// characters.
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
        if !line.0.chars().any(char::is_alphabetic) {
            Err(Problem::NoName)
        } else if begins_as_formula(&line.0) {
            Err(Problem::Formula)
        } else if has_web_address(&line.0) {
            Err(Problem::Link)
        } else if unseen::longest_run_of_marks(&line.0) > MARKS_MAX {
            Err(Problem::Marks)
        } else {
            Ok(Self(line.0))
        }
    }
}

impl Line {
    /// Parses a line of 1 to `chars_max` characters.
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
    /// Parses a text of 1 to `chars_max` characters; any kind of line break counts as one.
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

/// Returns the lookup form of an e-mail address: lower case, because no one relies on mailboxes that differ only in
/// case.
pub fn email_to_look_up(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Returns the lookup form of a phone number: E.164 such as `+918000000199`. A ten-digit number without a country code
/// is Indian, with or without the trunk prefix `0`. So is `91` followed by such a number. `00` before a country code
/// stands for `+`. Any other number without a country code stays as its digits, because a guessed country could merge
/// two people.
pub fn phone_to_look_up(phone: &str) -> String {
    /// Country code of a number that names none.
    const INDIA: &str = "91";
    /// Minimum digits of country code and number after a `00` prefix.
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

/// Returns whether the digits are a complete Indian number, without country code and trunk prefix.
fn is_national(digits: &str) -> bool {
    const DIGITS: usize = 10;
    digits.len() == DIGITS && !digits.starts_with('0')
}

/// Returns the trimmed text, if it has visible characters.
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
        // RFC 5321, 4.1.2: mail servers reject other dots.
        && !local.split('.').any(str::is_empty)
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

/// Returns whether a spreadsheet would evaluate the name; full-width signs count too.
fn begins_as_formula(name: &str) -> bool {
    name.starts_with(['=', '+', '@', '-', '＝', '＋', '＠', '－'])
}

fn has_web_address(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split_whitespace();
    lower.contains("://") || words.any(|word| word.starts_with("www."))
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
