//! A simulated visitor, sometimes a member of staff: executes the steps of its plan and records every response.

mod rpc;

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::NaiveDate;
use uuid::Uuid;

use crate::{
    history::{Operation, Outcome, Recorder, Shown},
    mailbox::Mailbox,
    plan::{Act, PERSONS, Step},
    world::{Place, World},
};
pub use rpc::Rpc;

/// Maximum retries of a call without a response: longer than any restart takes.
const REPEATS: usize = 120;
const PAUSE: Duration = Duration::from_millis(25);
/// Tabs of a client's browser. The client forgets most of their holds, which then expire.
const TABS: usize = 8;
/// Maximum appointments that a client keeps at once.
const MINE_MAX: usize = 6;

/// State shared by the clients of a trial.
#[derive(Debug)]
pub struct Shared {
    pub world: World,
    pub recorder: Recorder,
    pub mailbox: Mailbox,
    /// Key of the next booking.
    next_key: AtomicUsize,
    /// Leave is entered at most once per resource and day, so the response lists every affected appointment.
    leaves: Mutex<HashSet<(String, NaiveDate)>>,
    /// Makes clients stop after their current step.
    pub is_over: AtomicBool,
}

impl Shared {
    pub fn new(world: World, recorder: Recorder) -> Self {
        Self {
            world,
            recorder,
            mailbox: Mailbox::default(),
            next_key: AtomicUsize::new(1),
            leaves: Mutex::default(),
            is_over: AtomicBool::new(false),
        }
    }

    pub fn key(&self) -> usize {
        self.next_key.fetch_add(1, Ordering::Relaxed)
    }
}

/// An appointment that the client can change.
#[derive(Clone, Debug)]
struct Mine {
    id: Uuid,
    reference: String,
    version: i64,
    secret: String,
    person: usize,
}

/// One client.
#[derive(Debug)]
pub struct Client {
    rpc: Rpc,
    shared: Arc<Shared>,
    /// Whether moves are a cancellation followed by a booking.
    moves_in_two_steps: bool,
    mine: Vec<Mine>,
    /// Replaced secrets.
    old: Vec<(Uuid, String)>,
    hold: Option<(Uuid, Place)>,
    leaves: Vec<Uuid>,
    entries: Vec<Waiting>,
}

/// A waitlist entry of the client.
#[derive(Clone, Debug)]
struct Waiting {
    entry: Uuid,
    reference: String,
    secret: String,
}

