//! Classifies refusals of a mail server: whether a retry may succeed, and what the refusal is about.
//!
//! A relay often refuses a mail for reasons unrelated to the recipient, such as an exhausted quota, a policy or a
//! blocklist. The code may be permanent even then. So only a refusal about the recipient's address ends a mail. All
//! other refusals are retried until the mail expires, and `mail_refused_total` triggers an alert.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

/// SMTP command that the server refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stage {
    /// MAIL FROM.
    Sender,
    /// RCPT TO.
    Recipient,
    /// DATA, or the mail itself.
    Data,
}

/// Refusal classes, used as labels of `mail_refused_total`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Class {
    /// The recipient does not exist. The only class that ends a mail.
    Recipient,
    /// The recipient's mailbox is full, disabled or moved.
    Mailbox,
    /// Too many mails, or sent too fast.
    Quota,
    /// The relay does not relay our mails to other domains.
    Relay,
    /// Our server or domain is on a blocklist.
    Blocked,
    Policy,
    /// Our sender address is refused.
    Sender,
    /// A password or TLS is missing or wrong.
    Authentication,
    /// The mail is too large or malformed.
    Content,
    /// 4xx: the server requests a retry.
    Deferred,
    Other,
}

impl Class {
    pub const ALL: [Self; 11] = [
        Self::Recipient,
        Self::Mailbox,
        Self::Quota,
        Self::Relay,
        Self::Blocked,
        Self::Policy,
        Self::Sender,
        Self::Authentication,
        Self::Content,
        Self::Deferred,
        Self::Other,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recipient => "recipient",
            Self::Mailbox => "mailbox",
            Self::Quota => "quota",
            Self::Relay => "relay",
            Self::Blocked => "blocked",
            Self::Policy => "policy",
            Self::Sender => "sender",
            Self::Authentication => "authentication",
            Self::Content => "content",
            Self::Deferred => "deferred",
            Self::Other => "other",
        }
    }
}

/// An enhanced status code (RFC 3463), such as 5.1.1.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Enhanced {
    pub class: u16,
    pub subject: u16,
    pub detail: u16,
}

impl Enhanced {
    /// Parses the code at the start of `text`.
    pub fn parse(text: &str) -> Option<Self> {
        let word = text.split_whitespace().next()?;
        let mut numbers = word.split('.').map(|number| {
            let is_number =
                (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| number.parse().ok()).flatten()
        });
        let enhanced = Self {
            class: numbers.next()??,
            subject: numbers.next()??,
            detail: numbers.next()??,
        };
        let is_class = matches!(enhanced.class, 2 | 4 | 5);
        (is_class && numbers.next().is_none()).then_some(enhanced)
    }

    /// Returns whether the code means that the recipient does not exist. Codes 5.1.7 and 5.1.8 concern the sender,
    /// 5.1.9 concerns the relay, and 5.1.5 is not an error.
    pub fn is_of_recipient(self) -> bool {
        self.class == 5 && self.subject == 1 && matches!(self.detail, 1 | 2 | 3 | 4 | 6 | 10)
    }
}

/// Classifies a refusal. `text` is the server's reply without its three-digit code.
pub fn judge(code: u16, text: &str, stage: Stage) -> Class {
    let enhanced = Enhanced::parse(text).filter(|enhanced| enhanced.class == code / 100);
    match (code, enhanced) {
        (530 | 534 | 535 | 538, _) => Class::Authentication,
        (..500, _) => Class::Deferred,
        (_, Some(enhanced)) => of_enhanced(enhanced, text, stage),
        (552, None) => Class::Quota,
        // Many servers also answer 550 to blocked senders.
        (550 | 553, None) if stage == Stage::Recipient => {
            of_words(text).unwrap_or(Class::Recipient)
        }
        (_, None) => of_words(text).unwrap_or(Class::Other),
    }
}

fn of_enhanced(enhanced: Enhanced, text: &str, stage: Stage) -> Class {
    let is_about_recipient = enhanced.is_of_recipient() && stage != Stage::Sender;
    match (enhanced.subject, enhanced.detail) {
        _ if is_about_recipient => Class::Recipient,
        // "Other address status" in reply to RCPT TO.
        (1, 0) if stage == Stage::Recipient => of_words(text).unwrap_or(Class::Recipient),
        (1, 0 | 7 | 8) => Class::Sender,
        (2, 3) | (3, 4) | (5 | 6, _) => Class::Content,
        (2, _) => Class::Mailbox,
        (4, 5) => Class::Quota,
        (7, 8 | 10 | 11) => Class::Authentication,
        (7, _) => of_words(text).unwrap_or(Class::Policy),
        _ => of_words(text).unwrap_or(Class::Other),
    }
}

