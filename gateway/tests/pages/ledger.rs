//! A real gRPC service that stores entries by request id and marks replays of creates, as the hospital's services do.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::{Buf as _, BufMut as _};
use futures::future::BoxFuture;
use parking_lot::Mutex;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Value, json};
use tonic::{
    Code, Request, Response, Status,
    body::Body,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    metadata::{KeyAndValueRef, MetadataMap},
    server::{Grpc, NamedService, UnaryService},
};

/// Contract with every HTTP method and a version per entry.
pub(crate) const CONTRACT: &str = r#"
syntax = "proto3";
package ledger.v1;
import "google/api/annotations.proto";
import "hospital/api/v1/policy.proto";
message Entry {
  string id = 1;
  string name = 2;
  repeated string days = 3;
  bool paid = 4;
  string etag = 5;
  string updated_at = 6;
}
message CreateEntryRequest { Entry entry = 1; string request_id = 2; }
message CreateEntryResponse { Entry entry = 1; }
message GetEntryRequest { string entry_id = 1; }
message GetEntryResponse { Entry entry = 1; }
message ReplaceEntryRequest { string entry_id = 1; Entry entry = 2; string etag = 3; }
message ReplaceEntryResponse { Entry entry = 1; }
message UpdateEntryRequest { string entry_id = 1; Entry entry = 2; }
message UpdateEntryResponse { Entry entry = 1; }
message DeleteEntryRequest { string entry_id = 1; string etag = 2; }
message DeleteEntryResponse { }
message EchoCallerRequest { string name = 1; repeated string days = 2; }
message EchoCallerResponse { map<string, string> metadata = 1; }
message ShowCallerRequest { }
message ShowCallerResponse { map<string, string> metadata = 1; }
message ListEntriesRequest { int32 page_size = 1; }
message ListEntriesResponse { repeated Entry entries = 1; }
message GetWordRequest { }
message GetWordResponse { string status = 1; }
message GetPreviewRequest { string token = 1; }
message Problem { string record = 1; string field = 2; string message = 3; }
message Preview {
  string title = 1;
  string path = 2;
  string list_path = 3;
  string expire_time = 4;
  bool is_live = 5;
  repeated Problem problems = 6;
}
message GetPreviewResponse { Preview preview = 1; }
service LedgerService {
  rpc CreateEntry(CreateEntryRequest) returns (CreateEntryResponse) {
    option (google.api.http) = { post: "/entries" body: "entry" response_body: "entry" };
  }
  rpc GetEntry(GetEntryRequest) returns (GetEntryResponse) {
    option (google.api.http) = { get: "/entries/{entry_id}" response_body: "entry" };
  }
  rpc ReplaceEntry(ReplaceEntryRequest) returns (ReplaceEntryResponse) {
    option (google.api.http) = { put: "/entries/{entry_id}" body: "entry" response_body: "entry" };
  }
  rpc UpdateEntry(UpdateEntryRequest) returns (UpdateEntryResponse) {
    option (google.api.http) = { patch: "/entries/{entry_id}" body: "entry" response_body: "entry" };
  }
  rpc DeleteEntry(DeleteEntryRequest) returns (DeleteEntryResponse) {
    option (google.api.http) = { delete: "/entries/{entry_id}" };
  }
  rpc ListEntries(ListEntriesRequest) returns (ListEntriesResponse) {
    option (google.api.http) = { get: "/entries" };
  }
  rpc EchoCaller(EchoCallerRequest) returns (EchoCallerResponse) {
    option (google.api.http) = { post: "/callers" body: "*" };
    option (hospital.api.v1.policy) = { scope: "entries:write" secret_header: "x-entry-secret" client: true };
  }
  rpc ShowCaller(ShowCallerRequest) returns (ShowCallerResponse) {
    option (google.api.http) = { get: "/caller" };
    option (hospital.api.v1.policy) = { scope: "entries:read" };
  }
  rpc GetWord(GetWordRequest) returns (GetWordResponse) {
    option (google.api.http) = { get: "/word" };
    option (hospital.api.v1.policy) = { cache_seconds: 3600 };
  }
  rpc GetPreview(GetPreviewRequest) returns (GetPreviewResponse) {
    option (google.api.http) = { get: "/previews/{token}" response_body: "preview" };
  }
}
"#;

