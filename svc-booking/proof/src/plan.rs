//! The clients' plan of a trial, generated from a seed for reproducibility and shrinkable.

/// Pseudo-random number generator (SplitMix64). The same seed gives the same plan on every machine and with every
/// version of every library.
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

    /// Returns a number less than `below`; 0 counts as 1.
    pub fn below(&mut self, below: usize) -> usize {
        let below = u64::try_from(below.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.advance() % below).unwrap_or_default()
    }
}

/// An action of a client. Its numbers select among the options at execution time; a step without options does nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Act {
    Hold,
    Release,
    Book,
    /// Books the time of the client's hold.
    BookHeld,
    Move,
    Cancel,
    Read,
    /// Opens the link of the mail about an appointment.
    Prove,
    /// Reads an appointment with a replaced secret.
    OldSecret,
    /// Sends two concurrent changes of the same appointment.
    Contend,
    /// Cancels any appointment, by staff.
    DeskCancel,
    Leave,
    EndLeave,
    Join,
    /// Checks for an offer, and accepts it.
    Accept,
    Quit,
}

/// A step of a client.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Step {
    pub act: Act,
    /// Selects the slot.
    pub place: usize,
    /// Selects the person, or one of the client's appointments.
    pub which: usize,
    /// Client timeout in milliseconds; 0 means the default deadline.
    pub patience_ms: usize,
}

/// The steps and kills of a trial.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Plan {
    pub clients: Vec<Vec<Step>>,
    /// Delays before each kill, in milliseconds, repeated cyclically. Empty means no kills.
    pub kills_ms: Vec<usize>,
}

/// Actions with their weights.
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

/// Number of persons in a trial: few enough that their limits matter.
pub const PERSONS: usize = 24;
const KILLS: usize = 60;
/// Extra delay before the first kill, in milliseconds. Mails are sent once a second, and mails that a killed process
/// has begun to send wait for their lease.
const CALM_MS: usize = 3_000;

impl Plan {
    /// Generates `clients` clients with `steps` steps each, and a kill about every second.
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

    /// Returns the total number of steps.
    pub fn steps(&self) -> usize {
        self.clients.iter().map(Vec::len).sum()
    }
}
