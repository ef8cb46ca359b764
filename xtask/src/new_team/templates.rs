//! Paths and contents of a new team's files. The suffix `.template` keeps tools from treating them as sources.

macro_rules! template {
    ($path:literal, $file:literal) => {
        (
            $path,
            include_str!(concat!("../../templates/team/", $file, ".template")),
        )
    };
}

/// Path from the root and text of each file, with the placeholders `@team@` and `@Team@` for the name.
pub(super) const TEMPLATES: [(&str, &str); 26] = [
    template!("proto/hospital/@team@/v1/@team@.proto", "proto/team.proto"),
    template!("svc-@team@/Cargo.toml", "Cargo.toml"),
    template!("svc-@team@/build.rs", "build.rs"),
    template!(
        "svc-@team@/migrations/postgres/0001_topics_and_enquiries.sql",
        "migrations/postgres/0001_topics_and_enquiries.sql"
    ),
    template!(
        "svc-@team@/migrations/sqlite/0001_topics_and_enquiries.sql",
        "migrations/sqlite/0001_topics_and_enquiries.sql"
    ),
    template!("svc-@team@/src/config.rs", "src/config.rs"),
    template!("svc-@team@/src/domain.rs", "src/domain.rs"),
    template!("svc-@team@/src/lib.rs", "src/lib.rs"),
    template!("svc-@team@/src/main.rs", "src/main.rs"),
    template!("svc-@team@/src/service.rs", "src/service.rs"),
    template!("svc-@team@/src/store.rs", "src/store.rs"),
    template!(
        "svc-@team@/src/store/retention.rs",
        "src/store/retention.rs"
    ),
    template!("svc-@team@/src/wire.rs", "src/wire.rs"),
    template!(
        "svc-@team@/tests/conformance/enquiries.rs",
        "tests/conformance/enquiries.rs"
    ),
    template!(
        "svc-@team@/tests/conformance/main.rs",
        "tests/conformance/main.rs"
    ),
    template!(
        "svc-@team@/tests/conformance/program.rs",
        "tests/conformance/program.rs"
    ),
    template!(
        "svc-@team@/tests/conformance/serving.rs",
        "tests/conformance/serving.rs"
    ),
    template!(
        "svc-@team@/tests/conformance/topics.rs",
        "tests/conformance/topics.rs"
    ),
    template!(
        "svc-@team@/web/module.config.json",
        "web/module.config.json"
    ),
    template!("svc-@team@/web/package.json", "web/package.json"),
    template!(
        "svc-@team@/web/src/@team@.module.css",
        "web/src/team.module.css"
    ),
    template!(
        "svc-@team@/web/src/@team@.test.tsx",
        "web/src/team.test.tsx"
    ),
    template!("svc-@team@/web/src/@team@.tsx", "web/src/team.tsx"),
    template!("svc-@team@/web/src/enquiry.ts", "web/src/enquiry.ts"),
    template!(
        "svc-@team@/web/src/staff-@team@.test.tsx",
        "web/src/staff-team.test.tsx"
    ),
    template!(
        "svc-@team@/web/src/staff-@team@.tsx",
        "web/src/staff-team.tsx"
    ),
];
