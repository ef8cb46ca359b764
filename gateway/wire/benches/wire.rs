//! JSON to protobuf and back in one pass, compared with `prost-reflect`, which builds a dynamic message on the way. The
//! subjects are the availability of two weeks and the body of a booking.
//!
//! `cargo bench -p gateway-wire` takes some 10 s on one thread and needs nothing else. The result that counts
//! is the ratio of the medians. Rounds of both implementations alternate.

use std::{hint::black_box, time::Instant};

use gateway_wire::{MessageId, Plans};
use hospital_proto::booking::v1::{
    Appointment, AvailabilityDay, AvailabilitySlot, ListAvailabilityResponse,
};
use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions,
};

const ROUNDS: usize = 25;
const REPETITIONS: u32 = 400;
const DAYS: i64 = 14;
/// Slots per day.
const SLOTS: i64 = 18;
const SLOT_S: i64 = 1_800;
/// Start of the first slot, a Monday morning.
const FIRST_S: i64 = 1_763_951_400;

fn main() {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET)
        .expect("the project's contracts are descriptors");
    println!(
        "{:<32} {:>8} {:>8} {:>12} {:>18} {:>8}",
        "", "protobuf", "JSON", "plans µs", "prost-reflect µs", "ratio"
    );
    let availability = Case::new(
        &pool,
        "ListAvailabilityResponse",
        availability().encode_to_vec(),
    );
    availability.compare(
        "availability, to JSON",
        Case::to_json,
        Case::to_json_dynamic,
    );
    let booking = Case::new(&pool, "Appointment", booking().encode_to_vec());
    booking.compare(
        "booking, to protobuf",
        Case::to_protobuf,
        Case::to_protobuf_dynamic,
    );
    booking.compare("booking, to JSON", Case::to_json, Case::to_json_dynamic);
}

struct Case {
    plans: Plans,
    id: MessageId,
    descriptor: MessageDescriptor,
    protobuf: Vec<u8>,
    json: Vec<u8>,
}

impl Case {
    fn new(pool: &DescriptorPool, name: &str, protobuf: Vec<u8>) -> Self {
        let descriptor = pool
            .get_message_by_name(&format!("hospital.booking.v1.{name}"))
            .expect("a message of the contract");
        let mut plans = Plans::default();
        let id = plans.add(&descriptor);
        let json = plans.to_json(id, &protobuf).expect("its JSON");
        let case = Self {
            plans,
            id,
            descriptor,
            protobuf,
            json,
        };
        assert_eq!(case.to_json(), case.to_json_dynamic());
        assert_eq!(case.to_protobuf(), case.to_protobuf_dynamic());
        case
    }

    fn to_json(&self) -> Vec<u8> {
        let json = self.plans.to_json(self.id, &self.protobuf);
        json.expect("its JSON")
    }

    fn to_json_dynamic(&self) -> Vec<u8> {
        let message = DynamicMessage::decode(self.descriptor.clone(), &*self.protobuf);
        let mut out = Vec::with_capacity(1024);
        let mut serializer = serde_json::Serializer::new(&mut out);
        let options = SerializeOptions::new().skip_default_fields(false);
        message
            .expect("a message")
            .serialize_with_options(&mut serializer, &options)
            .expect("its JSON");
        out
    }

    fn to_protobuf(&self) -> Vec<u8> {
        let bytes = self.plans.from_json(self.id, &self.json);
        bytes.expect("its bytes")
    }

    fn to_protobuf_dynamic(&self) -> Vec<u8> {
        let mut json = serde_json::Deserializer::from_slice(&self.json);
        let options = DeserializeOptions::new().deny_unknown_fields(true);
        let descriptor = self.descriptor.clone();
        DynamicMessage::deserialize_with_options(descriptor, &mut json, &options)
            .expect("a message")
            .encode_to_vec()
    }

    fn compare(&self, name: &str, ours: fn(&Self) -> Vec<u8>, theirs: fn(&Self) -> Vec<u8>) {
        let (mut our_rounds, mut their_rounds) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            our_rounds.push(self.round(ours));
            their_rounds.push(self.round(theirs));
        }
        let (ours, theirs) = (median(our_rounds), median(their_rounds));
        let (protobuf, json) = (self.protobuf.len(), self.json.len());
        let ratio = ours / theirs;
        println!("{name:<32} {protobuf:>8} {json:>8} {ours:>12.1} {theirs:>18.1} {ratio:>8.3}");
    }

    /// Returns the microseconds per repetition.
    fn round(&self, work: fn(&Self) -> Vec<u8>) -> f64 {
        let started = Instant::now();
        for _ in 0..REPETITIONS {
            black_box(work(black_box(self)));
        }
        started.elapsed().as_secs_f64() * 1e6 / f64::from(REPETITIONS)
    }
}

fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

fn availability() -> ListAvailabilityResponse {
    let slot = |day: i64, slot: i64| AvailabilitySlot {
        time: format!("{}:{:02} AM", 9 + slot / 2, slot % 2 * 30),
        starts_at: Some(prost_types::Timestamp {
            seconds: FIRST_S + day * 86_400 + slot * SLOT_S,
            nanos: 0,
        }),
        available: (day + slot) % 3 > 0,
        staffed: slot % 5 > 0,
        ..AvailabilitySlot::default()
    };
    let day = |day: i64| AvailabilityDay {
        date: format!("2026-11-{:02}", 10 + day),
        closed_reason: String::new(),
        slots: (0..SLOTS).map(|at| slot(day, at)).collect(),
        ..AvailabilityDay::default()
    };
    ListAvailabilityResponse {
        days: (0..DAYS).map(day).collect(),
        time_zone: "Asia/Kolkata".to_owned(),
        attendants: Vec::new(),
    }
}

fn booking() -> Appointment {
    Appointment {
        patient_name: "Ananya Iyer".to_owned(),
        email: "ananya.iyer@example.com".to_owned(),
        phone: "+91 98765 43210".to_owned(),
        date: "2026-11-24".to_owned(),
        time: "9:30 AM".to_owned(),
        reason: "Chest pain when climbing stairs, for two weeks".to_owned(),
        doctor_id: "dr-rao".to_owned(),
        notes: "Cardiology | Preferred: Dr. Rao".to_owned(),
        department: "cardiology".to_owned(),
        ..Appointment::default()
    }
}
