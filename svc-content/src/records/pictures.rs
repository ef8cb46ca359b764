//! The uploaded pictures that records name.

use std::collections::HashMap;

use serde_json::Value;

use super::{Live, Problem};
use crate::{
    store::media::{MediaRow, PROCESSING, READY},
    values::is_media_hash,
};

/// State of each picture by hash.
#[derive(Debug, Default)]
pub(crate) struct PictureStates(HashMap<String, String>);

impl PictureStates {
    pub(crate) fn new(rows: Vec<MediaRow>) -> Self {
        let rows = rows.into_iter();
        Self(rows.map(|row| (row.hash, row.state)).collect())
    }

    /// Checks that all pictures of the records can be shown. Only whole fields name pictures: texts are not searched.
    ///
    /// # Errors
    /// The first one that can't, with its record and field.
    pub(crate) fn check(&self, records: &[Live]) -> Result<(), Problem> {
        for record in records {
            for (name, value) in &record.body {
                self.check_value(record, name, value)?;
            }
        }
        Ok(())
    }

    fn check_value(&self, record: &Live, path: &str, value: &Value) -> Result<(), Problem> {
        match value {
            Value::String(text) => match self.problem(text) {
                Some(words) => Err(Problem::of(record.kind, &record.id, path, words)),
                None => Ok(()),
            },
            Value::Array(values) => values.iter().enumerate().try_for_each(|(at, value)| {
                self.check_value(record, &format!("{path}[{at}]"), value)
            }),
            Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
                self.check_value(record, &format!("{path}.{name}"), value)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    fn problem(&self, address: &str) -> Option<&'static str> {
        let hash = address.strip_prefix("/media/")?;
        if !is_media_hash(hash) {
            return None;
        }
        match self.0.get(hash).map(String::as_str) {
            Some(READY) => None,
            Some(PROCESSING) => Some("The picture is still being prepared. Try again in a minute"),
            Some(_) => Some("The picture could not be prepared. Upload it again"),
            None => Some("There is no such picture. Choose or upload another one"),
        }
    }
}
