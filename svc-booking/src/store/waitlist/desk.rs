//! The staff's work on entries: the list, the proof at the desk and the offer to one entry.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{error::StoreError, values};
use uuid::Uuid;

use super::{
    EntryRow, GivenTime,
    offer::{OfferTime, OfferTo},
    select_entries,
};
use crate::{
    domain::{
        calendar::today,
        proof::Proof,
        roster::Roster,
        waitlist::{Entry, EntryState},
    },
    store::{Access, Store, rows},
};

/// Position in the list: the last entry of the previous page.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EntryPosition {
    pub date: NaiveDate,
    pub department_id: String,
    pub queue_time: DateTime<Utc>,
    pub id: Uuid,
}

/// States of listed entries.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum EntryStates {
    #[default]
    All,
    /// Waiting and offered.
    Open,
    One(EntryState),
}

/// Filter of the list, which is ordered by day, department and place in the queue.
#[derive(Clone, Debug, Default)]
pub struct EntryFilter {
    /// `None`: today and later, or all days with `phone`.
    pub date: Option<NaiveDate>,
    pub department_id: Option<String>,
    pub states: EntryStates,
    /// Matched as a whole.
    pub phone: Option<String>,
    pub after: Option<EntryPosition>,
    pub size: u32,
}

impl Store {
    /// Returns a page of entries for staff, and whether there is another page.
    ///
    /// # Errors
    /// Fails if the database fails or a row cannot be decrypted with these keys.
    pub async fn list_entries(
        &self,
        filter: &EntryFilter,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Entry>, bool), StoreError> {
        const BY_QUEUE: &str = select_entries!(
            "WHERE date >= $1 AND date <= $2 AND (date, department_id, queue_time, id) > ($3, $4, $5, $6) \
             AND ($7 = '' OR department_id = $7) AND state IN ($8, $9, $10, $11) \
             ORDER BY date, department_id, queue_time, id LIMIT $12"
        );
        const BY_PHONE: &str = select_entries!(
            "WHERE phone_index IN ($13, $14) \
             AND date >= $1 AND date <= $2 AND (date, department_id, queue_time, id) > ($3, $4, $5, $6) \
             AND ($7 = '' OR department_id = $7) AND state IN ($8, $9, $10, $11) \
             ORDER BY date, department_id, queue_time, id LIMIT $12"
        );
        use EntryState::{Booked, Ended, Offered, Waiting};
        let states = match filter.states {
            EntryStates::All => [Waiting, Offered, Booked, Ended],
            EntryStates::Open => [Waiting, Offered, Offered, Offered],
            EntryStates::One(state) => [state; 4],
        };
        let [first, second, third, fourth] = states.map(EntryState::as_str);
        let day = |date: NaiveDate| date.to_string();
        let from = match (filter.date, &filter.phone) {
            (Some(date), _) => day(date),
            (None, Some(_)) => String::new(),
            (None, None) => day(today(now)),
        };
        let until = filter.date.map_or_else(|| LAST_DAY.to_owned(), day);
        let after = filter.after.as_ref();
        let mut values = values![
            from,
            until,
            after.map(|after| day(after.date)).unwrap_or_default(),
            after.map_or("", |after| &after.department_id),
            after.map_or(DateTime::UNIX_EPOCH, |after| after.queue_time),
            after.map_or(Uuid::nil(), |after| after.id),
            filter.department_id.clone().unwrap_or_default(),
            first,
            second,
            third,
            fourth,
            // One row more than the page size shows whether there is another page.
            filter.size.saturating_add(1)
        ];
        let sql = match &filter.phone {
            None => BY_QUEUE,
            Some(phone) => {
                let indexes = rows::person(&self.keys, None, Some(phone));
                values.extend(indexes.into_iter().skip(2));
                BY_PHONE
            }
        };
        let rows: Vec<EntryRow> = self
            .database
            .fetch_all("SELECT waitlist_entries", sql, values)
            .await?;
        let mut page = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let size = filter.size as usize;
        let more = page.len() > size;
        page.truncate(size);
        let ids: Vec<Uuid> = page.iter().map(|entry| entry.id).collect();
        let detail = format!("{} entries", page.len());
        self.note(access.page("waitlist.list", &detail, &ids), now)
            .await?;
        Ok((page, more))
    }

    /// Proves an unproven entry for staff who have spoken to its person, within the same limits.
    pub async fn prove_entry_at_desk(
        &self,
        entry: Entry,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<Entry, StoreError> {
        let noted = access.entry("waitlist.prove", &entry.id.to_string(), "");
        self.prove_as(entry, Proof::Desk, noted, now).await
    }

    /// Offers a free seat of a slot to one entry, if it is the first that wants this time.
    pub async fn offer_time_to(
        &self,
        entry: &Entry,
        starts_at: DateTime<Utc>,
        message_id: Uuid,
        roster: Arc<Roster>,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<GivenTime, StoreError> {
        let work = OfferTo {
            id: entry.id,
            time: OfferTime {
                department_id: entry.department_id.clone(),
                starts_at,
                message_id,
                roster,
                now,
            },
            noted: access.entry("waitlist.offer", &entry.id.to_string(), ""),
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE waitlist_entries", work).await
    }
}

/// After every day that an entry can have.
const LAST_DAY: &str = "9999-12-31";
