use super::*;
use crate::scoring::{indian, score};

const REQUEST_ID: &str = "0123456789abcdef";

fn request(answers: SubmittedAnswers) -> Submission {
    Submission {
        answers: Some(answers),
        request_id: REQUEST_ID.to_owned(),
    }
}

fn fields(request: &Submission) -> Vec<String> {
    let violations = parse(request).expect_err("violations");
    violations
        .into_iter()
        .map(|violation| violation.field)
        .collect()
}

fn nothing_answered() -> SubmittedAnswers {
    SubmittedAnswers {
        consent: true,
        ..SubmittedAnswers::default()
    }
}

#[test]
fn ranges_include_their_ends() {
    for (age, height, weight, sleep_hours, waist) in
        [(1, 50.0, 2.0, 0.0, 30.0), (120, 250.0, 400.0, 24.0, 250.0)]
    {
        let answers = SubmittedAnswers {
            age_years: Some(age),
            height_cm: Some(height),
            weight_kg: Some(weight),
            sleep_hours: Some(sleep_hours),
            measures: SubmittedMeasures {
                waist_cm: Some(waist),
                ..SubmittedMeasures::default()
            },
            ..nothing_answered()
        };
        assert!(parse(&request(answers)).is_ok());
    }
}

#[test]
fn refuses_values_that_are_no_number() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let answers = SubmittedAnswers {
            height_cm: Some(value),
            ..nothing_answered()
        };
        assert_eq!(fields(&request(answers)), ["personalInfo.height"]);
    }
}

#[test]
fn a_request_id_counts_only_with_consent() {
    let kept = parse(&request(nothing_answered())).expect("valid");
    let request_id = kept.request_id.expect("it is kept");
    assert_eq!(request_id.as_str(), REQUEST_ID);
    for request_id in [REQUEST_ID, "", "short"] {
        let unstored = parse(&Submission {
            request_id: request_id.to_owned(),
            answers: Some(SubmittedAnswers::default()),
        });
        assert_eq!(unstored.expect("valid").request_id, None);
    }
    let without = Submission {
        request_id: String::new(),
        answers: Some(nothing_answered()),
    };
    assert_eq!(fields(&without), ["requestId"]);
}

#[test]
fn reports_all_violations_at_once() {
    assert_eq!(fields(&Submission::default()), ["assessment"]);
    let wrong = SubmittedAnswers {
        age_years: Some(0),
        measures: SubmittedMeasures {
            waist_cm: Some(29.0),
            ..SubmittedMeasures::default()
        },
        ..nothing_answered()
    };
    let wrong = Submission {
        request_id: "short".to_owned(),
        answers: Some(wrong),
    };
    assert_eq!(
        fields(&wrong),
        ["requestId", "personalInfo.age", "indianMeasures.waist"]
    );
}

#[test]
fn finds_every_choice_by_its_text_only() {
    fn check<T: Choice + PartialEq + fmt::Debug>() {
        for choice in T::ALL {
            assert_eq!(T::find(choice.as_str()), Some(*choice));
        }
        assert_eq!(T::find(""), None);
        assert_eq!(T::find("unheard of"), None);
    }
    check::<Strategy>();
    check::<Exertion>();
    check::<ParentsWithDiabetes>();
    check::<BmiCategory>();
    check::<DiabetesRisk>();
    check::<StressLevel>();
    check::<OverallLevel>();
}

#[test]
fn a_day_is_the_date_in_india() {
    let moment = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
    for (of, is) in [
        ("2025-11-21T18:29:59.999999Z", "2025-11-21T00:00:00Z"),
        ("2025-11-21T18:30:00Z", "2025-11-22T00:00:00Z"),
        ("2025-11-22T00:00:00Z", "2025-11-22T00:00:00Z"),
        ("2025-11-22T12:34:56.789012Z", "2025-11-22T00:00:00Z"),
    ] {
        assert_eq!(day(moment(of)), moment(is), "{of}");
        assert_eq!(day(day(moment(of))), moment(is), "{of}");
    }
}

#[test]
fn debug_output_withholds_answers() {
    let sent = request(SubmittedAnswers {
        age_years: Some(77),
        gender: "female".to_owned(),
        measures: SubmittedMeasures {
            waist_cm: Some(91.5),
            exertion: "neither".to_owned(),
            parents: "none".to_owned(),
        },
        ..nothing_answered()
    });
    let checked = parse(&sent).expect("valid");
    let scores = score(&checked.answers);
    let indian = indian::score(&checked.answers, &checked.measures);
    let answers = sent.answers.as_ref().expect("answers");
    let text = format!(
        "{sent:?} {answers:?} {:?} {checked:?} {scores:?} {indian:?}",
        answers.measures
    );
    assert_eq!(indian.diabetes_score, Some(80));
    let personal = [
        "77",
        "female",
        "91.5",
        "neither",
        "none",
        "80",
        REQUEST_ID,
        "Not enough",
        "High",
    ];
    for personal in personal {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
}
