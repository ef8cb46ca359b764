//! Departments and free times that visitors look at, and the invalidation of gateways' caches.

use hospital_proto::{
    booking::v1::{
        ErasePatientRequest, ListAvailabilityRequest, ListDepartmentsRequest, ListFreeTimesRequest,
        ListNextAvailableRequest, privacy_service_client::PrivacyServiceClient,
    },
    hospital::api::v1::{WatchChangesRequest, change_service_client::ChangeServiceClient},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, changed, request},
    leave_requests::{asked, decline, grant, withdraw},
    serving::{Serving, violated},
};

on_both_databases!(test_kit::bench::empty:
    departments_are_paged,
    availability_agrees_with_booking,
    next_times_agree_with_availability,
    next_days_agree_with_availability,
    a_change_names_the_department_and_the_list,
);

async fn departments_are_paged(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let mut found = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListDepartmentsRequest {
            page_size: 4,
            page_token,
        };
        let page = client
            .list_departments(request)
            .await
            .expect("a page")
            .into_inner();
        assert!(page.departments.len() <= 4);
        found.extend(page.departments);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let names: Vec<&str> = found
        .iter()
        .map(|department| department.name.as_str())
        .collect();
    let expected = [
        "ENT",
        "Urology",
        "Pediatrics",
        "General Medicine",
        "Cardiology",
        "Emergency",
    ];
    assert_eq!(names, expected);
    assert_eq!(found[0].doctor_ids, ["d1", "d2", "d3"]);
    assert!(found[0].bookable && !found[5].bookable);
    let bad = ListDepartmentsRequest {
        page_size: -1,
        page_token: "?".to_owned(),
    };
    let status = client.list_departments(bad).await.expect_err("refused");
    assert_eq!(violated(&status), ["pageSize", "pageToken"]);
    serving.stop().await;
    bench.end().await;
}

/// Every slot that is listed as free can be booked, and no other.
async fn availability_agrees_with_booking(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    serving.booked(request("ENT", "d1", "9:00 AM")).await;
    serving.booked(request("Urology", "", "9:00 AM")).await;
    // Saturday from 4:00 PM to 6:30 PM: 6, none in ENT. Monday's and Tuesday's mornings: 8 with a doctor.
    for (department, doctor, expected) in [("ENT", "d1", 15), ("Urology", "", 6 + 17 + 18)] {
        let span = ListAvailabilityRequest {
            department: department.to_owned(),
            doctor: doctor.to_owned(),
            from: "2026-11-20".to_owned(),
            to: TUESDAY.to_owned(),
        };
        let listed = client
            .list_availability(span)
            .await
            .expect("listed")
            .into_inner();
        assert_eq!(listed.time_zone, "Asia/Kolkata");
        assert_eq!(listed.days.len(), 5);
        let mut free = 0;
        for day in listed.days {
            assert_eq!(day.slots.len(), 18);
            let has_free = day.slots.iter().any(|slot| slot.available);
            assert_eq!(day.closed_reason.is_empty(), has_free);
            for slot in day.slots {
                let asked = changed(&request(department, doctor, &slot.time), |body| {
                    body.date.clone_from(&day.date);
                });
                let answer = client.create_appointment(asked).await;
                let is_booked = answer.is_ok();
                assert_eq!(
                    is_booked, slot.available,
                    "{department} {} {}",
                    day.date, slot.time
                );
                free += u32::from(is_booked);
            }
        }
        assert_eq!(free, expected, "{department} {doctor}");
    }
    serving.stop().await;
    bench.end().await;
}

async fn next_times_agree_with_availability(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    let first = changed(&request("Urology", "", "4:00 PM"), |body| {
        body.date = "2026-11-21".into();
    });
    serving.booked(first).await;
    let span = ListFreeTimesRequest {
        from: String::new(),
        to: TUESDAY.to_owned(),
    };
    let listed = client
        .list_free_times(span)
        .await
        .expect("listed")
        .into_inner();
    assert_eq!(listed.departments.len(), 5, "Emergency has no times");
    for department in listed.departments {
        let span = ListAvailabilityRequest {
            department: department.department.clone(),
            to: TUESDAY.to_owned(),
            ..ListAvailabilityRequest::default()
        };
        let availability = client
            .list_availability(span)
            .await
            .expect("listed")
            .into_inner();
        for (short, long) in department.days.iter().zip(availability.days) {
            let free: Vec<_> = long.slots.iter().filter(|slot| slot.available).collect();
            let times: Vec<_> = free.iter().map(|slot| slot.time.clone()).collect();
            assert_eq!(short.free, times);
            let who = short.free_resources.iter().map(|index| {
                let index = usize::try_from(*index).expect("an index");
                department.resources[index].as_str()
            });
            let expected = free.iter().map(|slot| slot.resource());
            assert!(who.eq(expected), "{}", department.department);
            assert_eq!(
                (&short.date, &short.closed_reason, short.closed_code),
                (&long.date, &long.closed_reason, long.closed_code)
            );
        }
    }
    let mut next = async |doctors: &[&str], department: &str| {
        let asked = ListNextAvailableRequest {
            doctors: doctors.iter().map(|id| (*id).to_owned()).collect(),
            department: department.to_owned(),
            days: 0,
        };
        let found = client
            .list_next_available(asked)
            .await
            .expect("listed")
            .into_inner()
            .next;
        let found = found
            .into_iter()
            .map(|next| format!("{} {} {}", next.doctor, next.date, next.time));
        found.collect::<Vec<_>>()
    };
    assert_eq!(next(&[], "Urology").await, [" 2026-11-21 4:30 PM"]);
    let expected = ["d3 2026-11-23 9:00 AM", "g1 2026-11-21 4:00 PM"];
    assert_eq!(next(&["d3,nobody", "g1"], "").await, expected);
    assert_eq!(next(&["*"], "").await.len(), 5);
    serving.stop().await;
    bench.end().await;
}

