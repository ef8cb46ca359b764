//! Detection of invisible characters, and of the places where some of them are needed.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        DefaultIgnorableCodePoint, EmojiModifier, ExtendedPictographic, GeneralCategory,
        GeneralCategoryGroup,
    },
};

const ZERO_WIDTH_JOINER: char = '\u{200d}';
/// Requests the emoji form of the preceding character.
const EMOJI_SELECTOR: char = '\u{fe0f}';
/// Draws a keycap around the preceding character.
const KEYCAP: char = '\u{20e3}';
const BRAILLE_BLANK: char = '\u{2800}';

/// Returns whether the text has an invisible character where it is not needed.
///
/// `\n` and `\t` count too; a caller that allows them replaces them first.
pub(super) fn has_unseen(text: impl Iterator<Item = char> + Clone) -> bool {
    let mut rest = text;
    let mut before = Before::default();
    while let Some(character) = rest.next() {
        if is_unseen(character) && !before.needs(character, rest.clone().next()) {
            return true;
        }
        before.push(character);
    }
    false
}

/// Returns whether the text has no visible characters. Controls do not count as empty, because they are refused.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|character| {
        character.is_whitespace()
            || character == BRAILLE_BLANK
            || (is_ignorable(character) && !is_visible_format(character))
    })
}

/// Returns the length of the longest run of combining marks.
pub(super) fn longest_run_of_marks(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if GeneralCategoryGroup::Mark.contains(category(character)) {
            run + 1
        } else {
            0
        };
        longest = longest.max(run);
    }
    longest
}

/// Returns whether the character is a control, a format (bidi included), default-ignorable, private use or unassigned.
fn is_unseen(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    match category(character) {
        GeneralCategory::Control | GeneralCategory::PrivateUse | GeneralCategory::Unassigned => {
            true
        }
        _ => is_ignorable(character) && !is_visible_format(character),
    }
}

fn is_ignorable(character: char) -> bool {
    category(character) == GeneralCategory::Format || is_default_ignorable(character)
}

fn is_default_ignorable(character: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

fn category(character: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(character)
}

/// Returns whether this is a sign of Arabic, Syriac or Kaithi drawn around the following digits
/// (Prepended_Concatenation_Mark).
fn is_visible_format(character: char) -> bool {
    matches!(
        character,
        '\u{600}'
            ..='\u{605}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{890}'
                | '\u{891}'
                | '\u{8e2}'
                | '\u{110bd}'
                | '\u{110cd}'
    )
}

/// Returns whether this is a joiner, or a selector of letter shapes in Mongolian, Phags-pa or Myanmar.
fn shapes_letters(character: char) -> bool {
    matches!(
        character,
        '\u{200c}' | '\u{200d}' | '\u{fe00}' | '\u{180b}'..='\u{180f}'
    )
}

/// Returns whether this is a letter or mark of a script whose letters join. By block: Arabic to Mandaic, Devanagari to
/// Sinhala, Myanmar, Khmer to Mongolian, Vedic signs, Phags-pa, Devanagari Extended to Myanmar Extended-B, Myanmar
/// Extended-A, Meetei Mayek, Brahmi to Gunjala Gondi, Adlam.
fn joins(character: char) -> bool {
    let in_block = matches!(
        character,
        '\u{600}'..='\u{dff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{18af}'
            | '\u{1cd0}'..='\u{1cff}'
            | '\u{a840}'..='\u{a87f}'
            | '\u{a8e0}'..='\u{a9ff}'
            | '\u{aa60}'..='\u{aa7f}'
            | '\u{abc0}'..='\u{abff}'
            | '\u{11000}'..='\u{11fff}'
            | '\u{1e900}'..='\u{1e95f}'
    );
    let category = category(character);
    in_block
        && (GeneralCategoryGroup::Letter.contains(category)
            || GeneralCategoryGroup::Mark.contains(category))
        && !is_default_ignorable(character)
}

fn is_pictograph(character: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(character)
}

fn begins_emoji(character: char) -> bool {
    is_pictograph(character) || CodePointSetData::new::<EmojiModifier>().contains(character)
}

/// The two preceding characters.
#[derive(Default)]
struct Before {
    last: Option<char>,
    last_but_one: Option<char>,
}

impl Before {
    fn push(&mut self, character: char) {
        self.last_but_one = self.last.replace(character);
    }

    /// Returns whether the text at this place is spelled or drawn with `character`.
    fn needs(&self, character: char, next: Option<char>) -> bool {
        let Some(last) = self.last else { return false };
        match character {
            _ if shapes_letters(character) && joins(last) => true,
            ZERO_WIDTH_JOINER => {
                let emoji = if last == EMOJI_SELECTOR {
                    self.last_but_one
                } else {
                    Some(last)
                };
                emoji.is_some_and(begins_emoji) && next.is_some_and(is_pictograph)
            }
            EMOJI_SELECTOR => {
                let is_key = last.is_ascii_digit() || last == '#' || last == '*';
                begins_emoji(last) || (is_key && next == Some(KEYCAP))
            }
            _ => false,
        }
    }
}
