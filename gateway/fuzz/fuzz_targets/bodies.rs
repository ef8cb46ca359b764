#![no_main]

use std::sync::LazyLock;

use gateway_wire::{MessageId, Plans};
use libfuzzer_sys::fuzz_target;
use prost_reflect::DescriptorPool;

static PLANS: LazyLock<(Plans, Vec<MessageId>)> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    let mut plans = Plans::default();
    let messages = pool
        .all_messages()
        .filter(|message| !message.is_map_entry());
    let ids = messages.map(|message| plans.add(&message)).collect();
    (plans, ids)
});

fuzz_target!(|input: (u16, &[u8])| {
    let (plans, ids) = &*PLANS;
    let id = ids[usize::from(input.0) % ids.len()];
    if let Ok(bytes) = plans.from_json(id, input.1) {
        // A time that cannot be shown was given as such.
        if let Ok(json) = plans.to_json(id, &bytes)
            && let Ok(again) = plans.from_json(id, &json)
        {
            assert_eq!(bytes, again);
        }
    }
});
