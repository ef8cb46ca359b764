//! Events and their places. The persons' data are in the messages, and a place goes with its message.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::{input::phone_to_look_up, language::Language};
use store_kit::{
    error::StoreError,
    keys::Keys,
    row,
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    rows::{self, MessageRow},
};
use crate::domain::{
    Message, NewMessage, Status,
    event::{Event, NoPlace},
};

/// Maximum events written per script.
const CHUNK: usize = 50;

macro_rules! select_events {
    ($rest:literal) => {
        concat!(
            "SELECT id, title, location, starts_at, ends_at, places, cancelled FROM events ",
            $rest
        )
    };
}
pub(super) use select_events;

const EVENT: &str = select_events!("WHERE id = $1");
/// People with a place. Messages that staff have not accepted have none.
const TAKEN: &str = "\
SELECT CAST(COALESCE(sum(r.people), 0) AS bigint) FROM event_registrations r JOIN messages m ON m.id = r.id \
WHERE r.event_id = $1 AND m.status NOT IN ('spam', 'quarantined')";
const FORGET: &str = "DELETE FROM event_registrations WHERE id = $1";

row! {
    pub(super) struct EventRow {
        id: String,
        title: String,
        location: String,
        starts_at: DateTime<Utc>,
        ends_at: DateTime<Utc>,
        places: i32,
        cancelled: String,
    }
}

impl From<EventRow> for Event {
    fn from(row: EventRow) -> Self {
        Self {
            id: row.id,
            title: row.title,
            location: row.location,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            places: row.places,
            cancelled: row.cancelled,
        }
    }
}

/// A registration that has a place, for its mail.
#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) id: Uuid,
    pub(super) event: Event,
    pub(super) people: i32,
    pub(super) reference: String,
    /// Address of the person's first registration, to which no other address is added.
    pub(super) email: Option<String>,
    /// Language of that person; `None` is English.
    pub(super) language: Option<Language>,
}

/// Outcome of asking for a place.
pub(super) enum Place {
    /// The event is not known here: registrations are not counted.
    Uncounted,
    /// Rows to write after the message, and the registration that has the place.
    Taken(Script, Box<Registered>),
    Refused(NoPlace),
}

impl Store {
    /// Returns a known event, and the places taken.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn event(&self, id: &str) -> Result<Option<(Event, i64)>, StoreError> {
        let row: Option<EventRow> = self
            .database
            .fetch_optional("SELECT events", EVENT, values![id])
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        Ok(Some((row.into(), self.taken(id).await?)))
    }

    /// Returns the people with a place.
    pub(super) async fn taken(&self, event_id: &str) -> Result<i64, StoreError> {
        let (taken,): (i64,) = self
            .database
            .fetch_one("SELECT event_registrations", TAKEN, values![event_id])
            .await?;
        Ok(taken)
    }

    /// Stores the present state of events that are not over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn learn_events(
        &self,
        events: Vec<Event>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut events = events;
        events.retain(|event| event.ends_at > now);
        events.sort_by(|one, other| one.id.cmp(&other.id));
        events.dedup_by(|one, other| one.id == other.id);
        self.database
            .write("INSERT events", Learn { events, now })
            .await
    }

    /// Gives a place back; returns whether there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn give_back(&self, id: Uuid) -> Result<bool, StoreError> {
        self.database
            .write("DELETE event_registrations", GiveBack { id })
            .await
    }
}

struct Learn {
    events: Vec<Event>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Learn {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const COMING: &str = select_events!("WHERE ends_at > $1");
        const INSERT: &str = "\
INSERT INTO events (id, title, location, starts_at, ends_at, places, cancelled) VALUES ($1, $2, $3, $4, $5, $6, $7) \
ON CONFLICT (id) DO UPDATE SET title = excluded.title, location = excluded.location, starts_at = excluded.starts_at, \
ends_at = excluded.ends_at, places = excluded.places, cancelled = excluded.cancelled";
        let rows: Vec<EventRow> = transaction.fetch_all(COMING, values![self.now]).await?;
        let known: Vec<Event> = rows.into_iter().map(Event::from).collect();
        let changed: Vec<&Event> = self
            .events
            .iter()
            .filter(|event| !known.contains(event))
            .collect();
        if changed.is_empty() {
            return Ok(Decision::Rollback(()));
        }
        for chunk in changed.chunks(CHUNK) {
            let insert = |event: &&Event| {
                Statement::new(
                    INSERT,
                    values![
                        &event.id,
                        &event.title,
                        &event.location,
                        event.starts_at,
                        event.ends_at,
                        event.places,
                        &event.cancelled
                    ],
                )
            };
            transaction.run(chunk.iter().map(insert).collect()).await?;
        }
        Ok(Decision::Commit(()))
    }
}

struct GiveBack {
    id: Uuid,
}

#[async_trait]
impl UnitOfWork for GiveBack {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        let rows = transaction.execute(FORGET, values![self.id]).await?;
        Ok(Decision::Commit(rows > 0))
    }
}

/// Returns the name of the lock on the places of an event.
pub(super) fn lock_name(event_id: &str) -> String {
    format!("events.{event_id}")
}

