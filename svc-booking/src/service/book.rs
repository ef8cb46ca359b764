//! Books an appointment, for a patient or by staff.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use service_kit::{
    input::RequestId,
    language::Language,
    status::{invalid_argument, removed, request_id_reused},
};
use store_kit::requests::RequestKey;
use tonic::Status;

use super::{
    ATTEMPTS_MAX,
    refusals::{refused, roster_changes},
    traced,
};
use crate::{
    Parts,
    domain::{
        appointment::{NewAppointment, Refusal},
        calendar::Lead,
        change::{Appointment, Booker, Booking, Refused},
        roster::Roster,
        seats::Wanted,
    },
    metrics::{Outcome, count_booking},
    store::{BookOutcome, NewBooking},
};

/// A request to book.
pub(super) struct NewRequest<P> {
    /// Applies the rules of the request. Called again after a change of the roster.
    pub(super) parse: P,
    /// Kind of the request key.
    pub(super) kind: &'static str,
    /// Canonical bytes of the request, whose hash identifies retries.
    pub(super) body: Vec<u8>,
    pub(super) booker: Booker,
    /// Keyed hash of a patient's network.
    pub(super) network: Option<[u8; 32]>,
    /// Language of the person.
    pub(super) language: Option<Language>,
}

impl Parts {
    /// Books the appointment. Also returns whether it was booked now or by an earlier request.
    pub(super) async fn book<P>(
        &self,
        request: NewRequest<P>,
    ) -> Result<(Appointment, Outcome), Status>
    where
        P: Fn(&Roster, DateTime<Utc>) -> Result<(RequestId, NewAppointment), Refusal> + Send + Sync,
    {
        let booked = self.try_book(&request).await;
        count_booking(match &booked {
            Ok((_, outcome)) => *outcome,
            Err(status) => Outcome::of(status.code()),
        });
        let (appointment, outcome) = booked?;
        traced::concerns(&appointment.reference);
        traced::done(&appointment.reference, outcome.as_str());
        Ok((appointment, outcome))
    }

    async fn try_book<P>(&self, request: &NewRequest<P>) -> Result<(Appointment, Outcome), Status>
    where
        P: Fn(&Roster, DateTime<Utc>) -> Result<(RequestId, NewAppointment), Refusal> + Send + Sync,
    {
        let now = self.now();
        let key =
            |id: &RequestId| RequestKey::new(&self.keys, request.kind, id.as_str(), &request.body);
        let mut roster = self.store.rosters.known(now).await?;
        for _ in 0..ATTEMPTS_MAX {
            match (request.parse)(&roster, now) {
                Ok((request_id, appointment)) => {
                    let wanted = appointment.wanted.clone();
                    let new = NewBooking {
                        booking: Booking {
                            booker: request.booker.clone(),
                            language: request.language,
                            ..Booking::new(
                                appointment,
                                &self.site.reference_prefix,
                                self.ids.as_ref(),
                                now,
                            )
                        },
                        request: key(&request_id),
                        network: request.network,
                    };
                    let outcome = self.store.book(new, Arc::clone(&roster), now).await?;
                    if outcome != BookOutcome::RosterChanged {
                        let lead = request.booker.lead();
                        return self.booked(outcome, &wanted, lead, now).await;
                    }
                }
                Err(Refusal {
                    violations,
                    request_id,
                }) => {
                    // A concurrent roster change may allow the booking.
                    let fresh = self.store.rosters.read(now).await?;
                    if fresh.revision == roster.revision {
                        // Idempotent replay: a retry of a booked request gets the same response, even if the rules
                        // would now refuse it.
                        let earlier = match &request_id {
                            Some(id) => self.store.recall(&key(id), now).await?,
                            None => None,
                        };
                        return earlier
                            .map(|earlier| (earlier, Outcome::Repeated))
                            .ok_or_else(|| invalid_argument(&violations));
                    }
                }
            }
            roster = self.store.rosters.read(now).await?;
        }
        Err(roster_changes())
    }

    async fn booked(
        &self,
        outcome: BookOutcome,
        wanted: &Wanted,
        lead: Lead,
        now: DateTime<Utc>,
    ) -> Result<(Appointment, Outcome), Status> {
        match outcome {
            BookOutcome::Created(appointment) => {
                let department_id = &appointment.department_id;
                self.appointment_changed(department_id, now).await;
                Ok((*appointment, Outcome::Booked))
            }
            BookOutcome::Repeated(appointment) => Ok((*appointment, Outcome::Repeated)),
            BookOutcome::Refused(Refused::SlotTaken) => Err(self.taken(wanted, lead, now).await),
            BookOutcome::Refused(other) => Err(refused(other, self.store.limits())),
            BookOutcome::RequestIdReused => Err(request_id_reused()),
            BookOutcome::Removed => Err(removed()),
            BookOutcome::RosterChanged => Err(roster_changes()),
        }
    }
}
