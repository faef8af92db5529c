//~ E0308
//! A level holds its token, so it can't be claimed with another's.

fn main() {
    let _ = lanes::Level::Avx512(lanes::Portable);
}
