//! Booked appointments whose resource does not work at their time any more. The search does not read contacts; only the
//! shown appointments are decrypted.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox, row,
    sql::{Script, Sql, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Access, ListFilter, Store,
    lists::{id_in, joined_ids},
    rows::{self, AppointmentRow, select_appointments},
};
use crate::domain::{
    availability::Span,
    calendar::{start_of, today},
    change::{Appointment, Notice, UNCOVERED},
    roster::{
        Roster,
        change::{Booked, uncovered},
    },
    seats::Resource,
    status::Status,
};

/// Maximum booked appointments examined per day.
const OF_DAY_MAX: i64 = 20_000;
/// Maximum appointments of one person that a search examines.
const OF_PERSON_MAX: i64 = 1000;

/// Selects booked appointments with their seat, without contact data.
macro_rules! select_booked {
    ($where:literal) => {
        concat!(
            "SELECT appointments.id, reference, department_id, doctor_id, appointments.starts_at, version, appointments.create_time, \
             seats.resource FROM appointments LEFT JOIN seats ON seats.holder_id = appointments.id \
             WHERE status = 'booked' AND delete_time IS NULL AND ",
            $where
        )
    };
}
pub(super) use select_booked;

row! {
    pub(super) struct BookedRow {
        id: Uuid,
        reference: String,
        department_id: String,
        doctor_id: Option<String>,
        starts_at: DateTime<Utc>,
        version: i64,
        create_time: DateTime<Utc>,
        resource: Option<String>,
    }
}

impl From<BookedRow> for Booked {
    fn from(row: BookedRow) -> Self {
        Self {
            id: row.id,
            reference: row.reference,
            department_id: row.department_id,
            doctor_id: row.doctor_id,
            starts_at: row.starts_at,
            version: row.version,
            create_time: row.create_time,
            resource: row.resource.map(Resource::named),
        }
    }
}

pub(super) fn booked(rows: Vec<BookedRow>) -> Vec<Booked> {
    rows.into_iter().map(Booked::from).collect()
}

