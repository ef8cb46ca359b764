//! Refused input, and the paths that name it.

use gateway_wire::WireError;

use crate::contract::subject;

fn fields(message: &str, json: &str) -> Vec<(String, String)> {
    match subject(message).bytes(json) {
        Err(WireError::Fields(fields)) => {
            let fields = fields.into_iter();
            fields.map(|field| (field.field, field.message)).collect()
        }
        other => panic!("{json}: {other:?}"),
    }
}

#[test]
fn names_every_violation_by_its_path() {
    let json = r#"{
        "id": 5, "colour": {"a": [1]}, "scalars": {"anInt32": 2147483648, "aBool": "true", "aColour": "GREEN", "aBytes": "%"},
        "tags": ["a", null, 7], "tree": {"branches": [{"name": []}, {"trunk": 4}], "leaves": {"x.y": {"nme": "a"}}}
    }"#;
    let refused = fields("everything.v1.Thing", json);
    let expected = [
        ("id", "must be text"),
        ("colour", "is not a known field"),
        (
            "scalars.anInt32",
            "must be a whole number from -2147483648 to 2147483647",
        ),
        ("scalars.aBool", "must be true or false"),
        (
            "scalars.aColour",
            "must be one of COLOUR_BLUE, COLOUR_UNSPECIFIED, COLOUR_SCARLET, COLOUR_RED, COLOUR_FAR",
        ),
        ("scalars.aBytes", "must be base64"),
        ("tags[1]", "must be text"),
        ("tags[2]", "must be text"),
        ("tree.branches[0].name", "must be text"),
        ("tree.branches[1].trunk", "must be an object"),
        ("tree.leaves.x.y.nme", "is not a known field"),
    ];
    let refused: Vec<_> = refused.iter().map(|(f, m)| (&**f, &**m)).collect();
    assert_eq!(refused, expected);
}

#[test]
fn refuses_duplicate_fields() {
    for (message, json, path) in [
        ("Scalars", r#"{"aString":"a","aString":"a"}"#, "aString"),
        ("Scalars", r#"{"aString":"a","a_string":"b"}"#, "aString"),
        ("Scalars", r#"{"aString":null,"a_string":"b"}"#, "aString"),
        ("Maps", r#"{"int32s":{"1":"a","01":"b"}}"#, "int32s.01"),
        ("Maps", r#"{"strings":{"a":{},"\u0061":{}}}"#, "strings.a"),
        ("WellKnown", r#"{"struct":{"a":1,"a":2}}"#, "struct.a"),
        ("WellKnown", r#"{"value":[{"a":1,"a":2}]}"#, "value[0].a"),
        (
            "WellKnown",
            r#"{"any":{"@type":"x/everything.v1.Tree","name":"a","name":"b"}}"#,
            "any",
        ),
        ("Choice", r#"{"text":"a","number":1}"#, "number"),
        ("Choice", r#"{"value":null,"text":"a"}"#, "text"),
    ] {
        let refused = fields(&format!("everything.v1.{message}"), json);
        let paths: Vec<&str> = refused.iter().map(|(field, _)| &**field).collect();
        assert_eq!(paths, [path], "{json}");
    }
    // A null member counts as absent.
    let choice = subject("everything.v1.Choice");
    assert_eq!(
        choice.bytes(r#"{"text":null,"number":1}"#),
        choice.bytes(r#"{"number":1}"#)
    );
}

#[test]
fn refuses_numbers_that_would_be_truncated() {
    for json in [
        r#"{"anInt64":9223372036854775808.0}"#,
        r#"{"anUint64":18446744073709551616}"#,
        r#"{"aDouble":"1e400"}"#,
        r#"{"aDouble":1e400}"#,
        r#"{"aFloat":1e39}"#,
        r#"{"aFloat":"1e39"}"#,
        r#"{"aDouble":"inf"}"#,
        r#"{"aDouble":".5"}"#,
        r#"{"aDouble":"+1.0"}"#,
        r#"{"aDouble":""}"#,
        r#"{"anInt32":1.5}"#,
        r#"{"anUint32":-1}"#,
        r#"{"aColour":1.0}"#,
    ] {
        assert_eq!(fields("everything.v1.Scalars", json).len(), 1, "{json}");
    }
}

// S9: forms send a field that was left empty as an empty text.
#[test]
fn empty_text_is_an_absent_number_if_declared() {
    let person = subject("hospital.assessment.v1.PersonalInfo");
    let absent = person.bytes(r#"{"gender":"male"}"#);
    assert!(absent.is_ok());
    for json in [
        r#"{"age":"","gender":"male","height":"","weight":""}"#,
        r#"{"age": "" ,"gender":"male","height":null}"#,
    ] {
        assert_eq!(person.bytes(json), absent, "{json}");
    }
    for json in [r#"{"height":" "}"#, r#"{"height":"x"}"#, r#"{"age":[]}"#] {
        assert_eq!(
            fields("hospital.assessment.v1.PersonalInfo", json).len(),
            1,
            "{json}"
        );
    }
}

#[test]
fn refuses_malformed_json_as_a_whole() {
    let tree = subject("everything.v1.Tree");
    let deep = format!("{}{}", r#"{"trunk":"#.repeat(64), "{}");
    let too_deep = format!("{deep}{}", "}".repeat(64));
    for json in [
        "",
        "{",
        "{}x",
        "{,}",
        r#"{"name":"a",}"#,
        r#"{"name":"\ud800"}"#,
        r#"{"name":"\udc00\ud800"}"#,
        "{\"name\":\"\u{1}\"}",
        r#"{"name":01}"#,
        r#"{name:"a"}"#,
        r#"{"name":'a'}"#,
        r#"{"unknown":nul}"#,
        "\u{feff}{}",
        &deep,
        &too_deep,
    ] {
        let refused = tree.bytes(json);
        assert!(matches!(refused, Err(WireError::Unreadable(_))), "{json}");
    }
    let fits = format!("{}{{}}{}", r#"{"trunk":"#.repeat(63), "}".repeat(63));
    assert!(tree.bytes(&fits).is_ok());
}

#[test]
fn bounds_depth_for_every_decoder() {
    let value = subject("google.protobuf.Value");
    let nested = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    let deepest = (1..80)
        .rev()
        .find(|levels| value.bytes(&nested(*levels)).is_ok());
    assert_eq!(deepest, Some(32));
    assert!(value.expected_message(&nested(32)).is_ok());
}

#[test]
fn refusals_are_bounded() {
    let members: Vec<String> = (0..5_000).map(|n| format!("\"x{n}\":1")).collect();
    let json = format!("{{{}}}", members.join(","));
    assert_eq!(fields("everything.v1.Thing", &json).len(), 50);
}