/// Returns the keyed hash by which a person's registrations for one event are the same.
fn person(keys: &Keys, event_id: &str, phone: &str) -> [u8; 32] {
    let name = format!("{event_id}\0{}", phone_to_look_up(phone));
    keys.digest("events.person", name.as_bytes())
}

fn is_counted(status: Status) -> bool {
    !matches!(status, Status::Spam | Status::Quarantined)
}

/// Looks for a place for a new message. The caller holds the lock [`lock_name`].
pub(super) async fn take(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    message: &Message,
    now: DateTime<Utc>,
) -> Result<Place, StoreError> {
    const EARLIER: &str =
        "SELECT id, people FROM event_registrations WHERE event_id = $1 AND person = $2";
    const INSERT: &str = "\
INSERT INTO event_registrations (id, event_id, person, people, create_time) VALUES ($1, $2, $3, $4, $5)";
    const UPDATE: &str = "UPDATE event_registrations SET people = $2 WHERE id = $1";
    let Some((event, phone, people)) = asked(transaction, &message.new).await? else {
        return Ok(Place::Uncounted);
    };
    let person = person(keys, &event.id, phone);
    let earlier: Option<(Uuid, i32)> = transaction
        .fetch_optional(EARLIER, values![&event.id, person])
        .await?;
    let earlier = match earlier {
        Some((id, people)) => {
            let row: MessageRow = transaction.fetch_one(rows::BY_ID, values![id]).await?;
            Some((row.open(keys)?, people))
        }
        None => None,
    };
    let held = earlier
        .as_ref()
        .filter(|(message, _)| is_counted(message.handling.status));
    let own = held.map_or(0, |(_, people)| *people);
    if let Some(refused) = refusal(transaction, &event, people, own, now).await? {
        return Ok(Place::Refused(refused));
    }
    let mut script = Script::new();
    // The mail is in the language of this message, also if the place belongs to an earlier one.
    let language = message.new.language;
    if let Some((holder, _)) = held {
        if is_counted(message.handling.status) {
            script.push(Statement::new(UPDATE, values![holder.id, people]));
        }
        let registered = Registered {
            language,
            ..registered(holder, event, people)
        };
        return Ok(Place::Taken(script, Box::new(registered)));
    }
    if let Some((refused, _)) = &earlier {
        script.push(Statement::new(FORGET, values![refused.id]));
    }
    let row = values![message.id, &event.id, person, people, message.create_time];
    script.push(Statement::new(INSERT, row));
    let registered = registered(message, event, people);
    Ok(Place::Taken(script, Box::new(registered)))
}

/// Looks for a place for a message that staff release, whose registration is not counted yet. Takes the lock.
pub(super) async fn release(
    transaction: &mut Transaction<'_>,
    message: &Message,
    now: DateTime<Utc>,
) -> Result<Place, StoreError> {
    const OWN: &str = "SELECT people FROM event_registrations WHERE id = $1";
    if let Some((event_id, _)) = message.new.registration() {
        let name = lock_name(event_id);
        transaction.lock_all(&[Lock::Exclusive(&name)]).await?;
    }
    let row: Option<(i32,)> = transaction.fetch_optional(OWN, values![message.id]).await?;
    let (Some((people,)), Some((event, ..))) = (row, asked(transaction, &message.new).await?)
    else {
        return Ok(Place::Uncounted);
    };
    if let Some(refused) = refusal(transaction, &event, people, 0, now).await? {
        return Ok(Place::Refused(refused));
    }
    let registered = registered(message, event, people);
    Ok(Place::Taken(Script::new(), Box::new(registered)))
}

/// Returns the known event that a message registers for, with phone number and people.
async fn asked<'a>(
    transaction: &mut Transaction<'_>,
    new: &'a NewMessage,
) -> Result<Option<(Event, &'a str, i32)>, StoreError> {
    let (Some((event_id, people)), Some(phone)) = (new.registration(), new.phone()) else {
        return Ok(None);
    };
    let event = by_id(transaction, event_id).await?;
    Ok(event.map(|event| (event, phone, people)))
}

pub(super) async fn by_id(
    transaction: &mut Transaction<'_>,
    id: &str,
) -> Result<Option<Event>, StoreError> {
    let row: Option<EventRow> = transaction.fetch_optional(EVENT, values![id]).await?;
    Ok(row.map(Event::from))
}

async fn refusal(
    transaction: &mut Transaction<'_>,
    event: &Event,
    people: i32,
    own: i32,
    now: DateTime<Utc>,
) -> Result<Option<NoPlace>, StoreError> {
    if !event.cancelled.is_empty() {
        return Ok(Some(NoPlace::Cancelled));
    }
    if event.ends_at <= now {
        return Ok(Some(NoPlace::Over));
    }
    if event.places == 0 {
        return Ok(None);
    }
    let (taken,): (i64,) = transaction.fetch_one(TAKEN, values![&event.id]).await?;
    let free = i64::from(event.places) - taken + i64::from(own);
    let left = i32::try_from(free.max(0)).unwrap_or(i32::MAX);
    Ok((people > left).then_some(NoPlace::Full { left }))
}

pub(super) fn registered(holder: &Message, event: Event, people: i32) -> Registered {
    Registered {
        id: holder.id,
        event,
        people,
        reference: holder.reference.clone(),
        email: holder.new.email().map(str::to_owned),
        language: holder.new.language,
    }
}
