//! Mails the present link of an appointment again.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::reference::Name;
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::{Lock, Script, Transaction},
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Access, By, Store,
    causes::hex,
    tries::{Tries, count, lock, tries},
};
use crate::{
    domain::{
        change::Appointment,
        code::{LINK, MAILS_MAX},
    },
    secret::{self, Shown, Subject},
};

impl Store {
    /// Queues a mail with the present link to the address of an open appointment. Allowed for staff and for callers
    /// with any link of the appointment, even a replaced one. To other callers, the result does not reveal whether the
    /// appointment exists.
    pub async fn send_link(
        &self,
        name: &Name,
        by: By,
        message_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<Appointment>, StoreError> {
        let Some(row) = self.row_named(name).await? else {
            return Ok(None);
        };
        let hashed = row.secret_hash.clone();
        let appointment = row.open(&self.keys)?;
        if let Access::Secret(shown) = &by.access {
            let (id, generation) = (appointment.id, appointment.secret_generation);
            let kind = Subject::Appointment;
            let found = secret::check(&self.keys, kind, id, generation, hashed.as_deref(), shown);
            if found == Shown::Wrong {
                return Ok(None);
            }
        }
        if appointment.is_open(now) && appointment.contact.is_some() {
            let work = SendLink {
                appointment: appointment.clone(),
                by,
                message_id,
                keys: self.keys.clone(),
                now,
            };
            self.database.write("INSERT outbox_messages", work).await?;
        }
        Ok(Some(appointment))
    }
}

struct SendLink {
    appointment: Appointment,
    by: By,
    message_id: Uuid,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for SendLink {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let Appointment { id, reference, .. } = &self.appointment;
        let subject = Tries::Links.subject(&self.keys, reference.as_bytes());
        let name = lock(subject);
        transaction.lock_all(&[Lock::Exclusive(&name)]).await?;
        let is_by_staff = matches!(self.by.access, Access::Staff(_));
        let (_, mails) = tries(transaction, subject, self.now).await?;
        if mails >= MAILS_MAX && !is_by_staff {
            return Ok(Decision::Rollback(()));
        }
        let network = self.by.network.map(|network| hex(&network));
        let network = network.unwrap_or_default();
        let message = outbox::NewMessage {
            id: self.message_id,
            kind: LINK,
            subject: id.to_string(),
            payload: format!(
                r#"{{"appointmentId":"{id}","byStaff":{is_by_staff},"network":"{network}"}}"#
            ),
            not_before: self.now,
        };
        let withdrawn = outbox::withdraw(LINK, &id.to_string());
        transaction.run([withdrawn].into_iter().collect()).await?;
        let mut script = Script::new();
        script.push(outbox::insert(&message, self.now)?);
        script.push(count(subject, self.now));
        transaction.run(script).await?;
        if let Some(entry) = self.by.access.entry(LINK, &id.to_string(), "") {
            audit::append(transaction, &self.keys, &entry, self.now).await?;
        }
        Ok(Decision::Commit(()))
    }
}