/// Entries by id; the id of a created entry is its sequence number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Arc<Mutex<BTreeMap<String, Entry>>>);

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) request_id: String,
    pub(crate) json: Value,
    version: u32,
}

impl Ledger {
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.0.lock().values().cloned().collect()
    }

    /// Stores an entry without a create.
    pub(crate) fn write(&self, id: &str, entry: Value) {
        let entry = Entry {
            request_id: String::new(),
            json: entry,
            version: 1,
        };
        self.0.lock().insert(id.to_owned(), entry);
    }

    pub(crate) fn service(&self, pool: &DescriptorPool) -> LedgerService {
        LedgerService {
            pool: pool.clone(),
            ledger: self.clone(),
        }
    }

    fn answer(&self, name: &str, request: &Value) -> Result<(Value, bool), Status> {
        let mut entries = self.0.lock();
        if name == "ListEntries" {
            let all: Vec<Value> = entries.iter().map(|(id, entry)| shown(id, entry)).collect();
            return Ok((json!({ "entries": all }), false));
        }
        if name == "CreateEntry" {
            if request["entry"]["name"].as_str().is_none_or(str::is_empty) {
                return Err(Status::invalid_argument("The entry has no name."));
            }
            let request_id = request["requestId"].as_str().unwrap_or_default();
            let known = entries
                .iter()
                .find(|(_, entry)| entry.request_id == request_id);
            if let Some((id, entry)) = known {
                return Ok((json!({ "entry": shown(id, entry) }), true));
            }
            let id = format!("e{}", entries.len() + 1);
            let entry = Entry {
                request_id: request_id.to_owned(),
                json: request["entry"].clone(),
                version: 1,
            };
            let answer = json!({ "entry": shown(&id, &entry) });
            entries.insert(id, entry);
            return Ok((answer, false));
        }
        let id = request["entryId"].as_str().unwrap_or_default();
        let entry = entries.get_mut(id);
        let entry = entry.ok_or_else(|| Status::not_found("There is no such entry."))?;
        let expected = request["etag"].as_str().filter(|etag| !etag.is_empty());
        if expected.is_some_and(|etag| etag != format!("v{}", entry.version)) {
            return Err(Status::new(Code::Aborted, "The entry has changed."));
        }
        match name {
            "GetEntry" => {}
            "ReplaceEntry" => entry.json = request["entry"].clone(),
            "UpdateEntry" => entry.json["name"] = request["entry"]["name"].clone(),
            "DeleteEntry" => {
                entries.remove(id);
                return Ok((json!({}), false));
            }
            _ => return Err(Status::unimplemented(name)),
        }
        if name != "GetEntry" {
            entry.version += 1;
        }
        Ok((json!({ "entry": shown(id, entry) }), false))
    }
}

/// Returns the metadata that the gateway sends about the caller.
fn echo(metadata: &MetadataMap) -> Value {
    let said = metadata.iter().filter_map(|pair| match pair {
        KeyAndValueRef::Ascii(name, value) => Some((name.as_str(), value.to_str().ok()?)),
        KeyAndValueRef::Binary(..) => None,
    });
    json!({ "metadata": said.collect::<BTreeMap<_, _>>() })
}

fn shown(id: &str, entry: &Entry) -> Value {
    let mut json = entry.json.clone();
    json["id"] = id.into();
    json["etag"] = format!("v{}", entry.version).into();
    json
}

#[derive(Clone)]
pub(crate) struct LedgerService {
    pool: DescriptorPool,
    ledger: Ledger,
}

impl NamedService for LedgerService {
    const NAME: &'static str = "ledger.v1.LedgerService";
}

