//! The program `cipherlane`.
fn main() {}
