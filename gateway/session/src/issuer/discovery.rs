//! The issuer's discovery document (OpenID Connect Discovery 1.0).

use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::Full;
use serde::Deserialize;
use url::Url;

use super::fetch::{HttpClient, IssuerError};
use crate::site::is_secure_or_local;

const PATH: &str = "/.well-known/openid-configuration";

/// The members of the document that are used.
#[derive(Debug, Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    end_session_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// What a valid document describes.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) jwks_uri: Url,
    pub(super) end_session_endpoint: Option<Url>,
    pub(super) authentication: Authentication,
    pub(super) names_itself: bool,
}

/// How this client authenticates at the token endpoint.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Authentication {
    /// `client_secret_basic`.
    Basic,
    /// `client_secret_post`.
    Post,
}

/// Fetches the document of an issuer.
pub(super) async fn fetch(http: &HttpClient, issuer: &str) -> Result<Metadata, IssuerError> {
    let address = format!("{}{PATH}", issuer.strip_suffix('/').unwrap_or(issuer));
    let request = Request::get(address)
        .header(header::ACCEPT, "application/json")
        .body(Full::<Bytes>::default())
        .map_err(|error| IssuerError::Unreachable(Box::new(error)))?;
    let (status, body) = http.send(request).await?;
    if status != StatusCode::OK {
        return Err(IssuerError::Status(status));
    }
    parse(issuer, &body)
}

fn parse(issuer: &str, body: &[u8]) -> Result<Metadata, IssuerError> {
    let malformed = |_| IssuerError::Malformed {
        document: "discovery document",
    };
    let document: Document = serde_json::from_slice(body).map_err(malformed)?;
    if document.issuer != issuer {
        return Err(IssuerError::OtherIssuer);
    }
    // Only an issuer on this machine may have endpoints without TLS.
    let is_local = issuer.starts_with("http://");
    let endpoint = |name, address: &str| {
        let is_allowed = |url: &Url| {
            is_secure_or_local(url)
                && url.fragment().is_none()
                && (is_local || url.scheme() == "https")
        };
        let url = Url::parse(address).ok().filter(is_allowed);
        url.ok_or(IssuerError::Endpoint { name })
    };
    let end_session = document.end_session_endpoint.as_deref();
    let end_session = end_session.map(|address| endpoint("end_session_endpoint", address));
    let methods = document.token_endpoint_auth_methods_supported.as_deref();
    Ok(Metadata {
        authorization_endpoint: endpoint(
            "authorization_endpoint",
            &document.authorization_endpoint,
        )?,
        token_endpoint: endpoint("token_endpoint", &document.token_endpoint)?,
        jwks_uri: endpoint("jwks_uri", &document.jwks_uri)?,
        end_session_endpoint: end_session.transpose()?,
        authentication: authentication(methods)?,
        names_itself: document.authorization_response_iss_parameter_supported,
    })
}

/// Chooses a method. Without a list, the default is `client_secret_basic`.
fn authentication(supported: Option<&[String]>) -> Result<Authentication, IssuerError> {
    let supports =
        |method: &str| supported.is_none_or(|methods| methods.iter().any(|name| name == method));
    if supports("client_secret_basic") {
        Ok(Authentication::Basic)
    } else if supports("client_secret_post") {
        Ok(Authentication::Post)
    } else {
        Err(IssuerError::ClientAuthentication)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ISSUER: &str = "https://issuer.example/realms/hospital";

    fn document() -> Value {
        json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://issuer.example/authorize?tenant=1",
            "token_endpoint": "https://issuer.example/token",
            "jwks_uri": "https://keys.example/jwks",
        })
    }

    fn parsed(issuer: &str, document: &Value) -> Result<Metadata, IssuerError> {
        parse(issuer, document.to_string().as_bytes())
    }

    #[test]
    fn reads_a_document() {
        let mut document = document();
        let metadata = parsed(ISSUER, &document).expect("a document");
        assert_eq!(metadata.authentication, Authentication::Basic);
        assert!(!metadata.names_itself && metadata.end_session_endpoint.is_none());

        document["end_session_endpoint"] = json!("https://issuer.example/end");
        document["authorization_response_iss_parameter_supported"] = json!(true);
        for (methods, expected) in [
            (
                json!(["private_key_jwt", "client_secret_basic"]),
                Some(Authentication::Basic),
            ),
            (json!(["client_secret_post"]), Some(Authentication::Post)),
            (json!(["private_key_jwt"]), None),
        ] {
            document["token_endpoint_auth_methods_supported"] = methods;
            let metadata = parsed(ISSUER, &document);
            assert_eq!(
                metadata.ok().map(|metadata| metadata.authentication),
                expected
            );
        }
    }

    #[test]
    fn refuses_a_document_of_another_issuer() {
        for other in [
            "https://issuer.example/realms/hospital/",
            "https://issuer.example/realms/Hospital",
            "https://evil.example",
            "",
        ] {
            let mut document = document();
            document["issuer"] = json!(other);
            let error = parsed(ISSUER, &document).expect_err(other);
            assert!(matches!(error, IssuerError::OtherIssuer), "{error}");
        }
    }

    #[test]
    fn refuses_endpoints_that_can_be_impersonated() {
        for name in [
            "authorization_endpoint",
            "token_endpoint",
            "jwks_uri",
            "end_session_endpoint",
        ] {
            for address in [
                "http://issuer.example/x",
                "http://127.0.0.1/x",
                "https://user:word@issuer.example/x",
                "https://issuer.example/x#y",
                "javascript:alert(1)",
                "/x",
                "",
            ] {
                let mut document = document();
                document[name] = json!(address);
                let error = parsed(ISSUER, &document).expect_err(address);
                let is_named =
                    matches!(error, IssuerError::Endpoint { name: found } if found == name);
                assert!(is_named, "{name} {address}: {error}");
            }
        }
        let local = "http://127.0.0.1:9400";
        let mut document = document();
        document["issuer"] = json!(local);
        document["token_endpoint"] = json!("http://127.0.0.1:9400/token");
        assert!(parsed(local, &document).is_ok());
        document["token_endpoint"] = json!("http://issuer.example/token");
        assert!(parsed(local, &document).is_err());
    }

    #[test]
    fn refuses_what_is_not_a_document() {
        for text in ["", "[]", "{}", "<html>", r#"{"issuer":1}"#] {
            let error = parse(ISSUER, text.as_bytes()).expect_err(text);
            assert!(matches!(error, IssuerError::Malformed { .. }), "{error}");
        }
    }
}