/// The days begin with the day of the next time, and list exactly the free times of ListAvailability.
async fn next_days_agree_with_availability(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.booking();
    serving.booked(request("ENT", "d1", "9:00 AM")).await;
    let asked = |days| ListNextAvailableRequest {
        doctors: vec!["d1".to_owned()],
        department: String::new(),
        days,
    };
    let listed = client.list_next_available(asked(3)).await.expect("listed");
    let next = listed.into_inner().next.remove(0);
    assert_eq!(
        (next.date.as_str(), next.time.as_str()),
        (MONDAY, "9:30 AM")
    );
    let dates: Vec<&str> = next.days.iter().map(|day| day.date.as_str()).collect();
    assert_eq!(
        dates,
        [MONDAY, TUESDAY, "2026-11-30"],
        "d1 sits on Mondays and Tuesdays"
    );
    assert_eq!(next.days[0].times[0], next.time);
    for day in next.days {
        let span = ListAvailabilityRequest {
            department: "ENT".to_owned(),
            doctor: "d1".to_owned(),
            from: day.date,
            to: String::new(),
        };
        let listed = client.list_availability(span).await.expect("listed");
        let slots = listed.into_inner().days.remove(0).slots;
        let free = slots.into_iter().filter(|slot| slot.available);
        let free: Vec<String> = free.map(|slot| slot.time).collect();
        assert_eq!(day.times, free);
    }
    for refused in [-1, 6] {
        let answer = client.list_next_available(asked(refused)).await;
        assert_eq!(violated(&answer.expect_err("refused")), ["days"]);
    }
    serving.stop().await;
    bench.end().await;
}

async fn a_change_names_the_department_and_the_list(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut changes = ChangeServiceClient::new(serving.channel.clone());
    let mut stream = changes
        .watch_changes(WatchChangesRequest {})
        .await
        .expect("a stream")
        .into_inner();
    let mut next = async || stream.message().await.expect("no error").expect("a change");
    let first = next().await;
    assert!(first.paths.is_empty());
    serving
        .booked(request("General Medicine", "", "9:00 AM"))
        .await;
    let change = next().await;
    assert_ne!(change.revision, first.revision);
    let expected = [
        "/availability?department=general-medicine",
        "/availability?department=General+Medicine",
        "/free-times",
        "/appointments",
        "/booking-bursts",
    ];
    assert_eq!(change.paths, expected);
    let day = hospital_proto::booking::v1::CreateHolidayRequest {
        holiday: Some(hospital_proto::booking::v1::Holiday {
            date: TUESDAY.to_owned(),
            name: "Festival".to_owned(),
        }),
    };
    let day = serving.staff(crate::serving::ROSTERS_WRITE, day);
    serving.roster().create_holiday(day).await.expect("entered");
    let expected = [
        "/availability",
        "/free-times",
        "/next-available",
        "/departments",
        "/sessions",
        "/leaves",
        "/holidays",
        "/appointments",
        "/leave-requests",
        "/own-leave-requests",
    ];
    assert_eq!(next().await.paths, expected);
    // Each act on a request for leave changes the doctor's own list and that of those who decide.
    let lists = ["/leave-requests", "/own-leave-requests"];
    let one = asked(
        &serving,
        "d2",
        crate::leave_requests::wanted(MONDAY, MONDAY),
    )
    .await
    .expect("asked");
    assert_eq!(next().await.paths, lists);
    withdraw(&serving, "d2", &one.id, &one.etag)
        .await
        .expect("withdrawn");
    assert_eq!(next().await.paths, lists);
    let two = asked(
        &serving,
        "d2",
        crate::leave_requests::wanted(MONDAY, MONDAY),
    )
    .await
    .expect("asked");
    assert_eq!(next().await.paths, lists);
    decline(&serving, &two.id, &two.etag, "Nobody can stand in")
        .await
        .expect("declined");
    assert_eq!(next().await.paths, lists);
    let three = asked(
        &serving,
        "d2",
        crate::leave_requests::wanted(MONDAY, MONDAY),
    )
    .await
    .expect("asked");
    assert_eq!(next().await.paths, lists);
    grant(&serving, &three.id, &three.etag)
        .await
        .expect("granted");
    assert_eq!(next().await.paths, expected);
    // An erasure may touch each list of people.
    let whose = ErasePatientRequest {
        phone: "+91 98450 00000".to_owned(),
        ..ErasePatientRequest::default()
    };
    let whose = serving.staff("patients:erase", whose);
    let mut privacy = PrivacyServiceClient::new(serving.channel.clone());
    privacy.erase_patient(whose).await.expect("erased");
    let people = [
        "/appointments",
        "/waitlist-entries",
        "/consultations",
        "/booking-bursts",
    ];
    assert_eq!(next().await.paths, [&people[..], &lists].concat());
    serving.stop().await;
    bench.end().await;
}
