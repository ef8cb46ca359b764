//! Links in the text of a message.

use super::words::{BAD_HOSTS, BARE_ENDS};

/// Minimum number of bare domains to count as links; fewer are run-on sentences.
const BARE_MIN: u32 = 3;

/// Links in a text.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Bare domains count only if there are at least [`BARE_MIN`].
    pub(super) count: u32,
    /// Whether one of them is on one of [`BAD_HOSTS`].
    pub(super) bad: bool,
    pub(super) other_words: usize,
}

impl Links {
    pub(super) fn of(text: &str) -> Self {
        let mut links = Self::default();
        let mut bare_count = 0;
        let is_end = |letter: char| letter.is_whitespace() || "<>()[]\"',;|".contains(letter);
        for word in text.to_lowercase().split(is_end) {
            let word = word.trim_matches(|letter: char| ".:!?*_".contains(letter));
            if let Some(host) = url_host(word) {
                links.count += 1;
                links.bad |= BAD_HOSTS.iter().any(|bad| is_host(host, bad));
            } else {
                bare_count += u32::from(is_bare_domain(word));
                links.other_words += usize::from(word.chars().any(char::is_alphabetic));
            }
        }
        if bare_count >= BARE_MIN {
            links.count += bare_count;
        }
        links
    }

    pub(super) fn weight(&self) -> u32 {
        match self.count {
            0 => 0,
            1 => 10,
            2 => 20,
            3 => 40,
            _ => 75,
        }
    }
}

/// Returns whether a host is the `listed` host, is below it, or has the `listed` suffix, such as `.xyz`.
fn is_host(host: &str, listed: &str) -> bool {
    let Some(above) = host.strip_suffix(listed) else {
        return false;
    };
    above.is_empty() || above.ends_with('.') || listed.starts_with('.')
}

/// Returns the host of a word that is a URL. Such a word has an http scheme, starts with `www.`, or is a short link
/// with a path. Any other word with a dot is a run-on sentence, such as `Knee pain.in left leg`.
fn url_host(word: &str) -> Option<&str> {
    let (is_url, rest) = match word.split_once("://") {
        Some((scheme, rest)) => (scheme.ends_with("http") || scheme.ends_with("https"), rest),
        None => (word.starts_with("www."), word),
    };
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let is_short_link =
        || rest.contains('/') && BAD_HOSTS.contains(&host) && !host.starts_with('.');
    (is_url || is_short_link()).then_some(host)
}

/// Returns whether a word is a domain without a scheme, such as `example.com`.
fn is_bare_domain(word: &str) -> bool {
    let name = BARE_ENDS.iter().find_map(|end| word.strip_suffix(end));
    name.is_some_and(|name| {
        !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    })
}
