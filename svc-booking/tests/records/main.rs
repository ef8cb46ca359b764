//! What is kept of people beside appointments, who sees it, and how it goes, on both databases. One binary, so that it is linked once.

mod consultations;
mod consultations_grpc;
mod privacy;
mod serving;
