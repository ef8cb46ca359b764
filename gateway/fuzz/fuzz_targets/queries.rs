#![no_main]

use std::sync::LazyLock;

use gateway_api::transcode::Transcoder;
use gateway_contract::Routes;
use http::HeaderMap;
use libfuzzer_sys::fuzz_target;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage};

static API: LazyLock<(Routes, Transcoder)> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    let routes = Routes::from_pool(&pool).unwrap();
    let transcoder = Transcoder::new(&routes);
    (routes, transcoder)
});

fuzz_target!(|input: (u16, &str)| {
    let (routes, transcoder) = &*API;
    let operations = routes.operations();
    let operation = &operations[usize::from(input.0) % operations.len()];
    let Some(path) = operation.template.literal() else {
        return;
    };
    let request = transcoder.request(operation, &path, Some(input.1), &HeaderMap::new(), b"");
    if let Ok(request) = request {
        let message = DynamicMessage::decode(operation.input(), &request.message[..]).unwrap();
        assert_eq!(message.encode_to_vec(), request.message);
    }
});
