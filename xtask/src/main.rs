//! Every chore of the repository.
fn main() {}
