//! Reruns the build when a migration changes: cargo does not track the folders that `sqlx::migrate!` reads.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed=tests/migrations");
}
