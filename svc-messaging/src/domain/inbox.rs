//! Processing of messages by staff.

use chrono::{DateTime, Utc};

/// Processing status of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// New: no staff member has opened it.
    New,
    /// Staff are working on it.
    Taken,
    /// Closed: nothing is left to do.
    Done,
    /// Spam, not a message for the hospital.
    Spam,
    /// Looked like spam on arrival; not forwarded to any mailbox.
    Quarantined,
}

impl Status {
    pub const ALL: [Self; 5] = [
        Self::New,
        Self::Taken,
        Self::Done,
        Self::Spam,
        Self::Quarantined,
    ];

    /// Returns the status's name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Taken => "taken",
            Self::Done => "done",
            Self::Spam => "spam",
            Self::Quarantined => "quarantined",
        }
    }

    /// Parses a status name; `None` if it is unknown.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Returns whether staff may change this status to `next`. Setting the current status again is a no-op, so it is
    /// not listed here.
    pub fn allows(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::New, Self::Taken)
                | (Self::Taken, Self::Done)
                | (Self::Taken | Self::Quarantined | Self::Spam, Self::New)
                | (Self::New | Self::Taken | Self::Quarantined, Self::Spam)
        )
    }
}

/// Processing state of a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Handling {
    pub status: Status,
    /// E-mail address of the mailbox that receives the message.
    pub mailbox: String,
    /// Spam signals of the message, for example `links`.
    pub signals: Vec<String>,
    /// Subject claim of the token of the staff member who took it.
    pub taken_by: Option<String>,
    /// Name of that person, as their client gave it.
    pub taken_by_name: Option<String>,
    /// 1 for a new message; each change adds one.
    pub version: i64,
    pub update_time: DateTime<Utc>,
    /// When the message was forwarded to its mailbox and acknowledged.
    pub route_time: Option<DateTime<Utc>>,
}

/// A staff member who changes a status.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Actor {
    /// Subject claim of the token.
    pub subject: String,
    /// Name for colleagues, as the client gave it.
    pub name: Option<String>,
}

/// Reason why a status was not set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NotSet {
    /// See [`Status::allows`].
    NotAllowed,
    /// The message has changed since the caller read it.
    Changed,
    /// It registers for an event that has no place for it.
    NoPlace,
}

impl Handling {
    /// Returns the updated state; `None` if `next` is already the status, so that a retry after a lost response
    /// succeeds. A message that another person has taken cannot be taken.
    ///
    /// # Errors
    /// When the transition is not allowed, or `version` is not the current one.
    pub fn set(
        &self,
        next: Status,
        version: i64,
        actor: &Actor,
        now: DateTime<Utc>,
    ) -> Result<Option<Self>, NotSet> {
        let is_anothers = self.taken_by.as_ref() != Some(&actor.subject);
        if self.status == next && !(next == Status::Taken && is_anothers) {
            return Ok(None);
        }
        if self.version != version {
            return Err(NotSet::Changed);
        }
        if !self.status.allows(next) {
            return Err(NotSet::NotAllowed);
        }
        let (taken_by, taken_by_name) = match next {
            Status::Taken => (Some(actor.subject.clone()), actor.name.clone()),
            Status::Done => (self.taken_by.clone(), self.taken_by_name.clone()),
            Status::New | Status::Spam | Status::Quarantined => (None, None),
        };
        Ok(Some(Self {
            status: next,
            taken_by,
            taken_by_name,
            version: self.version + 1,
            update_time: now,
            // A message is forwarded to its mailbox when it first becomes new, and only once.
            route_time: self.route_time.or((next == Status::New).then_some(now)),
            ..self.clone()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actor(subject: &str) -> Actor {
        Actor {
            subject: subject.to_owned(),
            name: Some(format!("Name of {subject}")),
        }
    }

    fn handling(status: Status) -> Handling {
        Handling {
            status,
            mailbox: "hello@sampige.example".into(),
            signals: Vec::new(),
            taken_by: (status == Status::Taken).then(|| "first".to_owned()),
            taken_by_name: None,
            version: 3,
            update_time: DateTime::UNIX_EPOCH,
            route_time: None,
        }
    }

    #[test]
    fn allows_only_the_status_changes_of_the_contract() {
        let allowed = [
            (Status::New, Status::Taken),
            (Status::Taken, Status::Done),
            (Status::Taken, Status::New),
            (Status::Quarantined, Status::New),
            (Status::Spam, Status::New),
            (Status::New, Status::Spam),
            (Status::Taken, Status::Spam),
            (Status::Quarantined, Status::Spam),
        ];
        for from in Status::ALL {
            for to in Status::ALL {
                let set = handling(from).set(to, 3, &actor("first"), DateTime::UNIX_EPOCH);
                let expected = match (from == to, allowed.contains(&(from, to))) {
                    (true, _) => Ok(None),
                    (_, true) => Ok(Some(to)),
                    _ => Err(NotSet::NotAllowed),
                };
                let set = set.map(|set| set.map(|set| set.status));
                assert_eq!(set, expected, "{from:?} {to:?}");
            }
            assert_eq!(Status::from_word(from.as_str()), Some(from));
        }
    }

    #[test]
    fn records_the_assignee_until_the_message_is_released() {
        let now = DateTime::from_timestamp(7, 0).expect("a moment");
        let set = |handling: &Handling, status| {
            let set = handling.set(status, handling.version, &actor("me"), now);
            set.expect("allowed").expect("a change")
        };
        let taken = set(&handling(Status::New), Status::Taken);
        assert_eq!(taken.taken_by.as_deref(), Some("me"));
        assert_eq!((taken.version, taken.update_time), (4, now));
        assert_eq!(taken.taken_by_name.as_deref(), Some("Name of me"));
        assert_eq!(taken.route_time, None);
        let again = |who, version| taken.set(Status::Taken, version, &actor(who), now);
        assert_eq!(again("me", 3), Ok(None), "a retry");
        assert_eq!(again("another", 3), Err(NotSet::Changed));
        assert_eq!(again("another", 4), Err(NotSet::NotAllowed));
        let given_back = set(&taken, Status::New);
        assert_eq!(
            (&given_back.taken_by, &given_back.taken_by_name),
            (&None, &None)
        );
        assert_eq!(set(&taken, Status::Done).taken_by.as_deref(), Some("me"));
        let spam = set(&taken, Status::Spam);
        assert_eq!(spam.taken_by, None);
        let released = set(&spam, Status::New);
        assert_eq!((released.version, released.route_time), (6, Some(now)));
        assert_eq!(
            spam.set(Status::New, 4, &actor("me"), now),
            Err(NotSet::Changed)
        );
        assert_eq!(spam.set(Status::Spam, 4, &actor("me"), now), Ok(None));
    }
}
