//! Spam detection without puzzles for people.
//!
//! Each sign of spam has a weight, and the score of a message is their sum. Below [`SUSPICIOUS`] a message is accepted.
//! At or above it, a client that can run script is asked for a proof of work, which lowers the score a little. So a
//! person's borderline message passes, and a spammer's costs computing time. A message that stays suspicious is
//! quarantined. Its sender gets the usual response, and staff see it in a separate list. It is not forwarded until
//! staff release it. No message is lost.
//!
//! The only hard limit is per network: 60 messages an hour and 200 a day. Many people share a network, such as a mobile
//! provider's or the hospital's own. The limit is therefore far above normal use and far below a flood.

mod links;
pub mod proof;
mod sign;
mod text;
pub mod token;
mod words;

use crate::domain::NewMessage;
use sign::sign;
use token::Age;

pub use sign::Sign;

/// Score at which a message is suspicious.
pub const SUSPICIOUS: u32 = 40;
/// Score at which a message is quarantined without asking for a proof.
const CERTAIN: u32 = 100;
/// Reduction of the score by a proof of work.
const PROOF: u32 = 15;

/// Maximum messages from one network.
pub const OF_NETWORK_IN_HOUR_MAX: i64 = 60;
pub const OF_NETWORK_IN_DAY_MAX: i64 = 200;

/// Zero bits of a proof: 16 take about 65,000 attempts, 19 about half a million.
const BITS_MIN: u32 = 16;
const BITS_MAX: u32 = 19;

/// Minimum letters and digits for comparing texts. Shorter texts can be equal by chance.
const RECOGNISED_CHARS_MIN: usize = 40;

/// State of the sender's proof of work.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Proof {
    /// The sender cannot compute one, for example a form without script.
    #[default]
    Unable,
    /// The sender can compute one but has not yet.
    Able,
    Done,
}

/// Signs found in a message and its form.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Evidence {
    pub signs: Vec<Sign>,
    pub proof: Proof,
}

/// Counts of recent messages.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Recent {
    /// Messages with the same text in the last day.
    pub same_text: i64,
    /// Messages from the same e-mail address in the last hour.
    pub of_email: i64,
    pub of_network_in_hour: i64,
    pub of_network_in_day: i64,
}

/// Decision about a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verdict {
    Accept,
    /// Request a proof of work with this many bits.
    Prove {
        bits: u32,
    },
    Quarantine,
    /// Refused: the network is over its rate limit.
    TooMany,
}

/// A verdict and the signs it is based on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Names of the signs.
    pub signals: Vec<String>,
}

/// Hidden parts of a submitted form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form<'a> {
    /// Honeypot field, invisible to people.
    pub website: &'a str,
    pub age: Age,
    pub proof: Proof,
}

impl Form<'_> {
    /// Returns the signs of the form alone.
    pub fn signs(&self) -> Vec<Sign> {
        let mut signs = Vec::new();
        if !self.website.trim().is_empty() {
            signs.push(sign("honeypot", CERTAIN));
        }
        signs.extend(match self.age {
            // A page without script sends no token either.
            Age::Missing => Some(sign("no_token", 10)),
            Age::TooYoung => Some(sign("too_fast", SUSPICIOUS)),
            Age::TooOld => Some(sign("old_token", 15)),
            Age::Forged => Some(sign("forged_token", SUSPICIOUS)),
            Age::Human => None,
        });
        signs
    }
}

/// Collects the signs of a message and its form.
pub fn evidence(new: &NewMessage, form: &Form<'_>) -> Evidence {
    let mut signs = form.signs();
    signs.extend(text::signs(
        new.name.as_str(),
        new.subject.as_str(),
        new.message.as_str(),
        new.email(),
    ));
    Evidence {
        signs,
        proof: form.proof,
    }
}

/// Decides what happens to a message.
pub fn judge(evidence: &Evidence, recent: &Recent) -> Judgement {
    let mut signs = evidence.signs.clone();
    signs.extend(recent.signs());
    let score: u32 = signs.iter().map(|sign| sign.weight).sum();
    let lowered = score.saturating_sub(PROOF);
    let is_over = recent.of_network_in_hour >= OF_NETWORK_IN_HOUR_MAX
        || recent.of_network_in_day >= OF_NETWORK_IN_DAY_MAX;
    let verdict = match evidence.proof {
        _ if is_over => Verdict::TooMany,
        _ if score < SUSPICIOUS => Verdict::Accept,
        _ if score >= CERTAIN => Verdict::Quarantine,
        Proof::Done if lowered < SUSPICIOUS => Verdict::Accept,
        Proof::Able => Verdict::Prove {
            bits: (BITS_MIN + (score - SUSPICIOUS) / 20).min(BITS_MAX),
        },
        Proof::Done | Proof::Unable => Verdict::Quarantine,
    };
    Judgement {
        verdict,
        signals: signs.iter().map(|sign| sign.name.to_owned()).collect(),
    }
}

