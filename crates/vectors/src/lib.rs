//! Official test vectors and their reader.
