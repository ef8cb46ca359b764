//! Bookings by the desk, for a caller or a person who is there.

use std::fmt;

use chrono::{DateTime, Utc};
use service_kit::input::{EmailAddress, PhoneNumber, RequestId, Violations, optional};

use super::{
    appointment::{NewAppointment, Refusal, VisitForm, known_department, parse_name, take_visit},
    calendar::{Lead, today},
    contact::Contact,
    roster::Roster,
};

/// Unvalidated booking. `Debug` withholds every field to keep personal data out of logs.
#[derive(Clone, Default)]
pub struct DeskForm {
    pub patient_name: String,
    pub phone: String,
    pub email: String,
    pub date: String,
    pub time: String,
    pub department: String,
    pub doctor_id: String,
    pub arrived: bool,
    /// Idempotency key (AIP-155).
    pub request_id: String,
}

impl fmt::Debug for DeskForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DeskForm(withheld)")
    }
}

impl DeskForm {
    /// Applies every rule and reports all violations.
    pub fn parse(
        &self,
        roster: &Roster,
        now: DateTime<Utc>,
    ) -> Result<(RequestId, NewAppointment), Refusal> {
        let mut violations = Violations::default();
        let contact = self.contact(&mut violations);
        let visit = VisitForm {
            doctor_id: &self.doctor_id,
            date: &self.date,
            time: &self.time,
        };
        let department = known_department(&self.department, roster);
        let wanted = take_visit(&visit, department, roster, Lead::Desk, now, &mut violations);
        let is_later = |starts_at| today(starts_at) != today(now);
        if self.arrived
            && wanted
                .as_ref()
                .is_some_and(|found| is_later(found.starts_at))
        {
            violations.add("arrived", "Only a visit of today can be booked as arrived");
        }
        let request_id = violations.take("requestId", RequestId::parse(&self.request_id));
        match (contact, wanted, request_id) {
            (Some(contact), Some(wanted), Some(request_id)) if violations.is_empty() => {
                let appointment = NewAppointment {
                    contact,
                    wanted,
                    hold_id: None,
                };
                Ok((request_id, appointment))
            }
            (.., request_id) => Err(Refusal {
                violations: violations.into_vec(),
                request_id,
            }),
        }
    }

    /// Parses the patient's name, and a phone number or an e-mail address.
    fn contact(&self, violations: &mut Violations) -> Option<Contact> {
        let patient_name = violations.take("patientName", parse_name(&self.patient_name));
        let email = violations.take("email", optional(EmailAddress::parse(&self.email)));
        let phone = violations.take("phone", optional(PhoneNumber::parse(&self.phone)));
        if (&email, &phone) == (&Some(None), &Some(None)) {
            violations.add("phone", "Give a phone number or an e-mail address");
        }
        Some(Contact {
            patient_name: patient_name?.into_string(),
            email: email?.map(EmailAddress::into_string).unwrap_or_default(),
            phone: phone?.map(PhoneNumber::into_string).unwrap_or_default(),
            ..Contact::default()
        })
    }
}

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;
