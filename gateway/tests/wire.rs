//! JSON and protobuf beside `prost-reflect`, which reads and writes the same by other means: over every message of the project's
//! contracts and over contracts of the tests' own with every kind of field.

#[path = "wire/answers.rs"]
mod answers;
#[path = "wire/bodies.rs"]
mod bodies;
#[path = "wire/contract.rs"]
mod contract;
#[path = "wire/dice.rs"]
mod dice;
#[path = "wire/refusals.rs"]
mod refusals;
#[path = "wire/requests.rs"]
mod requests;
