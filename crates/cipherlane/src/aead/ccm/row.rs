//! CCM in the registry.

use alloc::boxed::Box;

use super::{Ccm, CcmStream, NONCE, TAG};
use crate::entry::constructor::AeadStreaming;
use crate::entry::row::Row;

/// `ccm-seal`.
pub(crate) const SEAL: Row = Row {
    iv: |_| NONCE,
    usual_iv: Some(12),
    tag: |_| TAG,
    ..Row::aead(
        ["ccm-seal", "ccm-open"],
        "SP 800-38C, RFC 8998",
        |of, key, level| Ok(Box::new(Ccm::new(of.cipher(key, level)?)?)),
        AeadStreaming::Announced(|of, key, level, direction, nonce| {
            Ok(Box::new(CcmStream::<_>::new(Ccm::new(of.cipher(key, level)?)?, direction, nonce)?))
        }),
    )
};

/// `ccm-open`.
pub(crate) const OPEN: Row = SEAL.undo();
