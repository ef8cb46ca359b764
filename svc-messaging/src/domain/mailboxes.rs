//! Routing of messages to the hospital's mailboxes.

use serde::Deserialize;
use service_kit::input::{EmailAddress, Line};

use super::{Kind, Personal};

const MAILBOXES_MAX: usize = 50;
const WORDS_MAX: usize = 100;
const WORD_CHARS_MAX: usize = 64;
const NAME_CHARS_MAX: usize = 80;

const EMBEDDED: &str = include_str!("../../config/mailboxes.toml");

/// A mailbox file that cannot be read or is invalid.
#[derive(Debug, thiserror::Error)]
pub enum MailboxesError {
    #[error("cannot read {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error("{path}: {source}")]
    Parse {
        path: String,
        source: toml::de::Error,
    },
    #[error("{path}: {field}: {problem}")]
    Field {
        path: String,
        field: String,
        problem: String,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    default: Place,
    comments: Place,
    #[serde(default)]
    mailboxes: Vec<Topic>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    name: String,
    address: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Topic {
    name: String,
    address: String,
    words: Vec<String>,
}

/// A mailbox of the hospital.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mailbox {
    /// Purpose of the mailbox, shown to people.
    pub name: String,
    pub address: String,
    /// Lower-case.
    words: Vec<String>,
}

/// All mailboxes. Each subject maps to exactly one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mailboxes {
    default: Mailbox,
    comments: Mailbox,
    topics: Vec<Mailbox>,
}

impl Mailboxes {
    /// Returns the mailboxes compiled into the program.
    ///
    /// # Panics
    /// Never; a test parses the same text.
    pub fn embedded() -> Self {
        Self::parse("config/mailboxes.toml", EMBEDDED).expect("a test reads the same text")
    }

