//! Takes the defaults of addresses and database from the list of services in the root manifest.

fn main() -> Result<(), service_list::ListError> {
    // `sqlx::migrate!` alone only detects changes of known files; a new migration must rebuild the crate too.
    println!("cargo::rerun-if-changed=migrations");
    service_list::service_defaults()
}
