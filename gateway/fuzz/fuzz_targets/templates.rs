#![no_main]

use gateway_contract::template::Template;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (template, path) = input;
    if let Ok(template) = Template::parse(template) {
        if let Some(values) = template.capture(path) {
            assert!(template.matches(path));
            assert_eq!(values.len(), template.field_paths().count());
        }
        template.route(str::to_owned);
    }
});
