//! The migrations are part of the program: a new one must rebuild it.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
