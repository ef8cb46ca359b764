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
        "A field, parameter or header is not valid: `fields` names each. Or the state of the resource does not allow it: see `reason`.",
    ),
    (
        401,
        "Unauthenticated",
        "The call needs a token, or the token is not valid.",
    ),
    (
        403,
        "Forbidden",
        "The token's scope does not allow it, or a write lacks `X-Requested-With` or comes from a foreign page.",
    ),
    (
        404,
        "NotFound",
        "There is nothing at this address, or it is not the caller's.",
    ),
    (
        405,
        "MethodNotAllowed",
        "The address has other methods: see `Allow`.",
    ),
    (408, "BodyTimeout", "The body did not arrive in time."),
    (
        409,
        "Conflict",
        "Something that exists stands in the way: see `reason`.",
    ),
    (
        412,
        "PreconditionFailed",
        "`If-Match` names another version than the present one: read it again.",
    ),
    (
        413,
        "BodyTooLarge",
        "The body is larger than the gateway takes (64 KiB unless it is configured otherwise).",
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
        "Too many calls, or too many of something that is limited: see `reason`. `Retry-After` says when to try again.",
    ),
    (500, "Internal", "Something is broken on this side."),
    (501, "NotImplemented", "The method is not known here."),
    (
        502,
        "BadReply",
        "A service of this site gave an answer that cannot be used.",
    ),
    (
        503,
        "Unavailable",
        "This part does not answer at the moment, or too much is asked of it. `Retry-After` says when to try again.",
    ),
    (
        504,
        "DeadlineExceeded",
        "The answer took too long. A read, and a create with its `Idempotency-Key`, can be sent again.",
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
