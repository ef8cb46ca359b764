//! A gRPC server for the test contract, on tonic and a real connection, with descriptors instead of generated types.

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::{Buf, BufMut};
use futures::future::BoxFuture;
use parking_lot::Mutex;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Code, Request, Response, Status,
    body::Body,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    metadata::MetadataMap,
    server::{Grpc, NamedService, UnaryService},
};
use tonic_types::{ErrorDetails, StatusExt};

use crate::announcer::Announcer;

/// Observed calls, and controls of the server's behaviour.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) calls: AtomicUsize,
    pub(crate) metadata: Mutex<Vec<MetadataMap>>,
    /// Calls dropped before their response because the caller gave up.
    pub(crate) abandoned: AtomicUsize,
    /// Text and version of each volume.
    pub(crate) volumes: Mutex<BTreeMap<String, (String, u32)>>,
    /// Remaining number of calls to answer with UNAVAILABLE.
    pub(crate) unavailable: AtomicUsize,
    /// Rejects writes like a service whose disk is full.
    pub(crate) is_full: AtomicBool,
    /// Delay of every response in milliseconds.
    pub(crate) pause_ms: AtomicUsize,
}

pub(crate) struct Library {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Arc<Seen>,
    server: JoinHandle<()>,
}

impl Drop for Library {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Library {
    pub(crate) async fn start(pool: &DescriptorPool) -> Self {
        Self::start_with(pool, None).await
    }

    /// Starts the library, with a change service beside it if `announcer` is given.
    pub(crate) async fn start_with(pool: &DescriptorPool, announcer: Option<&Announcer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (service, seen) = LibraryService::new(pool);
        let announcing = announcer.map(Announcer::service);
        let server = tokio::spawn(async move {
            tonic::transport::Server::builder()
                .add_service(service)
                .add_optional_service(announcing)
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
                .unwrap();
        });
        Self {
            address,
            seen,
            server,
        }
    }

    pub(crate) fn calls(&self) -> usize {
        self.seen.calls.load(Ordering::SeqCst)
    }

    /// Writes a volume without going through the gateway.
    pub(crate) fn write(&self, id: &str, text: &str) {
        let mut volumes = self.seen.volumes.lock();
        let volume = volumes.entry(id.to_owned()).or_default();
        *volume = (text.to_owned(), volume.1 + 1);
    }

    /// Returns a metadata value of the last call, as text.
    pub(crate) fn last(&self, name: &str) -> String {
        let metadata = self.seen.metadata.lock();
        let value = metadata.last().and_then(|m| m.get(name));
        value.map_or_else(String::new, |v| v.to_str().unwrap().to_owned())
    }
}

/// The gRPC service, mountable on any tonic server.
#[derive(Clone)]
pub(crate) struct LibraryService {
    pool: DescriptorPool,
    seen: Arc<Seen>,
}

impl LibraryService {
    pub(crate) fn new(pool: &DescriptorPool) -> (Self, Arc<Seen>) {
        let seen = Arc::new(Seen::default());
        let service = Self {
            pool: pool.clone(),
            seen: Arc::clone(&seen),
        };
        (service, seen)
    }
}

impl NamedService for LibraryService {
    const NAME: &'static str = "library.v1.LibraryService";
}

impl tower::Service<http::Request<Body>> for LibraryService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let service = self.pool.get_service_by_name(Self::NAME).unwrap();
        let name = request.uri().path().rsplit('/').next().unwrap().to_owned();
        let rpc = service.methods().find(|m| m.name() == name).unwrap();
        let handler = Handler {
            name,
            output: rpc.output(),
            seen: Arc::clone(&self.seen),
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
    seen: Arc<Seen>,
}

impl UnaryService<Value> for Handler {
    type Response = DynamicMessage;
    type Future = BoxFuture<'static, Result<Response<DynamicMessage>, Status>>;

    fn call(&mut self, request: Request<Value>) -> Self::Future {
        let (name, output, seen) = (
            self.name.clone(),
            self.output.clone(),
            Arc::clone(&self.seen),
        );
        Box::pin(async move {
            seen.calls.fetch_add(1, Ordering::SeqCst);
            seen.metadata.lock().push(request.metadata().clone());
            let pause_ms = u64::try_from(seen.pause_ms.load(Ordering::SeqCst)).unwrap();
            tokio::time::sleep(Duration::from_millis(pause_ms)).await;
            let left = &seen.unavailable;
            let fails = left.try_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
            if fails.is_ok() {
                return Err(Status::unavailable("restarting at 10.0.0.7"));
            }
            let writes = ["Create", "Replace", "Archive", "Delete", "Burn"];
            if seen.is_full.load(Ordering::SeqCst) && writes.iter().any(|w| name.starts_with(w)) {
                return Err(Status::unavailable("database or disk is full"));
            }
            let request = request.into_inner();
            let creates_nothing = name == "CreateLoan" && request["loan"]["id"] == "look only";
            let answer = answer(&name, request, &seen).await?;
            let mut response = Response::new(DynamicMessage::deserialize(output, answer).unwrap());
            if creates_nothing || name == "CreateBook" {
                let metadata = response.metadata_mut();
                metadata.insert("resource-created", "false".parse().unwrap());
            }
            Ok(response)
        })
    }
}

struct NotesAbandonment<'a>(&'a Seen);

