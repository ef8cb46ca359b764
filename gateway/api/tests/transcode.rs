//! Requests from path, query, headers and body, and the parts of responses.

use std::sync::LazyLock;

use bytes::Bytes;
use gateway_api::transcode::{Answer, Transcoder};
use gateway_contract::{Operation, Routes};
use gateway_http::problem::Problem;
use gateway_wire::Request;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Value, json};

/// The test contract, compiled at run time.
static OWN: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../wire/tests/wire");
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto");
    let mut compiler = protox::Compiler::new([own, project]).unwrap();
    compiler.include_imports(true);
    compiler.open_file("everything.proto").unwrap();
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
});
static ROUTES: LazyLock<Routes> = LazyLock::new(|| Routes::from_pool(&OWN).unwrap());
static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| Transcoder::new(&ROUTES));

struct Ask {
    method: Method,
    path: &'static str,
    query: Option<String>,
    headers: HeaderMap,
    body: String,
}

fn ask(method: Method, path: &'static str) -> Ask {
    Ask {
        method,
        path,
        query: None,
        headers: HeaderMap::new(),
        body: String::new(),
    }
}

impl Ask {
    fn query(mut self, query: impl Into<String>) -> Self {
        self.query = Some(query.into());
        self
    }

    fn header(mut self, name: &'static str, value: &'static [u8]) -> Self {
        let value = HeaderValue::from_bytes(value).unwrap();
        self.headers.insert(HeaderName::from_static(name), value);
        self
    }

    fn body(mut self, body: impl Into<String>) -> Self {
        self.body = body.into();
        self
    }