impl tower::Service<http::Request<Body>> for LedgerService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let service = self
            .pool
            .get_service_by_name(Self::NAME)
            .expect("in the contract");
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        let rpc = service.methods().find(|rpc| rpc.name() == name);
        let rpc = rpc.expect("in the contract");
        let handler = Handler {
            name: name.to_owned(),
            output: rpc.output(),
            ledger: self.ledger.clone(),
        };
        Box::pin(async move {
            let mut grpc = Grpc::new(JsonCodec(rpc.input()));
            Ok(grpc.unary(handler, request).await)
        })
    }
}

struct Handler {
    name: String,
    output: MessageDescriptor,
    ledger: Ledger,
}

impl UnaryService<Value> for Handler {
    type Response = DynamicMessage;
    type Future = BoxFuture<'static, Result<Response<DynamicMessage>, Status>>;

    fn call(&mut self, request: Request<Value>) -> Self::Future {
        let answer = match &*self.name {
            "EchoCaller" | "ShowCaller" => Ok((echo(request.metadata()), false)),
            "GetPreview" => preview(request.get_ref()).map(|answer| (answer, false)),
            "GetWord" => {
                let token = request.metadata().get("x-preview");
                let token = token.and_then(|token| token.to_str().ok());
                return self.word(token.unwrap_or_default());
            }
            _ => self.ledger.answer(&self.name, request.get_ref()),
        };
        let output = self.output.clone();
        Box::pin(async move {
            let (answer, is_replay) = answer?;
            let message = DynamicMessage::deserialize(output, answer).expect("fits the contract");
            let mut response = Response::new(message);
            if is_replay {
                let value = "true".parse().expect("a metadata value");
                response.metadata_mut().insert("idempotent-replayed", value);
            }
            Ok(response)
        })
    }
}

impl Handler {
    /// Answers a read of what is live, or of a draft. A service without previews ignores tokens.
    fn word(&self, token: &str) -> BoxFuture<'static, Result<Response<DynamicMessage>, Status>> {
        let is_shown = token == "good";
        let word = if is_shown { "DRAFT" } else { "LIVE" };
        let answer = DynamicMessage::deserialize(self.output.clone(), json!({ "status": word }));
        let mut response = Response::new(answer.expect("fits the contract"));
        if is_shown {
            let mark = "shown".parse().expect("a metadata value");
            response.metadata_mut().insert("x-preview", mark);
        }
        Box::pin(async { Ok(response) })
    }
}

/// Returns what a token shows: `good`, `ignored` by reads, `broken`, or `old` for a service without previews.
fn preview(request: &Value) -> Result<Value, Status> {
    let token = request["token"].as_str().unwrap_or_default();
    let problem = json!({"record": "", "field": "timings", "message": "Enter <times>"});
    let problems = match token {
        "good" | "ignored" => json!([]),
        "broken" => json!([problem]),
        "old" => return Err(Status::unimplemented("previews")),
        _ => return Err(Status::not_found("There is no such preview.")),
    };
    Ok(json!({ "preview": {
        "title": "A draft", "path": "/serving", "listPath": "/list",
        "expireTime": "2026-11-27T09:35:00Z", "problems": problems
    } }))
}

/// Decodes requests to canonical JSON, which is easier to inspect than a dynamic message.
#[derive(Clone)]
struct JsonCodec(MessageDescriptor);

impl Codec for JsonCodec {
    type Encode = DynamicMessage;
    type Decode = Value;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        self.clone()
    }

    fn decoder(&mut self) -> Self {
        self.clone()
    }
}

impl Encoder for JsonCodec {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, item: DynamicMessage, dst: &mut EncodeBuf<'_>) -> Result<(), Status> {
        dst.put(item.encode_to_vec().as_slice());
        Ok(())
    }
}

impl Decoder for JsonCodec {
    type Item = Value;
    type Error = Status;

    fn decode(&mut self, src: &mut DecodeBuf<'_>) -> Result<Option<Value>, Status> {
        let bytes = src.copy_to_bytes(src.remaining());
        let message = DynamicMessage::decode(self.0.clone(), bytes).expect("a whole message");
        Ok(Some(serde_json::to_value(message).expect("JSON")))
    }
}
