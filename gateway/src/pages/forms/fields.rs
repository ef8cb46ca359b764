//! The fields of a native form.

use std::fmt::Write as _;

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, header},
};

use crate::pages::{contract, message, template::Values};

const BODY_BYTES_MAX: usize = 64 * 1024;
const FIELDS_MAX: usize = 100;
const FORM: &str = "application/x-www-form-urlencoded";
/// Reserved: id of the part of the page that shall take the form. No module sees it.
const PART: &str = "part";

/// What a person sent.
#[derive(Debug)]
pub(super) struct Form {
    /// In the order of the form, without the reserved field.
    fields: Vec<(String, String)>,
    /// The part that shall take it, if the form says so.
    pub(super) part: Option<String>,
}

impl Form {
    /// Reads a form in its own time: the caller limits how long. The error is an HTTP status.
    pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Self, u16> {
        let content_type = headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case(FORM) {
            return Err(415);
        }
        let bytes = to_bytes(body, BODY_BYTES_MAX).await.map_err(|_| 413_u16)?;
        let fields: Vec<(String, String)> =
            serde_urlencoded::from_bytes(&bytes).map_err(|_| 400_u16)?;
        if fields.len() > FIELDS_MAX {
            return Err(400);
        }
        Ok(Self::new(fields))
    }

    pub(super) fn new(fields: Vec<(String, String)>) -> Self {
        let (reserved, fields): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| name == PART);
        let part = reserved.into_iter().map(|(_, part)| part).next_back();
        Self {
            fields,
            part: part.filter(|part| !part.is_empty()),
        }
    }

    /// The last value of a name.
    pub(super) fn last(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().rev();
        values
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Names with their values, sorted by name; values of one name stay in the order of the form.
    pub(super) fn sorted(&self) -> Vec<(&str, &str)> {
        let fields = self.fields.iter();
        let mut sorted: Vec<_> = fields.map(|(n, v)| (n.as_str(), v.as_str())).collect();
        sorted.sort_by_key(|(name, _)| *name);
        sorted
    }

    /// JSON text for a module: every value of a name, or in the first version of the contract the last one.
    pub(super) fn json(&self, contract: u32) -> String {
        if contract < contract::SECOND {
            let last: Values = self.fields.iter().cloned().collect();
            return message::map(&last);
        }
        let mut json = String::from("{");
        for (index, (name, _)) in self.fields.iter().enumerate() {
            if self.fields[..index].iter().any(|(known, _)| known == name) {
                continue;
            }
            let same = self.fields[index..].iter().filter(|(n, _)| n == name);
            let values: Vec<String> = same.map(|(_, value)| message::string(value)).collect();
            let comma = if json.len() > 1 { "," } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(
                json,
                "{comma}{}:[{}]",
                message::string(name),
                values.join(",")
            );
        }
        json.push('}');
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(pairs: &[(&str, &str)]) -> Form {
        let pairs = pairs.iter();
        Form::new(
            pairs
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn every_value_of_a_name_is_kept_in_order_from_the_second_version_on() {
        let form = form(&[
            ("day", "Tue"),
            ("name", "A \"B\""),
            ("part", "clinic:form"),
            ("day", "Mon"),
        ]);
        assert_eq!(form.json(2), r#"{"day":["Tue","Mon"],"name":["A \"B\""]}"#);
        assert_eq!(form.json(1), r#"{"day":"Mon","name":"A \"B\""}"#);
        assert_eq!(form.last("day"), Some("Mon"));
        assert_eq!(form.part.as_deref(), Some("clinic:form"));
        let sorted = form.sorted();
        assert_eq!(sorted[..2], [("day", "Tue"), ("day", "Mon")]);
    }

    #[test]
    fn an_empty_part_names_none() {
        assert_eq!(form(&[("part", "")]).part, None);
        assert_eq!(form(&[]).json(2), "{}");
    }
}
