//~ E0451
//! Nor can a token be written with its field's name.

fn main() {
    let _ = lanes::Aesni { 0: () };
}
