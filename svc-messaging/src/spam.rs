//! Tells people from robots without a puzzle for people.
//!
//! Each sign that speaks for a robot has a weight; their sum is the score of a message. Below [`SUSPICIOUS`] it is taken like any other.
//! From there on whoever can is asked for a proof of work, which lowers the score a little: a person's borderline message passes, and
//! a robot's costs something. What stays suspicious goes into quarantine: it is answered like any other, shown to staff apart, and
//! sent to nobody until somebody releases it. No message is lost.
//!
//! The one hard bound is a network's: 60 messages an hour and 200 a day. Many people share a network (a mobile provider, the
//! hospital's own), so it is far above what people send and far below what a flood is.

pub mod proof;
mod text;
pub mod token;
mod words;

use crate::domain::NewMessage;
use token::Age;

/// Score from which a message is suspicious.
pub const SUSPICIOUS: u32 = 40;
/// Score from which nobody is asked for a proof.
const CERTAIN: u32 = 100;
/// What a proof of work takes from the score.
const PROOF: u32 = 15;

/// Messages of one network.
pub const OF_NETWORK_IN_HOUR_MAX: i64 = 60;
pub const OF_NETWORK_IN_DAY_MAX: i64 = 200;

/// Zero bits of a proof: some 65,000 tries for 16, half a million for 19.
const BITS_MIN: u32 = 16;
const BITS_MAX: u32 = 19;

/// Letters and digits that a text has before others are compared with it: short ones are the same by chance.
const RECOGNISED_CHARS_MIN: usize = 40;

/// One sign that speaks for a robot.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sign {
    /// For staff, for example `links`.
    pub name: &'static str,
    pub weight: u32,
}

/// Whether its sender computed something.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Proof {
    /// It cannot, as a form without script.
    #[default]
    Unable,
    /// It can and did not yet.
    Able,
    Done,
}

/// What a message and its form say about its sender.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Evidence {
    pub signs: Vec<Sign>,
    pub proof: Proof,
}

/// What came before it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Recent {
    /// Messages with the same text in the last day.
    pub same_text: i64,
    /// Messages of the same e-mail address in the last hour.
    pub of_email: i64,
    pub of_network_in_hour: i64,
    pub of_network_in_day: i64,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verdict {
    Accept,
    /// Asked for a proof of work of so many bits.
    Prove {
        bits: u32,
    },
    Quarantine,
    /// Refused: the network is over its bound.
    TooMany,
}

/// A verdict and what it rests on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Names of the signs.
    pub signals: Vec<String>,
}

/// What the parts of a form that people do not see say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form<'a> {
    /// A field that people do not see.
    pub website: &'a str,
    pub age: Age,
    pub proof: Proof,
}

impl Form<'_> {
    /// The signs of the form alone.
    pub fn signs(&self) -> Vec<Sign> {
        let mut signs = Vec::new();
        if !self.website.trim().is_empty() {
            signs.push(sign("honeypot", CERTAIN));
        }
        signs.extend(match self.age {
            // A page without script has none either.
            Age::Missing => Some(sign("no_token", 10)),
            Age::TooYoung => Some(sign("too_fast", SUSPICIOUS)),
            Age::TooOld => Some(sign("old_token", 15)),
            Age::Forged => Some(sign("forged_token", SUSPICIOUS)),
            Age::Human => None,
        });
        signs
    }
}

fn sign(name: &'static str, weight: u32) -> Sign {
    Sign { name, weight }
}

/// What a message and its form say.
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

/// Decides about a message.
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
            // Somebody who is not sure whether it went through.
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

/// What a text is recognised by when it comes again: its letters and digits. `None` for one that is too short for that.
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
    fn a_proof_helps_what_is_on_the_border_and_nothing_else() {
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
    fn a_network_has_a_bound_and_nobody_is_judged_by_one_repetition() {
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
    fn the_form_alone_says_something() {
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
    fn a_text_is_recognised_however_it_is_spaced() {
        let text = "Dear sir, we offer the BEST loans in all of India, call now!";
        let other = "dear sir - we offer the best loans in all of   india. Call  NOW";
        assert_eq!(text_to_recognise(text), text_to_recognise(other));
        assert_eq!(text_to_recognise("Please call me back"), None);
    }
}