impl Store {
    /// Returns a page of uncovered future appointments, and whether there is another page. Examines the days of the
    /// filter until the page is full.
    ///
    /// # Errors
    /// Fails if the database fails or a shown row cannot be decrypted.
    pub async fn uncovered(
        &self,
        filter: &ListFilter,
        roster: &Roster,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<(Vec<Appointment>, bool), StoreError> {
        let persons = self.persons(filter).await?;
        let is_listed = |found: &Booked| {
            filter.matches(found)
                && persons
                    .as_ref()
                    .is_none_or(|persons| persons.contains(&found.id))
        };
        let size = filter.size as usize;
        let bookable = Span::bookable(now);
        let after = filter.after.map(|(starts_at, _)| today(starts_at));
        let from = filter.from.max(after).unwrap_or(bookable.from);
        let span = Span {
            from: from.max(bookable.from),
            to: filter.to.unwrap_or(bookable.to).min(bookable.to),
        };
        let mut found = Vec::new();
        for day in span.days() {
            let of_day = self.booked_on(day, now).await?;
            found.extend(uncovered(of_day, roster).into_iter().filter(is_listed));
            if found.len() > size {
                break;
            }
        }
        let more = found.len() > size;
        found.truncate(size);
        let ids: Vec<Uuid> = found.iter().map(|found| found.id).collect();
        let page = self.opened(&ids).await?;
        let detail = format!("{} uncovered appointments", page.len());
        self.note(access.page("appointment.list", &detail, &ids), now)
            .await?;
        Ok((page, more))
    }

    /// Returns the appointments with these ids that are still booked, by time.
    ///
    /// # Errors
    /// See [`Self::uncovered`].
    pub async fn opened(&self, ids: &[Uuid]) -> Result<Vec<Appointment>, StoreError> {
        const BY_IDS: Sql = id_in!(
            select_appointments!("WHERE appointments.id"),
            1,
            " AND delete_time IS NULL ORDER BY appointments.starts_at, appointments.id"
        );
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<AppointmentRow> = self
            .database
            .fetch_all("SELECT appointments", BY_IDS, values![joined_ids(ids)])
            .await?;
        let appointments = rows.into_iter().map(|row| row.open(&self.keys));
        let mut appointments = appointments.collect::<Result<Vec<_>, _>>()?;
        appointments.retain(|appointment| appointment.status == Status::Booked);
        Ok(appointments)
    }

    /// Returns those of the named appointments (by id or reference) that are booked, in the future and uncovered.
    ///
    /// # Errors
    /// Fails if the database fails.
    pub async fn uncovered_of(
        &self,
        names: &[String],
        roster: &Roster,
        now: DateTime<Utc>,
    ) -> Result<Vec<Booked>, StoreError> {
        const NAMED: Sql = Sql::differing(
            select_booked!(
                "(reference IN (SELECT value FROM json_each('[\"' || replace($1, ',', '\",\"') || '\"]')) \
                 OR appointments.id IN (SELECT unhex(value, '-') FROM json_each('[\"' || replace($2, ',', '\",\"') || '\"]'))) \
                 AND appointments.starts_at >= $3"
            ),
            select_booked!(
                "(reference = ANY(string_to_array($1, ',')) OR appointments.id = ANY(string_to_array($2, ',')::uuid[])) \
                 AND appointments.starts_at >= $3"
            ),
        );
        const AT: &str = select_booked!("appointments.starts_at = $1 LIMIT $2");
        let ids: Vec<Uuid> = names.iter().filter_map(|name| name.parse().ok()).collect();
        let references: Vec<&str> = names.iter().map(String::as_str).collect();
        let values = values![references.join(","), joined_ids(&ids), now];
        let rows: Vec<BookedRow> = self
            .database
            .fetch_all("SELECT appointments", NAMED, values)
            .await?;
        let wanted = booked(rows);
        let times: BTreeSet<DateTime<Utc>> = wanted.iter().map(|found| found.starts_at).collect();
        let mut found = Vec::new();
        // An appointment's coverage depends on all appointments at its time.
        for time in times {
            let at: Vec<BookedRow> = self
                .database
                .fetch_all("SELECT appointments", AT, values![time, OF_DAY_MAX])
                .await?;
            found.extend(uncovered(booked(at), roster));
        }
        found.retain(|found| wanted.iter().any(|wanted| wanted.id == found.id));
        Ok(found)
    }

    async fn booked_on(
        &self,
        day: NaiveDate,
        now: DateTime<Utc>,
    ) -> Result<Vec<Booked>, StoreError> {
        const OF_DAY: &str = select_booked!(
            "appointments.starts_at >= $1 AND appointments.starts_at < $2 \
             ORDER BY appointments.starts_at, appointments.id LIMIT $3"
        );
        let next = start_of(day.succ_opt().unwrap_or(day));
        let values = values![start_of(day).max(now), next, OF_DAY_MAX];
        let rows: Vec<BookedRow> = self
            .database
            .fetch_all("SELECT appointments", OF_DAY, values)
            .await?;
        Ok(booked(rows))
    }

    /// Returns the ids of the appointments of the filter's person; `None` if the filter has none.
    async fn persons(&self, filter: &ListFilter) -> Result<Option<BTreeSet<Uuid>>, StoreError> {
        const IDS: &str = "\
SELECT id FROM contacts WHERE email_index IN ($1, $2) UNION SELECT id FROM contacts WHERE phone_index IN ($3, $4) LIMIT $5";
        if filter.email.is_none() && filter.phone.is_none() {
            return Ok(None);
        }
        let (email, phone) = (filter.email.as_deref(), filter.phone.as_deref());
        let mut values = rows::person(&self.keys, email, phone);
        values.push(OF_PERSON_MAX.into());
        let ids: Vec<(Uuid,)> = self
            .database
            .fetch_all("SELECT contacts", IDS, values)
            .await?;
        Ok(Some(ids.into_iter().map(|(id,)| id).collect()))
    }

    /// Queues notices to the patients of uncovered appointments. Replaces a notice that is still pending.
    pub async fn notify_uncovered(
        &self,
        appointments: Vec<Booked>,
        message_ids: Vec<Uuid>,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = appointments.iter().map(|found| found.id).collect();
        let detail = format!("{} appointments", ids.len());
        let work = NotifyUncovered {
            entries: access.page(UNCOVERED, &detail, &ids),
            appointments,
            message_ids,
            keys: self.keys.clone(),
            now,
        };
        self.database.write("INSERT outbox_messages", work).await
    }
}

struct NotifyUncovered {
    appointments: Vec<Booked>,
    message_ids: Vec<Uuid>,
    entries: Vec<audit::Entry>,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for NotifyUncovered {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
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
            let about = (appointment.id, appointment.version);
            script.push(rows::message(about, &notice, self.now)?);
        }
        transaction.run(script).await?;
        audit::append_all(transaction, &self.keys, &self.entries, self.now).await?;
        Ok(Decision::Commit(()))
    }
}
