//~ E0603
//! The seal itself can't be reached.

struct Mine;

impl lanes::isa::Sealed for Mine {}

fn main() {}
