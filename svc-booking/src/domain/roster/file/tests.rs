use super::*;

/// Returns a valid file for the tests to corrupt.
fn fine() -> String {
    let good = "[[departments]]\nid = \"ent\"\nname = \"ENT\"\n";
    let doctor =
        "[[doctors]]\nid = \"d\"\nname = \"Dr. D\"\nfee_rupees = 500\nplace = \"Ground floor\"\n";
    let clinic = "[[sessions]]\nid = \"c\"\ndepartment = \"ent\"\nname = \"Clinic\"\nweekdays = [\"Tue\"]\n\
                  from = \"9:00 AM\"\nuntil = \"1:00 PM\"\nfee_rupees = 400\nplace = \"Second floor\"\n";
    let session = "[[sessions]]\nid = \"s\"\ndepartment = \"ent\"\ndoctor = \"d\"\nweekdays = [\"Mon\"]\n\
                   from = \"9:00 AM\"\nuntil = \"1:00 PM\"\nseats = 2\n";
    let leave =
        "[[leaves]]\nresource = \"doctor:d\"\nfrom = \"2026-12-01\"\nuntil = \"2026-12-02\"\n";
    let fine = format!("{good}{session}{leave}{doctor}{clinic}");
    Seed::parse("r.toml", &fine).expect("the file to spoil is fine");
    fine
}

/// Checks that each change of the file is refused with a message that begins as expected.
fn refuses(cases: &[(&str, &str, &str)]) {
    for (from, to, expected) in cases {
        let text = fine().replacen(from, to, 1);
        let message = Seed::parse("r.toml", &text)
            .expect_err(expected)
            .to_string();
        assert!(
            message.starts_with(expected),
            "{message:?} should start with {expected:?}"
        );
    }
}

#[test]
fn a_bad_file_names_file_line_and_field() {
    refuses(&[
        (
            "= 2",
            "= 0",
            "r.toml:11: sessions[0].seats: 1 to 100 is expected",
        ),
        (
            "= 2",
            "= \"two\"",
            "r.toml:11: sessions[0].seats: invalid type",
        ),
        ("= 2", "= ", "r.toml:11: (file): "),
        (
            "name = \"ENT\"",
            "name = \"Ear\"",
            "r.toml:2: departments[0].id: the id of 'Ear' is 'ear'",
        ),
        (
            "name = \"ENT\"",
            "label = \"ENT\"",
            "r.toml:3: departments[0].label: unknown field",
        ),
        (
            "name = \"ENT\"",
            "name = \"ENT\"\nbookable = false",
            "r.toml:7: sessions[0].department: 'ent' is no bookable",
        ),
        (
            "department = \"ent\"",
            "department = \"eye\"",
            "r.toml:6: sessions[0].department: 'eye' is no",
        ),
        (
            "doctor = \"d\"\n",
            "",
            "r.toml:5: sessions[0].name: a session without a doctor",
        ),
        ("id = \"s\"", "id = \"a,b\"", "r.toml:5: sessions[0].id: "),
        (
            "\"Mon\"",
            "\"Moonday\"",
            "r.toml:8: sessions[0].weekdays: short or long weekday names",
        ),
        (
            "\"Mon\"",
            "\"Sun\"",
            "r.toml:8: sessions[0].weekdays: at least one day",
        ),
        (
            "[\"Mon\"]",
            "[]",
            "r.toml:8: sessions[0].weekdays: at least one day",
        ),
        (
            "\"9:00 AM\"",
            "\"nine\"",
            "r.toml:9: sessions[0].from: a time such as",
        ),
        (
            "\"1:00 PM\"",
            "\"8:00 AM\"",
            "r.toml:5: sessions[0].until: must be later",
        ),
        (
            "\"doctor:d\"",
            "\"doctor:e\"",
            "r.toml:13: leaves[0].resource: no session",
        ),
    ]);
}

/// U2: a bookable doctor has a name, a fee and a place.
#[test]
fn a_file_without_names_fees_and_places_is_refused() {
    refuses(&[
        (
            "doctor = \"d\"",
            "doctor = \"e\"",
            "r.toml:7: sessions[0].doctor: no entry of [[doctors]] has the id 'e'",
        ),
        (
            "doctor = \"d\"",
            "doctor = \"d\"\nfee_rupees = 5",
            "r.toml:7: sessions[0].doctor: fee and place of a doctor are in its entry",
        ),
        ("= 500", "= 0", "r.toml:19: doctors[0].fee_rupees: 1 to"),
        (
            "Dr. D",
            " ",
            "r.toml:18: doctors[0].name: one line of 1 to 120",
        ),
        (
            "place = \"Ground floor\"\n",
            "",
            "r.toml:16: doctors[0]: missing field `place`",
        ),
        ("= 400", "= 0", "r.toml:28: sessions[1].fee_rupees: 1 to"),
        (
            "\"Second floor\"",
            "\"\"",
            "r.toml:29: sessions[1].place: one line",
        ),
        (
            "2026-12-02",
            "2026-11-30",
            "r.toml:13: leaves[0].until: is before",
        ),
    ]);
}

#[test]
fn consultations_by_video_have_a_fee_and_hours() {
    let with =
        |video: &str| fine().replacen("name = \"ENT\"", &format!("name = \"ENT\"\n{video}"), 1);
    let video =
        r#"video = { fee_rupees = 400, weekdays = ["Mon"], from = "6:00 PM", until = "9:00 PM" }"#;
    let seed = Seed::parse("r.toml", &with(video)).expect("valid");
    let found = seed.departments[0].video.expect("by video");
    let hours = (found.hours.from_minutes, found.hours.until_minutes);
    assert_eq!((found.fee_rupees, hours), (400, (1080, 1260)));
    for (from, to, expected) in [
        ("400", "0", "fee_rupees: 1 to 100000 rupees are expected"),
        (
            "\"Mon\"",
            "\"Sun\"",
            "weekdays: at least one day from Monday",
        ),
        ("9:00 PM", "6:00 PM", "until: must be later than `from`"),
    ] {
        let text = with(&video.replacen(from, to, 1));
        let message = Seed::parse("r.toml", &text).expect_err(to).to_string();
        let expected = format!("r.toml:4: departments[0].video.{expected}");
        assert!(message.starts_with(&expected), "{message:?}");
    }
}

#[test]
fn the_example_of_another_hospital_is_valid() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = folder.join("../examples/second-hospital/resources.toml");
    let text = std::fs::read_to_string(path).expect("the example");
    let seed = Seed::parse("resources.toml", &text).expect("a valid file");
    assert_eq!(seed.doctors.len(), 6);
}
