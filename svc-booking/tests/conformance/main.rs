//! One suite, run on SQLite and on PostgreSQL: through the store, through gRPC, and through `kill -9`.

mod crash;
mod fixture;
mod grpc;
mod kept;
mod old;
mod races;
mod store;

/// Declares every case once for each database.
macro_rules! on_both {
    ($($module:ident: $($case:ident),+;)+) => {
        mod sqlite {
            use crate::fixture::{Kind, run};
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    run(Kind::Sqlite, crate::$module::$case).await;
                }
            )+)+
        }
        mod postgres {
            use crate::fixture::{Kind, run};
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    run(Kind::Postgres, crate::$module::$case).await;
                }
            )+)+
        }
    };
}

on_both! {
    races:
        one_seat_is_sold_once,
        a_department_sells_exactly_its_capacity,
        a_repeated_request_is_booked_once,
        mixed_doctors_fill_a_department_without_deadlock,
        one_seat_is_sold_once_over_grpc,
        a_repeated_request_gets_equal_answers_over_grpc;
    store:
        another_body_under_the_same_request_id_is_refused,
        a_refused_booking_leaves_nothing_behind,
        the_key_guards_seats,
        a_taken_reference_is_replaced,
        seats_are_counted_within_span,
        a_lowered_capacity_sells_nothing_more;
    kept:
        every_column_is_read_back,
        nothing_of_a_person_is_in_clear,
        a_booking_writes_its_event_and_its_message,
        a_cancelled_seat_is_sold_again,
        a_move_takes_one_seat_and_gives_back_the_other,
        a_change_of_an_older_version_is_refused_whole,
        an_expired_hold_is_no_holder,
        the_answer_to_a_repeated_request_is_what_is,
        keys_are_rotated;
    old:
        a_newer_schema_is_served;
    grpc:
        departments_are_paged,
        violations_come_all_at_once,
        availability_says_what_a_booking_would,
        a_booking_is_answered_in_full,
        a_repeated_request_keeps_its_answer_when_the_rules_have_moved_on,
        a_blocked_database_ends_at_the_deadline,
        a_closed_store_is_unavailable;
    crash:
        everything_acknowledged_survives_kill_9;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_sqlite_file_of_the_build_before_is_whole() {
    old::whole_on_sqlite().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_database_of_the_build_before_is_whole() {
    old::whole_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sealed_tables_are_indexed() {
    use test_kit::{bench::Bench, database::TestDatabase};
    for database in [TestDatabase::sqlite(), TestDatabase::postgres().await] {
        let bench = Bench::<svc_booking::Booking>::open(database).await;
        bench.sealed_tables_are_indexed().await;
    }
}

/// Books the first free time of the days to come.
async fn call(url: String) -> Result<(), tonic::Code> {
    use hospital_proto::booking::v1::{
        ListAvailabilityRequest, booking_service_client::BookingServiceClient,
    };
    let mut client = BookingServiceClient::connect(url).await.expect("a channel");
    let today = ListAvailabilityRequest {
        department: "ENT".to_owned(),
        ..ListAvailabilityRequest::default()
    };
    let refusal = |refused: tonic::Status| refused.code();
    let listed = client.list_availability(today.clone()).await;
    let from = listed.map_err(refusal)?.into_inner().days[0].date.clone();
    let first: chrono::NaiveDate = from.parse().expect("a date");
    let span = ListAvailabilityRequest {
        from,
        to: (first + chrono::TimeDelta::days(14)).to_string(),
        ..today
    };
    let listed = client.list_availability(span).await.map_err(refusal)?;
    let (date, time) = listed
        .into_inner()
        .days
        .into_iter()
        .find_map(|day| {
            let slot = day.slots.into_iter().find(|slot| slot.available)?;
            Some((day.date, slot.time))
        })
        .expect("a free time within two weeks");
    let mut request = fixture::request("ENT", "", &time);
    request.appointment.as_mut().expect("a body").date = date;
    let booked = client.create_appointment(request).await;
    booked.map(drop).map_err(refusal)
}

test_kit::service_keeps_its_promises!(
    test_kit::process::Program(env!("CARGO_BIN_EXE_svc-booking")),
    super::call
);
