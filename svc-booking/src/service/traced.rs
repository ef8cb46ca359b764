//! From the reference on a confirmation to the trace of what made or changed it, and back.
//!
//! Reception is told a reference, an SRE needs a trace. A reference opens nothing and says nothing about a patient, so it may stand in
//! spans and logs; everything else of an appointment may not.

use service_kit::semconv;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::domain::change::Action;

/// Names the appointment on the span of the call, once: before the work where it can be, so that a change that is refused or fails is
/// found too.
pub(super) fn concerns(reference: &str) {
    Span::current().set_attribute(
        semconv::HOSPITAL_APPOINTMENT_REFERENCE,
        reference.to_owned(),
    );
}

/// Writes the one log line of what was made or changed, beside the trace id that the span has.
pub(super) fn done(reference: &str, change: &'static str) {
    tracing::info!(
        { semconv::HOSPITAL_APPOINTMENT_REFERENCE } = reference,
        { semconv::HOSPITAL_APPOINTMENT_CHANGE } = change,
        "appointment changed"
    );
}

/// A span of its own, for a call that concerns several: an attribute has one value.
pub(super) fn part(reference: &str) -> Span {
    // The trace id, because a log line shows the innermost span only.
    let span = tracing::info_span!(
        "appointment",
        trace_id = tracing::field::Empty,
        { semconv::HOSPITAL_APPOINTMENT_REFERENCE } = reference,
    );
    if let Some(position) = service_kit::trace::position(&span) {
        span.record("trace_id", tracing::field::display(position.trace_id()));
    }
    span
}

/// What a change is called in the log.
pub(super) fn name_of(action: &Action) -> &'static str {
    match action {
        Action::Cancel { .. } => "cancelled",
        Action::Move(_) => "moved",
        Action::Update { .. } => "updated",
        Action::SetStatus(_) => "status_set",
        Action::Delete => "deleted",
    }
}