impl Client {
    pub fn new(rpc: Rpc, shared: Arc<Shared>, moves_in_two_steps: bool) -> Self {
        Self {
            rpc,
            shared,
            moves_in_two_steps,
            mine: Vec::new(),
            old: Vec::new(),
            hold: None,
            leaves: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Executes all steps, or as many as time allows.
    pub async fn run(mut self, steps: Vec<Step>) {
        for step in steps {
            if self.shared.is_over.load(Ordering::Relaxed) {
                return;
            }
            self.step(step).await;
        }
    }

    async fn step(&mut self, step: Step) {
        let place = self.shared.world.place(step.place);
        let patience = step.patience_ms;
        match step.act {
            Act::Hold => self.hold(place, step.which % TABS, patience).await,
            Act::Release => {
                if let Some((hold, _)) = self.hold.take() {
                    self.rpc.call(Operation::Release { hold }, patience).await;
                }
            }
            Act::Book => self.book(step.which % PERSONS, place, None, patience).await,
            Act::BookHeld => {
                if let Some((hold, place)) = self.hold.take() {
                    self.book(step.which % PERSONS, place, Some(hold), patience)
                        .await;
                }
            }
            Act::Move => self.r#move(step.which, place, patience).await,
            Act::Cancel => self.cancel(step.which, patience).await,
            Act::Read => self.read(step.which).await,
            Act::Prove => self.prove(step.which).await,
            Act::OldSecret => {
                if let Some((appointment, secret)) = pick(&self.old, step.which).cloned() {
                    let read = Operation::Read {
                        appointment,
                        secret,
                    };
                    self.rpc.call(read, 0).await;
                }
            }
            Act::Contend => self.contend(step.which, place).await,
            Act::DeskCancel => self.desk_cancel(&step).await,
            Act::Leave => self.leave(&step).await,
            Act::EndLeave => {
                if let Some(leave) = self.leaves.pop() {
                    self.rpc.call(Operation::EndLeave { leave }, 0).await;
                }
            }
            Act::Join => self.join(&step, &place).await,
            Act::Accept => self.accept(step.which, patience).await,
            Act::Quit => {
                if let Some(Waiting { entry, secret, .. }) = self.entries.pop() {
                    self.rpc
                        .call_as(Operation::Quit { entry }, &secret, 0)
                        .await;
                }
            }
        }
    }

    async fn hold(&mut self, place: Place, tab: usize, patience: usize) {
        let operation = Operation::Hold {
            place: place.clone(),
            tab,
        };
        if let Outcome::Held { hold, .. } = self.rpc.call(operation, patience).await {
            self.hold = Some((hold, place));
        }
    }

    /// Books, with retries under the same key until there is a response.
    async fn book(&mut self, person: usize, place: Place, hold: Option<Uuid>, patience: usize) {
        if self.mine.len() >= MINE_MAX {
            return;
        }
        let operation = Operation::Create {
            key: self.shared.key(),
            person,
            place,
            hold,
        };
        let outcome = self.until_answered(operation, patience).await;
        if let Some(shown) = outcome.appointment() {
            self.mine.push(mine(shown, person));
        }
    }

    async fn until_answered(&mut self, operation: Operation, patience: usize) -> Outcome {
        let mut outcome = self.rpc.call(operation.clone(), patience).await;
        for _ in 0..REPEATS {
            if !outcome.is_unknown() {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            outcome = self.rpc.call(operation.clone(), 0).await;
        }
        outcome
    }

    async fn r#move(&mut self, which: usize, place: Place, patience: usize) {
        let Some(own) = take(&mut self.mine, which) else {
            return;
        };
        if self.moves_in_two_steps {
            let moved = self.rpc.move_in_two_steps(
                (own.id, own.version, &own.secret),
                own.person,
                self.shared.key(),
                place,
            );
            if let Some(shown) = moved.await.appointment() {
                self.mine.push(mine(shown, own.person));
            }
            return;
        }
        let operation = Operation::Move {
            key: self.shared.key(),
            appointment: own.id,
            secret: own.secret.clone(),
            version: own.version,
            place,
        };
        let outcome = self.until_answered(operation, patience).await;
        self.after_change(own, &outcome);
    }

    /// Updates the client's state. After a move without a response the new secret is unknown; a patient would find it
    /// in the mail.
    fn after_change(&mut self, own: Mine, outcome: &Outcome) {
        match outcome {
            Outcome::Appointment(shown) if shown.secret.is_empty() => {}
            Outcome::Appointment(shown) => {
                self.mine.push(mine(shown, own.person));
                self.old.push((own.id, own.secret));
            }
            Outcome::Refused { reason } if reason != "NOT_OPEN" && reason != "LINK_REPLACED" => {
                self.mine.push(own);
            }
            _ => {}
        }
    }

    async fn cancel(&mut self, which: usize, patience: usize) {
        let Some(own) = take(&mut self.mine, which) else {
            return;
        };
        let operation = Operation::Cancel {
            appointment: own.id,
            secret: own.secret.clone(),
            version: own.version,
        };
        let outcome = self.until_answered(operation, patience).await;
        if matches!(&outcome, Outcome::Refused { reason } if reason == "ETAG_MISMATCH") {
            self.mine.push(own);
        }
    }

    async fn read(&mut self, which: usize) {
        let Some(mut own) = take(&mut self.mine, which) else {
            return;
        };
        let operation = Operation::Read {
            appointment: own.id,
            secret: own.secret.clone(),
        };
        match self.rpc.call(operation, 0).await {
            Outcome::Appointment(shown) if !shown.is_booked => {}
            Outcome::Appointment(shown) => {
                own.version = shown.version;
                self.mine.push(own);
            }
            Outcome::Refused { .. } => {}
            _ => self.mine.push(own),
        }
    }

    /// Opens the mailed link, if it has arrived, and uses it from then on. Without a response, it is unknown whether
    /// the address is proven, and the client drops the appointment.
    async fn prove(&mut self, which: usize) {
        let Some(mut own) = take(&mut self.mine, which) else {
            return;
        };
        let Some(secret) = self.shared.mailbox.secret(&own.reference) else {
            self.mine.push(own);
            return;
        };
        let operation = Operation::Prove {
            appointment: own.id,
            secret: secret.clone(),
        };
        match self.until_answered(operation, 0).await {
            Outcome::Appointment(shown) if shown.is_booked => {
                own.version = shown.version;
                own.secret = secret;
                self.mine.push(own);
            }
            // A mail from before a move: the next one is still to come.
            Outcome::Refused { reason } if reason == "LINK_REPLACED" => self.mine.push(own),
            _ => {}
        }
    }

    /// Sends a move and a cancellation of the same version concurrently: at most one may succeed.
    async fn contend(&mut self, which: usize, place: Place) {
        let Some(own) = take(&mut self.mine, which) else {
            return;
        };
        let r#move = Operation::Move {
            key: self.shared.key(),
            appointment: own.id,
            secret: own.secret.clone(),
            version: own.version,
            place,
        };
        let cancel = Operation::Cancel {
            appointment: own.id,
            secret: own.secret.clone(),
            version: own.version,
        };
        let (moved, _) = tokio::join!(self.rpc.call(r#move, 0), self.rpc.call(cancel, 0));
        if moved.appointment().is_some() {
            self.after_change(own, &moved);
        }
    }

    async fn desk_cancel(&mut self, step: &Step) {
        let day = *pick(&self.shared.world.days, step.place).unwrap_or(&NaiveDate::MIN);
        let listed = self.rpc.booked(day).await;
        if let Some((appointment, version)) = pick(&listed, step.which).copied() {
            let operation = Operation::Cancel {
                appointment,
                secret: String::new(),
                version,
            };
            self.rpc.call(operation, 0).await;
        }
    }

    async fn leave(&mut self, step: &Step) {
        let world = &self.shared.world;
        let (Some(resource), Some(day)) = (
            pick(&world.resources, step.which),
            pick(&world.days, step.place),
        ) else {
            return;
        };
        let (resource, day) = (resource.name.clone(), *day);
        let is_new = {
            let leaves = self.shared.leaves.lock();
            let mut leaves = leaves.unwrap_or_else(PoisonError::into_inner);
            leaves.insert((resource.clone(), day))
        };
        if is_new {
            let outcome = self.rpc.call(Operation::Leave { resource, day }, 0).await;
            if let Outcome::Affected { leave, .. } = outcome {
                self.leaves.push(leave);
            }
        }
    }

    async fn join(&mut self, step: &Step, place: &Place) {
        let operation = Operation::Join {
            key: self.shared.key(),
            person: step.which % PERSONS,
            department: place.department.clone(),
            day: place.day(),
        };
        let (outcome, reference, secret) = self.rpc.join_list(operation).await;
        if let Outcome::Entry { entry, .. } = outcome {
            self.entries.push(Waiting {
                entry,
                reference,
                secret,
            });
        }
    }

    async fn accept(&mut self, which: usize, patience: usize) {
        let Some(waiting) = pick(&self.entries, which).cloned() else {
            return;
        };
        let entry = waiting.entry;
        let mailed = self.shared.mailbox.secret(&waiting.reference);
        let by_mail = mailed.is_some();
        let secret = mailed.unwrap_or(waiting.secret);
        let look = self
            .rpc
            .call_as(Operation::Look { entry, by_mail }, &secret, 0)
            .await;
        let is_offered = matches!(
            look,
            Outcome::Entry {
                is_offered: true,
                ..
            }
        );
        if !is_offered {
            return;
        }
        // Sends two acceptances at once, as from two tabs: at most one appointment may result.
        let again = self.rpc.clone();
        let accept = Operation::Accept { entry };
        let (first, second) = tokio::join!(
            self.rpc.call_as(accept.clone(), &secret, patience),
            again.call_as(accept, &secret, 0)
        );
        for outcome in [first, second] {
            if let Some(shown) = outcome.appointment()
                && !self.mine.iter().any(|own| own.id == shown.id)
            {
                self.mine.push(mine(shown, which % PERSONS));
            }
        }
    }
}

fn mine(shown: &Shown, person: usize) -> Mine {
    Mine {
        id: shown.id,
        reference: shown.reference.clone(),
        version: shown.version,
        secret: shown.secret.clone(),
        person,
    }
}

fn pick<T>(from: &[T], which: usize) -> Option<&T> {
    from.get(which.checked_rem(from.len())?)
}

fn take<T>(from: &mut Vec<T>, which: usize) -> Option<T> {
    let place = which.checked_rem(from.len())?;
    Some(from.swap_remove(place))
}
