//! W3C trace context, incoming and outgoing, and the span of an RPC (conventions 1.44).

use http::HeaderMap;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tonic::metadata::MetadataMap;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::semconv;

/// Name of the trace context header.
pub const TRACEPARENT: &str = "traceparent";

/// Returns the caller's position in a trace, from a `traceparent` header; `None` when absent or malformed.
pub fn remote_parent(headers: &HeaderMap) -> Option<SpanContext> {
    parse(headers.get(TRACEPARENT)?.to_str().ok()?)
}

/// Parses `<2 hex>-<32 hex>-<16 hex>-<2 hex>`: version, trace, span and flags. Version `ff` is forbidden.
pub fn parse(text: &str) -> Option<SpanContext> {
    let mut parts = text.split('-');
    let (version, trace, span, flags) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if version.len() != 2
        || version.eq_ignore_ascii_case("ff")
        || trace.len() != 32
        || span.len() != 16
        || flags.len() != 2
        // The number parser also accepts a leading sign.
        || ![version, trace, span, flags].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        return None;
    }
    let context = SpanContext::new(
        TraceId::from_hex(trace).ok()?,
        SpanId::from_hex(span).ok()?,
        TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED,
        true,
        TraceState::NONE,
    );
    context.is_valid().then_some(context)
}

/// Formats a position in a trace as a `traceparent` value. Written by hand for speed, because every document has one.
pub fn format(context: &SpanContext) -> String {
    const LENGTH: usize = 55;
    let mut text = String::with_capacity(LENGTH);
    text.push_str("00-");
    push_hex(&mut text, &context.trace_id().to_bytes());
    text.push('-');
    push_hex(&mut text, &context.span_id().to_bytes());
    text.push('-');
    push_hex(&mut text, &[context.trace_flags().to_u8() & 1]);
    text
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 15)]);
    }
}

/// Returns the position of `span`; `None` for a span that is not recorded.
pub fn position(span: &Span) -> Option<SpanContext> {
    let context = span.context().span().span_context().clone();
    context.is_valid().then_some(context)
}

/// Returns the trace id of `span`, if sampled.
pub fn sampled(span: &Span) -> Option<TraceId> {
    let context = position(span).filter(SpanContext::is_sampled)?;
    Some(context.trace_id())
}

/// Makes `span` a child of the remote `parent`.
pub fn set_parent(span: &Span, parent: SpanContext) {
    let context = opentelemetry::Context::new().with_remote_span_context(parent);
    if let Err(error) = span.set_parent(context) {
        tracing::debug!(?error, "the span's parent could not be set");
    }
}

/// Renames `span`, which may have started. Recording `otel.name` changes only a span that has not.
pub fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

/// Adds the position of `span` to the metadata of an outgoing RPC. Does nothing for a span that is not recorded.
pub fn inject(span: &Span, metadata: &mut MetadataMap) {
    if let Some(context) = position(span)
        && let Ok(value) = format(&context).parse()
    {
        metadata.insert(TRACEPARENT, value);
    }
}

/// Returns the server span of one RPC, `package.Service/Method`, and its trace id if sampled.
pub(crate) fn server_span(path: &str, parent: Option<SpanContext>) -> (Span, Option<TraceId>) {
    let method = path.trim_start_matches('/');
    let span = tracing::info_span!(
        "rpc",
        { semconv::OTEL_NAME } = method,
        { semconv::OTEL_KIND } = "server",
        { semconv::OTEL_STATUS_CODE } = tracing::field::Empty,
        trace_id = tracing::field::Empty,
        { semconv::RPC_SYSTEM_NAME } = semconv::GRPC,
        { semconv::RPC_METHOD } = method,
        { semconv::RPC_RESPONSE_STATUS_CODE } = tracing::field::Empty,
        { semconv::ERROR_TYPE } = tracing::field::Empty,
    );
    if let Some(parent) = parent {
        set_parent(&span, parent);
    }
    let position = position(&span);
    if let Some(context) = &position {
        span.record("trace_id", tracing::field::display(context.trace_id()));
    }
    let sampled = position.filter(SpanContext::is_sampled);
    (span, sampled.map(|context| context.trace_id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_what_it_formats() {
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(format(&parse(text).unwrap()), text);
    }

    #[test]
    fn refuses_malformed_positions() {
        for text in [
            "",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "FF-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "zz-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-+7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-+1",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
