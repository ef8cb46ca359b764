//! Parts of the description that operations refer to and no contract defines: errors, headers, authentication.

use serde_json::{Value, json};
use tonic::metadata::AsciiMetadataKey;

/// Name of the security scheme of calls that are not public.
pub(super) const BEARER: &str = "bearer";

/// Name of the header that marks the answer of an earlier request.
pub(super) const REPLAYED: &str = "Idempotent-Replayed";

/// Name of the header that carries the idempotency key of a create.
pub(crate) const KEY: &str = "Idempotency-Key";

/// A status of `application/problem+json`, and the name of its response in the components.
pub(super) const PROBLEMS: [(u16, &str, &str); 18] = [
    (
        400,
        "BadRequest",
        "A field, parameter or header is invalid (see `fields`), or the resource's state does not allow the call (see `reason`).",
    ),
    (
        401,
        "Unauthenticated",
        "The call needs a token, or the token is invalid.",
    ),
    (
        403,
        "Forbidden",
        "The token lacks the scope, or a write lacks `X-Requested-With` or comes from another site's page.",
    ),
    (
        404,
        "NotFound",
        "There is no resource at this address, or it is not the caller's.",
    ),
    (
        405,
        "MethodNotAllowed",
        "This address has other methods (see `Allow`).",
    ),
    (408, "BodyTimeout", "The body did not arrive in time."),
    (
        409,
        "Conflict",
        "The call conflicts with existing data (see `reason`).",
    ),
    (
        412,
        "PreconditionFailed",
        "`If-Match` is not the current version. Read the resource again.",
    ),
    (
        413,
        "BodyTooLarge",
        "The body exceeds the gateway's limit (default 64 KiB).",
    ),
    (414, "AddressTooLong", "The path or the query is too long."),
    (
        415,
        "UnsupportedMediaType",
        "The body is not declared as `application/json`.",
    ),
    (
        422,
        "RequestIdReused",
        "The `Idempotency-Key` was used before, with another body.",
    ),
    (
        429,
        "TooManyRequests",
        "Too many calls, or a limit is reached (see `reason`). `Retry-After` is the wait before a retry.",
    ),
    (500, "Internal", "An internal error."),
    (501, "NotImplemented", "The method is not supported."),
    (
        502,
        "BadReply",
        "A service behind the gateway sent an invalid reply.",
    ),
    (
        503,
        "Unavailable",
        "The service is unavailable or overloaded. `Retry-After` is the wait before a retry.",
    ),
    (
        504,
        "DeadlineExceeded",
        "The call timed out. Reads, and creates with their `Idempotency-Key`, can be retried.",
    ),
];

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
            "description": "Secret of the resource, in place of a token. The owner got it when the resource was created.",
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
            "title": text("Name of the status."),
            "status": {"type": "integer", "format": "int32"},
            "detail": text("What happened, for people."),
            "reason": text("What happened, for programs, in UPPER_SNAKE, for example INVALID_ARGUMENT."),
            "fields": {
                "type": "array",
                "description": "All invalid fields.",
                "items": {
                    "type": "object",
                    "required": ["field", "message"],
                    "properties": {
                        "field": text("Path in the payload, camelCase."),
                        "message": text("What is wrong with it, for people."),
                        "reason": text("The same for programs, in UPPER_SNAKE, if the service names it."),
                    },
                },
            },
            "metadata": {
                "type": "object",
                "description": "Details of the reason, for programs; at most 8 entries and 1 KiB. Absent if empty.",
                "additionalProperties": {"type": "string"},
            },
            "traceId": text("Finds the request in traces and logs."),
        },
    })
}

pub(super) fn headers() -> Value {
    let header = |kind: &str, description: &str| json!({"description": description, "schema": {"type": kind}});
    json!({
        "Allow": header("string", "Methods of this address."),
        "Cache-Control": header("string", "`no-store`, or the seconds for which the response may be cached."),
        "ETag": header("string", "Strong validator of the response, for If-None-Match and, where the call has it, If-Match."),
        KEY: header("string", "Key that was derived for a request without one; send it with a retry. Otherwise absent."),
        REPLAYED: header("boolean", "`true` if this is the response to an earlier request with the same key. Otherwise absent."),
        "Location": header("string", "URL of the created resource."),
        "RateLimit": header("string", "Remaining calls, for example \"visitor\";r=9;t=60 (IETF draft)."),
        "RateLimit-Policy": header("string", "Limits, for example \"visitor\";q=10;w=60 (IETF draft)."),
        "Retry-After": header("integer", "Seconds to wait before a retry; with 429 and 503."),
        "WWW-Authenticate": header("string", "How to authenticate (RFC 6750)."),
    })
}
