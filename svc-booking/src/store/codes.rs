//! One-time codes that are mailed to a patient who has lost the link of an appointment.
//!
//! Unknown references are counted, locked and looked up exactly like known ones. Neither the response nor its duration
//! reveals whether an appointment exists or whose it is.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::reference::Name;
use store_kit::{
    error::StoreError,
    keys::Keys,
    outbox,
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    prove::ProveAppointment,
    rows::{self, AppointmentRow},
    tries::{FORGET_TRIES, Tries, count, lock, tries},
};
use crate::domain::{
    change::Appointment,
    code::{CODE, CODE_TIME, MAILS_MAX, TRIES_MAX, TRIES_OF_NETWORK_MAX, TRIES_WINDOW, digits},
    proof::{OpenLimits, Proof},
};

/// The unverified claim of a person without the link: reference, phone number and network.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The typed reference in capital letters; tries are counted by it.
    typed: String,
    /// The parsed reference; empty if the typed text is not one, which matches no appointment.
    reference: String,
    /// Keyed hash of the phone number.
    phone_index: [u8; 32],
    /// Keyed hash of the caller's network.
    network: Option<[u8; 32]>,
}

/// Outcome of an entered code.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CodeOutcome {
    Opened(Box<Appointment>),
    /// Wrong code, phone number or reference.
    Wrong,
    /// Too many wrong codes were entered; no code is checked until this moment.
    TooMany(DateTime<Utc>),
}

/// A mailed code that is still valid.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MailedCode {
    pub appointment_id: Uuid,
    pub code: String,
    /// Keyed hash of the network that requested the code.
    pub network: Option<Vec<u8>>,
    pub expire_time: DateTime<Utc>,
}

const PURGED_MAX: i64 = 1000;

fn derived(keys: &Keys, id: Uuid) -> String {
    digits(keys.digest("access_codes.code", id.as_bytes()))
}

impl Store {
    /// Builds the claim of a person without a link.
    pub fn claim(&self, reference: &str, phone: &str, network: Option<[u8; 32]>) -> Claim {
        let typed = reference.trim().to_ascii_uppercase();
        let reference = match Name::parse(&typed) {
            Some(Name::Reference(reference)) => reference,
            _ => String::new(),
        };
        Claim {
            typed,
            reference,
            phone_index: rows::phone_index(&self.keys, phone),
            network,
        }
    }

    /// Queues a mail with a code to the address of an open appointment, if its reference and phone number match the
    /// claim.
    pub async fn request_code(
        &self,
        claim: Claim,
        id: Uuid,
        message_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let work = RequestCode {
            claim,
            id,
            message_id,
            keys: self.keys.clone(),
            now,
        };
        self.database.write("INSERT access_codes", work).await
    }

    /// Opens an appointment with a mailed code.
    pub async fn open_with_code(
        &self,
        claim: Claim,
        code: String,
        now: DateTime<Utc>,
    ) -> Result<CodeOutcome, StoreError> {
        let work = OpenWithCode {
            claim,
            code,
            limits: self.limits,
            keys: self.keys.clone(),
            now,
        };
        self.database.write("DELETE access_codes", work).await
    }

