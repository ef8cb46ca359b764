//! Personal data besides appointments: storage, access and erasure, on both databases. One binary, which needs to be
//! linked only once.

mod command;
mod consultations;
mod consultations_grpc;
mod consultations_staff;
mod fhir;
mod people;
mod privacy;
mod retention;
mod rotation;
mod serving;
