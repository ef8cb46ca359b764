//! The HTML of a day list, made in parts. Every text is escaped by the templates.

use askama::Template;
use chrono::{DateTime, NaiveDate, Utc};
use service_kit::language::Language;

use super::{DayListError, folder::mark_before, listed_with};
use crate::domain::{
    calendar::{IST, date_label, time_label},
    change::Appointment,
    roster::Roster,
    seats::Resource,
    status::Status,
};

/// Everything before the first appointment.
#[derive(Template)]
#[template(path = "day-list-head.html")]
pub(super) struct Head<'a> {
    /// First bytes of the file, by which a later check recognises the state.
    mark: String,
    site_name: &'a str,
    day: String,
    made: String,
}

impl<'a> Head<'a> {
    pub(super) fn new(
        site_name: &'a str,
        date: NaiveDate,
        state: &str,
        now: DateTime<Utc>,
    ) -> Self {
        let local = now.with_timezone(&IST);
        let made = format!(
            "{}, {} IST",
            date_label(local.date_naive()),
            time_label(local.time())
        );
        Self {
            mark: format!("{}{} -->", mark_before(state), now.timestamp()),
            site_name,
            day: format!("{} {}", date.format("%A"), date_label(date)),
            made,
        }
    }

    pub(super) fn text(&self) -> Result<String, DayListError> {
        Ok(self.render()?)
    }
}

#[derive(Template)]
#[template(path = "day-list-rows.html")]
struct Rows {
    rows: Vec<Row>,
}

/// Everything after the last appointment.
#[derive(Template)]
#[template(path = "day-list-end.html")]
struct End {
    appointments: usize,
    cancelled: usize,
}

struct Row {
    /// Begins a table.
    group: Option<Group>,
    time: String,
    name: String,
    /// Name of the person's language; `None` is English.
    language: Option<&'static str>,
    phone: String,
    reference: String,
    state: &'static str,
    /// Whether the patient is still expected.
    is_open: bool,
    is_cancelled: bool,
    notes: String,
}

struct Group {
    is_first: bool,
    /// Begins a department.
    begins_department: bool,
    department: String,
    attendant: String,
}

/// Groups appointments by department and by doctor or clinic, over the pages in which they are read.
#[derive(Default)]
pub(super) struct Grouped {
    /// Rows until now.
    pub(super) rows: usize,
    cancelled: usize,
    /// Department, and doctor or clinic, of the last row.
    present: Option<(String, Option<Resource>)>,
}

impl Grouped {
    /// Renders the next appointments.
    pub(super) fn text(
        &mut self,
        page: Vec<Appointment>,
        roster: &Roster,
    ) -> Result<String, DayListError> {
        let rows = page.into_iter().map(|one| self.row(one, roster)).collect();
        Ok(Rows { rows }.render()?)
    }

    pub(super) fn end(&self) -> Result<String, DayListError> {
        let end = End {
            appointments: self.rows,
            cancelled: self.cancelled,
        };
        Ok(end.render()?)
    }

    fn row(&mut self, appointment: Appointment, roster: &Roster) -> Row {
        let group = self.group(&appointment, roster);
        let status = appointment.status;
        self.rows += 1;
        self.cancelled += usize::from(status == Status::Cancelled);
        let is_covered = appointment.resource.as_ref().is_none_or(|resource| {
            roster.covers(&appointment.department_id, resource, appointment.starts_at)
        });
        let local = appointment.starts_at.with_timezone(&IST);
        let contact = appointment.contact.unwrap_or_default();
        let uncovered = "No doctor or clinic works at this time.";
        let notes = match (is_covered || status != Status::Booked, contact.notes) {
            (true, notes) => notes,
            (false, notes) if notes.is_empty() => uncovered.to_owned(),
            (false, notes) => format!("{uncovered} {notes}"),
        };
        Row {
            group,
            time: time_label(local.time()),
            name: if contact.patient_name.is_empty() {
                "Erased patient".to_owned()
            } else {
                contact.patient_name
            },
            language: appointment.language.map(Language::name),
            phone: contact.phone,
            reference: appointment.reference,
            state: label(status),
            is_open: status == Status::Booked,
            is_cancelled: status == Status::Cancelled,
            notes,
        }
    }

    /// Returns the new group that an appointment begins, if it does.
    fn group(&mut self, appointment: &Appointment, roster: &Roster) -> Option<Group> {
        let department_id = &appointment.department_id;
        let next = Some((department_id.clone(), listed_with(appointment)));
        if self.present == next {
            return None;
        }
        let before = std::mem::replace(&mut self.present, next);
        let resource = listed_with(appointment);
        let attendant = resource.and_then(|resource| roster.attendant(&resource, department_id));
        let department = roster.department(department_id);
        Some(Group {
            is_first: before.is_none(),
            begins_department: before.is_none_or(|(before, _)| before != *department_id),
            department: department
                .map_or_else(|| department_id.clone(), |known| known.name.clone()),
            attendant: attendant.map_or_else(
                || "Without a doctor or clinic".to_owned(),
                |known| known.name,
            ),
        })
    }
}

fn label(status: Status) -> &'static str {
    match status {
        Status::Booked => "Booked",
        Status::Arrived => "Arrived",
        Status::InConsultation => "With the doctor",
        Status::Completed => "Completed",
        Status::Cancelled => "Cancelled",
        Status::NoShow => "No-show",
    }
}
