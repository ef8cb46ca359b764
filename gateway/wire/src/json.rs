//! Reads JSON (RFC 8259) from front to back, strictly, and builds only what is requested.

use std::{borrow::Cow, collections::HashSet};

/// Maximum nesting of objects and lists.
pub(super) const DEPTH_MAX: usize = 64;

/// Reason why a body cannot be read to its end.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Unreadable {
    /// The body is not JSON.
    #[error("the text is not JSON")]
    Malformed,
    /// More than 64 nested objects and lists.
    #[error("the text has more than {DEPTH_MAX} nested objects and lists")]
    TooDeep,
}

/// Type of a value, known from its first byte.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Token {
    Object,
    List,
    String,
    Number,
    True,
    False,
    Null,
}

#[derive(Debug)]
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
}

type Read<T> = Result<T, Unreadable>;

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.byte() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: u8) -> Read<()> {
        self.skip_space();
        self.take(wanted).then_some(()).ok_or(Unreadable::Malformed)
    }

    /// Returns the type of the next value.
    pub(super) fn peek(&mut self) -> Read<Token> {
        self.skip_space();
        match self.byte() {
            Some(b'{') => Ok(Token::Object),
            Some(b'[') => Ok(Token::List),
            Some(b'"') => Ok(Token::String),
            Some(b'-' | b'0'..=b'9') => Ok(Token::Number),
            Some(b't') => Ok(Token::True),
            Some(b'f') => Ok(Token::False),
            Some(b'n') => Ok(Token::Null),
            _ => Err(Unreadable::Malformed),
        }
    }

    /// Skips an empty text, if one comes next. Returns whether it did.
    pub(super) fn passes_empty_text(&mut self) -> bool {
        self.skip_space();
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_empty = rest.starts_with(b"\"\"");
        self.at += if is_empty { 2 } else { 0 };
        is_empty
    }

    /// Fails unless the text ends here.
    pub(super) fn end(&mut self) -> Read<()> {
        self.skip_space();
        let is_end = self.at == self.text.len();
        is_end.then_some(()).ok_or(Unreadable::Malformed)
    }

    /// Reads `true`, `false` or `null`.
    pub(super) fn word(&mut self, word: &str) -> Read<()> {
        self.skip_space();
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(Unreadable::Malformed);
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads a number, and returns its text, which follows the grammar.
    pub(super) fn number(&mut self) -> Read<&'a str> {
        self.skip_space();
        let length = number_length(&self.text.as_bytes()[self.at..]);
        let start = self.at;
        self.at += length.ok_or(Unreadable::Malformed)?;
        Ok(&self.text[start..self.at])
    }

    /// Reads a string, and returns it without its quotes and escapes.
    pub(super) fn string(&mut self) -> Read<Cow<'a, str>> {
        self.expect(b'"')?;
        let mut decoded: Option<String> = None;
        let mut start = self.at;
        loop {
            let byte = self.byte().ok_or(Unreadable::Malformed)?;
            match byte {
                b'"' | b'\\' => {
                    let run = &self.text[start..self.at];
                    self.at += 1;
                    if byte == b'"' {
                        return Ok(match decoded {
                            None => Cow::Borrowed(run),
                            Some(text) => Cow::Owned(text + run),
                        });
                    }
                    let text = decoded.get_or_insert_default();
                    text.push_str(run);
                    text.push(self.escape()?);
                    start = self.at;
                }
                0..=0x1f => return Err(Unreadable::Malformed),
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let byte = self.byte().ok_or(Unreadable::Malformed)?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.code_unit()?;
                let mut units = vec![unit];
                if (0xd800..0xdc00).contains(&unit) && self.take(b'\\') && self.take(b'u') {
                    units.push(self.code_unit()?);
                }
                // Half of a surrogate pair is not a character.
                let mut characters = char::decode_utf16(units);
                match (characters.next(), characters.next()) {
                    (Some(Ok(character)), None) => character,
                    _ => return Err(Unreadable::Malformed),
                }
            }
            _ => return Err(Unreadable::Malformed),
        })
    }

    fn code_unit(&mut self) -> Read<u16> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let digits = digits.ok_or(Unreadable::Malformed)?;
        let mut unit = 0;
        for digit in digits {
            let value = char::from(*digit).to_digit(16);
            let value = value.and_then(|value| u16::try_from(value).ok());
            unit = unit << 4 | value.ok_or(Unreadable::Malformed)?;
        }
        self.at += 4;
        Ok(unit)
    }

    /// Enters an object or a list. `depth` is its level of nesting, 1 for the outermost.
    pub(super) fn open(&mut self, bracket: u8, depth: usize) -> Read<()> {
        if depth > DEPTH_MAX {
            return Err(Unreadable::TooDeep);
        }
        self.expect(bracket)
    }

    /// Whether another element follows; if not, leaves the list. `is_first`: no element has been read yet.
    pub(super) fn next_element(&mut self, is_first: bool) -> Read<bool> {
        self.next(b']', is_first)
    }

    /// Reads the key of the next member and its colon. Returns `None` at the end of the object, and leaves it.
    pub(super) fn next_key(&mut self, is_first: bool) -> Read<Option<Cow<'a, str>>> {
        if !self.next(b'}', is_first)? {
            return Ok(None);
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(Some(key))
    }

    fn next(&mut self, closing: u8, is_first: bool) -> Read<bool> {
        self.skip_space();
        if self.take(closing) {
            return Ok(false);
        }
        if !is_first {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// Skips a value of any type.
    pub(super) fn skip(&mut self, depth: usize) -> Read<()> {
        self.pass(depth, false).map(drop)
    }

    /// Returns the text of a value, and whether no object in it has a key twice.
    pub(super) fn raw(&mut self, depth: usize) -> Read<(&'a str, bool)> {
        self.skip_space();
        let start = self.at;
        let is_unique = self.pass(depth, true)?;
        Ok((&self.text[start..self.at], is_unique))
    }

    fn pass(&mut self, depth: usize, remembers_keys: bool) -> Read<bool> {
        let mut is_unique = true;
        let mut is_first = true;
        match self.peek()? {
            Token::String => drop(self.string()?),
            Token::Number => drop(self.number()?),
            Token::True => self.word("true")?,
            Token::False => self.word("false")?,
            Token::Null => self.word("null")?,
            Token::List => {
                self.open(b'[', depth + 1)?;
                while self.next_element(is_first)? {
                    is_first = false;
                    is_unique &= self.pass(depth + 1, remembers_keys)?;
                }
            }
            Token::Object => {
                self.open(b'{', depth + 1)?;
                let mut keys = HashSet::new();
                while let Some(key) = self.next_key(is_first)? {
                    is_first = false;
                    if remembers_keys {
                        is_unique &= keys.insert(key);
                    }
                    is_unique &= self.pass(depth + 1, remembers_keys)?;
                }
            }
        }
        Ok(is_unique)
    }
}

/// Whether a text is exactly one JSON number.
pub(super) fn is_number(text: &str) -> bool {
    number_length(text.as_bytes()) == Some(text.len())
}

/// Returns the length in bytes of the number that `bytes` begins with.
fn number_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit());
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(at).count();
    let has_leading_zero = bytes.get(at) == Some(&b'0') && whole > 1;
    if whole == 0 || has_leading_zero {
        return None;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1).count();
        at += 1 + (fraction > 0).then_some(fraction)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at).count();
        at += (exponent > 0).then_some(exponent)?;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Option<String> {
        let mut parser = Parser::new(text);
        let string = parser.string().ok()?;
        parser.end().ok()?;
        Some(string.into_owned())
    }

    #[test]
    fn reads_strings_like_serde_json() {
        for text in [
            r#""""#,
            r#""plain""#,
            r#""a\"b\\c\/d\b\f\n\r\t""#,
            r#""\u00e9\u20AC\ud83d\ude00""#,
            r#""\ud83d""#,
            r#""\ude00\ud83d""#,
            r#""\ud83dx""#,
            r#""\ud83d\n""#,
            r#""\ud83d\u0041""#,
            r#""\u00g1""#,
            r#""\u+123""#,
            r#""\u12"#,
            r#""\x""#,
            "\"\u{7f}\u{1f600}\"",
            "\"\n\"",
            "\"open",
            "\"\\",
        ] {
            let expected: Option<String> = serde_json::from_str(text).ok();
            assert_eq!(string(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_follow_the_grammar() {
        for text in ["0", "-0", "10", "-1.5", "1e3", "1E+3", "0.1e-7"] {
            assert!(is_number(text), "{text}");
        }
        for text in [
            "", "-", "01", "-01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1 ", "NaN",
        ] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(Parser::new(&nested(DEPTH_MAX)).skip(0), Ok(()));
        let deeper = nested(DEPTH_MAX + 1);
        assert_eq!(Parser::new(&deeper).skip(0), Err(Unreadable::TooDeep));
        let open = "[{\"a\":".repeat(100_000);
        assert_eq!(Parser::new(&open).skip(0), Err(Unreadable::TooDeep));
    }
}
