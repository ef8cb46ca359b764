//! Staff access to the people registered for events. Every read writes audit entries.

use chrono::{DateTime, Utc};
use store_kit::{audit, error::StoreError, row, values};
use uuid::Uuid;

use super::{
    Store,
    events::{EventRow, select_events},
    rows::{self, MessageRow},
};
use crate::domain::{Message, event::Event};

/// An event with the number of people registered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WithTaken {
    pub event: Event,
    pub taken: i64,
}

/// A person's registration.
#[derive(Clone, Debug)]
pub struct Registration {
    pub message: Message,
    pub people: i32,
    /// See the column `notice`.
    pub notice: String,
}

row! {
    struct PlaceRow {
        id: Uuid,
        people: i32,
        notice: String,
    }
}

impl Store {
    /// Returns a page of events that end after `since`, soonest first, and whether more follow.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn registration_events(
        &self,
        since: DateTime<Utc>,
        after: Option<(DateTime<Utc>, String)>,
        size: u32,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<WithTaken>, bool), StoreError> {
        const PAGE: &str = select_events!(
            "WHERE ends_at > $1 AND (starts_at, id) > ($2, $3) ORDER BY starts_at, id LIMIT $4"
        );
        let (time, id) = after.unwrap_or((DateTime::UNIX_EPOCH, String::new()));
        let rows: Vec<EventRow> = self
            .database
            .fetch_all("SELECT events", PAGE, values![since, time, id, size + 1])
            .await?;
        let more = rows.len() > size as usize;
        let mut events = Vec::with_capacity(rows.len());
        for row in rows.into_iter().take(size as usize) {
            let event = Event::from(row);
            let taken = self.taken(&event.id).await?;
            events.push(WithTaken { event, taken });
        }
        let entry = audit::Entry {
            actor: actor.to_owned(),
            action: "event.list",
            subject: String::new(),
            detail: format!("{} events", events.len()),
        };
        self.note(entry, now).await?;
        Ok((events, more))
    }

    /// Returns a page of the registrations for an event, first come first, and whether more follow.
    ///
    /// # Errors
    /// When the database fails, or a message cannot be decrypted.
    pub async fn registrations(
        &self,
        event_id: &str,
        after: Option<(DateTime<Utc>, Uuid)>,
        size: u32,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Registration>, bool), StoreError> {
        const PAGE: &str = "\
SELECT r.id, r.people, r.notice FROM event_registrations r JOIN messages m ON m.id = r.id \
WHERE r.event_id = $1 AND (r.create_time, r.id) > ($2, $3) AND m.status NOT IN ('spam', 'quarantined') \
ORDER BY r.create_time, r.id LIMIT $4";
        let (time, id) = after.unwrap_or((DateTime::UNIX_EPOCH, Uuid::nil()));
        let places: Vec<PlaceRow> = self
            .database
            .fetch_all(
                "SELECT event_registrations",
                PAGE,
                values![event_id, time, id, size + 1],
            )
            .await?;
        let more = places.len() > size as usize;
        let mut found = Vec::with_capacity(places.len());
        for place in places.into_iter().take(size as usize) {
            let row: Option<MessageRow> = self
                .database
                .fetch_optional("SELECT messages", rows::BY_ID, values![place.id])
                .await?;
            // Erased since the page was read.
            let Some(row) = row else { continue };
            found.push(Registration {
                message: row.open(&self.keys)?,
                people: place.people,
                notice: place.notice,
            });
        }
        let ids = found.iter().map(|one| one.message.id).collect();
        self.note_all(actor, "registration.list", ids, now).await?;
        Ok((found, more))
    }
}
