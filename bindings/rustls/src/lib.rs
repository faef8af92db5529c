//! An example of how a program that speaks TLS by rustls takes its ciphers from Cipherlane: key
//! exchange, signatures, SHA-2 and random numbers stay those of `ring`; the records of TLS 1.3 are
//! sealed by our AES-GCM, and in `TLS_SM4_GCM_SM3` (RFC 8998) by SM4-GCM with our SM3 in the key schedule.
//!
//! ```
//! use std::sync::Arc;
//!
//! let provider = Arc::new(cipherlane_rustls::provider());
//! let client = rustls::ClientConfig::builder_with_provider(provider)
//!     .with_protocol_versions(&[&rustls::version::TLS13])?
//!     .with_root_certificates(rustls::RootCertStore::empty())
//!     .with_no_client_auth();
//! assert_eq!(client.crypto_provider().cipher_suites.len(), 3);
//! # Ok::<(), rustls::Error>(())
//! ```
//!
//! # What it is not
//! RFC 8998 wants the curve and the signatures of SM2 in its suites, which rustls has not: two ends that
//! both take this provider agree on `TLS_SM4_GCM_SM3` with the groups and signatures of `ring`. rustls 0.23
//! has no name for the suite; its number is enough. There is no TLS 1.2 here, and no QUIC.
#![forbid(unsafe_code)]

mod aead;
mod sm3;

use rustls::crypto::tls13::HkdfUsingHmac;
use rustls::crypto::{CipherSuiteCommon, CryptoProvider, ring};
use rustls::{CipherSuite, SupportedCipherSuite, Tls13CipherSuite};

use aead::Gcm;

/// `TLS_SM4_GCM_SM3` (RFC 8998, 2): 00c6.
pub const TLS_SM4_GCM_SM3: CipherSuite = CipherSuite::Unknown(0x00c6);

/// The records that one key may seal before it is renewed, as for AES (RFC 8446, 5.5); RFC 8998 names
/// no other bound for the same block length and mode.
const RECORDS: u64 = 1 << 24;

static SM4: Tls13CipherSuite = Tls13CipherSuite {
    common: CipherSuiteCommon {
        suite: TLS_SM4_GCM_SM3,
        hash_provider: &sm3::Sm3,
        confidentiality_limit: RECORDS,
    },
    hkdf_provider: &HkdfUsingHmac(&sm3::HmacSm3),
    aead_alg: &Gcm::Sm4,
    quic: None,
};

/// A suite of ring with our cipher in it.
const fn with_ours(theirs: SupportedCipherSuite, ours: &'static Gcm) -> Tls13CipherSuite {
    let SupportedCipherSuite::Tls13(theirs) = theirs;
    let common = CipherSuiteCommon {
        suite: theirs.common.suite,
        hash_provider: theirs.common.hash_provider,
        confidentiality_limit: RECORDS,
    };
    Tls13CipherSuite { common, hkdf_provider: theirs.hkdf_provider, aead_alg: ours, quic: None }
}

static AES_128: Tls13CipherSuite =
    with_ours(ring::cipher_suite::TLS13_AES_128_GCM_SHA256, &Gcm::Aes128);

static AES_256: Tls13CipherSuite =
    with_ours(ring::cipher_suite::TLS13_AES_256_GCM_SHA384, &Gcm::Aes256);

/// The provider: AES-128-GCM, AES-256-GCM and SM4-GCM for TLS 1.3, in that order.
#[must_use]
pub fn provider() -> CryptoProvider {
    let suites = [&AES_128, &AES_256, &SM4].map(SupportedCipherSuite::Tls13);
    CryptoProvider { cipher_suites: suites.to_vec(), ..ring::default_provider() }
}
