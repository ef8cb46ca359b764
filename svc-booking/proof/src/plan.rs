//! What the clients of a trial will do: made from a seed, so that it can be done again, and smaller.

/// A generator of pseudo-random numbers (SplitMix64): the same seed gives the same plan on every machine and with every version of
/// every library.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn advance(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than `below`, which is not 0.
    pub fn below(&mut self, below: usize) -> usize {
        let below = u64::try_from(below.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.advance() % below).unwrap_or_default()
    }
}

/// One thing that a client does. Numbers choose among what there is when it is its turn; a step that finds nothing does nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Act {
    Hold,
    Release,
    Book,
    /// With the hold that one has, for its time.
    BookHeld,
    Move,
    Cancel,
    Read,
    /// Opens the link of the mail about an appointment.
    Prove,
    /// Tries an appointment with a secret that was replaced.
    OldSecret,
    /// Two calls at once change the same appointment.
    Contend,
    /// Staff cancel an appointment of anybody.
    DeskCancel,
    Leave,
    EndLeave,
    Join,
    /// Looks whether a time is offered, and books it.
    Accept,
    Quit,
}

/// A step of a client.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Step {
    pub act: Act,
    /// Chooses the time.
    pub place: usize,
    /// Chooses the person, or one of the own appointments.
    pub which: usize,
    /// The client gives up after so many milliseconds; 0: it waits.
    pub patience_ms: usize,
}

/// What happens in a trial.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Plan {
    pub clients: Vec<Vec<Step>>,
    /// Milliseconds until the process is killed, again and again. Empty: never.
    pub kills_ms: Vec<usize>,
}

/// Acts, each with its weight.
const ACTS: [(Act, usize); 16] = [
    (Act::Hold, 14),
    (Act::Release, 4),
    (Act::Book, 22),
    (Act::BookHeld, 10),
    (Act::Move, 16),
    (Act::Cancel, 12),
    (Act::Read, 6),
    (Act::Prove, 10),
    (Act::OldSecret, 4),
    (Act::Contend, 4),
    (Act::DeskCancel, 5),
    (Act::Leave, 1),
    (Act::EndLeave, 1),
    (Act::Join, 8),
    (Act::Accept, 8),
    (Act::Quit, 2),
];

/// Persons of a trial: so few that their limits matter.
pub const PERSONS: usize = 24;
const KILLS: usize = 60;
/// Until the first kill: mails are sent once a second, and what a killed process has begun to send waits for its lease.
const CALM_MS: usize = 3_000;

impl Plan {
    /// `clients` clients with `steps` steps each; the process is killed about every second.
    pub fn new(seed: u64, clients: usize, steps: usize) -> Self {
        let mut random = Random::new(seed);
        let total: usize = ACTS.iter().map(|(_, weight)| weight).sum();
        let mut step = || {
            let mut number = random.below(total);
            let mut act = Act::Read;
            for (next, weight) in ACTS {
                if number < weight {
                    act = next;
                    break;
                }
                number -= weight;
            }
            let is_impatient = random.below(10) == 0;
            Step {
                act,
                place: random.below(1 << 20),
                which: random.below(1 << 20),
                patience_ms: if is_impatient {
                    1 + random.below(20)
                } else {
                    0
                },
            }
        };
        let clients = (0..clients)
            .map(|_| (0..steps).map(|_| step()).collect())
            .collect();
        Self {
            clients,
            kills_ms: (0..KILLS)
                .map(|number| {
                    let calm = if number == 0 { CALM_MS } else { 0 };
                    calm + 400 + random.below(1_200)
                })
                .collect(),
        }
    }

    /// Steps of all clients.
    pub fn steps(&self) -> usize {
        self.clients.iter().map(Vec::len).sum()
    }
}
