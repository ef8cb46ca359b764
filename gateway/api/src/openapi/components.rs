//! Parts of the description that operations refer to and no contract defines: errors, headers, authentication.

use serde_json::{Value, json};
use tonic::metadata::AsciiMetadataKey;

use super::responses::PROBLEMS;

/// Name of the security scheme of calls that are not public.
pub(super) const BEARER: &str = "bearer";

/// Name of the header that marks the answer of an earlier request.
pub(super) const REPLAYED: &str = "Idempotent-Replayed";

/// Name of the header that carries the idempotency key of a create.
pub(crate) const KEY: &str = "Idempotency-Key";

/// `secret_headers` carry a resource's own secret instead of a token.
pub(super) fn security_schemes<'a>(
    secret_headers: impl Iterator<Item = &'a AsciiMetadataKey>,
) -> Value {
    let mut schemes = json!({
        BEARER: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "Token of the issuer that the site trusts; its `scope` must have the scope of the call.",
        },
    });
    for header in secret_headers {
        schemes[header.as_str()] = json!({
            "type": "apiKey",
            "in": "header",
            "name": header.as_str(),
            "description": "Secret of the resource, in place of a token: given to its owner when it was made.",
        });
    }
    schemes
}

/// Returns one response for each status of a problem, by name.
pub(super) fn problem_responses() -> Value {
    let mut out = json!({});
    for (status, name, description) in PROBLEMS {
        let mut response = json!({
            "description": description,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        });
        let header = match status {
            401 => Some("WWW-Authenticate"),
            405 => Some("Allow"),
            429 | 503 => Some("Retry-After"),
            _ => None,
        };
        if let Some(header) = header {
            response["headers"] =
                json!({header: {"$ref": format!("#/components/headers/{header}")}});
        }
        out[name] = response;
    }
    out
}

pub(super) fn problem_schema() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "reason", "fields", "traceId"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference"},
            "title": text("The status in words."),
            "status": {"type": "integer", "format": "int32"},
            "detail": text("What happened, for people."),
            "reason": text("What happened, for programs, in UPPER_SNAKE, for example INVALID_ARGUMENT."),
            "fields": {
                "type": "array",
                "description": "The fields that were refused, all at once.",
                "items": {
                    "type": "object",
                    "required": ["field", "message"],
                    "properties": {
                        "field": text("Path in the payload, camelCase."),
                        "message": text("What is wrong with it, for people."),
                        "reason": text("The same for programs, in UPPER_SNAKE. Absent: none is named."),
                    },
                },
            },
            "metadata": {
                "type": "object",
                "description": "More about the reason, for programs; at most 8 entries and 1 KiB. Absent when there is none.",
                "additionalProperties": {"type": "string"},
            },
            "traceId": text("Finds the request in traces and logs."),
        },
    })
}

pub(super) fn headers() -> Value {
    let header = |kind: &str, description: &str| json!({"description": description, "schema": {"type": kind}});
    json!({
        "Allow": header("string", "The methods that the address has."),
        "Cache-Control": header("string", "`no-store`, or for how many seconds the answer may be kept."),
        "ETag": header("string", "Strong validator of the response, for If-None-Match and, where the call has it, If-Match."),
        KEY: header("string", "The key that was derived for a request without one; send it with a retry. Otherwise absent."),
        REPLAYED: header("boolean", "true: a request with this Idempotency-Key was made before, and this is its answer. Otherwise absent."),
        "Location": header("string", "Where the created resource is."),
        "RateLimit": header("string", "What is left, for example \"visitor\";r=9;t=60 (IETF draft)."),
        "RateLimit-Policy": header("string", "What is allowed, for example \"visitor\";q=10;w=60 (IETF draft)."),
        "Retry-After": header("integer", "Seconds after which to try again; with 429 and 503."),
        "WWW-Authenticate": header("string", "How to authenticate (RFC 6750)."),
    })
}
