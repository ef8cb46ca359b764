//! One suite, run on SQLite and on PostgreSQL: through the store, through gRPC, and through `kill -9`.

mod crash;
mod fixture;
mod grpc;
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
        migrations_run_twice_harmlessly,
        another_body_under_the_same_request_id_is_refused,
        a_refused_booking_leaves_nothing_behind,
        a_booking_writes_its_outbox_row,
        a_released_seat_is_sold_again,
        the_index_guards_seats,
        a_taken_reference_is_replaced,
        seats_are_counted_within_span_and_capacity;
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
