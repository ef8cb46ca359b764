use super::*;
use crate::domain::roster::Seed;

/// Saturday, 21 November 2026, 3:10 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:40:00Z".parse().expect("a moment")
}

fn form(change: impl FnOnce(&mut DeskForm)) -> DeskForm {
    let mut form = DeskForm {
        patient_name: "Asha Rao".to_owned(),
        phone: "98450 12345".to_owned(),
        date: "2026-11-21".to_owned(),
        time: "3:00 PM".to_owned(),
        department: "General Medicine".to_owned(),
        request_id: "0123456789abcdef".to_owned(),
        ..DeskForm::default()
    };
    change(&mut form);
    form
}

/// Returns the violated fields.
fn violated(change: impl FnOnce(&mut DeskForm)) -> Vec<String> {
    let refusal = form(change).parse(&Seed::embedded().roster(), now());
    let violations = refusal.expect_err("refused").violations.into_iter();
    violations.map(|found| found.field).collect()
}

#[test]
fn a_phone_number_or_an_e_mail_address_is_enough() {
    let contact = |change: fn(&mut DeskForm)| {
        let parsed = form(change).parse(&Seed::embedded().roster(), now());
        let contact = parsed.expect("valid").1.contact;
        (contact.phone, contact.email)
    };
    let phone = "98450 12345".to_owned();
    assert_eq!(contact(|_| {}), (phone, String::new()));
    let by_mail = contact(|form| {
        form.phone = " ".to_owned();
        form.email = "asha@example.com".to_owned();
    });
    assert_eq!(by_mail, (String::new(), "asha@example.com".to_owned()));
    assert_eq!(violated(|form| form.phone.clear()), ["phone"]);
    assert_eq!(violated(|form| form.email = "asha@".to_owned()), ["email"]);
    assert_eq!(violated(|form| form.phone = "98450".to_owned()), ["phone"]);
}

#[test]
fn every_violation_is_reported_at_once() {
    let all = violated(|form| *form = DeskForm::default());
    let expected = [
        "patientName",
        "phone",
        "date",
        "time",
        "department",
        "requestId",
    ];
    assert_eq!(all, expected);
}

#[test]
fn the_running_time_is_booked_and_a_past_one_is_not() {
    let arrived = |form: &mut DeskForm| form.arrived = true;
    assert!(
        form(arrived)
            .parse(&Seed::embedded().roster(), now())
            .is_ok()
    );
    assert_eq!(violated(|form| form.time = "2:30 PM".to_owned()), ["time"]);
    assert_eq!(
        violated(|form| form.date = "2026-11-20".to_owned()),
        ["date"]
    );
    let tomorrow = violated(|form| {
        form.arrived = true;
        form.date = "2026-11-23".to_owned();
    });
    assert_eq!(tomorrow, ["arrived"]);
    assert_eq!(
        violated(|form| form.department = "Emergency".to_owned()),
        ["department"]
    );
}
