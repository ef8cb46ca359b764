//! Actions of an entry's owner or of staff: accept the offer, leave the waitlist, or take an entry off it.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    BY_ID, EntryAction, EntryOutcome, EntryRow, SET_STATE,
    offer::{Offer, end_offer, locked, offer},
};
use crate::{
    domain::{
        change::{Appointment, BOOKED, Change, MessageIds, OpenAppointment, notices, one_too_many},
        contact::DeskNote,
        proof::{Caller, Proof},
        roster::Roster,
        seats::Seat,
        status::Status,
        waitlist::{EndReason, EntryState, JOINED, REMOVED},
    },
    secret::Subject,
    store::{
        By,
        prove::open_of,
        references::unused,
        rosters::is_current,
        rows::{self, AppointmentRow, SeatRow, select_appointments},
    },
};

pub(super) struct Act {
    pub(super) id: Uuid,
    pub(super) action: EntryAction,
    pub(super) by: By,
    pub(super) message_ids: MessageIds,
    pub(super) roster: Arc<Roster>,
    pub(super) now: DateTime<Utc>,
    pub(super) open_max: usize,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Act {
    type Outcome = EntryOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<EntryOutcome>, StoreError> {
        let Some(mut row) = locked(transaction, self.id).await? else {
            return Ok(Decision::Rollback(EntryOutcome::Unknown));
        };
        if let Some(language) = self.by.stored_language()
            && row.language != language
        {
            const SET: &str = "UPDATE waitlist_entries SET language = $2 WHERE id = $1";
            let values = values![row.id, language];
            transaction.execute(SET, values).await?;
            language.clone_into(&mut row.language);
        }
        let subject = row.id.to_string();
        let mut detail = "";
        let (outcome, action) = match &self.action {
            EntryAction::Leave => {
                let left = self.leave(transaction, row, EndReason::Left).await?;
                (left, "waitlist.leave")
            }
            EntryAction::Remove {
                removal,
                etag,
                message_id,
            } => {
                let reason = EndReason::Removed(*removal);
                detail = reason.as_str();
                let removed = self
                    .remove(transaction, row, reason, etag, *message_id)
                    .await?;
                (removed, "waitlist.remove")
            }
            EntryAction::Accept {
                appointment_id,
                references,
            } => {
                let accepted = self
                    .accept(transaction, row, *appointment_id, references)
                    .await?;
                (accepted, "waitlist.accept")
            }
        };
        if matches!(
            outcome,
            EntryOutcome::OfferOver
                | EntryOutcome::Refused(_)
                | EntryOutcome::RosterChanged
                | EntryOutcome::EtagMismatch
                | EntryOutcome::NotWaiting
        ) {
            return Ok(Decision::Rollback(outcome));
        }
        if let Some(entry) = self.by.access.entry(action, &subject, detail) {
            audit::append(transaction, &self.keys, &entry, self.now).await?;
        }
        Ok(Decision::Commit(outcome))
    }
}

impl Act {
    async fn remove(
        &self,
        transaction: &mut Transaction<'_>,
        row: EntryRow,
        reason: EndReason,
        etag: &str,
        message_id: Uuid,
    ) -> Result<EntryOutcome, StoreError> {
        let entry = row.clone().open(&self.keys)?;
        if entry.etag() != etag {
            return Ok(EntryOutcome::EtagMismatch);
        }
        if !matches!(entry.state, EntryState::Waiting | EntryState::Offered) {
            return Ok(EntryOutcome::NotWaiting);
        }
        let message = outbox::NewMessage {
            id: message_id,
            kind: REMOVED,
            subject: entry.id.to_string(),
            payload: format!(r#"{{"waitlistEntryId":"{}"}}"#, entry.id),
            not_before: self.now,
        };
        let mut script = Script::new();
        // The link that proves the entry is of no use any more.
        script.push(outbox::withdraw(JOINED, &entry.id.to_string()));
        script.push(outbox::insert(&message, self.now)?);
        transaction.run(script).await?;
        self.leave(transaction, row, reason).await
    }

    async fn leave(
        &self,
        transaction: &mut Transaction<'_>,
        row: EntryRow,
        reason: EndReason,
    ) -> Result<EntryOutcome, StoreError> {
        if matches!(row.state.as_str(), "waiting" | "offered") {
            end_offer(transaction, &row, Some(reason), self.now).await?;
            if let Some(starts_at) = row.offer_starts_at
                && is_current(transaction, &self.roster).await?
            {
                let next = Offer {
                    department_id: &row.department_id,
                    starts_at,
                    message_id: self.message_ids.of_offer(),
                };
                offer(transaction, &next, &self.roster, self.now).await?;
            }
        }
        let row: EntryRow = transaction.fetch_one(BY_ID, values![row.id]).await?;
        Ok(EntryOutcome::Left(Box::new(row.open(&self.keys)?)))
    }

    /// Returns the appointment of an earlier acceptance, for a retry after a lost response. Not once its link has been
    /// replaced.
    async fn accepted(
        &self,
        transaction: &mut Transaction<'_>,
        row: &EntryRow,
    ) -> Result<EntryOutcome, StoreError> {
        const BOOKED_OF: &str = select_appointments!(
            "WHERE appointments.id = (SELECT appointment_id FROM waitlist_entries WHERE id = $1) AND delete_time IS NULL"
        );
        let booked: Option<AppointmentRow> = transaction
            .fetch_optional(BOOKED_OF, values![row.id])
            .await?;
        let booked = booked.map(|booked| booked.open(&self.keys)).transpose()?;
        Ok(booked
            .filter(|booked| booked.secret_generation == 1 && booked.status == Status::Booked)
            .map_or(EntryOutcome::OfferOver, |booked| {
                EntryOutcome::Booked(Box::new(booked))
            }))
    }

    async fn accept(
        &self,
        transaction: &mut Transaction<'_>,
        row: EntryRow,
        appointment_id: Uuid,
        references: &[String],
    ) -> Result<EntryOutcome, StoreError> {
        const OFFERED_SEAT: &str = "\
SELECT resource, starts_at, seat, holder_id, expire_time FROM seats WHERE holder_id = $1 AND holder_kind = 'offer'";
        const TAKEN: &str =
            "SELECT reference FROM appointments WHERE reference IN ($1, $2, $3, $4)";
        let seat: Option<SeatRow> = transaction
            .fetch_optional(OFFERED_SEAT, values![row.id])
            .await?;
        let held = seat.map(SeatRow::held).transpose()?;
        let is_offered = row.state == EntryState::Offered.as_str();
        let Some(held) = held.filter(|held| is_offered && held.is_held(self.now)) else {
            return self.accepted(transaction, &row).await;
        };
        if !is_current(transaction, &self.roster).await? {
            return Ok(EntryOutcome::RosterChanged);
        }
        // The resource may have gone on leave since the offer.
        let Seat {
            resource,
            starts_at,
            ..
        } = &held.seat;
        if !self.roster.covers(&row.department_id, resource, *starts_at) {
            return Ok(EntryOutcome::OfferOver);
        }
        // Limits of a person apply only to callers who have proven the address: to others, a refusal would reveal
        // appointments.
        let subject = Subject::WaitlistEntry;
        let caller = self.by.access.caller(&self.keys, subject, self.id, 1);
        let counted = row
            .email_index
            .as_deref()
            .filter(|_| caller == Caller::Proven);
        if let Some(email_index) = counted {
            let open = open_of(transaction, email_index, row.id, self.now).await?;
            let more = OpenAppointment {
                department_id: row.department_id.clone(),
                starts_at: held.seat.starts_at,
            };
            if let Some(refused) = one_too_many(&open, &more, self.open_max) {
                return Ok(EntryOutcome::Refused(refused));
            }
        }
        let reference = unused(transaction, TAKEN, references).await?;
        let id = row.id;
        let department_id = row.department_id.clone();
        let entry = row.open(&self.keys)?;
        let seat = held.seat.clone();
        let appointment = Appointment {
            id: appointment_id,
            reference,
            department_id,
            doctor_id: seat.resource.doctor_id().map(str::to_owned),
            starts_at: seat.starts_at,
            status: Status::Booked,
            version: 1,
            secret_generation: 1,
            create_time: self.now,
            update_time: self.now,
            resource: Some(seat.resource.clone()),
            proof: match caller {
                Caller::Staff => Proof::Desk,
                Caller::Proven => Proof::Link,
                Caller::Unproven => Proof::Unproven,
            },
            contact: entry.contact,
            language: entry.language,
            desk_note: DeskNote::default(),
            consultation_time: None,
        };
        let messages = notices(BOOKED, appointment.starts_at, self.message_ids, self.now);
        let change = Change {
            freed: vec![held],
            taken: Some(seat),
            rewrites_contact: true,
            messages,
            ..Change::of(appointment, BOOKED, self.by.access.actor())
        };
        transaction.run(rows::clearing(&change)).await?;
        let mut script = Script::new();
        let appointment = &change.appointment;
        script.push(rows::insert(&self.keys, appointment, self.by.network));
        script.append(rows::writing(&self.keys, &change, None)?);
        script.push(Statement::new(
            SET_STATE,
            values![
                id,
                EntryState::Booked.as_str(),
                self.now,
                change.appointment.id,
                None::<String>
            ],
        ));
        transaction.run(script).await?;
        Ok(EntryOutcome::Booked(Box::new(change.appointment)))
    }
}
