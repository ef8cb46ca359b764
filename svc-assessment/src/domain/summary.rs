//! Monthly counts of each result, published so that no person can be identified.
//!
//! Withholding small counts is not enough. The total reveals a single missing count, and a reader who knows the rule
//! can invert it. Bands that are too small are therefore merged into `Others`. If the printed numbers leave only one
//! possible count for the smallest merged band, nothing is printed for that result. This decision depends only on what
//! would be printed, so printing nothing reveals nothing either.
//!
//! This holds for each result separately, and a test tries every vector of small counts. Together the four results
//! reveal more, because the overall level follows from the other three. The joint tests search for such leaks; they
//! found no month that reveals a small count.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use service_kit::input::Violation;

use super::{BmiCategory, Choice, DiabetesRisk, OverallLevel, StressLevel, day};

/// Minimum number of people behind a published count.
pub const GROUP_SIZE_MIN: u32 = 10;
/// Label of the merged bands that are too small alone.
pub const OTHERS: &str = "Others";

/// A completed month in Asia/Kolkata.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Month {
    first: NaiveDate,
    next: NaiveDate,
}

impl Month {
    /// Parses `YYYY-MM`.
    ///
    /// # Errors
    /// An instruction: for another format, and for a month that is not over.
    pub fn parse(text: &str, now: DateTime<Utc>) -> Result<Self, Violation> {
        const FIELD: &str = "month";
        let is_month = text.len() == 7
            && text.bytes().enumerate().all(|(at, byte)| {
                (at == 4) == (byte == b'-') && (at == 4 || byte.is_ascii_digit())
            });
        let first = is_month
            .then(|| format!("{text}-01").parse::<NaiveDate>().ok())
            .flatten();
        let Some(first) = first else {
            return Err(Violation::new(FIELD, "Give a month as YYYY-MM"));
        };
        match first.checked_add_months(chrono::Months::new(1)) {
            Some(next) if next <= day(now).date_naive() => Ok(Self { first, next }),
            _ => Err(Violation::new(FIELD, "Give a month that is over")),
        }
    }

    /// Returns the [`day`] of the month's first date, and of the first date after it.
    pub fn days(self) -> [DateTime<Utc>; 2] {
        [self.first, self.next].map(|date| date.and_time(NaiveTime::MIN).and_utc())
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{:04}-{:02}",
            self.first.year(),
            self.first.month()
        )
    }
}

/// Publishable counts of a month.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// `None` when fewer than [`GROUP_SIZE_MIN`]; no results are published then either.
    pub assessments: Option<u32>,
    pub results: Vec<ResultCounts>,
}

/// Counts of one result.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResultCounts {
    /// For example `bmiCategory`.
    pub result: String,
    /// Empty when they cannot be published.
    pub bands: Vec<BandCount>,
}

/// Number of people in a band.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BandCount {
    pub band: String,
    pub assessments: u32,
}

/// A number of people who share all four results.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    pub bmi_category: Option<BmiCategory>,
    pub diabetes_risk: DiabetesRisk,
    pub stress_level: StressLevel,
    pub overall_level: OverallLevel,
    pub assessments: u32,
}

/// Returns what may be published about these people.
pub fn summarize(people: &[Alike]) -> Summary {
    let total = people.iter().map(|alike| alike.assessments).sum();
    if total < GROUP_SIZE_MIN {
        return Summary::default();
    }
    let bmi = |alike: &Alike| {
        alike
            .bmi_category
            .map_or(DiabetesRisk::Unknown.as_str(), Choice::as_str)
    };
    let bmi_bands: Vec<_> = texts::<BmiCategory>()
        .into_iter()
        .chain([DiabetesRisk::Unknown.as_str()])
        .collect();
    let results = vec![
        counted("bmiCategory", people, &bmi_bands, bmi),
        counted("diabetesRisk", people, &texts::<DiabetesRisk>(), |alike| {
            alike.diabetes_risk.as_str()
        }),
        counted("stressLevel", people, &texts::<StressLevel>(), |alike| {
            alike.stress_level.as_str()
        }),
        counted("overallLevel", people, &texts::<OverallLevel>(), |alike| {
            alike.overall_level.as_str()
        }),
    ];
    Summary {
        assessments: Some(total),
        results,
    }
}

