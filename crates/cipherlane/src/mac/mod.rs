//! Message authentication codes, under a ready key.

pub mod cbc_mac;
pub mod cmac;
pub(crate) mod gcm_parts;
pub mod gmac;
pub mod ghash {
    //! GHASH (NIST SP 800-38D §6.4) and POLYVAL (RFC 8452 §3), the universal hashes
    //! of GCM and GCM-SIV.
    //!
    //! They are not MACs: whoever sees a hash, or two messages with equal masks,
    //! learns the key. [`gmac`](super::gmac) and the AEADs mask them.
    //!
    //! Constant-time at every level, the portable one included: no branch and no
    //! address depends on key or data. Up to 32 blocks share one
    //! reduction; derivation and costs are told in `docs/notes/ghash.md`.
    //!
    //! ```
    //! use cipherlane::mac::ghash::Ghash;
    //!
    //! // The GCM specification's test case 2: E(0) under the zero key of AES-128.
    //! let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128.to_be_bytes();
    //! let ciphertext = 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78_u128.to_be_bytes();
    //! let mut ghash = Ghash::new(&h)?;
    //! ghash.update(&ciphertext);
    //! ghash.update(&128_u128.to_be_bytes());
    //! assert_eq!(u128::from_be_bytes(ghash.finish()), 0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885);
    //! # Ok::<(), cipherlane::Error>(())
    //! ```

    pub use crate::ghash::{BLOCK, Ghash, Polyval, UniversalHash};
}
mod last_block;
#[cfg(feature = "aes")]
pub mod nia2;

#[cfg(feature = "alloc")]
pub use crate::traits::mac::DynMac;
pub use crate::traits::mac::Mac;
