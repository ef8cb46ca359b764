//! Tests all published results of a month together. The overall level follows from the other three, so one result might
//! reveal what another hides. For random months, the test searches for other people whose summary is the same.

use super::*;

/// Number of months tried. They are drawn with a fixed seed, so the test is deterministic.
const MONTHS: usize = 80;
/// Maximum random pairs of people changed, where changing one person is not enough.
const PAIRS_MAX: usize = 40_000;
/// Kinds of people by BMI, diabetes risk and stress level, each including `Unknown`.
const KINDS: usize = 5 * 4 * 4;
/// Bands of all four results.
const BANDS: usize = 5 + 4 + 4 + 4;

/// Number of people of each kind.
type Month = [u32; KINDS];

/// Xorshift generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    /// Draws an index with these weights, some of which are much smaller than others.
    fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        let found = weights.iter().position(|weight| {
            let is_inside = left < *weight;
            left = left.saturating_sub(*weight);
            is_inside
        });
        found.expect("one of them")
    }

    fn month(&mut self) -> Month {
        let people = 12 + self.below(40);
        let mut weights = |bands: usize| -> Vec<usize> {
            let of_band = |_| [1, 3, 10, 40, 150][self.below(5)];
            (0..bands).map(of_band).collect()
        };
        let (bmi, diabetes, stress) = (weights(5), weights(4), weights(4));
        let mut month = [0; KINDS];
        for _ in 0..people {
            let bmi = self.weighted(&bmi);
            month[(bmi * 4 + self.weighted(&diabetes)) * 4 + self.weighted(&stress)] += 1;
        }
        month
    }
}

fn alike(kind: usize, assessments: u32) -> Alike {
    let bmi_category = BmiCategory::ALL.get(kind / 16).copied();
    let diabetes_risk = DiabetesRisk::ALL[kind / 4 % 4];
    let stress_level = StressLevel::ALL[kind % 4];
    // Every list of levels is Low, Moderate, High, Unknown.
    let bmi = [0, 0, 1, 2, 3][kind / 16];
    let overall = bmi.max(kind / 4 % 4).max(kind % 4);
    Alike {
        bmi_category,
        diabetes_risk,
        stress_level,
        overall_level: OverallLevel::ALL[overall],
        assessments,
    }
}

fn said_of(month: &Month) -> Summary {
    let kinds = month.iter().enumerate().filter(|(_, people)| **people > 0);
    let people: Vec<Alike> = kinds.map(|(kind, people)| alike(kind, *people)).collect();
    summarize(&people)
}

fn counts(month: &Month) -> [u32; BANDS] {
    let mut counts = [0; BANDS];
    for (kind, people) in month.iter().enumerate() {
        let overall = alike(kind, 0).overall_level;
        let overall = OverallLevel::ALL.iter().position(|level| *level == overall);
        let overall = overall.expect("a level");
        for band in [kind / 16, 5 + kind / 4 % 4, 9 + kind % 4, 13 + overall] {
            counts[band] += people;
        }
    }
    counts
}

#[test]
fn the_overall_level_is_the_highest_of_three() {
    let level = |kind| alike(kind, 0).overall_level;
    assert_eq!(level(0), OverallLevel::Low);
    assert_eq!(level(2 * 16), OverallLevel::Moderate);
    assert_eq!(level(2 * 16 + 2), OverallLevel::High);
    assert_eq!(level(3 * 16 + 3 * 4), OverallLevel::Unknown);
    assert_eq!(level(4 * 16), OverallLevel::Unknown);
}

#[test]
fn all_results_together_leave_suppressed_counts_ambiguous() {
    let mut draw = Draw(0x1234_5678_9abc_def1);
    let mut tried = 0;
    for _ in 0..MONTHS {
        let month = draw.month();
        let (said, truth) = (said_of(&month), counts(&month));
        // Small counts for which no alternative was found yet.
        let mut open: Vec<usize> = (0..BANDS)
            .filter(|band| (1..GROUP_SIZE_MIN).contains(&truth[*band]))
            .collect();
        tried += open.len();
        let mut consider = |other: &Month| {
            let counts = counts(other);
            let is_new = open.iter().any(|band| counts[*band] != truth[*band]);
            if is_new && said_of(other) == said {
                open.retain(|band| counts[*band] == truth[*band]);
            }
            open.is_empty()
        };
        let kinds: Vec<usize> = (0..KINDS).filter(|kind| month[*kind] > 0).collect();
        let mut is_done = false;
        for (from, to) in kinds
            .iter()
            .flat_map(|from| (0..KINDS).map(move |to| (*from, to)))
        {
            let mut other = month;
            other[from] -= 1;
            other[to] += 1;
            is_done = is_done || consider(&other);
        }
        for _ in 0..PAIRS_MAX {
            if is_done {
                break;
            }
            let mut other = month;
            for _ in 0..2 {
                let from = kinds[draw.below(kinds.len())];
                if other[from] > 0 {
                    other[from] -= 1;
                    other[draw.below(KINDS)] += 1;
                }
            }
            is_done = consider(&other);
        }
        assert!(
            open.is_empty(),
            "{truth:?} says {said:?}: {open:?} are known"
        );
    }
    assert!(tried > 400, "{tried}");
}
