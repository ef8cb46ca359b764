//! The sweep: ends expired offers, and offers free times to waiting entries.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use store_kit::{error::StoreError, row, values};
use uuid::Uuid;

use super::{
    EntryRow,
    offer::{EndOffer, OfferTime, Offered},
    select_entries,
};
use crate::{
    domain::{calendar::today, roster::Roster},
    store::Store,
};

/// Maximum entries per query.
const SWEEP_MAX: i64 = 200;

row! {
    /// The number of waiting entries for a department's day and one doctor, or any doctor.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct Wish {
        pub department_id: String,
        /// `YYYY-MM-DD`.
        pub date: String,
        /// Empty for any doctor.
        pub doctor_id: String,
        pub entries: i64,
    }
}

impl Store {
    /// Ends expired offers and offers each seat to the next entry. Returns the departments and times whose seats
    /// changed.
    pub async fn sweep_offers(
        &self,
        roster: Arc<Roster>,
        message_ids: impl Fn() -> Uuid + Send,
        now: DateTime<Utc>,
    ) -> Result<Vec<(String, DateTime<Utc>)>, StoreError> {
        const OVER: &str = select_entries!(
            "WHERE state = 'offered' AND offer_expire_time <= $1 ORDER BY offer_expire_time LIMIT $2"
        );
        const ENDED: &str = select_entries!(
            "WHERE date < $1 AND state IN ('waiting', 'offered') ORDER BY date LIMIT $2"
        );
        let over: Vec<EntryRow> = self
            .database
            .fetch_all("SELECT waitlist_entries", OVER, values![now, SWEEP_MAX])
            .await?;
        let past: Vec<EntryRow> = self
            .database
            .fetch_all(
                "SELECT waitlist_entries",
                ENDED,
                values![today(now).to_string(), SWEEP_MAX],
            )
            .await?;
        let mut touched = Vec::new();
        for row in over.into_iter().chain(past) {
            let place = row
                .offer_starts_at
                .map(|at| (row.department_id.clone(), at));
            let work = EndOffer {
                id: row.id,
                roster: Arc::clone(&roster),
                message_id: message_ids(),
                now,
            };
            self.database.write("UPDATE waitlist_entries", work).await?;
            touched.extend(place);
        }
        Ok(touched)
    }

    /// Returns the wishes of entries that may get an offer, by day and department.
    pub async fn wishes(&self, now: DateTime<Utc>) -> Result<Vec<Wish>, StoreError> {
        const WISHES: &str = "\
SELECT department_id, date, COALESCE(doctor_id, '') AS doctor_id, count(*) AS entries FROM waitlist_entries
WHERE state = 'waiting' AND date >= $1 AND (proof IS NULL OR proof <> 'unproven')
  AND (date, department_id, COALESCE(doctor_id, '')) > ($2, $3, $4)
GROUP BY department_id, date, COALESCE(doctor_id, '') ORDER BY date, department_id, doctor_id LIMIT $5";
        let today = today(now).to_string();
        let mut wishes: Vec<Wish> = Vec::new();
        loop {
            let last = wishes.last();
            let find = values![
                &today,
                last.map_or("", |wish| &wish.date),
                last.map_or("", |wish| &wish.department_id),
                last.map_or("", |wish| &wish.doctor_id),
                SWEEP_MAX
            ];
            let page: Vec<Wish> = self
                .database
                .fetch_all("SELECT waitlist_entries", WISHES, find)
                .await?;
            let is_last = i64::try_from(page.len()).unwrap_or(SWEEP_MAX) < SWEEP_MAX;
            wishes.extend(page);
            if is_last {
                return Ok(wishes);
            }
        }
    }

    /// Offers a free seat of a slot to the first matching entry. Returns `None` if no entry matches.
    pub async fn offer_time(
        &self,
        department_id: &str,
        starts_at: DateTime<Utc>,
        message_id: Uuid,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<Option<Offered>, StoreError> {
        let work = OfferTime {
            department_id: department_id.to_owned(),
            starts_at,
            message_id,
            roster,
            now,
        };
        self.database.write("UPDATE waitlist_entries", work).await
    }
}
