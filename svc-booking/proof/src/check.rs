//! Checks a history and the database's rows against the promises of the contract.
//!
//! Every rule relies on certain facts only. A call without a response may or may not have been executed, possibly
//! later. A finding is therefore always a fault, never bad luck.

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

/// The promises.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Rule {
    /// No resource has more patients at one time than seats.
    SoldOnce,
    /// An appointment has exactly one seat, and a seat at most one appointment.
    OneSeat,
    /// During a move, a patient has either the old or the new seat: never none, never both.
    KeptWhileMoving,
    /// An acknowledged change is done and stays.
    NothingLost,
    /// Every stored change was requested.
    NothingInvented,
    /// Retries of one booking create one appointment.
    OncePerKey,
    /// A free seat is not refused, in particular after its hold has expired.
    FreeIsFree,
    /// Holds and offers expire.
    HoldsEnd,
    /// A seat is offered to one person at a time.
    OneOffer,
    /// No e-mail address has more proven open appointments than allowed.
    PersonLimits,
    /// No network has more unproven open appointments than allowed.
    NetworkLimits,
    /// Only the link of a mail proves an address, and only proven entries get offers.
    ProvenByMail,
    /// A caller who has not proven an address learns nothing about its owner.
    StrangersLearnNothing,
    /// A replaced link opens nothing.
    OldLinkClosed,
    /// Staff are told of every patient who is booked with an absent doctor.
    LeaveKnown,
    /// The service responds with success or a reasoned refusal.
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
    /// Details of the observation, for debugging.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}", self.rule, self.what)
    }
}

/// Deduplicated findings.
#[derive(Debug, Default)]
struct Findings(BTreeSet<Finding>);

impl Findings {
    fn add(&mut self, rule: Rule, what: impl Into<String>) {
        let what = what.into();
        self.0.insert(Finding { rule, what });
    }
}

/// Calls grouped by their subject.
#[derive(Debug)]
struct Calls<'a> {
    all: &'a [Call],
    /// Moves, cancellations, reads and proofs of an appointment.
    of_appointment: HashMap<Uuid, Vec<&'a Call>>,
    creates: HashMap<usize, Vec<&'a Call>>,
    /// Looks, acceptances and withdrawals of a waitlist entry.
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

    /// Returns the moves and cancellations of an appointment that may have been executed, with the version in each
    /// request.
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

/// Returns all findings, deduplicated.
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
