//! Webhook notifications and an SMS gateway. Both post JSON to a configured URL.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use ring::hmac;
use service_kit::source::Clock;

use super::{SendError, Transport, http::Endpoint};
use crate::mail::message::Envelope;

/// Length of a key, in bytes (Standard Webhooks).
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// Announces events, signed as specified by <https://www.standardwebhooks.com>. An event is retried until the receiver
/// answers 2xx; 410 means that it does not want the event.
pub struct Webhook {
    endpoint: Endpoint,
    key: hmac::Key,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Webhook")
    }
}

impl Webhook {
    /// Creates the webhook. `secret` is `whsec_` and 24 to 64 bytes in base64.
    ///
    /// # Errors
    /// A message for an operator, without the secret.
    pub fn new(address: &str, secret: &str, clock: Arc<dyn Clock>) -> Result<Self, String> {
        let secret = secret.trim();
        let bytes = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret));
        let bytes = bytes.ok().filter(|bytes| KEY_BYTES.contains(&bytes.len()));
        let bytes = bytes.ok_or("the key is not `whsec_` and 24 to 64 bytes in base64")?;
        Ok(Self {
            endpoint: Endpoint::new(address)?,
            key: hmac::Key::new(hmac::HMAC_SHA256, &bytes),
            clock,
        })
    }
}

#[async_trait]
impl Transport for Webhook {
    async fn send(&self, envelope: &Envelope) -> Result<(), SendError> {
        let id = format!("msg_{}", envelope.id.simple());
        let time = self.clock.now().timestamp();
        let mut signed = format!("{id}.{time}.").into_bytes();
        signed.extend_from_slice(&envelope.body);
        let signature = STANDARD.encode(hmac::sign(&self.key, &signed));
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("webhook-id", id),
            ("webhook-timestamp", time.to_string()),
            ("webhook-signature", format!("v1,{signature}")),
        ] {
            headers.insert(name, header_value(&value)?);
        }
        let status = self.endpoint.post(headers, envelope.body.clone()).await?;
        match status {
            status if status.is_success() => Ok(()),
            StatusCode::GONE => Err(refused(status)),
            status => Err(not_now(status)),
        }
    }
}

/// Client of an SMS gateway: JSON built by [`super::texts`] with a bearer token. Disabled unless configured.
pub struct SmsGateway {
    endpoint: Endpoint,
    token: HeaderValue,
}

impl fmt::Debug for SmsGateway {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SmsGateway")
    }
}

impl SmsGateway {
    /// Creates the client.
    ///
    /// # Errors
    /// A message for an operator, without the token.
    pub fn new(address: &str, token: &str) -> Result<Self, String> {
        let mut token = HeaderValue::from_str(&format!("Bearer {}", token.trim()))
            .map_err(|_| "the token is not visible ASCII")?;
        token.set_sensitive(true);
        Ok(Self {
            endpoint: Endpoint::new(address)?,
            token,
        })
    }
}

#[async_trait]
impl Transport for SmsGateway {
    async fn send(&self, envelope: &Envelope) -> Result<(), SendError> {
        let id = envelope.id.to_string();
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, self.token.clone());
        headers.insert("idempotency-key", header_value(&id)?);
        let status = self.endpoint.post(headers, envelope.body.clone()).await?;
        match status {
            status if status.is_success() => Ok(()),
            // An error about the number is permanent. An error about the token or the rate is not.
            StatusCode::BAD_REQUEST | StatusCode::GONE | StatusCode::UNPROCESSABLE_ENTITY => {
                Err(refused(status))
            }
            status => Err(not_now(status)),
        }
    }
}

fn header_value(text: &str) -> Result<HeaderValue, SendError> {
    HeaderValue::from_str(text).map_err(|_| SendError::refused("a header cannot be written"))
}

fn refused(status: StatusCode) -> SendError {
    SendError::refused(format!("the receiver answered {}", status.as_u16()))
}

fn not_now(status: StatusCode) -> SendError {
    SendError::Temporary(format!("the receiver answered {}", status.as_u16()))
}
