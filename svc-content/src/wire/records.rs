//! Conversion of records between the gRPC contract and the store.

use chrono::{DateTime, Utc};
use hospital_proto::content::v1 as api;
use prost_types::{ListValue, Struct, Value, value::Kind as Variant};
use serde_json::Number;
use store_kit::error::StoreError;

use super::timestamp;
use crate::{
    language::{Catalogue, Language},
    records::{Body, Kind, Problem, gaps::Gap, translations::RecordText},
    store::records::{PublicationRow, RecordRow, TranslationChange, Translations, VersionRow},
};

/// Whole numbers up to this are exact in JSON.
const WHOLE_MAX: f64 = 9_007_199_254_740_991.0;

pub(crate) fn record(row: RecordRow, now: DateTime<Utc>) -> api::ContentRecord {
    let is_edited = row.edited_until.is_some_and(|until| until > now);
    api::ContentRecord {
        kind: row.kind,
        record_id: row.id,
        state: row.state,
        version: number(row.version),
        live_version: number(row.live_version),
        body: None,
        title: row.title,
        path: row.path,
        publish_version: number(row.publish_version),
        publish_time: row.publish_at.map(timestamp),
        unpublish_time: row.unpublish_at.map(timestamp),
        schedule_problem: row.schedule_problem,
        redirect: row.redirect,
        author_name: row.author_name,
        update_time: Some(timestamp(row.updated_at)),
        etag: row.etag,
        problems: Vec::new(),
        editor_name: if is_edited {
            row.editor_name
        } else {
            String::new()
        },
    }
}

/// `own` is the record that the caller asked for.
pub(crate) fn problem(problem: &Problem, own: (&'static Kind, &str)) -> api::RecordProblem {
    let other = problem.record.as_ref();
    let is_own = other.is_some_and(|(kind, id)| (*kind, id.as_str()) == own);
    api::RecordProblem {
        field: problem.field.clone(),
        message: problem.message.clone(),
        record: if is_own {
            String::new()
        } else {
            problem.name()
        },
    }
}

pub(crate) fn version(row: VersionRow) -> Result<api::RecordVersion, StoreError> {
    let corrupt = StoreError::Corrupt {
        column: "record_versions.body",
    };
    let body: Body = serde_json::from_str(&row.body).map_err(|_| corrupt)?;
    Ok(api::RecordVersion {
        version: number(row.version),
        body: Some(to_struct(&body)),
        author_name: row.author_name,
        create_time: Some(timestamp(row.created_at)),
    })
}

pub(crate) fn publication(row: PublicationRow) -> api::Publication {
    api::Publication {
        kind: row.kind,
        record_id: row.id,
        title: row.title,
        path: row.path,
        version_before: number(row.version_before),
        version_after: number(row.version_after),
        author_name: row.author_name,
        create_time: Some(timestamp(row.created_at)),
        language: Language::of(&row.lang)
            .map_or("", Language::code)
            .to_owned(),
    }
}

/// `files` is the catalogue without the translations of staff.
pub(crate) fn translations(
    known: Translations,
    language: Language,
    files: &Catalogue,
) -> api::RecordTranslations {
    let text = |text: &RecordText| {
        let staff = known.of(&text.english);
        let file = files.get(&text.english).unwrap_or_default();
        let source = match staff {
            Some(_) => "staff",
            None if file.is_empty() => "",
            None => "file",
        };
        api::RecordText {
            field: text.field.to_owned(),
            english: text.english.clone(),
            translation: staff.map_or(file, |own| &own.translation).to_owned(),
            source: source.to_owned(),
            file_translation: file.to_owned(),
            author_name: staff.map_or_else(String::new, |own| own.author_name.clone()),
            update_time: staff.map(|own| timestamp(own.created_at)),
            length_max: i32::try_from(text.chars_max()).unwrap_or(i32::MAX),
            is_draft: text.is_draft,
        }
    };
    let texts = known.texts.iter().map(text).collect();
    let etag = known.etag();
    let changes = known.changes.into_iter().map(|change| {
        let TranslationChange {
            english,
            before,
            after,
            author_name,
            created_at,
        } = change;
        api::TranslationChange {
            english,
            before,
            after,
            author_name,
            create_time: Some(timestamp(created_at)),
        }
    });
    api::RecordTranslations {
        texts,
        etag,
        changes: changes.collect(),
        kind: known.row.kind,
        record_id: known.row.id,
        title: known.row.title,
        path: known.row.path,
        state: known.row.state,
        language: language.code().to_owned(),
    }
}

pub(crate) fn gap(gap: &Gap) -> api::RecordGap {
    api::RecordGap {
        kind: gap.kind.name.to_owned(),
        record_id: gap.id.clone(),
        title: gap.title.clone(),
        field: gap.field.clone(),
        reason: gap.reason.to_owned(),
        detail: gap.detail.clone(),
        language: gap.language.map_or("", Language::code).to_owned(),
        text_count: i32::try_from(gap.text_count).unwrap_or(i32::MAX),
    }
}

fn number(version: i64) -> i32 {
    i32::try_from(version).unwrap_or(i32::MAX)
}

pub fn to_struct(body: &Body) -> Struct {
    let fields = body.iter();
    Struct {
        fields: fields
            .map(|(name, value)| (name.clone(), to_value(value)))
            .collect(),
    }
}

fn to_value(value: &serde_json::Value) -> Value {
    let kind = match value {
        serde_json::Value::Null => Variant::NullValue(0),
        serde_json::Value::Bool(is) => Variant::BoolValue(*is),
        serde_json::Value::Number(number) => {
            Variant::NumberValue(number.as_f64().unwrap_or_default())
        }
        serde_json::Value::String(text) => Variant::StringValue(text.clone()),
        serde_json::Value::Array(values) => Variant::ListValue(ListValue {
            values: values.iter().map(to_value).collect(),
        }),
        serde_json::Value::Object(body) => Variant::StructValue(to_struct(body)),
    };
    Value { kind: Some(kind) }
}

/// Converts the fields that a caller sent. The error is the name of a field without a value, or with a number that is
/// none.
pub fn to_body(sent: Struct) -> Result<Body, String> {
    let fields = sent.fields.into_iter();
    fields
        .map(|(name, value)| match of_value(value) {
            Some(value) => Ok((name, value)),
            None => Err(name),
        })
        .collect()
}

fn of_value(value: Value) -> Option<serde_json::Value> {
    Some(match value.kind? {
        Variant::NullValue(_) => serde_json::Value::Null,
        Variant::BoolValue(is) => is.into(),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a whole number within the limit"
        )]
        Variant::NumberValue(number) if number.fract() == 0.0 && number.abs() <= WHOLE_MAX => {
            (number as i64).into()
        }
        Variant::NumberValue(number) => serde_json::Value::Number(Number::from_f64(number)?),
        Variant::StringValue(text) => text.into(),
        Variant::ListValue(list) => {
            let values = list.values.into_iter();
            serde_json::Value::Array(values.map(of_value).collect::<Option<_>>()?)
        }
        Variant::StructValue(body) => serde_json::Value::Object(to_body(body).ok()?),
    })
}