impl Recent {
    fn signs(&self) -> Vec<Sign> {
        let same_text = match self.same_text {
            ..=0 => 0,
            // One repeat is normal: a visitor who is unsure whether the first message arrived.
            1 => 15,
            2..=4 => SUSPICIOUS,
            _ => CERTAIN,
        };
        let of_email = match self.of_email {
            ..=3 => 0,
            4..=7 => 20,
            _ => 60,
        };
        let of_network = match self.of_network_in_hour {
            ..=19 => 0,
            20..=39 => 10,
            _ => 25,
        };
        [
            sign("same_text", same_text),
            sign("many_of_address", of_email),
            sign("many_of_network", of_network),
        ]
        .into_iter()
        .filter(|sign| sign.weight > 0)
        .collect()
    }
}

/// Returns the normalised text for recognising repeats: its letters and digits in lower case. `None` if the text is too
/// short.
pub fn text_to_recognise(text: &str) -> Option<String> {
    let letters: String = text
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    (letters.chars().count() >= RECOGNISED_CHARS_MIN).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(weight: u32, proof: Proof) -> Verdict {
        let evidence = Evidence {
            signs: vec![sign("links", weight)],
            proof,
        };
        judge(&evidence, &Recent::default()).verdict
    }

    #[test]
    fn a_proof_accepts_only_borderline_messages() {
        let prove = |bits| Verdict::Prove { bits };
        for (weight, unable, able, done) in [
            (0, Verdict::Accept, Verdict::Accept, Verdict::Accept),
            (39, Verdict::Accept, Verdict::Accept, Verdict::Accept),
            (40, Verdict::Quarantine, prove(16), Verdict::Accept),
            (54, Verdict::Quarantine, prove(16), Verdict::Accept),
            (55, Verdict::Quarantine, prove(16), Verdict::Quarantine),
            (60, Verdict::Quarantine, prove(17), Verdict::Quarantine),
            (99, Verdict::Quarantine, prove(18), Verdict::Quarantine),
            (
                100,
                Verdict::Quarantine,
                Verdict::Quarantine,
                Verdict::Quarantine,
            ),
        ] {
            assert_eq!(of(weight, Proof::Unable), unable, "{weight}");
            assert_eq!(of(weight, Proof::Able), able, "{weight}");
            assert_eq!(of(weight, Proof::Done), done, "{weight}");
        }
    }

    #[test]
    fn limits_a_network_and_tolerates_a_few_repeats() {
        let judged = |recent: Recent| judge(&Evidence::default(), &recent).verdict;
        let hour = |of_network_in_hour| Recent {
            of_network_in_hour,
            ..Recent::default()
        };
        assert_eq!(judged(hour(OF_NETWORK_IN_HOUR_MAX - 1)), Verdict::Accept);
        assert_eq!(judged(hour(OF_NETWORK_IN_HOUR_MAX)), Verdict::TooMany);
        let of_network_in_day = OF_NETWORK_IN_DAY_MAX;
        assert_eq!(
            judged(Recent {
                of_network_in_day,
                ..Recent::default()
            }),
            Verdict::TooMany
        );
        for (same_text, verdict) in [(1, Verdict::Accept), (2, Verdict::Quarantine)] {
            assert_eq!(
                judged(Recent {
                    same_text,
                    ..Recent::default()
                }),
                verdict
            );
        }
        for (of_email, verdict) in [(7, Verdict::Accept), (8, Verdict::Quarantine)] {
            assert_eq!(
                judged(Recent {
                    of_email,
                    ..Recent::default()
                }),
                verdict
            );
        }
    }

    #[test]
    fn form_fields_alone_are_signs() {
        let weight = |form: Form<'_>| form.signs().iter().map(|sign| sign.weight).sum::<u32>();
        let human = Form {
            age: Age::Human,
            ..Form::default()
        };
        assert_eq!(weight(human), 0);
        assert_eq!(
            weight(Form::default()),
            10,
            "a form without script is no crime"
        );
        assert!(
            weight(Form {
                website: "https://x.example",
                ..human
            }) >= CERTAIN
        );
        for age in [Age::TooYoung, Age::Forged] {
            assert!(weight(Form { age, ..human }) >= SUSPICIOUS);
        }
        assert!(
            weight(Form {
                age: Age::TooOld,
                ..human
            }) < SUSPICIOUS
        );
    }

    #[test]
    fn recognises_a_text_despite_other_spacing() {
        let text = "Dear sir, we offer the BEST loans in all of India, call now!";
        let other = "dear sir - we offer the best loans in all of   india. Call  NOW";
        assert_eq!(text_to_recognise(text), text_to_recognise(other));
        assert_eq!(text_to_recognise("Please call me back"), None);
        let text = "a".repeat(RECOGNISED_CHARS_MIN);
        assert_eq!(text_to_recognise(&text).as_ref(), Some(&text));
        assert_eq!(text_to_recognise(&text[1..]), None);
    }
}
