//! JSON and protobuf conversion compared with `prost-reflect`, an independent implementation. Covers every message of
//! the project's contracts, and test contracts with every kind of field.

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
