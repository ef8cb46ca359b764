//! Reads and changes of an existing appointment by its patient or by staff.

use service_kit::reference::Name;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1 as proto;
use prost::Message as _;
use service_kit::{
    input::{RequestId, Violation, Violations},
    language::Language,
    status::{invalid_argument, request_id_reused},
};
use store_kit::requests::RequestKey;
use tonic::Status;

use super::{
    ATTEMPTS_MAX,
    caller::{name, unknown},
    refusals::{etag_mismatch, link_replaced, refused, roster_changes},
    traced,
};
use crate::{
    Parts,
    domain::{
        appointment::{ChangedAppointment, VisitForm, known_department, take_visit},
        calendar::Lead,
        change::{Action, Appointment, Asked, MessageIds, Refused, UNDO_TIME},
        roster::Roster,
    },
    secret::Given,
    store::{Access, By, ChangeOutcome, ChangeRequest, MOVE, Moved, Reached},
    wire,
};

/// Scopes of staff tokens.
pub(super) const READ: &str = "appointments:read";
pub(super) const WRITE: &str = "appointments:write";

impl Parts {
    /// Returns the appointment with this name if the caller may read it.
    pub(super) async fn reach(
        &self,
        name: &Name,
        access: &Access,
        action: &'static str,
    ) -> Result<Appointment, Status> {
        match self.store.read(name, access, action, self.now()).await? {
            Reached::Found(appointment) => Ok(appointment),
            Reached::Unknown => Err(unknown()),
            Reached::LinkReplaced => Err(link_replaced()),
        }
    }

    /// Returns the patient's view; includes the secret if `given` is set. `language` is that of the call.
    pub(super) fn shown_to_patient(
        &self,
        appointment: Appointment,
        roster: &Roster,
        given: Option<Given>,
        language: Option<Language>,
    ) -> proto::Appointment {
        let secret = given.and_then(|given| self.store.secret_given(&appointment, given));
        let calendar = wire::calendar_entry(&appointment, roster, language);
        proto::Appointment {
            secret: secret.unwrap_or_default(),
            calendar: crate::calendar_file::calendar_file(&calendar, &self.site),
            ..wire::appointment(appointment, roster)
        }
    }

    /// Returns the caller's view. Staff never get a patient's secret, and get its calendar file in the person's language.
    /// `language` is that of the call.
    pub(super) async fn shown(
        &self,
        appointment: Appointment,
        access: &Access,
        given: Option<Given>,
        language: Option<Language>,
    ) -> Result<proto::Appointment, Status> {
        if let Access::Secret(_) = access {
            let roster = self.store.rosters.known(self.now()).await?;
            return Ok(self.shown_to_patient(appointment, &roster, given, language));
        }
        let roster = self.store.rosters.read(self.now()).await?;
        let at_desk = wire::appointment_at_desk(appointment.clone(), &roster, self.now());
        Ok(proto::Appointment {
            resource: at_desk.resource,
            uncovered: at_desk.uncovered,
            desk_note: at_desk.desk_note,
            consultation_time: at_desk.consultation_time,
            ..self.shown_to_patient(appointment, &roster, None, None)
        })
    }

    /// Applies `action` to an appointment.
    pub(super) async fn act(
        &self,
        id: &str,
        etag: &str,
        by: By,
        action: Action,
    ) -> Result<proto::Appointment, Status> {
        self.change(id, etag, by, None, |_, _, _| Ok(action.clone()))
            .await
    }

    /// Replaces the editable fields.
    pub(super) async fn update(
        &self,
        request: proto::UpdateAppointmentRequest,
        by: By,
    ) -> Result<proto::Appointment, Status> {
        let body = request.appointment.unwrap_or_default();
        let status = wire::status_of(body.status());
        if status.is_some() && matches!(by.access, Access::Secret(_)) {
            let violation = Violation::new("status", "Only staff change the status");
            return Err(invalid_argument(&[violation]));
        }
        let form = wire::form(body);
        self.not_own("email", &form.email)?;
        let lead = lead_of(&by.access);
        self.change(
            &request.appointment_id,
            &request.etag,
            by,
            None,
            |present, roster, now| {
                let visit = present
                    .visit()
                    .ok_or_else(|| refused(Refused::NotOpen, self.store.limits()))?;
                let changed = ChangedAppointment::parse(&form, &visit, roster, lead, now)
                    .map_err(|violations| invalid_argument(&violations))?;
                Ok(Action::Update {
                    contact: changed.contact,
                    wanted: changed.wanted,
                    status,
                })
            },
        )
        .await
    }

