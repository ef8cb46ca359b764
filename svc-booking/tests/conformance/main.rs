//! One test suite, run on SQLite and on PostgreSQL: through the store, over gRPC, and on the databases of older builds.

mod before_proof;
mod booking;
mod changes;
mod day_list;
mod desk;
mod fixture;
mod grpc_access;
mod grpc_attacks;
mod grpc_attendants;
mod grpc_desk;
mod grpc_desk_day;
mod grpc_line;
mod grpc_own;
mod grpc_roster;
mod grpc_staff;
mod grpc_strangers;
mod grpc_times;
mod grpc_undo;
mod grpc_visitor;
mod grpc_waitlist_desk;
mod holds;
mod in_consultation;
mod kept;
mod language;
mod language_of_staff;
mod leave_decisions;
mod leave_requests;
mod limits;
mod line;
mod mail;
mod mailbox;
mod offers;
mod old;
mod races;
mod recorded;
mod rosters;
mod serving;
mod shown;
mod waitlist_desk;

test_kit::service_keeps_its_promises!(
    test_kit::process::Program(env!("CARGO_BIN_EXE_svc-booking")),
    super::call
);

/// Books the first free time of the coming days.
async fn call(url: String) -> Result<(), tonic::Code> {
    use hospital_proto::booking::v1::{
        ListNextAvailableRequest, booking_service_client::BookingServiceClient,
    };
    let mut client = BookingServiceClient::connect(url).await.expect("a channel");
    let refusal = |refused: tonic::Status| refused.code();
    let next = ListNextAvailableRequest {
        department: "General Medicine".to_owned(),
        ..ListNextAvailableRequest::default()
    };
    let next = client.list_next_available(next).await.map_err(refusal)?;
    let next = next.into_inner().next.remove(0);
    let mut request = fixture::request("General Medicine", "", &next.time);
    request.appointment.as_mut().expect("a body").date = next.date;
    let booked = client.create_appointment(request).await;
    booked.map(drop).map_err(refusal)
}
