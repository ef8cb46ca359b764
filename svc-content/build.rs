//! Sets the default addresses and database from the list of services in the root manifest.

fn main() -> Result<(), service_list::ListError> {
    // `sqlx::migrate!` alone notices changes of known files only; a new migration must also trigger a rebuild.
    println!("cargo::rerun-if-changed=migrations");
    service_list::service_defaults()
}
