//! Bodies that are not JSON: `google.api.HttpBody`, bytes of any media type.

use axum::http::HeaderValue;
use prost_reflect::{FieldDescriptor, MessageDescriptor, MethodDescriptor};

/// Message that carries a verbatim body.
const HTTP_BODY: &str = "google.api.HttpBody";

/// Fields of a body that is sent verbatim.
#[derive(Clone, Debug)]
pub struct RawBody {
    content_type: u32,
    data: u32,
    /// Name under which a browser saves the file, without an extension.
    file_stem: String,
}

impl RawBody {
    /// Returns `None` if the response is an ordinary message.
    pub(super) fn of(
        method: &MethodDescriptor,
        field: Option<&FieldDescriptor>,
        path_fields: &[Vec<FieldDescriptor>],
    ) -> Option<Self> {
        match field {
            None => Self::of_message(&method.output(), path_fields),
            Some(field) => Self::of_field(field, path_fields),
        }
    }

    /// Returns `None` if the field is not such a body.
    pub(super) fn of_field(
        field: &FieldDescriptor,
        path_fields: &[Vec<FieldDescriptor>],
    ) -> Option<Self> {
        let kind = field.kind();
        let message = kind.as_message().filter(|_| !field.is_list())?;
        Self::of_message(message, path_fields)
    }

    fn of_message(
        message: &MessageDescriptor,
        path_fields: &[Vec<FieldDescriptor>],
    ) -> Option<Self> {
        let is_raw = message.full_name() == HTTP_BODY;
        is_raw.then_some(())?;
        // The last variable of the path names the resource (AIP-122): `volume_id` gives `volume`.
        let resource = path_fields.last().and_then(|path| path.last());
        let resource = resource.and_then(|id| id.name().strip_suffix("_id").map(str::to_owned));
        Some(Self {
            file_stem: resource.unwrap_or_else(|| "file".to_owned()),
            content_type: message.get_field_by_name("content_type")?.number(),
            data: message.get_field_by_name("data")?.number(),
        })
    }

    /// Returns `Content-Disposition` for responses meant for a program other than the browser, such as calendar files.
    pub fn disposition(&self, media_type: &HeaderValue) -> Option<HeaderValue> {
        let essence = media_type.to_str().ok()?.split(';').next()?.trim_end();
        let is_calendar = essence.eq_ignore_ascii_case("text/calendar");
        is_calendar.then_some(())?;
        HeaderValue::try_from(format!("attachment; filename=\"{}.ics\"", self.file_stem)).ok()
    }

    /// Returns the field numbers of the media type and of the bytes.
    pub fn numbers(&self) -> (u32, u32) {
        (self.content_type, self.data)
    }

    /// Parses the media type from an upstream. `None` if it is not a valid header value.
    pub fn media_type(text: &str) -> Option<HeaderValue> {
        media_type(text)
    }
}

/// Parses `type/subtype` with or without parameters (RFC 9110, 8.3.1).
fn media_type(text: &str) -> Option<HeaderValue> {
    let essence = text.split(';').next()?.trim_end();
    let (kind, subtype) = essence.split_once('/')?;
    let is_token = |part: &str| !part.is_empty() && part.bytes().all(is_token_character);
    if !is_token(kind) || !is_token(subtype) {
        return None;
    }
    HeaderValue::from_str(text).ok()
}

/// Returns whether a byte is a `tchar` of RFC 9110, 5.6.2.
fn is_token_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_media_types_as_content_type() {
        for good in [
            "text/calendar",
            "text/calendar; charset=utf-8",
            "application/fhir+json",
        ] {
            assert_eq!(media_type(good).unwrap(), good);
        }
        for bad in [
            "",
            "text",
            "/calendar",
            "text/",
            "text/a b",
            "text/plain\r\nx: y",
            "a b/c",
            ";",
        ] {
            assert!(media_type(bad).is_none(), "{bad}");
        }
    }
}