    /// Reads the mailboxes from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or as for [`Self::parse`].
    pub fn read(path: &std::path::Path) -> Result<Self, MailboxesError> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&name, &text),
            Err(source) => Err(MailboxesError::Read { path: name, source }),
        }
    }

    /// Parses mailboxes. `path` is used in errors only.
    ///
    /// # Errors
    /// When the TOML, an address or a name is invalid, a mailbox has no words, or a word exceeds 64 characters. Also
    /// when there are more than 50 mailboxes, or a mailbox has more than 100 words.
    pub fn parse(path: &str, text: &str) -> Result<Self, MailboxesError> {
        let file: File = toml::from_str(text).map_err(|source| MailboxesError::Parse {
            path: path.to_owned(),
            source,
        })?;
        let parsed = |field: String, name: &str, address: &str, words: &[String]| {
            mailbox(name, address, words).map_err(|(part, problem)| MailboxesError::Field {
                path: path.to_owned(),
                field: format!("{field}.{part}"),
                problem,
            })
        };
        let place =
            |field: &str, place: &Place| parsed(field.to_owned(), &place.name, &place.address, &[]);
        if file.mailboxes.len() > MAILBOXES_MAX {
            return Err(MailboxesError::Field {
                path: path.to_owned(),
                field: "mailboxes".to_owned(),
                problem: format!("Give at most {MAILBOXES_MAX}"),
            });
        }
        let topics = file.mailboxes.iter().enumerate().map(|(number, topic)| {
            let field = format!("mailboxes[{number}]");
            if topic.words.is_empty() {
                return Err(MailboxesError::Field {
                    path: path.to_owned(),
                    field: format!("{field}.words"),
                    problem: "Give at least one word".to_owned(),
                });
            }
            parsed(field, &topic.name, &topic.address, &topic.words)
        });
        Ok(Self {
            default: place("default", &file.default)?,
            comments: place("comments", &file.comments)?,
            topics: topics.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the mailbox of a message: that for comments, the first with a matching word, or the default.
    pub fn route(&self, kind: &Kind, subject: &Personal) -> &Mailbox {
        if matches!(kind, Kind::Comment { .. }) {
            return &self.comments;
        }
        let subject = subject.as_str().to_lowercase();
        let is_meant = |mailbox: &&Mailbox| {
            let mut words = mailbox.words.iter();
            words.any(|word| begins_a_word(&subject, word))
        };
        self.topics.iter().find(is_meant).unwrap_or(&self.default)
    }

    /// Returns every address.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        let all = [&self.default, &self.comments].into_iter();
        all.chain(&self.topics)
            .map(|mailbox| mailbox.address.as_str())
    }

    /// Returns the default mailbox, for subjects that match no other.
    pub fn reception(&self) -> Mailbox {
        self.default.clone()
    }

    /// Returns the purpose of the mailbox with this address. Falls back to the address if the mailbox is no longer
    /// configured.
    pub fn name_of<'a>(&'a self, address: &'a str) -> &'a str {
        let mut all = [&self.default, &self.comments]
            .into_iter()
            .chain(&self.topics);
        all.find(|mailbox| mailbox.address == address)
            .map_or(address, |mailbox| &mailbox.name)
    }
}

fn mailbox(name: &str, address: &str, words: &[String]) -> Result<Mailbox, (&'static str, String)> {
    let name =
        Line::parse(name, NAME_CHARS_MAX).map_err(|problem| ("name", problem.to_string()))?;
    let address =
        EmailAddress::parse(address).map_err(|problem| ("address", problem.to_string()))?;
    if words.len() > WORDS_MAX {
        return Err(("words", format!("Give at most {WORDS_MAX}")));
    }
    let words = words.iter().map(|word| {
        let word = Line::parse(word, WORD_CHARS_MAX);
        word.map(|word| word.as_str().to_lowercase())
            .map_err(|problem| ("words", problem.to_string()))
    });
    Ok(Mailbox {
        name: name.into_string(),
        address: address.into_string(),
        words: words.collect::<Result<_, _>>()?,
    })
}

/// Returns whether any word of the text starts with `beginning`.
fn begins_a_word(text: &str, beginning: &str) -> bool {
    text.match_indices(beginning).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enquiry() -> Kind {
        Kind::Enquiry {
            email: Personal::kept("a@b.example".into()),
            phone: Personal::kept("8000000100".into()),
        }
    }

    fn routed(subject: &str) -> String {
        let subject = Personal::kept(subject.to_owned());
        let mailboxes = Mailboxes::embedded();
        mailboxes.route(&enquiry(), &subject).address.clone()
    }

    #[test]
    fn routes_to_the_first_mailbox_with_a_word_of_the_subject() {
        for (subject, local) in [
            ("Appointment with Dr. Rao", "appointments"),
            ("RESCHEDULE my visit", "appointments"),
            ("Billing question", "billing"),
            ("cashless approval - Star Health", "billing"),
            ("Registration: Heart walk", "events"),
            ("Complaint about my appointment", "feedback"),
            ("ದೂರು", "feedback"),
            ("Staff nurse vacancy", "careers"),
            ("Visiting hours", "hello"),
            // `job` and `cv` inside a word do not match.
            ("About Mr. Kujob", "hello"),
            ("MCV of my blood test", "hello"),
        ] {
            assert_eq!(
                routed(subject),
                format!("{local}@sampige.example"),
                "{subject}"
            );
        }
        let comment = Kind::Comment {
            email: None,
            phone: None,
            thread_id: "heart".into(),
            write_time: None,
        };
        let subject = Personal::kept("New blog comment on billing".into());
        let mailboxes = Mailboxes::embedded();
        let editor = mailboxes.route(&comment, &subject);
        assert_eq!(editor.address, "editor@sampige.example");
        assert_eq!(
            mailboxes.name_of("editor@sampige.example"),
            "Editor of the blog"
        );
        assert_eq!(
            mailboxes.name_of("old@sampige.example"),
            "old@sampige.example"
        );
    }

    #[test]
    fn errors_of_a_bad_file_name_the_place() {
        let parse = |text: &str| Mailboxes::parse("boxes.toml", text).map(drop);
        let places = "[default]\nname = \"R\"\naddress = \"a@b.example\"\n[comments]\nname = \"C\"\naddress = \"c@b.example\"\n";
        parse(places).expect("no topics is fine");
        for (more, wanted) in [
            (
                "[[mailboxes]]\nname = \"X\"\naddress = \"nobody\"\nwords = [\"x\"]",
                "mailboxes[0].address",
            ),
            (
                "[[mailboxes]]\nname = \"\"\naddress = \"x@b.example\"\nwords = [\"x\"]",
                "mailboxes[0].name",
            ),
            (
                "[[mailboxes]]\nname = \"X\"\naddress = \"x@b.example\"\nwords = []",
                "mailboxes[0].words",
            ),
            (
                "[[mailboxes]]\nname = \"X\"\naddress = \"x@b.example\"\nwords = [\" \"]",
                "mailboxes[0].words",
            ),
            (
                "[[mailboxes]]\nname = \"X\"\naddress = \"x@b.example\"\nword = \"x\"",
                "unknown field",
            ),
        ] {
            let error = parse(&format!("{places}{more}"))
                .expect_err("refused")
                .to_string();
            assert!(
                error.starts_with("boxes.toml: ") && error.contains(wanted),
                "{error}"
            );
        }
        parse("").expect_err("no default");
        Mailboxes::read("/nowhere/boxes.toml".as_ref()).expect_err("no file");
    }
}
