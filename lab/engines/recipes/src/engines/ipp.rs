//! Intel's Cryptography Primitives Library as its wheel brings it, with the multi-buffer
//! library `crypto_mb` and the four libraries of Intel's compiler that this one names as
//! its needs.

use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const PINS: &[Pin] = &[
    Pin {
        file: "ipp_crypto-2026.2.0-py2.py3-none-manylinux_2_28_x86_64.whl",
        sha256: "3a5c87403b085c09329ee40ceac07fb2a51d448bf19fd1ef2b289bc583276189",
    },
    Pin {
        file: "intel_cmplr_lib_rt-2026.2.0-py2.py3-none-manylinux_2_28_x86_64.whl",
        sha256: "9f713083073a820d2496a6da8e8d4f3482aba6640f74521d25ea48dcebe72748",
    },
];

/// What the wheel `ipp-crypto` has.
const PRIMITIVES: [&str; 2] = ["libippcp.so.13", "libcrypto_mb.so.13"];

/// What the wheel `intel-cmplr-lib-rt` has.
const RUNTIME: [&str; 4] = ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"];

pub(super) static RECIPE: Recipe = Recipe {
    engine: "ipp",
    version: "2026.2.0",
    source: "wheels ipp-crypto 2026.2.0 and intel-cmplr-lib-rt 2026.2.0",
    takes: "under a minute",
    needs: &[Tool::PYTHON],
    libraries: &[PRIMITIVES[0], PRIMITIVES[1], RUNTIME[0], RUNTIME[1], RUNTIME[2], RUNTIME[3]],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let primitives = shop.wheel("ipp-crypto", "2026.2.0", PINS)?;
    let runtime = shop.wheel("intel-cmplr-lib-rt", "2026.2.0", PINS)?;
    for name in PRIMITIVES {
        shop.keep_found(&primitives, name)?;
    }
    for name in RUNTIME {
        shop.keep_found(&runtime, name)?;
    }
    Ok(())
}