    /// Returns a code to mail; `None` if it has expired or was used.
    pub async fn mailed_code(
        &self,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<MailedCode>, StoreError> {
        const CODE: &str = "\
SELECT appointment_id, network, expire_time FROM access_codes WHERE id = $1 AND expire_time > $2";
        let row: Option<(Uuid, Option<Vec<u8>>, DateTime<Utc>)> = self
            .database
            .fetch_optional("SELECT access_codes", CODE, values![id, now])
            .await?;
        Ok(
            row.map(|(appointment_id, network, expire_time)| MailedCode {
                appointment_id,
                code: derived(&self.keys, id),
                network,
                expire_time,
            }),
        )
    }

    /// Deletes expired codes and tries.
    pub async fn sweep_codes(&self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        self.database
            .write("DELETE access_codes", Sweep { now })
            .await
    }
}

struct RequestCode {
    claim: Claim,
    id: Uuid,
    message_id: Uuid,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for RequestCode {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const OPEN: &str = "\
SELECT appointments.id FROM appointments JOIN contacts ON contacts.id = appointments.id
WHERE reference = $1 AND phone_index = $2 AND status = 'booked' AND starts_at > $3 AND secret_hash IS NOT NULL AND delete_time IS NULL";
        const INSERT: &str = "\
INSERT INTO access_codes (id, appointment_id, network, expire_time) VALUES ($1, $2, $3, $4)";
        let Claim {
            typed,
            reference,
            phone_index,
            network,
        } = &self.claim;
        // Includes the phone number: a stranger who guesses a reference cannot exhaust the owner's mails.
        let pair = [typed.as_bytes(), phone_index].concat();
        let subject = Tries::Codes.subject(&self.keys, &pair);
        let name = lock(subject);
        transaction.lock_all(&[Lock::Exclusive(&name)]).await?;
        let (_, mails) = tries(transaction, subject, self.now).await?;
        let find = values![reference, *phone_index, self.now];
        let found: Option<(Uuid,)> = transaction.fetch_optional(OPEN, find).await?;
        let mut script = Script::new();
        script.push(count(subject, self.now));
        if let Some((appointment_id,)) = found.filter(|_| mails < MAILS_MAX) {
            let expire_time = self.now + CODE_TIME;
            let values = values![self.id, appointment_id, *network, expire_time];
            script.push(Statement::new(INSERT, values));
            let message = outbox::NewMessage {
                id: self.message_id,
                kind: CODE,
                subject: appointment_id.to_string(),
                payload: format!(r#"{{"codeId":"{}"}}"#, self.id),
                not_before: self.now,
            };
            script.push(outbox::insert(&message, self.now)?);
        }
        transaction.run(script).await?;
        Ok(Decision::Commit(()))
    }
}

struct OpenWithCode {
    claim: Claim,
    code: String,
    limits: OpenLimits,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for OpenWithCode {
    type Outcome = CodeOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<CodeOutcome>, StoreError> {
        const FORGET: &str = "DELETE FROM access_codes WHERE appointment_id = $1";
        let of_reference = Tries::Wrong.subject(&self.keys, self.claim.typed.as_bytes());
        let of_network = self
            .claim
            .network
            .map(|network| Tries::WrongOfNetwork.subject(&self.keys, &network));
        let names: Vec<String> = of_network
            .into_iter()
            .chain([of_reference])
            .map(lock)
            .collect();
        let locks: Vec<_> = names.iter().map(|name| Lock::Exclusive(name)).collect();
        transaction.lock_all(&locks).await?;
        let mut over = Vec::new();
        let (since, wrong) = tries(transaction, of_reference, self.now).await?;
        over.extend((wrong >= TRIES_MAX).then_some(since));
        if let Some(of_network) = of_network {
            let (since, wrong) = tries(transaction, of_network, self.now).await?;
            over.extend((wrong >= TRIES_OF_NETWORK_MAX).then_some(since));
        }
        if let Some(since) = over.into_iter().max() {
            let until = since + TRIES_WINDOW;
            return Ok(Decision::Rollback(CodeOutcome::TooMany(until)));
        }
        let Some(id) = self.opened(transaction).await? else {
            let subjects = of_network.into_iter().chain([of_reference]);
            // One script per row: one script must not write two rows with the same statement.
            for subject in subjects {
                let counted = count(subject, self.now);
                transaction.run([counted].into_iter().collect()).await?;
            }
            return Ok(Decision::Commit(CodeOutcome::Wrong));
        };
        let forgotten = [
            Statement::new(FORGET, values![id]),
            Statement::new(FORGET_TRIES, values![of_reference]),
        ];
        transaction.run(forgotten.into_iter().collect()).await?;
        let row: AppointmentRow = transaction.fetch_one(rows::BY_ID, values![id]).await?;
        let appointment = row.open(&self.keys)?;
        let proof = ProveAppointment {
            id,
            generation: appointment.secret_generation,
            proof: Proof::Code,
            limits: self.limits,
            now: self.now,
        };
        let proof = proof.prove(transaction).await?;
        Ok(Decision::Commit(CodeOutcome::Opened(Box::new(
            Appointment {
                proof,
                ..appointment
            },
        ))))
    }
}

impl OpenWithCode {
    /// Returns the appointment that the code opens.
    async fn opened(&self, transaction: &mut Transaction<'_>) -> Result<Option<Uuid>, StoreError> {
        const CODES: &str = "\
SELECT access_codes.id, appointment_id FROM access_codes
JOIN appointments ON appointments.id = appointment_id JOIN contacts ON contacts.id = appointment_id
WHERE reference = $1 AND phone_index = $2 AND expire_time > $3 AND status = 'booked' AND starts_at > $3 AND secret_hash IS NOT NULL
  AND delete_time IS NULL";
        let Claim {
            reference,
            phone_index,
            ..
        } = &self.claim;
        let find = values![reference, *phone_index, self.now];
        let codes: Vec<(Uuid, Uuid)> = transaction.fetch_all(CODES, find).await?;
        let hashed = |code: &str| self.keys.digest("access_codes.typed", code.as_bytes());
        let typed = hashed(&self.code);
        let is_typed = |id: Uuid| hashed(&derived(&self.keys, id)) == typed;
        let right = codes.into_iter().find(|(id, _)| is_typed(*id));
        Ok(right.map(|(_, appointment_id)| appointment_id))
    }
}

struct Sweep {
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Sweep {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const CODES: &str = "\
DELETE FROM access_codes WHERE id IN (SELECT id FROM access_codes WHERE expire_time <= $1 LIMIT $2)";
        const TRIES: &str = "\
DELETE FROM access_tries WHERE subject IN (SELECT subject FROM access_tries WHERE since <= $1 LIMIT $2)";
        let codes = values![self.now, PURGED_MAX];
        let codes = transaction.execute(CODES, codes).await?;
        let over = values![self.now - TRIES_WINDOW, PURGED_MAX];
        let tries = transaction.execute(TRIES, over).await?;
        Ok(if codes + tries == 0 {
            Decision::Rollback(0)
        } else {
            Decision::Commit(codes + tries)
        })
    }
}
