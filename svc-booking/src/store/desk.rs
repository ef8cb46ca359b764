//! What staff ask for: lists, bursts, and who is not covered any more.

use chrono::{DateTime, NaiveDate, Utc};
use service_kit::input::{email_to_look_up, phone_to_look_up};
use store_kit::{audit, error::StoreError, outbox, sql::Script, values, work};
use uuid::Uuid;

use super::{
    Access, Store,
    rows::{self, AppointmentRow, select_appointments},
};
use crate::domain::{
    availability::Span,
    calendar::{start_of, today},
    change::{Appointment, Notice, UNCOVERED},
    roster::{Roster, change::uncovered},
    status::Status,
};

/// Booked appointments that are looked through for those that nobody covers.
const UNCOVERED_MAX: i64 = 50_000;
const BURSTS_MAX: i64 = 100;
/// Appointments that one call cancels.
const BURST_APPOINTMENTS_MAX: i64 = 500;

/// Which appointments are listed.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    /// First and last day, inclusive.
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    pub department_id: Option<String>,
    pub doctor_id: Option<String>,
    pub status: Option<Status>,
    /// Whole address and number.
    pub email: Option<String>,
    pub phone: Option<String>,
    /// The last appointment of the page before.
    pub after: Option<(DateTime<Utc>, Uuid)>,
    pub size: u32,
}

impl ListFilter {
    /// Whether an appointment that was read already is one of the list.
    pub fn matches(&self, appointment: &Appointment) -> bool {
        let date = today(appointment.starts_at);
        let contact = appointment.contact.as_ref();
        let is = |wanted: &Option<String>, present: Option<&str>| {
            wanted.is_none() || wanted.as_deref() == present
        };
        let is_email = self.email.as_deref().map(|email| {
            contact.is_some_and(|found| email_to_look_up(&found.email) == email_to_look_up(email))
        });
        let is_phone = self.phone.as_deref().map(|phone| {
            contact.is_some_and(|found| phone_to_look_up(&found.phone) == phone_to_look_up(phone))
        });
        // Of the person that either names, as in the list of all.
        let is_person = match (is_email, is_phone) {
            (None, None) => true,
            (email, phone) => email.unwrap_or_default() || phone.unwrap_or_default(),
        };
        is_person
            && self.from.is_none_or(|from| from <= date)
            && self.to.is_none_or(|to| date <= to)
            && is(&self.department_id, Some(&appointment.department_id))
            && is(&self.doctor_id, appointment.doctor_id.as_deref())
            && self
                .status
                .is_none_or(|status| status == appointment.status)
            && self
                .after
                .is_none_or(|after| (appointment.starts_at, appointment.id) > after)
    }
}

/// Appointments at whose time nobody works any more.
pub type Uncovered = Vec<Appointment>;

/// Many bookings of one network.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Burst {
    pub network: Vec<u8>,
    pub bookings: i64,
    pub open: i64,
    pub first_time: DateTime<Utc>,
    pub last_time: DateTime<Utc>,
}