/// Guesses the class from the text if the code is ambiguous. A wrong guess changes the label in the alert. For a reply
/// to RCPT without an enhanced code, it can also cause retries of a mail that should have ended.
fn of_words(text: &str) -> Option<Class> {
    const WORDS: [(Class, &[&str]); 4] = [
        (Class::Relay, &["relay"]),
        (
            Class::Blocked,
            &[
                "block",
                "blacklist",
                "spamhaus",
                "rbl",
                "listed",
                "reputation",
                "banned",
            ],
        ),
        (
            Class::Quota,
            &[
                "quota",
                "limit",
                "rate",
                "too many",
                "exceeded",
                "over size",
            ],
        ),
        (
            Class::Policy,
            &[
                "policy",
                "spam",
                "spf",
                "dkim",
                "dmarc",
                "not authorized",
                "not allowed",
                "access denied",
                "rejected due",
            ],
        ),
    ];
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let found = WORDS.iter().find(|(_, words)| has(words));
    found.map(|(class, _)| *class)
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    reason: &'static str,
}

static REFUSED: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let refused = Family::<Labels, Counter>::default();
    for class in Class::ALL {
        // Created before the first refusal, because `rate()` misses the first increment of a new series.
        drop(refused.get_or_create(&Labels {
            reason: class.as_str(),
        }));
    }
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "mail_refused",
            "Mails refused by the mail server, by reason; all except reason recipient are retried",
            refused.clone(),
        );
    });
    refused
});

/// Registers all series before the first refusal.
pub fn prepare() {
    LazyLock::force(&REFUSED);
}

pub(super) fn count(class: Class) {
    let reason = class.as_str();
    REFUSED.get_or_create(&Labels { reason }).inc();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M2: replies as servers send them, the stage of each and its expected class.
    #[test]
    fn only_replies_about_the_recipient_are_permanent() {
        use Stage::{Data, Recipient, Sender};
        for (code, text, stage, class) in [
            (
                550,
                "5.1.1 <a@b>: no such user",
                Recipient,
                Class::Recipient,
            ),
            (
                550,
                "5.1.1 The email account that you tried to reach does not exist",
                Data,
                Class::Recipient,
            ),
            (
                556,
                "5.1.10 Recipient address has null MX",
                Recipient,
                Class::Recipient,
            ),
            (550, "5.1.0 Address rejected", Recipient, Class::Recipient),
            (550, "No such user here", Recipient, Class::Recipient),
            (
                553,
                "sorry, that domain isn't in my list",
                Recipient,
                Class::Recipient,
            ),
            (
                550,
                "5.4.5 Daily user sending quota exceeded",
                Data,
                Class::Quota,
            ),
            (
                554,
                "5.7.1 <a@b>: Relay access denied",
                Recipient,
                Class::Relay,
            ),
            (
                550,
                "5.7.1 Service unavailable, Client host [x] blocked using Spamhaus",
                Recipient,
                Class::Blocked,
            ),
            (
                550,
                "5.7.1 Our system has detected that this message is not authorized",
                Data,
                Class::Policy,
            ),
            (550, "5.7.26 unauthenticated sender", Data, Class::Policy),
            (
                550,
                "5.1.8 Sender address rejected: Domain not found",
                Recipient,
                Class::Sender,
            ),
            (550, "5.1.1 unknown", Sender, Class::Other),
            (550, "5.2.1 mailbox disabled", Recipient, Class::Mailbox),
            (552, "5.2.2 Mailbox full", Recipient, Class::Mailbox),
            (552, "5.3.4 Message too big", Data, Class::Content),
            (
                550,
                "rejected because x is in a black list at zen.spamhaus.org",
                Recipient,
                Class::Blocked,
            ),
            (550, "relay not permitted", Recipient, Class::Relay),
            (550, "spam", Data, Class::Policy),
            (550, "no", Data, Class::Other),
            (554, "Transaction failed", Recipient, Class::Other),
            (
                530,
                "5.7.0 Must issue a STARTTLS command first",
                Sender,
                Class::Authentication,
            ),
            (535, "5.7.8 wrong password", Sender, Class::Authentication),
            (421, "4.7.0 try again", Sender, Class::Deferred),
            (450, "4.1.1 unknown for now", Recipient, Class::Deferred),
            // An enhanced code whose class differs from the reply code's is ignored.
            (550, "4.1.1 unknown", Data, Class::Other),
        ] {
            assert_eq!(judge(code, text, stage), class, "{code} {text}");
        }
    }

    #[test]
    fn parses_an_enhanced_code_of_three_numbers() {
        assert_eq!(
            Enhanced::parse("5.7.501 Access denied"),
            Some(Enhanced {
                class: 5,
                subject: 7,
                detail: 501
            })
        );
        for text in [
            "",
            "5.1",
            "5.1.1.1 x",
            "3.1.1 x",
            "5.1.1234 x",
            "5.a.1",
            "5..1",
            "x 5.1.1",
        ] {
            assert_eq!(Enhanced::parse(text), None, "{text}");
        }
    }
}
