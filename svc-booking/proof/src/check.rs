//! Holds a history and the rows of the database against what the contract promises.
//!
//! Every rule doubts only what is certain: a call without an answer may have been done or not, and its effect may come late. So a finding
//! is a fault, never bad luck.

mod lives;
mod moments;
mod proofs;
mod sights;

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

use uuid::Uuid;

use crate::{
    history::{Call, Operation, Outcome},
    trial::Evidence,
};

/// What is promised.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Rule {
    /// Nobody has more patients at one time than seats.
    SoldOnce,
    /// An appointment has one seat, and a seat one appointment.
    OneSeat,
    /// A patient who moves has the old seat or the new one: never none, never both.
    KeptWhileMoving,
    /// What was acknowledged is done, and stays.
    NothingLost,
    /// What is there was asked for.
    NothingInvented,
    /// A booking that is sent again is one booking.
    OncePerKey,
    /// A seat that nobody has is not refused: a hold ends.
    FreeIsFree,
    /// A hold and an offer have an end.
    HoldsEnd,
    /// An offer is one person's.
    OneOffer,
    /// No e-mail address has more proven open appointments than allowed.
    PersonLimits,
    /// No network has more unproven open appointments than allowed.
    NetworkLimits,
    /// Only the link of a mail proves an address, and only proven entries are offered a time.
    ProvenByMail,
    /// Who has not proven an address is told nothing of its owner.
    StrangersLearnNothing,
    /// A link that was replaced opens nothing.
    OldLinkClosed,
    /// Nobody is booked with somebody who is away, without the desk being told.
    LeaveKnown,
    /// The service answers, or says why not.
    NoFault,
}

impl Rule {
    pub const ALL: [Self; 16] = [
        Self::SoldOnce,
        Self::OneSeat,
        Self::KeptWhileMoving,
        Self::NothingLost,
        Self::NothingInvented,
        Self::OncePerKey,
        Self::FreeIsFree,
        Self::HoldsEnd,
        Self::OneOffer,
        Self::PersonLimits,
        Self::NetworkLimits,
        Self::ProvenByMail,
        Self::StrangersLearnNothing,
        Self::OldLinkClosed,
        Self::LeaveKnown,
        Self::NoFault,
    ];
}

/// A broken promise.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Finding {
    pub rule: Rule,
    /// What was seen, for whoever mends it.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}", self.rule, self.what)
    }
}

/// Findings, each once.
#[derive(Debug, Default)]
struct Findings(BTreeSet<Finding>);

impl Findings {
    fn add(&mut self, rule: Rule, what: impl Into<String>) {
        let what = what.into();
        self.0.insert(Finding { rule, what });
    }
}

/// Calls by what they are about.
#[derive(Debug)]
struct Calls<'a> {
    all: &'a [Call],
    /// Moves, cancels, reads and proofs of an appointment.
    of_appointment: HashMap<Uuid, Vec<&'a Call>>,
    creates: HashMap<usize, Vec<&'a Call>>,
    /// Looks, accepts and quits.
    of_entry: HashMap<Uuid, Vec<&'a Call>>,
}

impl<'a> Calls<'a> {
    fn new(all: &'a [Call]) -> Self {
        let mut calls = Self {
            all,
            of_appointment: HashMap::new(),
            creates: HashMap::new(),
            of_entry: HashMap::new(),
        };
        for call in all {
            match &call.operation {
                Operation::Read { appointment, .. }
                | Operation::Prove { appointment, .. }
                | Operation::Move { appointment, .. }
                | Operation::Cancel { appointment, .. } => {
                    let own = calls.of_appointment.entry(*appointment);
                    own.or_default().push(call);
                }
                Operation::Create { key, .. } => {
                    calls.creates.entry(*key).or_default().push(call);
                }
                Operation::Look { entry, .. }
                | Operation::Accept { entry }
                | Operation::Quit { entry } => {
                    calls.of_entry.entry(*entry).or_default().push(call);
                }
                _ => {}
            }
        }
        calls
    }

    fn of(&self, appointment: Uuid) -> impl Iterator<Item = &'a Call> {
        self.of_appointment
            .get(&appointment)
            .into_iter()
            .flatten()
            .copied()
    }

    /// Moves and cancels of an appointment that may have been done, with the version that they name.
    fn changes(&self, appointment: Uuid) -> impl Iterator<Item = (&'a Call, i64)> {
        self.of(appointment)
            .filter(|call| call.outcome.may_have_happened())
            .filter_map(|call| match &call.operation {
                Operation::Move { version, .. } | Operation::Cancel { version, .. } => {
                    Some((call, *version))
                }
                _ => None,
            })
    }

    fn accepts(&self, entry: Uuid) -> impl Iterator<Item = &'a Call> {
        let own = self.of_entry.get(&entry).into_iter().flatten();
        own.copied()
            .filter(|call| matches!(call.operation, Operation::Accept { .. }))
    }
}

/// Everything that is wrong, each once.
pub fn check(evidence: &Evidence) -> Vec<Finding> {
    let mut findings = Findings::default();
    let calls = Calls::new(&evidence.history.calls);
    for sight in &evidence.history.sights {
        sights::check(
            &sight.rows,
            sight.time,
            &evidence.world,
            &evidence.keys,
            &mut findings,
        );
    }
    sights::while_moving(evidence, &calls, &mut findings);
    lives::check(evidence, &calls, &mut findings);
    lives::leaves(evidence, &mut findings);
    proofs::check(evidence, &calls, &mut findings);
    moments::never_too_many(evidence, &calls, &mut findings);
    moments::refusals(evidence, &calls, &mut findings);
    for call in calls.all {
        if let Outcome::Unknown { why } = &call.outcome
            && (why.starts_with("Internal") || why.starts_with("Unknown: internal"))
        {
            findings.add(Rule::NoFault, format!("{:?}: {why}", call.operation));
        }
    }
    findings.0.into_iter().collect()
}
