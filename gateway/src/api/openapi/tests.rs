use super::*;

fn description() -> Value {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    document(&pool).unwrap()
}

#[test]
fn a_create_describes_body_key_and_location() {
    let post = description()["paths"]["/appointments"]["post"].take();
    assert_eq!(post["operationId"], "CreateAppointment");
    let body = &post["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(body, "#/components/schemas/Appointment");
    let names: Vec<&str> = post["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["Idempotency-Key", "X-Requested-With", "X-Client-Id"]
    );
    let headers = &post["responses"]["201"]["headers"];
    assert!(headers["Location"].is_object() && headers["Idempotent-Replayed"].is_object());
}

#[test]
fn what_needs_a_scope_says_so() {
    let description = description();
    let schemes = &description["components"]["securitySchemes"];
    let mut scoped = 0;
    for operation in operations(&description) {
        for (scheme, scopes) in operation["security"][0].as_object().into_iter().flatten() {
            assert_eq!(schemes[scheme]["type"], "http");
            assert!(scopes[0].is_string());
            assert!(operation["responses"]["401"].is_object());
            scoped += 1;
        }
    }
    assert!(scoped >= 3, "{scoped}");
}

#[test]
fn what_a_secret_opens_says_in_which_header() {
    let description = description();
    let read = &description["paths"]["/appointments/{appointment_id}"]["get"];
    let either = json!([{"bearer": ["appointments:read"]}, {"x-appointment-secret": []}]);
    assert_eq!(read["security"], either);
    let scheme = &description["components"]["securitySchemes"]["x-appointment-secret"];
    assert_eq!(scheme["type"], "apiKey");
    assert_eq!(scheme["in"], "header");
    assert_eq!(scheme["name"], "x-appointment-secret");
}

#[test]
fn an_answer_of_any_media_type_is_described_as_bytes() {
    let description = description();
    let read = &description["paths"]["/appointments/{appointment_id}/calendar"]["get"];
    let content = read["responses"]["200"]["content"].as_object().unwrap();
    assert_eq!(content.keys().collect::<Vec<_>>(), ["*/*"]);
    assert_eq!(content["*/*"]["schema"]["format"], "binary");
    let schemas = description["components"]["schemas"].as_object().unwrap();
    assert!(schemas.keys().all(|name| !name.contains("HttpBody")));
}

#[test]
fn what_is_not_counted_says_so() {
    let description = description();
    let holds = &description["paths"]["/holds/{hold_id}"]["delete"];
    assert_eq!(holds["x-rate-exempt"], true);
    let create = &description["paths"]["/appointments"]["post"];
    assert!(create["x-rate-exempt"].is_null());
}

fn operations(description: &Value) -> impl Iterator<Item = &Value> {
    let paths = description["paths"].as_object().unwrap().values();
    paths.flat_map(|methods| methods.as_object().unwrap().values())
}

#[test]
fn comments_become_descriptions() {
    let document = description();
    let field = &document["components"]["schemas"]["Appointment"]["properties"]["patientName"];
    assert_eq!(field["description"], "1 to 120 characters.");
    let id = &document["components"]["schemas"]["Appointment"]["properties"]["id"];
    assert_eq!(id["readOnly"], true);
    assert!(!document.to_string().contains("buf:lint"));
}

#[test]
fn every_reference_leads_somewhere() {
    fn references(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                out.extend(
                    object
                        .get("$ref")
                        .and_then(|r| r.as_str())
                        .map(str::to_owned),
                );
                object.values().for_each(|value| references(value, out));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, out)),
            _ => {}
        }
    }
    let document = description();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 20);
    for reference in found {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}
