//! Links the reference on a confirmation to the traces of the calls that made or changed the appointment.
//!
//! Patients give reception a reference; an SRE needs a trace. A reference grants no access and reveals nothing about a
//! patient, so it may appear in spans and logs. Other data of an appointment must not.

use service_kit::semconv;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::domain::change::Action;

/// Sets the reference on the span of the call. Called before the work where possible, which makes refused and failed
/// changes traceable too.
pub(super) fn concerns(reference: &str) {
    Span::current().set_attribute(
        semconv::HOSPITAL_APPOINTMENT_REFERENCE,
        reference.to_owned(),
    );
}

/// Writes the one log line of a change; the span adds the trace id.
pub(super) fn done(reference: &str, change: &'static str) {
    tracing::info!(
        { semconv::HOSPITAL_APPOINTMENT_REFERENCE } = reference,
        { semconv::HOSPITAL_APPOINTMENT_CHANGE } = change,
        "appointment changed"
    );
}

/// Returns a separate span for each appointment of a call with several: an attribute has only one value.
pub(super) fn part(reference: &str) -> Span {
    // Includes the trace id, because a log line shows only the innermost span.
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

/// Returns the name of a change in the log.
pub(super) fn name_of(action: &Action) -> &'static str {
    match action {
        Action::Cancel { .. } => "cancelled",
        Action::Move(_) => "moved",
        Action::Update { .. } => "updated",
        Action::SetStatus(_) => "status_set",
        Action::Undo => "status_undone",
        Action::SetNote(_) => "note_set",
        Action::Delete => "deleted",
    }
}
