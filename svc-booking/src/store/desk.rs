//! Queries of the staff: lists and bursts.

use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{error::StoreError, row, values};
use uuid::Uuid;

use super::{
    Access, Store,
    rows::{self, AppointmentRow, select_appointments},
};
use crate::domain::{
    calendar::{start_of, today},
    change::Appointment,
    roster::change::Booked,
    status::Status,
};

const BURSTS_MAX: i64 = 100;
/// Maximum appointments that one call cancels.
const BURST_APPOINTMENTS_MAX: i64 = 500;

/// Filter of a list of appointments.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    /// First and last day, inclusive.
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    pub department_id: Option<String>,
    pub doctor_id: Option<String>,
    pub status: Option<Status>,
    /// Matched as a whole.
    pub email: Option<String>,
    pub phone: Option<String>,
    /// The last appointment of the previous page.
    pub after: Option<(DateTime<Utc>, Uuid)>,
    pub size: u32,
}

impl ListFilter {
    /// Returns whether a booked appointment matches the filter, ignoring the personal fields. [`Store::list`] applies
    /// the same filter in SQL. [`Store::uncovered`] cannot: whether an appointment is covered depends on all the others
    /// at its time.
    pub fn matches(&self, booked: &Booked) -> bool {
        let date = today(booked.starts_at);
        let is = |wanted: &Option<String>, present: Option<&str>| {
            wanted.is_none() || wanted.as_deref() == present
        };
        self.from.is_none_or(|from| from <= date)
            && self.to.is_none_or(|to| date <= to)
            && is(&self.department_id, Some(&booked.department_id))
            && is(&self.doctor_id, booked.doctor_id.as_deref())
            && self.status.is_none_or(|status| status == Status::Booked)
            && self
                .after
                .is_none_or(|after| (booked.starts_at, booked.id) > after)
    }
}

row! {
    /// A burst: many bookings of one network.
    #[derive(Clone, Debug)]
    pub struct Burst {
        pub network: Vec<u8>,
        pub bookings: i64,
        pub open: i64,
        pub first_time: DateTime<Utc>,
        pub last_time: DateTime<Utc>,
    }
}

/// The bookings of one network in a period; `until` is exclusive.
#[derive(Clone, Debug)]
pub struct BurstSpan {
    /// First bytes of the keyed hash.
    pub network: [u8; 8],
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

/// The open appointments of a burst, and whether there are more.
#[derive(Clone, Debug, Default)]
pub struct BurstCancelled {
    pub appointments: Vec<Appointment>,
    pub more: bool,
}

impl Store {
    /// Returns a page of appointments, by time, and whether there is another page.
    pub async fn list(
        &self,
        filter: &ListFilter,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Appointment>, bool), StoreError> {
        const BY_TIME: &str = select_appointments!(
            "WHERE appointments.starts_at >= $1 AND appointments.starts_at < $2 AND (appointments.starts_at, appointments.id) > ($3, $4) \
             AND ($5 = '' OR department_id = $5) AND ($6 = '' OR doctor_id = $6) AND ($7 = '' OR $7 = CASE WHEN status = 'arrived' AND consultation_time IS NOT NULL THEN 'in_consultation' ELSE status END) AND delete_time IS NULL \
             ORDER BY appointments.starts_at, appointments.id LIMIT $8"
        );
        const BY_PERSON: &str = select_appointments!(
            "WHERE appointments.id IN (SELECT id FROM contacts WHERE email_index IN ($9, $10) \
             UNION SELECT id FROM contacts WHERE phone_index IN ($11, $12)) \
             AND appointments.starts_at >= $1 AND appointments.starts_at < $2 AND (appointments.starts_at, appointments.id) > ($3, $4) \
             AND ($5 = '' OR department_id = $5) AND ($6 = '' OR doctor_id = $6) AND ($7 = '' OR $7 = CASE WHEN status = 'arrived' AND consultation_time IS NOT NULL THEN 'in_consultation' ELSE status END) AND delete_time IS NULL \
             ORDER BY appointments.starts_at, appointments.id LIMIT $8"
        );
        let first = DateTime::from_timestamp(0, 0).unwrap_or(now);
        let last = NaiveDate::from_ymd_opt(9999, 1, 1).map_or(now, start_of);
        let from = filter.from.map_or(first, start_of);
        let until = filter
            .to
            .map_or(last, |to| start_of(to.succ_opt().unwrap_or(to)).min(last));
        let (after_time, after_id) = filter.after.unwrap_or((first, Uuid::nil()));
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let mut values = values![
            from.max(after_time),
            until,
            after_time,
            after_id,
            text(&filter.department_id),
            text(&filter.doctor_id),
            filter.status.map_or("", Status::as_str),
            filter.size + 1
        ];
        let sql = if filter.email.is_some() || filter.phone.is_some() {
            let (email, phone) = (filter.email.as_deref(), filter.phone.as_deref());
            values.extend(rows::person(&self.keys, email, phone));
            BY_PERSON
        } else {
            BY_TIME
        };
        let rows: Vec<AppointmentRow> = self
            .database
            .fetch_all("SELECT appointments", sql, values)
            .await?;
        let mut page = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let size = filter.size as usize;
        let more = page.len() > size;
        page.truncate(size);
        let ids: Vec<Uuid> = page.iter().map(|found| found.id).collect();
        let detail = format!("{} appointments", page.len());
        self.note(access.page("appointment.list", &detail, &ids), now)
            .await?;
        Ok((page, more))
    }

    /// Returns the networks with at least `bookings_min` bookings since a moment, the largest first.
    pub async fn bursts(
        &self,
        since: DateTime<Utc>,
        bookings_min: i64,
    ) -> Result<Vec<Burst>, StoreError> {
        const BURSTS: &str = "\
SELECT network, count(*) AS bookings, sum(CASE WHEN status = 'booked' THEN 1 ELSE 0 END) AS open, min(create_time) AS first_time,
       max(create_time) AS last_time
FROM appointments WHERE network IS NOT NULL AND create_time >= $1
GROUP BY network HAVING count(*) >= $2 ORDER BY count(*) DESC LIMIT $3";
        self.database
            .fetch_all(
                "SELECT appointments",
                BURSTS,
                values![since, bookings_min, BURSTS_MAX],
            )
            .await
    }

    /// Returns the open appointments booked from a network in a period, at most 500.
    pub async fn of_burst(&self, span: &BurstSpan) -> Result<BurstCancelled, StoreError> {
        const OPEN: &str = select_appointments!(
            "WHERE network >= $1 AND network <= $2 AND appointments.create_time >= $3 AND appointments.create_time < $4 \
             AND status = 'booked' AND delete_time IS NULL ORDER BY appointments.create_time, appointments.id LIMIT $5"
        );
        let mut first = [0_u8; 32];
        let mut last = [u8::MAX; 32];
        first[..8].copy_from_slice(&span.network);
        last[..8].copy_from_slice(&span.network);
        let rows: Vec<AppointmentRow> = self
            .database
            .fetch_all(
                "SELECT appointments",
                OPEN,
                values![
                    first,
                    last,
                    span.from,
                    span.until,
                    BURST_APPOINTMENTS_MAX + 1
                ],
            )
            .await?;
        let mut appointments = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let max = usize::try_from(BURST_APPOINTMENTS_MAX).unwrap_or(usize::MAX);
        let more = appointments.len() > max;
        appointments.truncate(max);
        Ok(BurstCancelled { appointments, more })
    }
}
