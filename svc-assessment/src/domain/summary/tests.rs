use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn said(counts: &[u32]) -> (Vec<Option<u32>>, Option<u32>) {
    let Said { bands, others } = say(counts);
    (bands, others)
}

#[test]
fn merges_small_bands() {
    for (counts, bands, others) in [
        (
            [30, 20, 10, 40],
            [Some(30), Some(20), Some(10), Some(40)],
            None,
        ),
        ([30, 20, 9, 40], [Some(30), None, None, Some(40)], Some(29)),
        ([6, 20, 4, 40], [None, Some(20), None, Some(40)], Some(10)),
        ([0, 20, 30, 40], [None, None, Some(30), Some(40)], Some(20)),
        // Both bands of 20 join: the order of bands must not reveal which was smaller.
        ([3, 20, 20, 40], [None, None, None, Some(40)], Some(43)),
        ([0, 0, 0, 100], [None; 4], None),
        ([3, 20, 20, 20], [None; 4], None),
        ([5, 5, 5, 5], [None; 4], None),
        // 18 of two bands beside one of 10 could only be 9 and 9.
        ([9, 9, 10, 10], [None; 4], None),
        ([9, 9, 11, 11], [None, None, Some(11), Some(11)], Some(18)),
        // 39 beside 31 could only be 9 and 30.
        ([9, 30, 31, 200], [None; 4], None),
    ] {
        assert_eq!(said(&counts), (bands.to_vec(), others), "{counts:?}");
    }
}

/// Calls `each` with every vector of `bands` counts whose sum is at most `sum_max`.
fn every_vector(bands: usize, sum_max: u32, each: &mut impl FnMut(&[u32])) {
    fn extend(counts: &mut Vec<u32>, bands: usize, left: u32, each: &mut impl FnMut(&[u32])) {
        if counts.len() == bands {
            return each(counts);
        }
        for count in 0..=left {
            counts.push(count);
            extend(counts, bands, left - count, each);
            counts.pop();
        }
    }
    extend(&mut Vec::new(), bands, sum_max, each);
}

/// A reader who knows the rule and the total lists every vector that prints the same. If all of them agree on a band,
/// the reader knows its count.
#[test]
fn suppressed_counts_cannot_be_derived() {
    for (bands, sum_max) in [(2, 80), (3, 60), (4, 38), (5, 26)] {
        let mut known: BTreeMap<(u32, Said), Vec<Option<u32>>> = BTreeMap::new();
        every_vector(bands, sum_max, &mut |counts| {
            let total = counts.iter().sum();
            let first = || counts.iter().copied().map(Some).collect();
            let agreed = known.entry((total, say(counts))).or_insert_with(first);
            for (agreed, count) in agreed.iter_mut().zip(counts) {
                *agreed = agreed.filter(|agreed| agreed == count);
            }
        });
        assert!(known.len() > 100);
        for ((total, printed), agreed) in known {
            // With fewer people, not even the total is published.
            let is_said = total >= GROUP_SIZE_MIN;
            let derived = agreed.into_iter().flatten();
            let small: Vec<u32> = derived.filter(|count| (1..10).contains(count)).collect();
            assert!(
                !is_said || small.is_empty(),
                "{total}: {printed:?} gives {small:?}"
            );
        }
    }
}

fn people() -> impl Strategy<Value = Vec<Alike>> {
    let bmi = (0..=BmiCategory::ALL.len()).prop_map(|at| BmiCategory::ALL.get(at).copied());
    let alike = (
        bmi,
        prop::sample::select(DiabetesRisk::ALL),
        prop::sample::select(StressLevel::ALL),
        prop::sample::select(OverallLevel::ALL),
        prop_oneof![0_u32..4, 0_u32..15, 0_u32..300],
    );
    let alike = alike.prop_map(
        |(bmi_category, diabetes_risk, stress_level, overall_level, assessments)| Alike {
            bmi_category,
            diabetes_risk,
            stress_level,
            overall_level,
            assessments,
        },
    );
    prop::collection::vec(alike, 0..30)
}

/// Returns whether another vector with the same sum prints the same but has another count in that band. Most have one
/// that differs in two bands; all are tried only if there is none.
fn has_twin(counts: &[u32], band: usize) -> bool {
    let printed = say(counts);
    let differs_in_two = (0..counts.len())
        .filter(|other| *other != band)
        .any(|other| {
            let both = counts[band] + counts[other];
            (0..=both)
                .filter(|count| *count != counts[band])
                .any(|count| {
                    let mut twin = counts.to_vec();
                    twin[band] = count;
                    twin[other] = both - count;
                    say(&twin) == printed
                })
        });
    let hidden: Vec<usize> = (0..counts.len())
        .filter(|at| printed.bands[*at].is_none())
        .collect();
    let sum = hidden.iter().map(|at| counts[*at]).sum();
    differs_in_two
        || has_other(&mut counts.to_vec(), &hidden, sum, &|twin| {
            twin[band] != counts[band] && say(twin) == printed
        })
}

