//~ E0277
//! Nor can a token be asked for as a default value.

fn main() {
    let _: lanes::Avx2 = Default::default();
}
