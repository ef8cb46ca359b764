//! How each peer is asked for a case: paths of the site, paths of the contracts, or the RPC itself.

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use hospital_proto::booking::v1::{
    CreateAppointmentRequest, GetAppointmentRequest, ListAvailabilityRequest,
    booking_service_client::BookingServiceClient,
};
use http::{
    Method, Request, StatusCode,
    header::{ACCEPT_ENCODING, CONTENT_TYPE, HOST},
};
use http_body_util::Full;
use prost::Message as _;
use tonic::transport::Channel;

use crate::{
    case::Case,
    kind::Kind,
    traffic::{Traffic, Visitor},
};

/// A list that fits a kilobyte.
pub(crate) const LIST: &str = "/departments?pageSize=12";
const SECRET: &str = "x-appointment-secret";
const NETWORK: &str = "client-network";
const CLIENT_ID: &str = "client-id";

/// Envoy knows one status for what went well.
pub(crate) fn expected(case: Case, kind: Kind) -> StatusCode {
    match (case, kind) {
        (Case::Create, Kind::Gateway) => StatusCode::CREATED,
        _ => StatusCode::OK,
    }
}

/// The next call of a case over HTTP; none when there is nothing left to book.
pub(crate) fn http(
    traffic: &Traffic,
    case: Case,
    kind: Kind,
) -> Result<Option<Request<Full<Bytes>>>> {
    let visitor = traffic.visitor();
    let mut request = Request::builder()
        .header(HOST, "bench")
        .header("x-forwarded-for", &visitor.address)
        .header("x-client-id", &visitor.tab);
    if kind == Kind::Envoy {
        // The service is told as much as by the gateway.
        request = request
            .header(NETWORK, &visitor.network)
            .header(CLIENT_ID, &visitor.tab);
    }
    if let Some(codings) = case.accept_encoding() {
        request = request.header(ACCEPT_ENCODING, codings);
    }
    // Envoy takes the paths of the contracts as they are.
    let api = if kind == Kind::Envoy { "" } else { "/api" };
    let mut body = Bytes::new();
    match case {
        Case::CachedJson => request = request.uri(format!("{api}{LIST}")),
        Case::CachedPage => request = request.uri(traffic.page),
        Case::Small => {
            let known = traffic.known();
            request = request
                .uri(format!("{api}/appointments/{}", known.id))
                .header(SECRET, &known.secret);
        }
        Case::Availability | Case::AvailabilityGzip => {
            let weeks = traffic.weeks();
            let department = weeks.department.replace(' ', "%20");
            let (from, to) = (weeks.from, weeks.to);
            request = request.uri(format!(
                "{api}/availability?department={department}&from={from}&to={to}"
            ));
        }
        Case::Create => {
            let Some(booking) = traffic.booking() else {
                return Ok(None);
            };
            let key = &booking.request_id;
            request = request
                .method(Method::POST)
                .header(CONTENT_TYPE, "application/json")
                .header("x-requested-with", "bench");
            request = match kind {
                Kind::Envoy => request.uri(format!("/appointments?request_id={key}")),
                _ => request
                    .uri(format!("{api}/appointments"))
                    .header("idempotency-key", key),
            };
            body = json(&booking)?;
        }
    }
    Ok(Some(request.body(Full::from(body))?))
}

fn json(booking: &CreateAppointmentRequest) -> Result<Bytes> {
    let asked = booking.appointment.as_ref().context("what is asked for")?;
    let body = serde_json::json!({
        "patientName": asked.patient_name, "email": asked.email, "phone": asked.phone, "date": asked.date, "time": asked.time,
        "reason": asked.reason, "department": asked.department,
    });
    Ok(body.to_string().into())
}

/// The next call of a case without anything between; gives the size of the answer, none when there is nothing left to book.
pub(crate) async fn rpc(
    client: &mut BookingServiceClient<Channel>,
    traffic: &Traffic,
    case: Case,
) -> Result<Option<usize>> {
    let visitor = traffic.visitor();
    let bytes = match case {
        Case::Small => {
            let known = traffic.known();
            let asked = GetAppointmentRequest {
                appointment_id: known.id.clone(),
            };
            let mut asked = from(&visitor, asked)?;
            asked.metadata_mut().insert(SECRET, known.secret.parse()?);
            client.get_appointment(asked).await?.get_ref().encoded_len()
        }
        Case::Availability => {
            let weeks = traffic.weeks();
            let asked = ListAvailabilityRequest {
                department: weeks.department,
                from: weeks.from.to_string(),
                to: weeks.to.to_string(),
                ..ListAvailabilityRequest::default()
            };
            let answer = client.list_availability(from(&visitor, asked)?).await?;
            answer.get_ref().encoded_len()
        }
        Case::Create => {
            let Some(booking) = traffic.booking() else {
                return Ok(None);
            };
            let asked = from(&visitor, booking)?;
            let answer = client.create_appointment(asked).await?;
            answer.get_ref().encoded_len()
        }
        Case::CachedJson | Case::CachedPage | Case::AvailabilityGzip => {
            bail!("services neither cache nor compress answers")
        }
    };
    Ok(Some(bytes))
}

fn from<T>(visitor: &Visitor, asked: T) -> Result<tonic::Request<T>> {
    let mut asked = tonic::Request::new(asked);
    let metadata = asked.metadata_mut();
    metadata.insert(NETWORK, visitor.network.parse()?);
    metadata.insert(CLIENT_ID, visitor.tab.parse()?);
    Ok(asked)
}
