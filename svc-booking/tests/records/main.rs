//! What is kept of people beside appointments, who sees it, and how it goes, on both databases. One binary, so that it is linked once.

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
