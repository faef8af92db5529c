//! What two codecs have in common that read the same bytes of the same values.

use cipherlane::registry::Algorithm;
use zeroize::Zeroizing;

use crate::dialect::{Dialect, Mode};
use crate::iv::Iv;
use crate::layout::Part;
use crate::row::KeyRule;

/// Cipher, key, mode, IV, padding, layout and MAC, in one row of bytes that holds the key.
#[derive(PartialEq, Eq)]
pub(crate) struct Print(Zeroizing<Vec<u8>>);

impl Print {
    pub(super) fn of(
        dialect: &Dialect,
        mode: &Mode,
        algorithm: &Algorithm,
        key: &[u8],
        iv: Option<&Iv>,
        aad: &[u8],
    ) -> Self {
        let row = &dialect.row;
        let derived = (row.key.rule == KeyRule::Pbkdf2)
            .then(|| format!("{:?} {}", row.key.hash, row.key.iterations));
        let mac = row.mac.as_ref().map(|mac| format!("{mac:?}"));
        let rules = format!(
            "{} {} {:?} {} {derived:?} {mac:?} {} ",
            algorithm.name, mode.operation, mode.padding, mode.layout, mode.aad
        );
        // Where the IV is in the value, the value says what it is.
        let stored = mode.layout.len(Part::Iv).is_some();
        let iv = iv.filter(|_| !stored).map_or(&[][..], |iv| iv.get());
        // One place from the beginning: a vector that grows leaves copies of the key behind.
        let parts = [rules.as_bytes(), &(key.len() as u64).to_le_bytes(), key, iv, aad];
        let mut bytes = Zeroizing::new(Vec::with_capacity(parts.iter().map(|it| it.len()).sum()));
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        Self(bytes)
    }
}
