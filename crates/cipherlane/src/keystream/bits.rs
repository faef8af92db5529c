//! IVs whose length is a number of bits.

use crate::error::{Error, check_length};
use crate::keystream::generator::Generator;
use crate::sizes::Sizes;

/// Whether `G` takes an IV of `bits` bits in these bytes.
pub(super) fn check<G: Generator>(iv: &[u8], bits: usize) -> Result<(), Error> {
    let (min, max) = (8 * G::IV.min, 8 * G::IV.max);
    if bits < min || bits > max {
        let (got, min, max) = (bits as u64, min as u64, max as u64);
        return Err(Error::Value { field: "iv's length in bits", got, min, max });
    }
    check_length("iv", iv.len(), Sizes::exactly(bits.div_ceil(8)))?;
    let (used, last) = (bits % 8, iv.last().copied().unwrap_or(0));
    let unused = match used {
        0 => 0,
        _ if G::UNUSED_HIGH => last >> used,
        _ => last & (0xff >> used),
    };
    if unused != 0 {
        let field = "unused bits of the iv's last byte";
        return Err(Error::Value { field, got: unused.into(), min: 0, max: 0 });
    }
    Ok(())
}
