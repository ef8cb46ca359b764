//! `sqlx::migrate!` reads folders that cargo does not know of.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed=tests/migrations");
}
