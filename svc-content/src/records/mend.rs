//! Finds every problem in the body of one record. A check stops at the first one: it is mended with the value of
//! another record, and the file of the record is checked again.

use serde_json::Value;

use super::{Body, Kind, Live, Problem, check_file, of_sources};
use crate::domain::Content;

/// Maximum problems that are found in one body.
const PROBLEMS_MAX: usize = 40;
/// Maximum other records of a kind beside which the body is checked. The rest can't change what is found in its fields.
const OTHERS_MAX: usize = 200;

/// Returns the first problem of the live records, of which one is a candidate, and every further one in the candidate's
/// own body.
pub fn problems_of(
    content: &Content,
    live: &[Live],
    own: (&'static Kind, &str),
    first: Problem,
) -> Vec<Problem> {
    if !first.is_in(own.0, own.1) {
        return vec![first];
    }
    let mut samples = of_sources(&content.sources).unwrap_or_default();
    samples.retain(|record| record.kind == own.0);
    // The values of the live version fit best.
    samples.sort_by_key(|record| record.id != own.1);
    let samples: Vec<Body> = samples.into_iter().map(|record| record.body).collect();
    let mut few = beside(live, own);
    let mut problems = vec![first];
    let mut tries = 0;
    while let Err(problem) = check_file(&content.sources, &few, own.0) {
        let is_known = problems.iter().any(|known| known.field == problem.field);
        if !problem.is_in(own.0, own.1) || (is_known && tries > 1) {
            break;
        }
        if is_known {
            tries += 1;
        } else {
            tries = 1;
            problems.push(problem.clone());
        }
        let body = few.last_mut().map(|record| &mut record.body);
        let is_mended = body.is_some_and(|body| mend(body, &problem, &samples, tries > 1));
        if !is_mended || problems.len() == PROBLEMS_MAX {
            break;
        }
    }
    problems
}

/// Returns the records of the candidate's file with few of each kind, and the candidate last: another record with the
/// same address then counts as the first one.
fn beside(live: &[Live], (kind, id): (&'static Kind, &str)) -> Vec<Live> {
    let mut few: Vec<Live> = Vec::new();
    let mut own = None;
    let mut count = 0;
    for record in live.iter().filter(|record| record.kind.file == kind.file) {
        let is_of_kind = |last: &Live| last.kind == record.kind;
        count = if few.last().is_some_and(is_of_kind) {
            count + 1
        } else {
            0
        };
        if record.kind == kind && record.id == id {
            own = Some(record.clone());
        } else if count < OTHERS_MAX {
            few.push(record.clone());
        }
    }
    few.extend(own);
    few
}

/// Replaces the value of a problem by one of another record, or removes it. Returns false if neither is possible.
/// `is_repeated`: the plain value of another record was refused, for example because it may occur only once.
fn mend(body: &mut Body, problem: &Problem, samples: &[Body], is_repeated: bool) -> bool {
    let path = steps(&problem.field);
    let sample = samples.iter().find_map(|sample| {
        let mut path = path.iter();
        let first = sample.get(path.next()?.as_str())?;
        path.try_fold(first, |value, step| match value {
            Value::Object(fields) => fields.get(step),
            Value::Array(values) => values.first(),
            _ => None,
        })
    });
    let sample = match sample {
        Some(Value::String(text)) if is_repeated => Some(Value::String(format!("{text}-2"))),
        Some(_) if is_repeated => return false,
        sample => sample.cloned(),
    };
    let Some((last, parents)) = path.split_last() else {
        return false;
    };
    let mut place = Some(body);
    let mut values: Option<&mut Vec<Value>> = None;
    for step in parents {
        let value = match (place.take(), values.take()) {
            (Some(fields), _) => fields.get_mut(step),
            (None, Some(values)) => step.parse().ok().and_then(|at: usize| values.get_mut(at)),
            (None, None) => None,
        };
        match value {
            Some(Value::Object(fields)) => place = Some(fields),
            Some(Value::Array(entries)) => values = Some(entries),
            _ => return false,
        }
    }
    match (place, values, sample) {
        (Some(fields), _, Some(sample)) => {
            let is_new = fields.get(last) != Some(&sample);
            fields.insert(last.clone(), sample);
            is_new
        }
        (Some(fields), _, None) => fields.remove(last).is_some(),
        (None, Some(values), Some(sample)) => {
            let value = last.parse().ok().and_then(|at: usize| values.get_mut(at));
            value.map(|value| *value = sample).is_some()
        }
        _ => false,
    }
}

/// Splits `faqs[0].answer` into `faqs`, `0` and `answer`.
fn steps(field: &str) -> Vec<String> {
    field
        .split(['.', '[', ']'])
        .filter(|step| !step.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::{load, put},
        *,
    };
    use crate::files::Sources;

    fn found(kind: &str, change: impl FnOnce(&mut Body), id: &str) -> Vec<String> {
        let files = Sources::embedded();
        let mut live = of_sources(&files).expect("the embedded files");
        let content = load(&files, &live, None).expect("the content of the files");
        let kind = Kind::of(kind).expect("a kind");
        let own = live.iter().find(|one| one.kind == kind && one.id == id);
        let mut body = own.map_or_else(Body::new, |own| own.body.clone());
        change(&mut body);
        let id_of_own = id.to_owned();
        put(
            &mut live,
            Live {
                kind,
                id: id_of_own,
                body,
            },
        );
        let problems = match load(&files, &live, None) {
            Ok(_) => Vec::new(),
            Err(first) => problems_of(&content, &live, (kind, id), first),
        };
        assert!(
            problems.iter().all(|problem| problem.is_in(kind, id)),
            "{problems:?}"
        );
        problems.into_iter().map(|problem| problem.field).collect()
    }

    fn set(body: &mut Body, changes: &Value) {
        body.extend(changes.as_object().cloned().unwrap_or_default());
    }

    #[test]
    fn a_sound_body_has_none() {
        assert!(found("doctor", |_| {}, "doc-06").is_empty());
    }

    #[test]
    fn names_every_wrong_field_at_once() {
        let wrong = json!({
            "name": "", "timings": " 9", "consultation_fee_rupees": 0, "languages": ["Kannada", "", "x".repeat(41)],
            "image": "https://elsewhere.example/x.svg", "newer": 1,
        });
        let mut fields = found("doctor", |body| set(body, &wrong), "doc-06");
        fields.sort_unstable();
        let wanted = [
            "consultation_fee_rupees",
            "image",
            "languages[1]",
            "languages[2]",
            "name",
            "newer",
            "timings",
        ];
        assert_eq!(fields, wanted);
    }

    #[test]
    fn names_the_missing_fields_of_a_new_record() {
        let start = json!({"id": "doc-99", "slug": "dr-new", "name": "Dr. New"});
        let fields = found("doctor", |body| set(body, &start), "doc-99");
        for field in [
            "specialty",
            "image",
            "about",
            "registration_number",
            "consultation_fee_rupees",
        ] {
            assert!(fields.iter().any(|one| one == field), "{field}: {fields:?}");
        }
        assert!(
            !fields
                .iter()
                .any(|one| ["id", "slug", "name"].contains(&one.as_str())),
            "{fields:?}"
        );
    }

    #[test]
    fn names_problems_within_rows_and_of_the_one_record() {
        let rows = |body: &mut Body| {
            body["faqs"][0]["answer"] = json!("");
            body["cost"]["packages"][1]["to_rupees"] = json!(9_999_999);
            body["duration"] = json!("");
        };
        let mut fields = found("surgery", rows, "1");
        fields.sort_unstable();
        assert_eq!(
            fields,
            ["cost.packages[1].to_rupees", "duration", "faqs[0].answer"]
        );
        let fields = found(
            "insurance",
            |body| set(body, &json!({"approval": "", "steps": [""]})),
            "insurance",
        );
        assert_eq!(fields, ["approval", "steps[0]"]);
    }

    #[test]
    fn a_taken_address_hides_no_other_problem() {
        let taken = |body: &mut Body| {
            let other = "dr-vasundhara-hegde";
            set(body, &json!({"slug": other, "about": ""}));
        };
        let mut fields = found("doctor", taken, "doc-06");
        fields.sort_unstable();
        assert_eq!(fields, ["about", "slug"]);
    }
}
