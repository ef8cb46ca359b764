use super::*;

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn form(from: &str, until: &str) -> LeaveRequestForm {
    LeaveRequestForm {
        from: from.to_owned(),
        until: until.to_owned(),
        reason: String::new(),
    }
}

fn refused(form: &LeaveRequestForm) -> Vec<String> {
    let violations = form.parse(now()).expect_err("refused");
    let fields = violations.into_iter().map(|found| found.field);
    fields.collect()
}

#[test]
fn leave_begins_today_at_the_earliest_and_lasts_a_year_at_most() {
    for (from, until) in [
        ("2026-11-21", "2026-11-21"),
        ("2026-11-21", "2027-11-21"),
        ("2028-02-28", "2028-02-29"),
    ] {
        let wanted = form(from, until).parse(now()).expect(from);
        assert_eq!(
            (wanted.from.to_string(), wanted.until.to_string()),
            (from.into(), until.into())
        );
    }
    for (from, until, fields) in [
        ("2026-11-20", "2026-11-25", &["from"][..]),
        ("2026-11-20", "2026-11-19", &["from"]),
        ("2026-11-25", "2026-11-24", &["until"]),
        ("2026-11-21", "2027-11-22", &["until"]),
        ("", "", &["from", "until"]),
        ("2026-02-30", "21.11.2026", &["from", "until"]),
    ] {
        assert_eq!(refused(&form(from, until)), fields, "{from} {until}");
    }
    // 12:10 AM in India, still the day before in UTC.
    let after_midnight = "2026-11-21T18:40:00Z".parse().expect("a moment");
    assert!(
        form("2026-11-21", "2026-11-21")
            .parse(after_midnight)
            .is_err()
    );
}

#[test]
fn a_reason_is_one_line_of_300_characters() {
    let with = |reason: &str| LeaveRequestForm {
        reason: reason.to_owned(),
        ..form("2026-11-23", "2026-11-23")
    };
    let longest = "\u{cb9}".repeat(300);
    let wanted = with(&format!(" {longest} "))
        .parse(now())
        .expect("a reason");
    assert_eq!(wanted.reason, longest);
    assert_eq!(refused(&with(&format!("{longest}x"))), ["reason"]);
    assert!(parse_answer("").is_err());
    assert!(parse_answer(&format!("{longest}x")).is_err());
    assert_eq!(parse_answer(" No cover ").as_deref(), Ok("No cover"));
}