    fn operation(&self) -> &'static Operation {
        ROUTES.find(&self.method, self.path).unwrap()
    }

    fn try_send(&self) -> Result<Request, Problem> {
        let (query, body) = (self.query.as_deref(), self.body.as_bytes());
        TRANSCODER.request(self.operation(), self.path, query, &self.headers, body)
    }

    fn bytes(&self) -> Bytes {
        self.try_send().unwrap().message
    }

    /// Returns the request as the service sees it, without default values.
    fn json(&self) -> Value {
        let message = DynamicMessage::decode(self.operation().input(), self.bytes()).unwrap();
        serde_json::to_value(&message).unwrap()
    }

    /// Returns the refusal as the caller reads it.
    fn problem(&self) -> Value {
        let response = self.try_send().unwrap_err().into_response();
        assert_eq!(response.status(), 400);
        serde_json::from_slice(response.body()).unwrap()
    }

    fn refused(&self) -> Vec<String> {
        let problem = self.problem();
        let fields = problem["fields"].as_array().unwrap().iter();
        fields
            .map(|f| f["field"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Checks that the bytes equal a decoder's re-encoding. Holds only without maps of several entries.
fn assert_canonical(ask: &Ask) {
    let message = DynamicMessage::decode(ask.operation().input(), ask.bytes()).unwrap();
    assert_eq!(message.encode_to_vec(), ask.bytes());
}

fn list(query: &str) -> Ask {
    ask(Method::GET, "/things").query(query)
}

#[test]
fn maps_parameters_to_fields() {
    let query = "page_size=5&tags=b&tags=a&numbers=2&numbers=0&numbers=-1&filter.thingId=a%20b&filter.inner.count=18446744073709551615\
                 &filter.since=2026-11-21T09:30:00Z&filter.inner.within=1.5s&colour=-7&exact=false&code=9&wrapped=true&readMask=a.bC,d\
                 &ratio=1e3&key=_-8";
    let expected = json!({
        "pageSize": 5, "tags": ["b", "a"], "numbers": [2, 0, -1], "colour": "COLOUR_BLUE", "exact": false, "code": "9",
        "filter": {
            "thingId": "a b", "since": "2026-11-21T09:30:00Z", "inner": {"count": "18446744073709551615", "within": "1.500s"},
        },
        "wrapped": "true", "readMask": "a.bC,d", "ratio": 1000.0, "key": "/+8=",
    });
    assert_eq!(list(query).json(), expected);
    assert_canonical(&list(query));
}

#[test]
fn equal_values_have_equal_bytes() {
    let first = list("pageSize=5&tags=x&tags=y&filter.thingId=7&filter.inner.count=3").bytes();
    for same in [
        "pageSize=005&filter.inner.count=3&tags=x&filter.thingId=7&tags=y",
        "tags=x&page_size=%35&tags=y&filter.thing_id=7&filter.inner.count=03&ratio=0&colour=0",
        "&&tags=x&pageSize=%2B5&tags=y&filter.thingId=%37&filter.inner.count=3&ratio=-0.0",
    ] {
        assert_eq!(list(same).bytes(), first, "{same}");
    }
    for other in [
        "pageSize=5&tags=y&tags=x&filter.thingId=7&filter.inner.count=3",
        "pageSize=5&tags=x&tags=y&filter.thingId=7&filter.inner.count=3&exact=false",
    ] {
        assert_ne!(list(other).bytes(), first, "{other}");
    }
}

#[test]
fn names_all_invalid_parameters() {
    let query = "pageSize=2147483648&pageSize=1&pageSize=2&hue=red&exact=perhaps&filter.inner.count=-1&filter.since=noon&colour=GREEN\
                 &things.id=1&things=1&filter=1&filter.since.seconds=1&name=a&code=1&ratio=inf&key=%25";
    let expected = [
        "pageSize",
        "pageSize",
        "pageSize",
        "hue",
        "exact",
        "filter.inner.count",
        "filter.since",
        "colour",
        "things.id",
        "things",
        "filter",
        "filter.since.seconds",
        "code",
        "ratio",
        "key",
    ];
    assert_eq!(list(query).refused(), expected);
}

#[test]
fn merges_path_body_and_headers() {
    let put = ask(Method::PUT, "/things/a%2Fb")
        .header("idempotency-key", b"key-1")
        .header("if-match", b"\"v7\"")
        .body(r#"{"tags":["x"],"id":"7"}"#);
    let expected = json!({
        "thingId": "a/b", "etag": "v7", "thing": {"id": "7", "tags": ["x"]}, "requestId": "key-1",
    });
    assert_eq!(put.json(), expected);
    assert_canonical(&put);
    assert!(put.try_send().unwrap().is_keyed);
    let bare = ask(Method::PUT, "/things/7");
    assert_eq!(bare.json(), json!({"thingId": "7"}));
    assert!(!bare.try_send().unwrap().is_keyed);
    // No body and an empty object differ.
    let empty = ask(Method::PUT, "/things/7").body(" {} ");
    assert_eq!(empty.json(), json!({"thingId": "7", "thing": {}}));
}

#[test]
fn path_and_headers_override_the_body() {
    let body = r#"{"name":"n","filter":{"since":"2026-11-21T09:30:00Z","thingId":"body","inner":{"count":1}},"requestId":"body"}"#;
    let post = ask(Method::POST, "/things/path:replace").body(body);
    let expected = json!({
        "name": "n", "requestId": "body",
        "filter": {"thingId": "path", "since": "2026-11-21T09:30:00Z", "inner": {"count": "1"}},
    });
    assert_eq!(post.json(), expected);
    assert_canonical(&post);
    assert!(post.try_send().unwrap().is_keyed);
    let post = post.header("idempotency-key", b"header");
    assert_eq!(post.json()["requestId"], "header");
    // A oneof member from the path replaces the others.
    let post = ask(Method::POST, "/ones/1").body(r#"{"two":"2","name":"n"}"#);
    assert_eq!(post.json(), json!({"name": "n", "one": "1"}));
}

#[test]
fn reports_violations_of_all_parts_at_once() {
    let put = ask(Method::PUT, "/things/7")
        .query("thing.id=1&etag=2&hue=red&thingId=8")
        .header("idempotency-key", b"caf\xe9")
        .header("if-match", b"v7")
        .body(r#"{"tags":[1],"scalars":{"aBool":1}}"#);
    let expected = [
        "tags[0]",
        "scalars.aBool",
        "thing.id",
        "hue",
        "thingId",
        "requestId",
        "etag",
    ];
    assert_eq!(put.refused(), expected);
}

#[test]
fn refuses_an_empty_idempotency_key() {
    let put = ask(Method::PUT, "/things/7").header("idempotency-key", b"");
    assert_eq!(put.refused(), ["requestId"]);
}

#[test]
fn accepts_a_map_body_and_checks_its_type() {
    let put = |body: &str| ask(Method::PUT, "/things/7/values").body(body);
    let values = put(r#"{"b":1.5,"a":"2"}"#).json();
    assert_eq!(
        values,
        json!({"values": {"a": 2.0, "b": 1.5}, "thingId": "7"})
    );
    let turned = put(r#"{"a":2,"b":15e-1}"#).bytes();
    assert_eq!(put(r#"{"b":1.5,"a":"2"}"#).bytes(), turned);
    assert_eq!(put(r#"{"b":"x"}"#).refused(), ["values.b"]);
    assert_eq!(put("[]").refused(), ["values"]);
    assert_eq!(put("null").json(), json!({"thingId": "7"}));
    assert_eq!(
        put(r#"{"a":1},"thingId":"8""#).problem()["reason"],
        "MALFORMED_JSON"
    );
    let problem = ask(Method::PUT, "/things/7").body("[1]").problem();
    assert_eq!(problem["reason"], "INVALID_ARGUMENT");
    assert_eq!(
        problem["detail"],
        "The body is not what this call takes: it must be an object."
    );
    let problem = ask(Method::PUT, "/things/7").body("[".repeat(65)).problem();
    assert_eq!(problem["reason"], "INVALID_ARGUMENT");
}

fn message(descriptor: MessageDescriptor, json: &Value) -> DynamicMessage {
    DynamicMessage::deserialize(descriptor, json).unwrap()
}

fn answer(path: &str, method: &Method, json: &Value) -> Answer {
    let operation = ROUTES.find(method, path).unwrap();
    let bytes = message(operation.rpc.output(), json).encode_to_vec();
    TRANSCODER.response(operation, &bytes.into()).unwrap()
}

#[test]
fn extracts_id_and_etag_from_an_answer() {
    let json =
        json!({"thing": {"id": "7", "etag": "v1", "tree": {"name": "a"}}, "other": "not shown"});
    let answer = answer("/things/7", &Method::PUT, &json);
    assert_eq!(answer.id.as_deref(), Some("7"));
    assert_eq!(answer.etag.as_deref(), Some("v1"));
    let tree = json!({"name": "a", "branches": [], "leaves": {}});
    let expected = json!({"id": "7", "etag": "v1", "tags": [], "tree": tree});
    assert_eq!(
        serde_json::from_slice::<Value>(&answer.body).unwrap(),
        expected
    );
}

#[test]
fn joins_a_fragmented_answer() {
    let operation = ROUTES.find(&Method::PUT, "/things/7").unwrap();
    let part = |json: Value| message(operation.rpc.output(), &json).encode_to_vec();
    let bytes = [
        part(json!({"thing": {"id": "1", "tags": ["a"]}})),
        part(json!({"thing": {"id": "2", "tags": ["b"]}})),
    ];
    let answer = TRANSCODER
        .response(operation, &bytes.concat().into())
        .unwrap();
    assert_eq!(answer.id.as_deref(), Some("2"));
    let json: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(json["tags"], json!(["a", "b"]));
}

#[test]
fn answers_with_one_field_or_a_file() {
    let json = json!({"values": {"b": 1.0, "a": 2.0}, "weight": 0.1, "other": "x"});
    let values = answer("/things/7/values", &Method::PUT, &json);
    assert_eq!(values.body, r#"{"a":2.0,"b":1.0}"#);
    let weight = answer("/things/7/weight", &Method::GET, &json);
    assert_eq!(weight.body, "0.1");
    let nothing = answer("/things/7/weight", &Method::GET, &json!({}));
    assert_eq!(nothing.body, "null");
    let file = json!({"contentType": "text/calendar", "data": "AAEC"});
    let file = answer("/files/7", &Method::GET, &file);
    assert_eq!(file.media_type.unwrap(), "text/calendar");
    assert_eq!(&file.body[..], [0, 1, 2]);
}

#[test]
fn malformed_reply_is_an_internal_error() {
    for (path, bytes) in [
        ("/things", &b"\x0a\x05ab"[..]),
        ("/things", b"\x0a\x04\x0a\x02\xff\xfe"),
        ("/files/7", b"\x12\x01a"),
        ("/files/7", b"\x0a\x04a\r\nb"),
    ] {
        let operation = ROUTES.find(&Method::GET, path).unwrap();
        let problem = TRANSCODER.response(operation, &Bytes::from_static(bytes));
        assert_eq!(problem.unwrap_err().into_response().status(), 500, "{path}");
    }
}