/// What of a network is meant: by when it was booked, up to but without `until`.
#[derive(Clone, Debug)]
pub struct BurstSpan {
    /// First bytes of the keyed hash.
    pub network: [u8; 8],
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

/// Appointments that a burst has and that are still open.
#[derive(Clone, Debug, Default)]
pub struct BurstCancelled {
    pub appointments: Vec<Appointment>,
    pub more: bool,
}

impl Store {
    /// A page of appointments by time, and whether there is another one.
    pub async fn list(
        &self,
        filter: &ListFilter,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Appointment>, bool), StoreError> {
        const BY_TIME: &str = select_appointments!(
            "WHERE appointments.starts_at >= $1 AND appointments.starts_at < $2 AND (appointments.starts_at, appointments.id) > ($3, $4) \
             AND ($5 = '' OR department_id = $5) AND ($6 = '' OR doctor_id = $6) AND ($7 = '' OR status = $7) AND delete_time IS NULL \
             ORDER BY appointments.starts_at, appointments.id LIMIT $8"
        );
        const BY_PERSON: &str = select_appointments!(
            "WHERE appointments.id IN (SELECT id FROM contacts WHERE email_index = $9 UNION SELECT id FROM contacts WHERE phone_index = $10) \
             AND appointments.starts_at >= $1 AND appointments.starts_at < $2 AND (appointments.starts_at, appointments.id) > ($3, $4) \
             AND ($5 = '' OR department_id = $5) AND ($6 = '' OR doctor_id = $6) AND ($7 = '' OR status = $7) AND delete_time IS NULL \
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
            let email = filter.email.as_deref();
            let phone = filter.phone.as_deref();
            values.extend(values![
                email.map(|email| rows::email_index(&self.keys, email)),
                phone.map(|phone| rows::phone_index(&self.keys, phone))
            ]);
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
        let detail = format!("{} appointments", page.len());
        self.note(access.entry("appointment.list", "", &detail), now)
            .await?;
        Ok((page, more))
    }

    /// Booked appointments that are to come and that nobody covers.
    pub async fn uncovered(
        &self,
        roster: &Roster,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<Uncovered, StoreError> {
        const BOOKED: &str = select_appointments!(
            "WHERE appointments.starts_at >= $1 AND appointments.starts_at < $2 AND status = 'booked' AND delete_time IS NULL \
             ORDER BY appointments.starts_at, appointments.id LIMIT $3"
        );
        let until = Span::bookable(now).moments().1;
        let rows: Vec<AppointmentRow> = self
            .database
            .fetch_all(
                "SELECT appointments",
                BOOKED,
                values![now, until, UNCOVERED_MAX],
            )
            .await?;
        let booked = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let found = uncovered(booked, roster);
        let detail = format!("{} uncovered appointments", found.len());
        self.note(access.entry("appointment.list", "", &detail), now)
            .await?;
        Ok(found)
    }

    /// Networks with at least so many bookings since then, the largest first.
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

    /// Open appointments that were booked from a network in a span of time, at most 500.
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

    /// Tells the patients of these appointments that nobody works at their time any more. Who was told before is not told again while
    /// that waits.
    pub async fn notify_uncovered(
        &self,
        appointments: Vec<Appointment>,
        message_ids: Vec<Uuid>,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let work = NotifyUncovered {
            entry: access.entry(
                UNCOVERED,
                "",
                &format!("{} appointments", appointments.len()),
            ),
            appointments,
            message_ids,
            keys: self.keys.clone(),
            now,
        };
        self.database.write("INSERT outbox_messages", work).await
    }
}

struct NotifyUncovered {
    appointments: Vec<Appointment>,
    message_ids: Vec<Uuid>,
    entry: Option<audit::Entry>,
    keys: store_kit::keys::Keys,
    now: DateTime<Utc>,
}

#[async_trait::async_trait]
impl work::UnitOfWork for NotifyUncovered {
    type Outcome = ();

    async fn run(
        &self,
        transaction: &mut store_kit::sql::Transaction<'_>,
    ) -> Result<work::Decision<()>, StoreError> {
        let subjects = self
            .appointments
            .iter()
            .map(|appointment| appointment.id.to_string());
        let clearing: Script = subjects
            .map(|subject| outbox::withdraw(UNCOVERED, &subject))
            .collect();
        transaction.run(clearing).await?;
        let mut script = Script::new();
        for (appointment, id) in self.appointments.iter().zip(&self.message_ids) {
            let notice = Notice {
                id: *id,
                kind: UNCOVERED,
                not_before: self.now,
            };
            script.push(rows::message(appointment, &notice)?);
        }
        transaction.run(script).await?;
        if let Some(entry) = &self.entry {
            audit::append(transaction, &self.keys, entry, self.now).await?;
        }
        Ok(work::Decision::Commit(()))
    }
}
