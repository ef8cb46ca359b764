//! One unary gRPC call over HTTP/2: message framing, flow control and status.
//!
//! tonic's client would clone the metadata, copy the reply, and box both bodies. hyper's would move each call through a
//! queue to another task. Together they cost more than all that is left here.

use axum::http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONTENT_TYPE, TE},
    uri::PathAndQuery,
};
use bytes::{BufMut as _, Bytes, BytesMut};
use h2::{Reason, RecvStream};
use tonic::{Code, Status};

use super::{
    attempt::Failure,
    call::Reply,
    connection::{Connection, is_unprocessed},
};

/// Bytes before each message: the compression flag and the message's length.
const PREFIX_BYTES: usize = 5;
/// Maximum size of a reply in bytes.
pub(super) const REPLY_BYTES_MAX: usize = 4 * 1024 * 1024;
const GRPC: HeaderValue = HeaderValue::from_static("application/grpc");
const TRAILERS: HeaderValue = HeaderValue::from_static("trailers");
const GRPC_STATUS: &str = "grpc-status";

/// Sends a call and waits for its reply. Dropping the future cancels the call at the service.
pub(super) async fn call(
    connection: &mut Connection,
    path: &PathAndQuery,
    mut headers: HeaderMap,
    message: &[u8],
) -> Result<Reply, Failure> {
    headers.insert(TE, TRAILERS);
    headers.insert(CONTENT_TYPE, GRPC);
    let sent = connection.send(path, headers);
    let (response, mut request_body) = sent.map_err(|error| Failure::Unsent(text(&error)))?;
    // If the service has already ended the call, its response contains the reason.
    request_body.send_data(framed(message), true).ok();
    let (head, mut body) = response
        .await
        .map_err(|error| failure(&error))?
        .into_parts();
    let mut metadata = head.headers;
    if metadata.contains_key(GRPC_STATUS) {
        check_status(Some(&metadata), head.status)?;
        return Err(broken("the reply has no message"));
    }
    let received = receive(&mut body).await?;
    let trailers = body.trailers().await;
    let trailers = trailers.or_else(|error| is_ended(&error).then_some(None).ok_or(error));
    let trailers = trailers.map_err(|error| failure(&error))?;
    if trailers.is_none() && !received.is_empty() && message_of(&received).is_none() {
        return Err(broken("the reply ends within its message"));
    }
    check_status(trailers.as_ref(), head.status)?;
    let message = message_of(&received).ok_or_else(|| broken("the reply has no whole message"))?;
    metadata.extend(trailers.into_iter().flatten());
    Ok(Reply { message, metadata })
}

fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(PREFIX_BYTES + message.len());
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}

/// Receives all data of a reply. A reply in one DATA frame, as most are, is not copied.
async fn receive(body: &mut RecvStream) -> Result<Bytes, Failure> {
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    while let Some(data) = body.data().await {
        let data = match data {
            Ok(data) => data,
            Err(error) if is_ended(&error) => break,
            Err(error) => return Err(failure(&error)),
        };
        // Fails only if the stream has ended.
        body.flow_control().release_capacity(data.len()).ok();
        if first.is_empty() && rest.is_empty() {
            first = data;
        } else {
            rest.extend_from_slice(&std::mem::take(&mut first));
            rest.extend_from_slice(&data);
        }
        let length = message_length(if rest.is_empty() { &first } else { &rest })?;
        if length.is_some_and(|length| length > REPLY_BYTES_MAX)
            || first.len().max(rest.len()) > PREFIX_BYTES + REPLY_BYTES_MAX
        {
            return Err(Failure::TooLarge);
        }
    }
    Ok(if rest.is_empty() {
        first
    } else {
        rest.freeze()
    })
}

/// Reads the prefix of a message; `None` if it has not arrived completely.
fn message_length(received: &[u8]) -> Result<Option<usize>, Failure> {
    let Some((prefix, _)) = received.split_first_chunk::<PREFIX_BYTES>() else {
        return Ok(None);
    };
    let [is_compressed, length @ ..] = *prefix;
    if is_compressed != 0 {
        return Err(broken("the reply is compressed, which was not accepted"));
    }
    Ok(usize::try_from(u32::from_be_bytes(length)).ok())
}

/// Returns the message if exactly one has arrived.
fn message_of(received: &Bytes) -> Option<Bytes> {
    let length = message_length(received).ok()??;
    (received.len() == PREFIX_BYTES + length).then(|| received.slice(PREFIX_BYTES..))
}

/// Returns the service's status as an error, unless it is OK. Without one, the status is that which gRPC assigns to the
/// response's HTTP status.
fn check_status(fields: Option<&HeaderMap>, http_status: StatusCode) -> Result<(), Failure> {
    let code = fields.and_then(|fields| fields.get(GRPC_STATUS));
    if code.is_some_and(|code| code == "0") {
        return Ok(());
    }
    if let Some(status) = fields.and_then(Status::from_header_map) {
        return Err(Failure::of_status(status));
    }
    let code = match http_status {
        StatusCode::BAD_REQUEST => Code::Internal,
        StatusCode::UNAUTHORIZED => Code::Unauthenticated,
        StatusCode::FORBIDDEN => Code::PermissionDenied,
        StatusCode::NOT_FOUND => Code::Unimplemented,
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Code::Unavailable,
        _ => Code::Unknown,
    };
    let message = format!("no grpc-status in a response with HTTP status {http_status}");
    Err(Failure::Refused(Status::new(code, message)))
}

/// Whether the peer ended the stream early but regularly: it needed no more of the request.
fn is_ended(error: &h2::Error) -> bool {
    matches!(error.reason(), Some(Reason::NO_ERROR | Reason::CANCEL)) && error.is_reset()
}

fn failure(error: &h2::Error) -> Failure {
    if is_unprocessed(error) {
        Failure::Unsent(text(error))
    } else {
        Failure::Cut(text(error))
    }
}

fn text(error: &h2::Error) -> String {
    format!("connection: {error}")
}

fn broken(message: &str) -> Failure {
    Failure::Refused(Status::internal(message))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn reads_exactly_one_message() {
        let reply = framed(b"abc");
        assert_eq!(message_of(&reply).as_deref(), Some(&b"abc"[..]));
        assert_eq!(message_of(&framed(b"")).as_deref(), Some(&b""[..]));
        for wrong in [&reply[..4], &reply[..7], &[&reply[..], &reply[..]].concat()] {
            assert_eq!(message_of(&Bytes::copy_from_slice(wrong)), None);
        }
        let compressed = [&[1], &reply[1..]].concat();
        assert!(message_length(&compressed).is_err());
    }

    #[test]
    fn maps_the_http_status_of_a_response_without_a_grpc_status() {
        let code = |http_status| match check_status(None, http_status) {
            Err(Failure::Refused(status)) => status.code(),
            other => panic!("{other:?}"),
        };
        assert_eq!(code(StatusCode::OK), Code::Unknown);
        assert_eq!(code(StatusCode::BAD_GATEWAY), Code::Unavailable);
        assert_eq!(code(StatusCode::NOT_FOUND), Code::Unimplemented);
        let ok =
            HeaderMap::from_iter([(HeaderName::from_static(GRPC_STATUS), "0".parse().unwrap())]);
        assert!(check_status(Some(&ok), StatusCode::OK).is_ok());
    }
}