impl Drop for NotesAbandonment<'_> {
    fn drop(&mut self) {
        self.0.abandoned.fetch_add(1, Ordering::SeqCst);
    }
}

async fn answer(name: &str, request: Value, seen: &Seen) -> Result<Value, Status> {
    Ok(match name {
        "ListBooks" => json!({
            "books": (0..40).map(|n| json!({"id": format!("b{n}"), "title": "A book"})).collect::<Vec<_>>(),
            "heard": request.to_string(),
        }),
        "ListOpenings" if request["day"] == "huge" => json!({"times": [huge()]}),
        "GetBook" if request["shelf"] == "huge" => json!({"book": {"title": huge()}}),
        "GetBook" => {
            json!({"book": {"id": request["filter"]["bookId"], "title": request["shelf"]}})
        }
        "CreateBook" => return create(&request),
        "ReplaceTags" => json!({"tags": request["tags"]}),
        "ArchiveBook" => json!({"id": request["bookId"], "title": request["reason"]}),
        "ReadSlowly" => {
            let _notes = NotesAbandonment(seen);
            std::future::pending::<Value>().await
        }
        "ReadFailing" => {
            let code: i32 = request["code"].as_str().unwrap_or("13").parse().unwrap();
            return Err(Status::new(Code::from(code), "secret: db at 10.0.0.7"));
        }
        "GetVolume" | "ReplaceVolume" | "DeleteVolume" => return volume(name, &request, seen),
        "ListOpenings" => json!({"times": vec!["9:00 AM"; 200]}),
        "GetDiary" | "BurnDiary" => {
            json!({"diary": {"id": request["diaryId"], "text": "Dear diary".repeat(200), "etag": "d1"}})
        }
        // "BEGIN\r\n\0" in Base64.
        "PrintDiary" => json!({"contentType": request["as"], "data": "QkVHSU4NCgA="}),
        "CreateLoan" => json!({"loan": {"id": "1"}}),
        "CreateScan" => json!({"loan": {"id": request["scan"]["data"]}}),
        "ReadSecret" => json!({"title": "secret"}),
        "ReadBranch" => json!({"title": request["branch"]}),
        "ReadEmergency" => json!({"title": "112"}),
        _ => return Err(Status::unimplemented(name)),
    })
}

/// Returns a text larger than the reply limit.
fn huge() -> String {
    "x".repeat(5 * 1024 * 1024)
}

fn volume(name: &str, request: &Value, seen: &Seen) -> Result<Value, Status> {
    let id = request["volumeId"].as_str().unwrap_or_default();
    let mut volumes = seen.volumes.lock();
    let (text, version) = volumes.get(id).cloned().unwrap_or_default();
    if version == 0 {
        return Err(Status::not_found("There is no such volume."));
    }
    let expected = request["etag"].as_str().filter(|etag| !etag.is_empty());
    if name != "GetVolume" && expected.is_some_and(|etag| etag != format!("v{version}")) {
        let details = ErrorDetails::with_error_info("ETAG_MISMATCH", "library", HashMap::new());
        let text = "The volume has changed meanwhile.";
        return Err(Status::with_error_details(Code::Aborted, text, details));
    }
    let shown = |text: &str, version: u32| json!({"volume": {"id": id, "text": text, "etag": format!("v{version}")}});
    match name {
        "DeleteVolume" => {
            volumes.remove(id);
            Ok(json!({}))
        }
        "ReplaceVolume" => {
            let text = request["volume"]["text"].as_str().unwrap_or_default();
            volumes.insert(id.to_owned(), (text.to_owned(), version + 1));
            Ok(shown(text, version + 1))
        }
        _ => Ok(shown(&text, version)),
    }
}

fn create(request: &Value) -> Result<Value, Status> {
    let mut details = ErrorDetails::new();
    if request["book"]["title"].as_str().unwrap_or("").is_empty() {
        details.add_bad_request_violation("title", "is required");
    }
    if request["requestId"].as_str().unwrap_or("").is_empty() {
        details.add_bad_request_violation("requestId", "is required");
    }
    if details.has_bad_request_violations() {
        let text = "The book has fields that are not valid.";
        return Err(Status::with_error_details(
            Code::InvalidArgument,
            text,
            details,
        ));
    }
    let reason = |code, reason: &str| {
        let details = ErrorDetails::with_error_info(reason, "library", HashMap::new());
        Status::with_error_details(code, "There is one already.", details)
    };
    match request["book"]["title"].as_str() {
        Some("Taken") => Err(reason(Code::AlreadyExists, "TITLE_TAKEN")),
        Some("Reused") => Err(reason(Code::InvalidArgument, "REQUEST_ID_REUSED")),
        _ => {
            let mut book = request["book"].clone();
            book["id"] = request["requestId"].clone();
            Ok(json!({ "book": book }))
        }
    }
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
        let message = DynamicMessage::decode(self.0.clone(), bytes).unwrap();
        Ok(Some(serde_json::to_value(message).unwrap()))
    }
}
