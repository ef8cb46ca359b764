//! Ten thousand bot submissions mixed with those of people, against the real service.

use std::{collections::BTreeMap, sync::Arc};

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{FormCheck, Message};
use test_kit::database::TestDatabase;
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    Bench,
    serving::{Serving, enquiry, spam},
};

/// Concurrent calls; must stay below the capacity of the writer's queue.
const AT_ONCE: usize = 128;

/// Kinds of bots.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Robot {
    /// Fills in every field, including the honeypot.
    FillsEverything,
    /// Sends the payload from the specification without ever loading the page.
    NoToken,
    /// Loads the page and submits immediately.
    Instant,
    /// Forges a token.
    Forged,
    /// Waits long enough, computes the proof, and sends a sales message.
    Patient,
    /// Sends the same harmless text from many networks.
    SameText,
    /// Sends different harmless texts from one network.
    OneNetwork,
    /// Sends different harmless texts from one e-mail address.
    OneAddress,
    /// Sends random letters.
    Gibberish,
    /// Claims that it can compute a proof but never does.
    NeverProves,
}

impl Robot {
    const ALL: [Self; 10] = [
        Self::FillsEverything,
        Self::NoToken,
        Self::Instant,
        Self::Forged,
        Self::Patient,
        Self::SameText,
        Self::OneNetwork,
        Self::OneAddress,
        Self::Gibberish,
        Self::NeverProves,
    ];

    /// Returns the bot's message with this number, and its network.
    fn sends(self, number: usize, tokens: &Tokens) -> (Message, String) {
        let token = |token: &str| FormCheck {
            token: token.to_owned(),
            ..FormCheck::default()
        };
        let old = token(&tokens.old);
        let check = match self {
            Self::FillsEverything => FormCheck {
                website: "https://a.example".into(),
                ..old
            },
            Self::NoToken | Self::Gibberish => FormCheck::default(),
            Self::Instant => token(&tokens.new),
            Self::Forged => token("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            Self::Patient | Self::NeverProves => FormCheck {
                can_prove: true,
                ..old
            },
            Self::SameText | Self::OneNetwork | Self::OneAddress => old,
        };
        let person = enquiry(100_000 + number);
        let message = match self {
            Self::NoToken | Self::Patient | Self::NeverProves => spam(number),
            Self::SameText => Message {
                message: enquiry(7).message,
                ..person
            },
            Self::OneAddress => Message {
                email: "one@robot.example".into(),
                ..person
            },
            Self::Gibberish => Message {
                name: scrambled(number),
                subject: scrambled(number + 7),
                message: scrambled(number * 3),
                ..person
            },
            _ => person,
        };
        let network = match self {
            Self::OneNetwork => "192.0.2.0/24".to_owned(),
            _ => format!("10.{}.{}.0/24", self as usize, number % 250),
        };
        (
            Message {
                check: Some(check),
                ..message
            },
            network,
        )
    }
}

struct Tokens {
    new: String,
    old: String,
}

/// Returns pseudo-random letters, deterministic per number.
fn scrambled(number: usize) -> String {
    const LETTERS: &[u8; 32] = b"bcdfghjklmnpqrstvwxzBCDFGHJKLMNP";
    let mut state = (number as u64).wrapping_mul(6_364_136_223_846_793_005);
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[usize::try_from(state >> 59).unwrap_or_default()])
    };
    (0..12).map(|_| letter()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn stops_ten_thousand_robots_and_passes_five_hundred_people() {
    const EACH: usize = 1000;
    const PEOPLE_EACH: usize = 50;
    let bench = Bench::open(TestDatabase::sqlite()).await;
    let serving = Arc::new(Serving::start(&bench).await);
    let mut through = BTreeMap::new();
    let mut people = 0;
    for robot in Robot::ALL {
        // Advance the clock so that each group is judged independently.
        serving.pass(TimeDelta::hours(26));
        let tokens = Tokens {
            new: serving.token(TimeDelta::seconds(1)).await,
            old: serving.token(TimeDelta::minutes(2)).await,
        };
        let gate = Arc::new(Semaphore::new(AT_ONCE));
        let mut calls = JoinSet::new();
        for number in 0..EACH + PEOPLE_EACH {
            let is_person = number % (EACH / PEOPLE_EACH + 1) == 0;
            let (message, network) = if is_person {
                // Half of them without script; all from one mobile provider.
                let check = (number % 2 == 0).then(|| FormCheck {
                    token: tokens.old.clone(),
                    can_prove: true,
                    ..FormCheck::default()
                });
                let person = 1_000_000 * (1 + robot as usize) + number;
                (
                    Message {
                        check,
                        ..enquiry(person)
                    },
                    "198.51.100.0/24".to_owned(),
                )
            } else {
                robot.sends(number, &tokens)
            };
            let permit = Arc::clone(&gate).acquire_owned().await.expect("it is open");
            let serving = Arc::clone(&serving);
            calls.spawn(async move {
                let answer = serving.create(message, Some(&network)).await;
                drop(permit);
                (
                    is_person,
                    answer
                        .ok()
                        .and_then(|answer| answer.message)
                        .map(|message| message.id),
                )
            });
        }
        let answers = calls.join_all().await;
        let mut delivered = 0;
        for (is_person, id) in answers {
            let Some(id) = id else {
                assert!(!is_person, "a person is never refused");
                continue;
            };
            let id = id.parse().expect("an id");
            let kept = svc_messaging::store::message(&bench.database, &bench.keys, id).await;
            let is_new = kept
                .expect("an answer")
                .expect("kept")
                .handling
                .status
                .as_str()
                == "new";
            if is_person {
                assert!(is_new, "a person is never held back");
                people += 1;
            } else {
                delivered += usize::from(is_new);
            }
        }
        through.insert(robot, delivered);
    }
    println!(
        "delivered of {EACH} each: {through:?}; people: {people} of {}",
        PEOPLE_EACH * Robot::ALL.len()
    );
    assert_eq!(people, PEOPLE_EACH * Robot::ALL.len());
    for (robot, delivered) in &through {
        let max = match robot {
            // A network may send up to its limit; a repeated text or address passes as often as a person's would.
            Robot::OneNetwork => 60,
            Robot::OneAddress => 8,
            Robot::SameText => 2,
            _ => 0,
        };
        assert!(*delivered <= max, "{robot:?}: {delivered}");
    }
    bench.end().await;
}