fn texts<T: Choice>() -> Vec<&'static str> {
    T::ALL.iter().map(|choice| choice.as_str()).collect()
}

fn counted(
    result: &str,
    people: &[Alike],
    bands: &[&'static str],
    band_of: impl Fn(&Alike) -> &'static str,
) -> ResultCounts {
    let counts: Vec<u32> = bands
        .iter()
        .map(|band| {
            let inside = people.iter().filter(|alike| band_of(alike) == *band);
            inside.map(|alike| alike.assessments).sum()
        })
        .collect();
    let said = say(&counts);
    let single = bands.iter().zip(&said.bands).filter_map(|(band, count)| {
        let assessments = (*count)?;
        Some(BandCount {
            band: (*band).to_owned(),
            assessments,
        })
    });
    let others = said.others.map(|assessments| BandCount {
        band: OTHERS.to_owned(),
        assessments,
    });
    ResultCounts {
        result: result.to_owned(),
        bands: single.chain(others).collect(),
    }
}

/// Published counts of one result, band by band.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Said {
    /// `None`: merged into the others, or nothing is published.
    bands: Vec<Option<u32>>,
    others: Option<u32>,
}

fn say(counts: &[u32]) -> Said {
    let silence = Said {
        bands: vec![None; counts.len()],
        others: None,
    };
    let mut limit = GROUP_SIZE_MIN;
    let others_below = |limit: u32| -> u32 { counts.iter().filter(|count| **count < limit).sum() };
    // The next smallest band joins, with every band of the same count: only its count may decide about a band.
    while counts.iter().any(|count| *count < limit) && others_below(limit) < GROUP_SIZE_MIN {
        let next = counts.iter().filter(|count| **count >= limit).min();
        let Some(next) = next else { return silence };
        limit = next.saturating_add(1);
    }
    let bands: Vec<Option<u32>> = counts
        .iter()
        .map(|count| (*count >= limit).then_some(*count))
        .collect();
    let Some(smallest) = bands.iter().flatten().min() else {
        return silence;
    };
    let hidden =
        u32::try_from(bands.iter().filter(|band| band.is_none()).count()).unwrap_or(u32::MAX);
    if hidden == 0 {
        return Said {
            bands,
            others: None,
        };
    }
    let others = others_below(limit);
    if is_ambiguous(hidden, others, *smallest) {
        Said {
            bands,
            others: Some(others),
        }
    } else {
        silence
    }
}

/// Returns whether at least two counts remain possible for the smallest hidden band. The reader is assumed to know
/// [`say`], the sum of the hidden bands and the smallest printed count. Which hidden band is the smallest cannot be
/// inferred: the rule sees counts only.
fn is_ambiguous(hidden: u32, others: u32, smallest_printed: u32) -> bool {
    let possible = (0..GROUP_SIZE_MIN.min(others.saturating_add(1))).filter(|smallest| {
        let left = others - smallest;
        is_possible(hidden - 1, left, *smallest, *smallest, smallest_printed)
    });
    possible.count() > 1
}

/// Returns whether `bands` further hidden bands, none smaller than `from`, can sum to `left`. The hidden bands before
/// them, all too small alone, sum to `small`.
fn is_possible(bands: u32, left: u32, from: u32, small: u32, smallest_printed: u32) -> bool {
    let Some(joined) = left.checked_div(bands) else {
        return left == 0 && small >= GROUP_SIZE_MIN;
    };
    // Bands that joined have equal counts, smaller than every printed count.
    let all_joined = small < GROUP_SIZE_MIN
        && left.is_multiple_of(bands)
        && (GROUP_SIZE_MIN..smallest_printed).contains(&joined);
    all_joined
        || (from..GROUP_SIZE_MIN.min(left.saturating_add(1))).any(|count| {
            is_possible(
                bands - 1,
                left - count,
                count,
                small + count,
                smallest_printed,
            )
        })
}

#[cfg(test)]
mod joint_tests;
#[cfg(test)]
mod tests;
