//! A new migration file must rebuild the crate: `sqlx::migrate!` alone only sees changes of known files.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
