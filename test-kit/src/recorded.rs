//! Replays calls recorded from a released gateway. A service of this tree must understand them and respond as the
//! released service did. Values that differ between any two runs (ids, references, secrets, times) are masked. Later
//! calls use this run's values in their place.

mod answers;
mod bytes_codec;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use base64::{
    Engine as _,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use chrono::{DateTime, Utc};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, prost::Message as _};
use serde_json::Value;
use service_kit::source::FixedClock;
use store_kit::process::Service;
use tokio::sync::watch;
use tonic::{
    Request, Status,
    client::Grpc,
    codegen::{Bytes, http::uri::PathAndQuery},
    metadata::{Ascii, MetadataKey},
    service::Routes,
};
use tonic_types::StatusExt as _;

use crate::bench::Bench;
use answers::Names;
use bytes_codec::BytesCodec;

const READY_MAX: Duration = Duration::from_secs(30);

/// One recorded call.
struct Call {
    /// `/package.Service/Method`.
    method: String,
    at: DateTime<Utc>,
    metadata: BTreeMap<String, String>,
    request: Vec<u8>,
    status: i32,
    details: Vec<u8>,
    answer: Vec<u8>,
}

/// Replays a file of `proto/fixtures` in its order and at its recorded times. Responses of methods whose name starts
/// with an entry of `of_files` derive from hand-edited files. Only the shape of those responses must match; all others
/// must match in their values too.
pub async fn replay<S: Service>(
    bench: Bench<S>,
    arguments: &S::Arguments,
    recording: &str,
    of_files: &[&str],
) {
    let calls = calls(recording);
    let clock = Arc::new(FixedClock::new(calls.first().expect("a call").at));
    let (running, stopping) = watch::channel(false);
    let context = bench.context(Arc::clone(&clock), stopping);
    let mut served = S::start(arguments, &context).await.expect("a service");
    let (may_be_ready, mut allowed) = watch::channel(served.background.is_none());
    let background = served.background.take();
    let mut stopped = context.stopping.clone();
    let work = tokio::spawn(async move {
        let Some(background) = background else { return };
        tokio::select! {
            () = background(may_be_ready) => {}
            _ = stopped.wait_for(|is_over| *is_over) => {}
        }
    });
    let ready = allowed.wait_for(|is_allowed| *is_allowed);
    let ready = tokio::time::timeout(READY_MAX, ready).await;
    drop(ready.expect("ready in time").expect("the service goes on"));
    let pool = DescriptorPool::decode(served.descriptor_set).expect("descriptors");
    let mut names = Names::new();
    for call in calls {
        clock.set(call.at);
        let is_of_files = of_files.iter().any(|start| call.name().starts_with(start));
        again(&served.routes, &pool, &call, is_of_files, &mut names).await;
    }
    running.send_replace(true);
    work.await.expect("its work ends");
    drop(served);
    bench.end().await;
}

/// Makes one call and compares the response with the recorded one.
async fn again(
    routes: &Routes,
    pool: &DescriptorPool,
    call: &Call,
    is_of_files: bool,
    names: &mut Names,
) {
    let method = &call.method;
    let (input, output) = call.types(pool);
    let request = renamed(input, call, names);
    let (status, answer) = match ask(routes, call, request, names).await {
        Ok(answer) => (Status::ok(""), answer),
        Err(refusal) => (refusal, Bytes::new()),
    };
    assert_eq!(status.code() as i32, call.status, "{method}: {status:?}");
    if call.status != 0 {
        let recorded =
            Status::with_details(status.code(), "", Bytes::copy_from_slice(&call.details));
        assert_eq!(reason(&status), reason(&recorded), "{method}: {status:?}");
        return;
    }
    let recorded = answers::json(output.clone(), &call.answer, method);
    let actual = answers::json(output, &answer, method);
    answers::keeps_shape(&recorded, &actual, method);
    if !is_of_files {
        answers::keeps_values(&recorded, &actual, names, method);
    }
}

fn reason(status: &Status) -> Option<String> {
    let details = status.get_error_details();
    details.error_info().map(|info| info.reason.clone())
}

/// Returns the recorded request, with values from earlier recorded responses replaced by this run's values.
fn renamed(input: MessageDescriptor, call: &Call, names: &Names) -> Bytes {
    let mut json = answers::json(input.clone(), &call.request, &call.method);
    if !rename(&mut json, names) {
        return Bytes::copy_from_slice(&call.request);
    }
    let message = DynamicMessage::deserialize(input, json).expect("the same message");
    message.encode_to_vec().into()
}

/// Replaces recorded values in place. Returns whether there was any.
fn rename(json: &mut Value, names: &Names) -> bool {
    match json {
        Value::String(text) => match names.get(text) {
            Some(name) => {
                name.clone_into(text);
                true
            }
            None => false,
        },
        Value::Array(items) => items
            .iter_mut()
            .fold(false, |any, item| rename(item, names) | any),
        Value::Object(fields) => fields
            .values_mut()
            .fold(false, |any, field| rename(field, names) | any),
        _ => false,
    }
}

async fn ask(routes: &Routes, call: &Call, message: Bytes, names: &Names) -> Result<Bytes, Status> {
    let mut request = Request::new(message);
    for (key, value) in &call.metadata {
        let key = MetadataKey::<Ascii>::from_bytes(key.as_bytes()).expect("a key");
        let value = names.get(value).unwrap_or(value);
        let value = value.parse().expect("visible ASCII");
        request.metadata_mut().insert(key, value);
    }
    let mut client = Grpc::new(routes.clone());
    client.ready().await.expect("in this process");
    let path = PathAndQuery::try_from(call.method.as_str()).expect("a path");
    let answer = client.unary(request, path, BytesCodec).await?;
    Ok(answer.into_inner())
}

impl Call {
    fn name(&self) -> &str {
        let (_, name) = self.method.rsplit_once('/').expect("service and method");
        name
    }

    /// Returns the request and response message types of the method in this tree.
    fn types(&self, pool: &DescriptorPool) -> (MessageDescriptor, MessageDescriptor) {
        let (service, name) = self.method[1..].split_once('/').expect("service, method");
        let service = pool.get_service_by_name(service);
        let method = service.and_then(|service| service.methods().find(|one| one.name() == name));
        let method = method.unwrap_or_else(|| panic!("{} is gone", self.method));
        (method.input(), method.output())
    }
}

fn calls(recording: &str) -> Vec<Call> {
    let recording: Value = serde_json::from_str(recording).expect("JSON");
    let calls = recording["calls"].as_array().expect("calls");
    calls.iter().map(call).collect()
}

fn call(recorded: &Value) -> Call {
    let text = |name: &str| recorded[name].as_str().unwrap_or_default();
    let metadata = recorded["metadata"].as_object().expect("metadata");
    let metadata = metadata
        .iter()
        .map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()));
    let status = recorded["status"].as_i64().expect("a status");
    Call {
        method: text("method").to_owned(),
        at: text("at").parse().expect("a moment"),
        metadata: metadata.collect(),
        request: bytes(text("request")),
        status: i32::try_from(status).expect("a status"),
        details: bytes(text("details")),
        answer: bytes(text("answer")),
    }
}

/// Decodes Base64 with or without padding: recorded metadata has none, recorded messages have it.
fn bytes(base64: &str) -> Vec<u8> {
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    engine.decode(base64).expect("base64")
}
