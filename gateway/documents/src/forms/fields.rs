//! The fields of a native form.

use std::{convert::Infallible, fmt::Write as _};

use axum::{
    body::Body,
    http::{HeaderMap, header},
};
use bytes::Bytes;
use futures::stream;
use gateway_http::problem::Problem;

use super::multipart::{self, FileRule, Parts};
use crate::{publish::contract, registry::template::Values, render::message};

pub(super) const FIELDS_MAX: usize = 100;
const FORM: &str = "application/x-www-form-urlencoded";
/// Reserved field: id of the part that accepts the form. Hidden from modules.
const PART: &str = "part";

/// A submitted form.
#[derive(Debug)]
pub(super) struct Form {
    /// In the order of the form, without the reserved field.
    fields: Vec<(String, String)>,
    /// Id of the part that accepts the form, if the form names one.
    pub(super) part: Option<String>,
    /// The form's file.
    pub(super) file: Option<Bytes>,
    /// Why the file was not taken.
    file_problem: Option<String>,
}

impl Form {
    /// Reads a form with a file while it arrives. The error is an HTTP status.
    pub(super) async fn receive(
        headers: &HeaderMap,
        body: Body,
        rule: FileRule<'_>,
    ) -> Result<Self, u16> {
        let boundary = multer::parse_boundary(content_type(headers)).map_err(|_| 415_u16)?;
        let Parts {
            fields,
            file,
            file_problem,
            ..
        } = multipart::read(body.into_data_stream(), boundary, rule).await?;
        Ok(Self {
            file,
            file_problem,
            ..Self::new(fields)
        })
    }

    /// Parses a form. The error is an HTTP status.
    pub(super) async fn read(headers: &HeaderMap, bytes: Bytes) -> Result<Self, u16> {
        if !is_form(headers) {
            return Err(415);
        }
        let boundary = multer::parse_boundary(content_type(headers)).ok();
        let fields = match boundary {
            Some(boundary) => {
                let whole = stream::iter([Ok::<_, Infallible>(bytes)]);
                let read = multipart::read(whole, boundary, FileRule::Refused).await?;
                read.fields
            }
            None => serde_urlencoded::from_bytes(&bytes).map_err(|_| 400_u16)?,
        };
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
            file: None,
            file_problem: None,
        }
    }

    /// Returns why the file was not taken; `name` is that of its field.
    pub(super) fn file_problem(&self, name: Option<&str>) -> Option<Problem> {
        let words = self.file_problem.as_ref()?;
        Some(Problem::invalid_field(name.unwrap_or_default(), words))
    }

    /// Returns all fields in the order of the form, including the reserved one.
    pub(super) fn whole(&self) -> Vec<(String, String)> {
        let part = self.part.iter().map(|part| (PART.to_owned(), part.clone()));
        self.fields.iter().cloned().chain(part).collect()
    }

    /// Returns the last value of a field.
    pub(super) fn last(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().rev();
        values
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the fields sorted by name. Values of the same name keep the order of the form.
    pub(super) fn sorted(&self) -> Vec<(&str, &str)> {
        let fields = self.fields.iter();
        let mut sorted: Vec<_> = fields.map(|(n, v)| (n.as_str(), v.as_str())).collect();
        sorted.sort_by_key(|(name, _)| *name);
        sorted
    }

    /// Returns JSON text for a module: all values per name, or only the last one in version 1 of the contract.
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

/// Returns whether the content type is that of a form.
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let content_type = content_type(headers);
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case(FORM) || is_multipart(headers)
}

/// Returns whether the content type is that of a form that may have files.
pub fn is_multipart(headers: &HeaderMap) -> bool {
    multer::parse_boundary(content_type(headers)).is_ok()
}

fn content_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

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
    fn keeps_repeated_values_in_order_from_version_2() {
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

    async fn read(content_type: &'static str, body: &'static str) -> Result<Form, u16> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        Form::read(&headers, Bytes::from(body)).await
    }

    #[tokio::test]
    async fn reads_multipart_forms_like_urlencoded_ones() {
        const TYPE: &str = "multipart/form-data; boundary=\"a b\"";
        let whole = "--a b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--a b--\r\n";
        let read_whole = read(TYPE, whole).await.expect("a form");
        assert_eq!(read_whole.json(2), r#"{"List-Unsubscribe":["One-Click"]}"#);
        let file = "--a b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\nc\r\n--a b--\r\n";
        assert_eq!(read(TYPE, file).await.expect_err("a file"), 415);
        for broken in ["", "--a b\r\n\r\nx", &whole[..whole.len() - 10]] {
            assert_eq!(
                read(TYPE, broken).await.expect_err("half"),
                400,
                "{broken:?}"
            );
        }
        assert_eq!(
            read("multipart/form-data", whole)
                .await
                .expect_err("no boundary"),
            415
        );
        assert_eq!(
            read("multipart/mixed; boundary=\"a b\"", whole)
                .await
                .expect_err("another"),
            415
        );
    }

    #[test]
    fn treats_an_empty_part_name_as_absent() {
        assert_eq!(form(&[("part", "")]).part, None);
        assert_eq!(form(&[]).json(2), "{}");
    }
}
