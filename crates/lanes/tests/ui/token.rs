//~ E0423
//! A token comes from `detect` alone: its field is private.

fn main() {
    let _ = lanes::Avx512(());
}