/// Returns whether some counts of these bands with this sum satisfy the condition.
fn has_other(
    counts: &mut [u32],
    bands: &[usize],
    sum: u32,
    is_wanted: &dyn Fn(&[u32]) -> bool,
) -> bool {
    let Some((first, rest)) = bands.split_first() else {
        return sum == 0 && is_wanted(counts);
    };
    (0..=sum).any(|count| {
        counts[*first] = count;
        has_other(counts, rest, sum - count, is_wanted)
    })
}

/// `(9, 9, 9)` and `(7, 10, 10)` print the same, and differ in three bands.
#[test]
fn counts_that_differ_in_more_than_two_bands_hide_each_other() {
    assert_eq!(say(&[9, 9, 11, 9]), say(&[7, 10, 11, 10]));
    assert!(has_twin(&[9, 9, 11, 9], 0));
    assert_eq!(say(&[9, 9, 9, 9, 11]), say(&[6, 10, 10, 10, 11]));
    assert!(has_twin(&[9, 9, 9, 9, 11], 3));
}

proptest! {
    #[test]
    fn a_month_neither_publishes_nor_implies_small_counts(people in people()) {
        let summary = summarize(&people);
        let total: u32 = people.iter().map(|alike| alike.assessments).sum();
        prop_assert_eq!(summary.assessments, (total >= GROUP_SIZE_MIN).then_some(total));
        prop_assert_eq!(summary.results.len(), if total >= GROUP_SIZE_MIN { 4 } else { 0 });
        for result in &summary.results {
            let bands = &result.bands;
            prop_assert!(bands.iter().all(|count| count.assessments >= GROUP_SIZE_MIN));
            // No remainder is left for a reader to subtract.
            let sum: u32 = bands.iter().map(|count| count.assessments).sum();
            prop_assert!(bands.is_empty() || sum == total && bands.len() > 1);
            let others = bands.iter().position(|count| count.band == OTHERS);
            prop_assert!(others.is_none_or(|at| at == bands.len() - 1));
        }
    }

    #[test]
    fn every_suppressed_count_stays_ambiguous(counts in prop::collection::vec(prop_oneof![0_u32..12, 0_u32..60, 0_u32..400], 4..=5)) {
        prop_assume!(counts.iter().sum::<u32>() >= GROUP_SIZE_MIN);
        for (band, count) in counts.iter().enumerate() {
            if (1..GROUP_SIZE_MIN).contains(count) {
                prop_assert!(has_twin(&counts, band), "{counts:?} {:?}", say(&counts));
            }
        }
    }
}

#[test]
fn counts_each_result_by_its_own_column() {
    let alike = |bmi_category, diabetes_risk, stress_level, overall_level, assessments| Alike {
        bmi_category,
        diabetes_risk,
        stress_level,
        overall_level,
        assessments,
    };
    let summary = summarize(&[
        alike(
            Some(BmiCategory::Obese),
            DiabetesRisk::Low,
            StressLevel::Moderate,
            OverallLevel::High,
            30,
        ),
        alike(
            None,
            DiabetesRisk::Unknown,
            StressLevel::High,
            OverallLevel::Unknown,
            25,
        ),
        alike(
            Some(BmiCategory::Normal),
            DiabetesRisk::Moderate,
            StressLevel::Low,
            OverallLevel::Moderate,
            40,
        ),
    ]);
    assert_eq!(summary.assessments, Some(95));
    let said: Vec<(&str, Vec<(&str, u32)>)> = summary
        .results
        .iter()
        .map(|result| {
            let bands = result.bands.iter();
            let bands = bands.map(|count| (count.band.as_str(), count.assessments));
            (result.result.as_str(), bands.collect())
        })
        .collect();
    // An empty band counts as small: it is merged with the next smallest.
    let expected = [
        (
            "bmiCategory",
            vec![("Normal", 40), ("Obese", 30), (OTHERS, 25)],
        ),
        (
            "diabetesRisk",
            vec![("Low Risk", 30), ("Moderate Risk", 40), (OTHERS, 25)],
        ),
        (
            "stressLevel",
            vec![("Low Stress", 40), ("Moderate Stress", 30), (OTHERS, 25)],
        ),
        (
            "overallLevel",
            vec![("Moderate", 40), ("High", 30), (OTHERS, 25)],
        ),
    ];
    assert_eq!(said, expected);
}

#[test]
fn reads_only_completed_months() {
    // 1 December 2026, 00:00 in Asia/Kolkata.
    let over = "2026-11-30T18:30:00Z".parse().expect("a moment");
    let before = "2026-11-30T18:29:59Z".parse().expect("a moment");
    let month = Month::parse("2026-11", over).expect("a month");
    assert_eq!(month.to_string(), "2026-11");
    let days = month.days().map(|day| day.to_rfc3339());
    assert_eq!(
        days,
        ["2026-11-01T00:00:00+00:00", "2026-12-01T00:00:00+00:00"]
    );
    let refused = |text: &str, now| Month::parse(text, now).expect_err("refused").description;
    assert_eq!(refused("2026-11", before), "Give a month that is over");
    assert_eq!(refused("2026-12", over), "Give a month that is over");
    for text in [
        "",
        "2026",
        "2026-1",
        "2026-13",
        "2026-00",
        "2026/11",
        "+026-11",
        "2026-111",
        "٢٠٢٦-11",
        "2026-1a",
    ] {
        assert_eq!(refused(text, over), "Give a month as YYYY-MM", "{text}");
    }
}
