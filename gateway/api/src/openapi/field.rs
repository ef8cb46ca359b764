//! Properties of a field beside its type: `google.api.field_behavior` (AIP-203) and `hospital.api.v1.limits`.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value as Field};
use serde_json::{Value, json};

const BEHAVIOR: &str = "google.api.field_behavior";
const LIMITS: &str = "hospital.api.v1.limits";

/// Whether the caller must send the field.
pub(super) fn is_required(field: &FieldDescriptor) -> bool {
    has_behavior(field, "REQUIRED")
}

/// Whether the field is ignored in requests.
pub(super) fn is_output_only(field: &FieldDescriptor) -> bool {
    has_behavior(field, "OUTPUT_ONLY")
}

/// Whether the field is empty in every answer.
pub(super) fn is_input_only(field: &FieldDescriptor) -> bool {
    has_behavior(field, "INPUT_ONLY")
}

fn has_behavior(field: &FieldDescriptor, name: &str) -> bool {
    let Some(extension) = field.parent_pool().get_extension_by_name(BEHAVIOR) else {
        return false;
    };
    let Some(wanted) = extension
        .kind()
        .as_enum()
        .and_then(|behaviors| behaviors.get_value_by_name(name))
    else {
        return false;
    };
    let options = field.options();
    let value = options.get_extension(&extension);
    let given = value.as_list().unwrap_or_default();
    given
        .iter()
        .any(|behavior| behavior.as_enum_number() == Some(wanted.number()))
}

/// Strings accepted for a number: the grammar of JSON, and the empty string of a form field that was left empty.
const NUMBER_OR_EMPTY: &str = r"^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?)?$";

/// Adds the field's limits to the schema of its values. In a request, an empty text means that nothing was sent, so it
/// is accepted unless the field is required.
pub(super) fn limit(schema: &mut Value, field: &FieldDescriptor) {
    let Some(extension) = field.parent_pool().get_extension_by_name(LIMITS) else {
        return;
    };
    let options = field.options();
    if !options.has_extension(&extension) {
        return;
    }
    let value = options.get_extension(&extension);
    let Some(limits) = value.as_message() else {
        return;
    };
    if field.is_list() {
        copy(limits, "items_min", schema, "minItems");
        copy(limits, "items_max", schema, "maxItems");
        if let Some(items) = schema.get_mut("items") {
            limit_value(items, limits, true);
        }
    } else {
        limit_value(schema, limits, is_required(field));
    }
    if matches!(
        field.kind(),
        Kind::Double | Kind::Float | Kind::Int32 | Kind::Uint32
    ) {
        for name in ["minimum", "maximum"] {
            copy(limits, name, schema, name);
        }
        let empty = limits.get_field_by_name("empty_is_absent");
        if empty.is_some_and(|empty| empty.as_bool() == Some(true)) {
            schema["type"] = json!([schema["type"].take(), "string"]);
            schema["pattern"] = NUMBER_OR_EMPTY.into();
        }
    }
}

fn limit_value(schema: &mut Value, limits: &DynamicMessage, is_required: bool) {
    copy(limits, "length_max", schema, "maxLength");
    let declared = limits.get_field_by_name("values");
    let lists = declared.iter().filter_map(|values| values.as_list());
    let mut values: Vec<&str> = lists.flatten().filter_map(Field::as_str).collect();
    if !values.is_empty() {
        if !is_required {
            values.push("");
        }
        schema["enum"] = values.into();
    }
    if is_required {
        copy(limits, "length_min", schema, "minLength");
    }
    for name in ["format", "pattern"] {
        let value = limits.get_field_by_name(name);
        let text = value.as_ref().and_then(|value| value.as_str());
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            continue;
        };
        schema[name] = text.into();
        if !is_required {
            *schema = json!({"anyOf": [schema.take(), {"const": ""}]});
        }
    }
}

/// Copies a number, if it is set.
fn copy(limits: &DynamicMessage, name: &str, schema: &mut Value, keyword: &str) {
    let Some(field) = limits.descriptor().get_field_by_name(name) else {
        return;
    };
    if !limits.has_field(&field) {
        return;
    }
    match &*limits.get_field(&field) {
        Field::U32(number) => schema[keyword] = (*number).into(),
        Field::F64(number) if is_whole(*number) => {
            // Written as people write it: 120, not 120.0.
            schema[keyword] = serde_json::from_str(&number.to_string()).unwrap_or_default();
        }
        Field::F64(number) => schema[keyword] = (*number).into(),
        _ => {}
    }
}

fn is_whole(number: f64) -> bool {
    number.fract() == 0.0
}
