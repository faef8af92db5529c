//! The built-in engines: `cipherlane` itself and its peers, one file each.
