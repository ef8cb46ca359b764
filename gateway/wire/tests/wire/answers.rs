//! Protobuf to JSON.

use proptest::{collection::vec, prelude::*};
use prost::{
    Message as _,
    encoding::{WireType, encode_key, encode_varint},
};
use prost_reflect::{DynamicMessage, Value};

use crate::{
    contract::{Subject, subject, subjects, value},
    dice::Dice,
};

/// Random cases per message type.
const CASES: u32 = 24;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Calls `test` with every message type and random bytes.
fn for_each(test: impl Fn(&Subject, &mut Dice<'_>) -> Result<(), TestCaseError>) {
    for subject in subjects() {
        proptest!(config(), |(bytes in vec(any::<u8>(), 0..600))| {
            let mut dice = Dice::new(&bytes);
            test(subject, &mut dice).map_err(|error| {
                TestCaseError::fail(format!("{}: {error}", subject.name()))
            })?;
        });
    }
}

#[test]
fn writes_every_message_exactly_like_prost_reflect() {
    for_each(|subject, dice| {
        let bytes = dice.message(&subject.descriptor, 0).encode_to_vec();
        prop_assert_eq!(subject.json(&bytes), subject.expected_json(&bytes));
        Ok(())
    });
}

#[test]
fn writes_large_maps_in_order() {
    for_each(|subject, dice| {
        dice.entries_max = 5;
        let bytes = dice.message(&subject.descriptor, 0).encode_to_vec();
        let json = subject.json(&bytes);
        // The output of `prost-reflect` has its own order of entries.
        let is_dynamic = subject.name().starts_with("legacy.")
            || json
                .as_deref()
                .is_some_and(|json| json.contains("\"@type\""));
        prop_assert!(is_dynamic || subject.json(&bytes) == json);
        let expected = subject.expected_json(&bytes);
        prop_assert_eq!(json.as_deref().map(value), expected.as_deref().map(value));
        Ok(())
    });
    let maps = subject("everything.v1.Maps");
    let entry = |text: &str| text.bytes().collect::<Vec<u8>>();
    // 10, 9, -1 and 9 again.
    let bytes = [
        entry("\x0a\x05\x08\x0a\x12\x01a"),
        entry("\x0a\x05\x08\x09\x12\x01b"),
        vec![
            10, 13, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 18, 0,
        ],
        entry("\x0a\x05\x08\x09\x12\x01c"),
    ];
    let json = maps.json(&bytes.concat()).unwrap();
    assert!(
        json.starts_with(r#"{"int32s":{"-1":"","9":"c","10":"a"},"#),
        "{json}"
    );
}

#[test]
fn joins_fragmented_and_unordered_fields() {
    for_each(|subject, dice| {
        let one = dice.message(&subject.descriptor, 0).encode_to_vec();
        let other = dice.message(&subject.descriptor, 0).encode_to_vec();
        // Legal: scalars are replaced, lists are appended, messages are merged, and the last member of a oneof wins.
        let both = [other, one].concat();
        prop_assert_eq!(
            subject.json(&both).as_deref().map(value),
            subject.expected_json(&both).as_deref().map(value)
        );
        Ok(())
    });
}

#[test]
fn skips_unknown_fields() {
    let thing = subject("everything.v1.Thing");
    proptest!(config(), |(bytes in vec(any::<u8>(), 0..300))| {
        let message = Dice::new(&bytes).message(&thing.descriptor, 0);
        let expected = thing.expected_json(&message.encode_to_vec());
        let mut known = message.encode_to_vec();
        let mut unknown = Vec::new();
        encode_key(900, WireType::Varint, &mut unknown);
        encode_varint(u64::MAX, &mut unknown);
        encode_key(901, WireType::LengthDelimited, &mut unknown);
        unknown.extend([3, 1, 2, 3]);
        encode_key(902, WireType::ThirtyTwoBit, &mut unknown);
        unknown.extend([0; 4]);
        encode_key(903, WireType::SixtyFourBit, &mut unknown);
        unknown.extend([0; 8]);
        encode_key(904, WireType::StartGroup, &mut unknown);
        encode_key(1, WireType::Varint, &mut unknown);
        unknown.push(1);
        encode_key(904, WireType::EndGroup, &mut unknown);
        let before = [unknown.clone(), known.clone()].concat();
        prop_assert_eq!(thing.json(&before), expected.clone());
        known.extend(unknown);
        prop_assert_eq!(thing.json(&known), expected);
    });
}

#[test]
fn reads_packed_and_unpacked_lists_alike() {
    let lists = subject("everything.v1.Lists");
    // int32s: 1, then 2 and 3 packed, then 4.
    let bytes = [0x18, 1, 0x1a, 2, 2, 3, 0x18, 4];
    let json = lists.json(&bytes).unwrap();
    assert!(json.contains(r#""int32s":[1,2,3,4]"#), "{json}");
    // loose_int32s, packed although the contract declares it unpacked.
    let bytes = [0x8a, 1, 2, 7, 8, 0x88, 1, 9];
    let json = lists.json(&bytes).unwrap();
    assert!(json.contains(r#""looseInt32s":[7,8,9]"#), "{json}");
    // Another list between two elements.
    let bytes = [0x18, 1, 0x20, 5, 0x18, 2];
    assert_eq!(lists.json(&bytes), lists.expected_json(&bytes));
}

#[test]
fn refuses_a_map_of_another_wire_type() {
    let record = subject("legacy.v1.Record");
    // name, then one entry of grades: a length and its bytes.
    let bytes = [0x0a, 1, b'a', 0x32, 5, 0x0a, 1, b'0', 0x10, 3];
    let json = record.json(&bytes).unwrap();
    assert!(json.contains(r#""grades":{"0":"GRADE_HIGH"}"#), "{json}");
    assert_eq!(record.expected_json(&bytes), record.json(&bytes));
    // The same entry behind the tag of a varint.
    let bytes = [0x0a, 1, b'a', 0x30, 5, 0x0a, 1, b'0', 0x10, 3];
    assert_eq!(record.json(&bytes), None);
    assert_eq!(record.expected_json(&bytes), None);
}

#[test]
fn damaged_bytes_are_refused_or_read_alike_and_never_panic() {
    for_each(|subject, dice| {
        let mut bytes = dice.message(&subject.descriptor, 0).encode_to_vec();
        for _ in 0..=dice.roll(3) {
            let at = dice.roll(256);
            match dice.roll(3) {
                _ if bytes.is_empty() => bytes.push(u8::try_from(at).unwrap()),
                0 => bytes.truncate(at % bytes.len()),
                1 => {
                    let place = at % bytes.len();
                    bytes[place] ^= 1 << dice.roll(8);
                }
                _ => bytes.insert(at % bytes.len(), u8::try_from(dice.roll(256)).unwrap()),
            }
        }
        let (ours, expected) = (subject.json(&bytes), subject.expected_json(&bytes));
        prop_assert_eq!(
            ours.as_deref().map(value),
            expected.as_deref().map(value),
            "{:?}",
            bytes
        );
        Ok(())
    });
}

#[test]
fn arbitrary_bytes_never_panic() {
    for subject in subjects() {
        proptest!(config(), |(bytes in vec(any::<u8>(), 0..80))| {
            let (ours, expected) = (subject.json(&bytes), subject.expected_json(&bytes));
            prop_assert_eq!(
                ours.as_deref().map(value),
                expected.as_deref().map(value),
                "{}: {:?}", subject.name(), bytes
            );
        });
    }
}

#[test]
fn depth_is_bounded() {
    let tree = subject("everything.v1.Tree");
    let nested = |depth: usize| {
        (0..depth).fold(Vec::new(), |inner, _| {
            let mut bytes = vec![0x1a];
            encode_varint(inner.len() as u64, &mut bytes);
            bytes.extend(inner);
            bytes
        })
    };
    assert_eq!(tree.json(&nested(100)), tree.expected_json(&nested(100)));
    assert!(tree.json(&nested(100)).is_some());
    assert_eq!(tree.json(&nested(101)), None);
    assert_eq!(tree.json(&nested(20_000)), None);
}

#[test]
fn keeps_the_sign_of_zero_where_representable() {
    let scalars = subject("everything.v1.Scalars");
    let mut bytes = vec![0x09];
    bytes.extend((-0.0_f64).to_le_bytes());
    assert_eq!(scalars.json(&bytes), scalars.expected_json(&bytes));
    let wrapper = subject("google.protobuf.DoubleValue");
    assert_eq!(wrapper.json(&bytes), wrapper.expected_json(&bytes));
}

#[test]
fn refuses_times_out_of_range() {
    for name in ["google.protobuf.Timestamp", "google.protobuf.Duration"] {
        let subject = subject(name);
        for seconds in [
            -315_576_000_001,
            -62_135_596_801,
            253_402_300_800,
            315_576_000_001,
            i64::MIN,
        ] {
            let mut message = DynamicMessage::new(subject.descriptor.clone());
            message.set_field_by_name("seconds", Value::I64(seconds));
            let bytes = message.encode_to_vec();
            assert_eq!(
                subject.json(&bytes),
                subject.expected_json(&bytes),
                "{name} {seconds}"
            );
        }
    }
}
