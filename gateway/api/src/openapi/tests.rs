use prost_reflect::FieldDescriptor;

use super::*;

fn description() -> Value {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    document(&pool).unwrap()
}

#[test]
fn describes_body_key_and_location_of_a_create() {
    let post = description()["paths"]["/appointments"]["post"].take();
    assert_eq!(post["operationId"], "CreateAppointment");
    let body = &post["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(body, "#/components/schemas/AppointmentInput");
    let names: Vec<&str> = post["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "Idempotency-Key",
            "Accept-Language",
            "X-Requested-With",
            "X-Client-Id"
        ]
    );
    let headers = &post["responses"]["201"]["headers"];
    assert!(headers["Location"].is_object() && headers["Idempotent-Replayed"].is_object());
}

#[test]
fn describes_the_language_of_reads() {
    let document = description();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let mut all = operation["parameters"].as_array().into_iter().flatten();
            let found = all.find(|parameter| parameter["name"] == "lang");
            assert_eq!(found.is_some(), method == "get", "{method} {path}");
            let values = found.map(|parameter| &parameter["schema"]["enum"]);
            assert!(values.is_none_or(|values| *values == serde_json::json!(["en", "kn", "hi"])));
        }
    }
}

#[test]
fn describes_required_scopes() {
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
fn describes_the_header_of_a_secret() {
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
fn describes_an_answer_of_any_media_type_as_bytes() {
    let description = description();
    let read = &description["paths"]["/appointments/{appointment_id}/calendar"]["get"];
    let content = read["responses"]["200"]["content"].as_object().unwrap();
    assert_eq!(content.keys().collect::<Vec<_>>(), ["*/*"]);
    assert_eq!(content["*/*"]["schema"], json!({}));
    let schemas = description["components"]["schemas"].as_object().unwrap();
    assert!(schemas.keys().all(|name| !name.contains("HttpBody")));
}

#[test]
fn describes_operations_exempt_from_rate_limits() {
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
fn resolves_every_reference() {
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

/// Returns every field of every message of the contracts.
fn fields() -> Vec<FieldDescriptor> {
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
    let messages = pool.all_messages();
    let ours = messages.filter(|message| message.full_name().starts_with("hospital."));
    ours.flat_map(|message| message.fields().collect::<Vec<_>>())
        .collect()
}

/// Comments are for people and annotations for programs; both must agree.
#[test]
fn annotates_fields_that_a_comment_calls_required() {
    let mut seen = 0;
    for field in fields() {
        let text = schema::comment_of_field(&field);
        let mut sentences = text.split_inclusive(['.', ':', '(']).map(str::trim);
        let is_said =
            sentences.any(|sentence| matches!(sentence, "Required." | "Required:" | "Required ("));
        if is_said {
            seen += 1;
            let name = field.full_name();
            assert!(
                field::is_required(&field),
                "{name}: `Required.` without field_behavior"
            );
        }
        if text.starts_with("Output only.") {
            let name = field.full_name();
            assert!(
                field::is_output_only(&field),
                "{name}: `Output only.` without field_behavior"
            );
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn requires_fields_in_parameters_and_bodies() {
    let document = description();
    let query = document["paths"]["/availability"]["get"]["parameters"].as_array();
    let department = query.unwrap().iter().find(|p| p["name"] == "department");
    assert_eq!(department.unwrap()["required"], true);
    let search = document["paths"]["/search"]["get"]["parameters"].as_array();
    let words = search.unwrap().iter().find(|p| p["name"] == "q").unwrap();
    assert_eq!(
        (&words["required"], &words["schema"]["maxLength"]),
        (&json!(true), &json!(100))
    );
    let input = &document["components"]["schemas"]["AppointmentInput"];
    assert_eq!(
        input["required"],
        json!(["patientName", "email", "phone", "date", "time"])
    );
    assert_eq!(input["additionalProperties"], false);
    assert_eq!(input["properties"]["email"]["format"], "email");
    assert_eq!(input["properties"]["holdId"]["writeOnly"], true);
    // An answer has every field but those whose absence has a meaning, and is exempt from the limits of requests.
    let answer = &document["components"]["schemas"]["Appointment"];
    let required = answer["required"].as_array().unwrap();
    assert!(required.contains(&json!("reference")) && !required.contains(&json!("startsAt")));
    assert!(answer["properties"]["email"]["format"].is_null());
}

#[test]
fn allows_an_empty_value_of_parameters_that_are_no_text() {
    let description = description();
    let parameters = description["paths"]["/doctors"]["get"]["parameters"].as_array();
    let allows = |name: &str| {
        let mut found = parameters.unwrap().iter();
        let parameter = found.find(|parameter| parameter["name"] == name).unwrap();
        parameter["allowEmptyValue"] == true
    };
    assert!(allows("pageSize"));
    assert!(!allows("pageToken"));
}

#[test]
fn excludes_path_and_header_fields_from_the_body() {
    let document = description();
    let body = &document["components"]["schemas"]["MoveAppointmentRequestInput"];
    let names: Vec<&String> = body["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["date", "department", "doctorId", "time"]);
    let post = &document["paths"]["/appointments/{appointment_id}:move"]["post"];
    let headers = post["parameters"].as_array().unwrap().iter();
    let headers: Vec<(&str, bool)> = headers
        .filter(|parameter| parameter["in"] == "header")
        .map(|p| (p["name"].as_str().unwrap(), p["required"] == true))
        .collect();
    let expected = [
        ("Idempotency-Key", false),
        ("If-Match", true),
        ("Accept-Language", false),
        ("X-Requested-With", true),
        ("X-Client-Id", false),
    ];
    assert_eq!(headers, expected);
}

#[test]
fn lists_every_status_of_an_operation() {
    let document = description();
    let of = |path: &str, method: &str| -> Vec<String> {
        let responses = &document["paths"][path][method]["responses"];
        responses.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(
        of("/doctors", "get"),
        [
            "200", "304", "400", "414", "429", "500", "502", "503", "504"
        ]
    );
    assert_eq!(
        of("/appointments", "post"),
        [
            "201", "400", "403", "404", "408", "409", "413", "414", "415", "422", "429", "500",
            "502", "503", "504"
        ]
    );
    let moved = of("/appointments/{appointment_id}:move", "post");
    assert!(moved.contains(&"412".to_owned()) && moved.contains(&"401".to_owned()));
    assert!(of("/holds/{hold_id}", "delete").contains(&"204".to_owned()));
    for operation in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let is_problem = status.as_str() >= "400";
            assert_eq!(response["$ref"].is_string(), is_problem, "{status}");
        }
    }
}

#[test]
fn merges_paths_that_differ_in_variable_names() {
    let document = description();
    let mut shapes = std::collections::HashSet::new();
    for path in document["paths"].as_object().unwrap().keys() {
        let parts = path
            .split('{')
            .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
        let shape: Vec<&str> = parts.collect();
        assert!(shapes.insert(shape.join("{}")), "{path}");
    }
    let blog = &document["paths"]["/blogs/{blog}"];
    assert!(blog["get"].is_object() && blog["put"].is_object() && blog["delete"].is_object());
    assert_eq!(blog["put"]["parameters"][0]["name"], "blog");
}
