//! The gRPC handlers: authenticate, parse, make one store call, reply.

mod access;
mod appointments;
mod book;
mod booking;
mod bursts;
mod caller;
mod changes;
mod consultations;
mod desk;
mod fhir;
mod leave_requests;
mod privacy;
mod refusals;
mod roster;
mod times;
mod traced;
mod waitlist;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use service_kit::{
    input::{OwnMailboxes, RequestId, Violation},
    status,
};
use store_kit::{error::StoreError, requests::RequestKey};
use tonic::Status;

use crate::{
    Parts,
    domain::{
        availability::{AvailabilityQuery, Span, TakenSeats},
        calendar::{Lead, today},
        roster::Roster,
        seats::{Resource, Wanted},
    },
};

pub use access::AccessRpcs;
pub use booking::BookingRpcs;
pub use bursts::watch_bursts;
pub use changes::Seen;
pub use consultations::ConsultationRpcs;
pub use desk::DeskRpcs;
pub use fhir::FhirRpcs;
pub use leave_requests::LeaveRequestRpcs;
pub use privacy::{PrivacyRpcs, keep_retention};
pub use roster::{RosterRpcs, watch_holidays};
pub use waitlist::{WaitlistRpcs, pass_offers_on};

/// Maximum attempts to check a request against a roster that changes concurrently.
const ATTEMPTS_MAX: usize = 4;

impl Parts {
    fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Returns the key of a create by staff.
    fn request_key(&self, kind: &str, id: &str, body: &[u8]) -> Result<RequestKey, Status> {
        let id = RequestId::parse(id).map_err(|problem| {
            status::invalid_argument(&[Violation::new("requestId", problem.to_string())])
        })?;
        Ok(RequestKey::new(&self.keys, kind, id.as_str(), body))
    }

    /// Refuses the hospital's own mailboxes: mails to the patient would reach reception instead.
    fn not_own(&self, field: &'static str, email: &str) -> Result<(), Status> {
        if self.site.own_mailboxes().has(email) {
            let violation = Violation::new(field, OwnMailboxes::REFUSAL);
            return Err(status::invalid_argument(&[violation]));
        }
        Ok(())
    }

    /// Returns the roster and the taken seats of some of its resources, read at the same revision if possible.
    async fn seats_of(
        &self,
        resources: impl Fn(&Roster) -> Vec<Resource> + Send,
        span: Span,
        now: DateTime<Utc>,
    ) -> Result<(Arc<Roster>, TakenSeats), StoreError> {
        let mut roster = self.store.rosters.known(now).await?;
        let mut attempt = 1;
        loop {
            let (taken, revision) = self.store.taken(&resources(&roster), span, now).await?;
            if revision == roster.revision || attempt == ATTEMPTS_MAX {
                return Ok((roster, taken));
            }
            roster = self.store.rosters.read(now).await?;
            attempt += 1;
        }
    }

    /// Returns the free times nearest to a taken one.
    async fn alternatives(
        &self,
        wanted: &Wanted,
        lead: Lead,
        now: DateTime<Utc>,
    ) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let (department_id, starts_at) = (wanted.department_id.as_str(), wanted.starts_at);
        let doctor_id = wanted.doctor_id.as_deref().unwrap_or_default();
        let date = today(starts_at);
        let roster = self.store.rosters.known(now).await?;
        let doctor = roster.doctor_of(doctor_id, Some(department_id));
        let (Some(department), Ok(doctor)) = (roster.department(department_id), doctor) else {
            return Ok(Vec::new());
        };
        let query =
            AvailabilityQuery::around(&roster, department, doctor, date, now).with_lead(lead);
        let (taken, _) = self
            .store
            .taken(&query.resources(), query.span(), now)
            .await?;
        Ok(query.nearest(&taken, starts_at, now))
    }
}