    /// Moves an appointment to another time, department or doctor. Also returns whether an earlier request already did.
    pub(super) async fn r#move(
        &self,
        request: proto::MoveAppointmentRequest,
        by: By,
    ) -> Result<(proto::Appointment, bool), Status> {
        let key = self.move_key(&request, &by.access)?;
        if let Some(moved) = self.moved_before(key.as_ref(), &by).await? {
            traced::concerns(&moved.reference);
            return Ok((moved, true));
        }
        let lead = lead_of(&by.access);
        let action = |present: &Appointment, roster: &Roster, now| {
            let department = match request.department.trim() {
                "" => present.department_id.as_str(),
                named => named,
            };
            let form = VisitForm {
                doctor_id: &request.doctor_id,
                date: &request.date,
                time: &request.time,
            };
            let mut violations = Violations::default();
            let department = known_department(department, roster);
            take_visit(&form, department, roster, lead, now, &mut violations)
                .map(Action::Move)
                .ok_or_else(|| invalid_argument(&violations.into_vec()))
        };
        let (id, etag) = (&request.appointment_id, &request.etag);
        let moved = self
            .change(id, etag, by.clone(), key.as_ref(), action)
            .await;
        match moved {
            Ok(appointment) => Ok((appointment, false)),
            // The same request may have won the race on another connection.
            Err(status) => match self.moved_before(key.as_ref(), &by).await? {
                Some(moved) => Ok((moved, true)),
                None => Err(status),
            },
        }
    }

    /// Returns the idempotency key of a move. The key covers the caller's secret: only a holder of the old secret gets
    /// its replacement.
    fn move_key(
        &self,
        request: &proto::MoveAppointmentRequest,
        access: &Access,
    ) -> Result<Option<RequestKey>, Status> {
        if request.request_id.is_empty() {
            return Ok(None);
        }
        let id = RequestId::parse(&request.request_id).map_err(|problem| {
            invalid_argument(&[Violation::new("requestId", problem.to_string())])
        })?;
        let mut body = proto::MoveAppointmentRequest {
            request_id: String::new(),
            ..request.clone()
        }
        .encode_to_vec();
        let Access::Secret(secret) = access else {
            // Staff read the appointment again instead.
            return Ok(None);
        };
        body.extend_from_slice(secret.as_bytes());
        Ok(Some(RequestKey::new(&self.keys, MOVE, id.as_str(), &body)))
    }

    async fn moved_before(
        &self,
        key: Option<&RequestKey>,
        by: &By,
    ) -> Result<Option<proto::Appointment>, Status> {
        let Some(key) = key else {
            return Ok(None);
        };
        let access = &by.access;
        match self.store.recall_move(key, self.now()).await? {
            Moved::New => Ok(None),
            Moved::Before(appointment) => {
                // The caller showed the secret that this move replaced.
                let before = appointment.secret_generation - 1;
                let given = self.store.given(appointment.id, before, access);
                let shown = self.shown(*appointment, access, Some(given), by.language);
                shown.await.map(Some)
            }
            Moved::RequestIdReused => Err(request_id_reused()),
        }
    }

    /// Returns which of the new secrets the caller gets after a change replaced the old one. A proven caller gets the
    /// mailed secret, except after a change of address: a new address is proven by its own mail only.
    fn given_anew(
        &self,
        before: &Appointment,
        after: &Appointment,
        access: &Access,
    ) -> Option<Given> {
        if after.secret_generation == before.secret_generation {
            return None;
        }
        let address = |of: &Appointment| of.contact.clone().map(|found| (found.email, found.phone));
        let (id, generation) = (before.id, before.secret_generation);
        Some(if address(before) == address(after) {
            self.store.given(id, generation, access)
        } else {
            Given::InAnswer
        })
    }

    /// Reads the appointment, decides the action, and stores it if the appointment has not changed since.
    async fn change(
        &self,
        id: &str,
        etag: &str,
        by: By,
        key: Option<&RequestKey>,
        action: impl Fn(&Appointment, &Roster, DateTime<Utc>) -> Result<Action, Status> + Send,
    ) -> Result<proto::Appointment, Status> {
        let now = self.now();
        let name = name(id)?;
        let access = &by.access;
        let present = self.reach(&name, access, "appointment.read").await?;
        traced::concerns(&present.reference);
        let version = parse_etag(etag)?;
        let mut roster = self.store.rosters.known(now).await?;
        for _ in 0..ATTEMPTS_MAX {
            let asked = match action(&present, &roster, now) {
                Ok(action) => Asked {
                    action,
                    actor: access.actor().to_owned(),
                    message_ids: MessageIds::new(self.ids.as_ref(), now),
                },
                Err(refusal) => {
                    let fresh = self.store.rosters.read(now).await?;
                    if fresh.revision == roster.revision {
                        return Err(refusal);
                    }
                    roster = fresh;
                    continue;
                }
            };
            let wanted = asked.action.wanted().cloned();
            let change = traced::name_of(&asked.action);
            let can_be_undone = asked.action.can_be_undone();
            let request = ChangeRequest {
                id: present.id,
                version,
                asked,
                by: by.clone(),
                request: key.cloned(),
            };
            let outcome = self.store.change(request, Arc::clone(&roster), now).await?;
            return match (outcome, wanted) {
                (
                    ChangeOutcome::Changed {
                        appointment,
                        before,
                    },
                    _,
                ) => {
                    traced::done(&appointment.reference, change);
                    self.appointment_changed(&before.department_id, now).await;
                    if appointment.department_id != before.department_id {
                        self.seats_changed(&appointment.department_id, now).await;
                    }
                    let given = self.given_anew(&before, &appointment, access);
                    let undo_expire_time =
                        can_be_undone.then(|| wire::timestamp(appointment.update_time + UNDO_TIME));
                    let shown = self.shown(*appointment, access, given, by.language).await?;
                    Ok(proto::Appointment {
                        undo_expire_time,
                        ..shown
                    })
                }
                (ChangeOutcome::Unchanged(appointment), _) => {
                    self.shown(*appointment, access, None, by.language).await
                }
                (ChangeOutcome::Refused(Refused::SlotTaken), Some(wanted)) => {
                    Err(self.taken(&wanted, lead_of(access), now).await)
                }
                (ChangeOutcome::Refused(reason), _) => Err(refused(reason, self.store.limits())),
                (ChangeOutcome::Unknown, _) => Err(unknown()),
                (ChangeOutcome::RosterChanged, _) => {
                    roster = self.store.rosters.read(now).await?;
                    continue;
                }
            };
        }
        Err(roster_changes())
    }
}

/// Returns the language in which the caller gets a calendar file; `None` is that of the person. Staff read in their own
/// language.
pub(super) fn language_of_file(access: &Access, call: Option<Language>) -> Option<Language> {
    match access {
        Access::Secret(_) => call,
        Access::Staff(_) => None,
    }
}

/// Returns how late a slot can be chosen. Staff choose any that they could book.
fn lead_of(access: &Access) -> Lead {
    match access {
        Access::Secret(_) => Lead::Online,
        Access::Staff(_) => Lead::Desk,
    }
}

/// Parses an etag into the version that the caller read. Every change requires it.
pub(super) fn parse_etag(etag: &str) -> Result<i64, Status> {
    if etag.is_empty() {
        let violation = Violation::new("etag", "Send the etag that was read, as If-Match");
        return Err(invalid_argument(&[violation]));
    }
    etag.parse().map_err(|_| etag_mismatch())
}
