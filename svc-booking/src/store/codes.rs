//! Codes and links that are mailed to whoever lost the link of an appointment.
//!
//! A reference that nobody has is treated as any other: it is counted, locked and looked up in the same way, so that neither an answer
//! nor the time that it takes tells whether there is such an appointment, or whose it is.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::reference::Name;
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Access, By, Store,
    prove::ProveAppointment,
    rows::{self, AppointmentRow},
};
use crate::{
    domain::{
        change::Appointment,
        code::{
            CODE, CODE_TIME, LINK, MAILS_MAX, TRIES_MAX, TRIES_OF_NETWORK_MAX, TRIES_WINDOW, digits,
        },
        proof::{OpenLimits, Proof},
    },
    secret::{self, Shown, Subject},
};

/// The person at an appointment's page without its link, as far as they say.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is typed, in capital letters: by this it is counted.
    typed: String,
    /// Empty: it can be nobody's.
    reference: String,
    /// Keyed hash of the phone number.
    phone_index: [u8; 32],
    /// Keyed hash of the network that the call comes from.
    network: Option<[u8; 32]>,
}

/// What became of a code that was typed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CodeOutcome {
    Opened(Box<Appointment>),
    /// Wrong code, phone number or reference.
    Wrong,
    /// So many were wrong that nothing is looked at until then.
    TooMany(DateTime<Utc>),
}

/// A code that was mailed and is still valid.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MailedCode {
    pub appointment_id: Uuid,
    pub code: String,
    /// Keyed hash of the network that asked for it.
    pub network: Option<Vec<u8>>,
    pub expire_time: DateTime<Utc>,
}

/// What is counted: of a reference, which need not exist, or of a network.
#[derive(Clone, Copy, Debug)]
enum Tries {
    Codes,
    Links,
    Wrong,
    WrongOfNetwork,
}

impl Tries {
    fn subject(self, keys: &Keys, of: &[u8]) -> [u8; 32] {
        let kind = match self {
            Self::Codes => "access_tries.codes",
            Self::Links => "access_tries.links",
            Self::Wrong => "access_tries.wrong",
            Self::WrongOfNetwork => "access_tries.wrong_of_network",
        };
        keys.digest(kind, of)
    }
}

const TRIES: &str = "SELECT since, tries FROM access_tries WHERE subject = $1 AND since > $2";
const COUNT: &str = "\
INSERT INTO access_tries (subject, tries, since) VALUES ($1, 1, $2)
ON CONFLICT (subject) DO UPDATE SET
    tries = CASE WHEN access_tries.since > $3 THEN access_tries.tries ELSE 0 END + 1,
    since = CASE WHEN access_tries.since > $3 THEN access_tries.since ELSE excluded.since END";
const FORGET_TRIES: &str = "DELETE FROM access_tries WHERE subject = $1";
const PURGED_MAX: i64 = 1000;

fn count(subject: [u8; 32], now: DateTime<Utc>) -> Statement {
    Statement::new(COUNT, values![subject, now, now - TRIES_WINDOW])
}

fn lock(subject: [u8; 32]) -> String {
    format!("tries {subject:02x?}")
}

/// The moment at which counting began anew, and the tries since.
async fn tries(
    transaction: &mut Transaction<'_>,
    subject: [u8; 32],
    now: DateTime<Utc>,
) -> Result<(DateTime<Utc>, i64), StoreError> {
    let found: Option<(DateTime<Utc>, i64)> = transaction
        .fetch_optional(TRIES, values![subject, now - TRIES_WINDOW])
        .await?;
    Ok(found.unwrap_or((now, 0)))
}

fn derived(keys: &Keys, id: Uuid) -> String {
    digits(keys.digest("access_codes.code", id.as_bytes()))
}

impl Store {
    /// What a person claims who has no link.
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

    /// Has a code mailed to the address of an open appointment, if reference and phone number are its own.
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

    /// Opens an appointment with a code that was mailed.
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

    /// A code that is to be mailed; `None`: it is over, or was used.
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

    /// Has the present link mailed to the address of an open appointment, for staff and for whoever shows a link of it, though it was
    /// replaced. Nothing tells other callers whether there is such an appointment.
    pub async fn send_link(
        &self,
        name: &Name,
        by: By,
        message_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<Appointment>, StoreError> {
        let (sql, value) = match name {
            Name::Id(id) => (rows::BY_ID, values![*id]),
            Name::Reference(reference) => (rows::BY_REFERENCE, values![reference]),
        };
        let row: Option<AppointmentRow> = self
            .database
            .fetch_optional("SELECT appointments", sql, value)
            .await?;
        let Some(row) = row else {
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

    /// Removes codes and tries that are over.
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
        // With the number: somebody who guesses it takes no mail from the person.
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
            // Each by itself: a script may not write two rows of a table in the same statement twice.
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
    /// The appointment that the code opens.
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

/// The first 16 hexadecimal digits of a keyed hash, as bursts and notices name a network.
pub fn hex(hash: &[u8]) -> String {
    use std::fmt::Write as _;

    let mut digits = String::with_capacity(16);
    for byte in hash.iter().take(8) {
        // Writing to a String cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
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
