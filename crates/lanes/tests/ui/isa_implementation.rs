//~ E0277 E0046
//! An implementation from outside lacks the seal, whatever else it has.

#[derive(Clone, Copy)]
struct Mine;

impl lanes::Registers for Mine {
    type V = u64;
}

fn main() {}
