//! How many people got which result in a month, so that nobody can be found in it.
//!
//! Withholding small counts is not enough: a total gives back the one that is missing, and who knows this rule can turn it around. So
//! bands that are too small stand together as `Others`, and where what would be printed leaves only one possibility for the smallest of
//! them, nothing of that result is printed. Whether it does is decided by what would be printed alone, so the silence says nothing
//! either.
//!
//! That holds for each result by itself, and a test tries every vector of small counts. Taken together the four results say more, since the
//! overall level follows from the other three; there the tests search, and found no month that gives a small count away.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use service_kit::input::Violation;

use super::{BmiCategory, Choice, DiabetesRisk, OverallLevel, StressLevel, day};

/// Fewest people that a number stands for.
pub const GROUP_SIZE_MIN: u32 = 10;
/// The bands that are too small alone.
pub const OTHERS: &str = "Others";

/// A month in Asia/Kolkata that is over.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Month {
    first: NaiveDate,
    next: NaiveDate,
}

impl Month {
    /// Reads `YYYY-MM`.
    ///
    /// # Errors
    /// What to do about it: for another form, and for a month that is not over.
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

    /// The [`day`] of its first date, and that of the first date after it.
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

/// What may be said of a month.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// `None` when they are fewer than [`GROUP_SIZE_MIN`]; then no result is said either.
    pub assessments: Option<u32>,
    pub results: Vec<ResultCounts>,
}

/// Counts of one result.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResultCounts {
    /// For example `bmiCategory`.
    pub result: String,
    /// Empty when they cannot be said.
    pub bands: Vec<BandCount>,
}

/// How many people were in a band.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BandCount {
    pub band: String,
    pub assessments: u32,
}

/// The results of a number of people that have all four alike.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    pub bmi_category: Option<BmiCategory>,
    pub diabetes_risk: DiabetesRisk,
    pub stress_level: StressLevel,
    pub overall_level: OverallLevel,
    pub assessments: u32,
}

/// What may be said of these people.
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

/// What is said of a result's counts, band by band.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Said {
    /// `None`: among the others, or nothing is said at all.
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
    // The next smallest band joins, and with it all that are as small: nothing but its count may decide about a band.
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

/// Whether somebody who knows [`say`], the sum of the hidden bands and the smallest count that is printed is left with two possibilities
/// at least for the smallest of the hidden ones. Which of the hidden bands that is cannot be known: the rule sees counts only.
fn is_ambiguous(hidden: u32, others: u32, smallest_printed: u32) -> bool {
    let possible = (0..GROUP_SIZE_MIN.min(others.saturating_add(1))).filter(|smallest| {
        let left = others - smallest;
        is_possible(hidden - 1, left, *smallest, *smallest, smallest_printed)
    });
    possible.count() > 1
}

/// Whether so many more hidden bands, none smaller than `from`, can come to `left` when those before, all too small, come to `small`.
fn is_possible(bands: u32, left: u32, from: u32, small: u32, smallest_printed: u32) -> bool {
    let Some(joined) = left.checked_div(bands) else {
        return left == 0 && small >= GROUP_SIZE_MIN;
    };
    // Those that joined are alike, and smaller than all that are printed.
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
