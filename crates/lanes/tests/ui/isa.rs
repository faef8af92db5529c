//~ E0277
//! `Isa` is sealed: no type from outside counts as an instruction set.

#[derive(Clone, Copy)]
struct Mine;

fn needs<I: lanes::Isa>(_: I) {}

fn main() {
    needs(Mine);
}
