//! References that a person and reception use to name a record.

use uuid::Uuid;

/// Letters and digits that are not confused when read aloud: without 0, 1, I, L, O and U.
const ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHARS_MAX: usize = 16;

/// Builds a reference such as `SH-7K3M-9QXD` from a random id. It is not a secret: it grants no access.
pub fn reference(prefix: &str, id: Uuid) -> String {
    // The low 62 bits of a UUID contain neither its version nor its variant.
    let mut rest = id.as_u128() & ((1 << 62) - 1);
    let mut letters = String::with_capacity(12);
    letters.push_str(prefix);
    letters.push('-');
    for place in 0..8 {
        if place == 4 {
            letters.push('-');
        }
        let letter = usize::try_from(rest % 30).unwrap_or_default();
        letters.push(char::from(ALPHABET[letter]));
        rest /= 30;
    }
    letters
}

/// An id or a reference, as given by a user.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Name {
    Id(Uuid),
    Reference(String),
}

impl Name {
    /// Parses an id, or a reference of at most 16 characters; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(id) = text.parse() {
            return Some(Self::Id(id));
        }
        let text = text.trim().to_ascii_uppercase();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let is_reference =
            !text.is_empty() && text.len() <= CHARS_MAX && text.chars().all(is_plain);
        is_reference.then_some(Self::Reference(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_uses_its_alphabet_and_parses_as_typed() {
        assert_eq!(reference("MS", Uuid::nil()), "MS-2222-2222");
        let one = reference("MS", Uuid::from_u128(u128::MAX));
        assert_ne!(one, reference("MS", Uuid::from_u128(31)));
        assert_eq!(one.len(), 12);
        let typed = format!(" {} ", one.to_ascii_lowercase());
        assert_eq!(Name::parse(&typed), Some(Name::Reference(one)));
        let id = Uuid::from_u128(7);
        assert_eq!(Name::parse(&id.to_string()), Some(Name::Id(id)));
        for other in ["", "  ", "MS 7K3M", "ಕ", "MS-7K3M-9QXD-MORE-OF-IT"] {
            assert_eq!(Name::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_reference_has_at_most_sixteen_characters() {
        let longest = "MS-7K3M-9QXD-ABC";
        let parsed = Name::parse(longest);
        assert_eq!(parsed, Some(Name::Reference(longest.to_owned())));
        assert_eq!(Name::parse(&format!("{longest}D")), None);
    }
}
