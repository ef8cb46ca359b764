//! Declared skeletons. Every document contains all of them, so each is a short line of text.

use super::builder::Mistake;
use crate::publish::manifest::Skeleton;

const COUNT_MAX: u8 = 12;
const LABEL_BYTES_MAX: usize = 60;

/// Formats a skeleton as `route shape count label`.
///
/// # Errors
/// When the skeleton is too large or contains characters that separate lines.
pub(super) fn line(route: &str, skeleton: &Skeleton) -> Result<String, Mistake> {
    let Skeleton {
        shape,
        count,
        label,
    } = skeleton;
    let is_word = !shape.is_empty() && shape.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_label = (1..=LABEL_BYTES_MAX).contains(&label.len())
        && !label.contains('|')
        && !label.chars().any(char::is_control);
    if !is_word || !is_label || !(1..=COUNT_MAX).contains(count) {
        let problem = format!(
            "needs a shape in small letters, a count from 1 to {COUNT_MAX} and a label of at most {LABEL_BYTES_MAX} bytes"
        );
        return Err(("skeleton", problem));
    }
    Ok(format!("{route} {shape} {count} {label}"))
}

/// Joins formatted skeletons as `route shape count`.
pub(super) fn without_labels(lines: &[String]) -> String {
    let words = lines.iter().map(|line| line.splitn(4, ' ').take(3));
    let lines = words.map(|words| words.collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("|")
}
