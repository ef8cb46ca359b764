//! Exchange of an authorization code for tokens (RFC 6749, 4.1.3; RFC 7636).

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::Full;
use serde::Deserialize;
use url::form_urlencoded::{self, Serializer};

use super::{
    discovery::{Authentication, Metadata},
    fetch::{HttpClient, IssuerError},
    id_token::IdTokenFault,
};

/// Why a code leads to no identity.
#[derive(Debug)]
pub(crate) enum ExchangeError {
    /// The issuer cannot be used.
    Issuer(IssuerError),
    /// The issuer does not accept the code: used, expired, or of another sign-in.
    Code,
    /// The issuer does not accept this client; it names the error.
    Client(&'static str),
    /// The ID token is not acceptable.
    IdToken(IdTokenFault),
}

impl From<IssuerError> for ExchangeError {
    fn from(error: IssuerError) -> Self {
        Self::Issuer(error)
    }
}

/// The request.
pub(super) struct Exchange<'a> {
    pub(super) client_id: &'a str,
    pub(super) client_secret: &'a str,
    pub(super) callback: &'a str,
    pub(super) code: &'a str,
    pub(super) verifier: &'a str,
}

/// The response.
#[derive(Deserialize)]
pub(crate) struct Tokens {
    pub(super) id_token: String,
    pub(super) access_token: String,
    pub(super) token_type: String,
}

/// Hides the tokens.
impl fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tokens").finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Refused {
    error: String,
}

impl Exchange<'_> {
    pub(super) async fn send(
        &self,
        http: &HttpClient,
        metadata: &Metadata,
    ) -> Result<Tokens, ExchangeError> {
        let request = self.request(metadata).map_err(|error| {
            let error = Box::new(error);
            IssuerError::Unreachable(error)
        })?;
        let (status, body) = http.send(request).await?;
        if status != StatusCode::OK {
            return Err(refusal(status, &body));
        }
        let tokens = serde_json::from_slice::<Tokens>(&body).ok();
        let is_bearer = |tokens: &Tokens| tokens.token_type.eq_ignore_ascii_case("bearer");
        let document = "token response";
        Ok(tokens
            .filter(is_bearer)
            .ok_or(IssuerError::Malformed { document })?)
    }

    fn request(&self, metadata: &Metadata) -> Result<Request<Full<Bytes>>, http::Error> {
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", self.code)
            .append_pair("redirect_uri", self.callback)
            .append_pair("code_verifier", self.verifier);
        let mut request = Request::post(metadata.token_endpoint.as_str())
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        match metadata.authentication {
            Authentication::Basic => {
                request = request.header(header::AUTHORIZATION, self.basic()?);
            }
            Authentication::Post => {
                form.append_pair("client_id", self.client_id)
                    .append_pair("client_secret", self.client_secret);
            }
        }
        request.body(Full::from(form.finish()))
    }

    /// Returns the `Authorization` header. Both parts are encoded as in a form (RFC 6749, 2.3.1).
    fn basic(&self) -> Result<HeaderValue, http::Error> {
        let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let (id, secret): (String, String) = (encode(self.client_id), encode(self.client_secret));
        let credentials = STANDARD.encode(format!("{id}:{secret}"));
        let mut value = HeaderValue::try_from(format!("Basic {credentials}"))?;
        value.set_sensitive(true);
        Ok(value)
    }
}

/// Interprets an error response (RFC 6749, 5.2). An unknown error is not repeated in logs: it is the issuer's text.
fn refusal(status: StatusCode, body: &[u8]) -> ExchangeError {
    let refused = serde_json::from_slice::<Refused>(body).ok();
    let error = refused.map(|refused| refused.error);
    match (status.as_u16(), error.as_deref()) {
        (400 | 401, Some("invalid_grant")) => ExchangeError::Code,
        (400 | 401, Some("invalid_client")) => ExchangeError::Client("invalid_client"),
        (400 | 401, Some("unauthorized_client")) => ExchangeError::Client("unauthorized_client"),
        (400 | 401, Some("invalid_request")) => ExchangeError::Client("invalid_request"),
        (400 | 401, Some("unsupported_grant_type")) => {
            ExchangeError::Client("unsupported_grant_type")
        }
        _ => ExchangeError::Issuer(IssuerError::Status(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_encoded_before_they_are_joined() {
        let exchange = Exchange {
            client_id: "desk:1",
            client_secret: "a b%",
            callback: "",
            code: "",
            verifier: "",
        };
        let header = exchange.basic().expect("a header");
        assert_eq!(
            header,
            format!("Basic {}", STANDARD.encode("desk%3A1:a+b%25"))
        );
        assert!(header.is_sensitive());
    }

    #[test]
    fn known_errors_are_told_apart() {
        let refused = |status: u16, body: &str| {
            refusal(
                StatusCode::from_u16(status).expect("a status"),
                body.as_bytes(),
            )
        };
        let code = refused(400, r#"{"error":"invalid_grant"}"#);
        assert!(matches!(code, ExchangeError::Code));
        let client = refused(401, r#"{"error":"invalid_client"}"#);
        assert!(matches!(client, ExchangeError::Client("invalid_client")));
        for (status, body) in [(400, r#"{"error":"x"}"#), (400, ""), (302, ""), (500, "{}")] {
            let other = refused(status, body);
            let expected = StatusCode::from_u16(status).expect("a status");
            let ExchangeError::Issuer(IssuerError::Status(found)) = other else {
                panic!("{other:?}");
            };
            assert_eq!(found, expected);
        }
    }
}
