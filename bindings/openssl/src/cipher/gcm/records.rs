//! The records of TLS 1.2 in GCM, and nonces that are counted here: a fixed part, and one that goes
//! up with every record (RFC 5288 §3), as OpenSSH's packets have it, too.

use ciphers::aead::gcm::Gcm;
use ciphers::{Aead, Sizes};

use super::{GcmWork, Phase, TAG};
use crate::Outcome;
use crate::cipher::key::Key;
use crate::cipher::tls::Header;
use crate::core::Found;
use crate::reason::{Reason, Refused, wrong_length};

/// A record's explicit part of the nonce, and the fixed part.
pub(super) const TLS_EXPLICIT: usize = 8;
const TLS_FIXED: usize = 4;

impl GcmWork {
    /// A whole record, in place: explicit part of the nonce, data, tag.
    pub(super) fn record(&mut self, aad: Header, data: &mut [u8]) -> Outcome<usize> {
        let too_short = || Reason::Operation.because("a record is shorter than its nonce and tag");
        let (explicit, rest) = data.split_at_mut_checked(TLS_EXPLICIT).ok_or_else(too_short)?;
        let body = rest.len().checked_sub(TAG).ok_or_else(too_short)?;
        let (body, tag) = rest.split_at_mut(body);
        if self.stream.is_none() {
            return Err(Reason::NoKey.into());
        }
        if self.encrypt {
            self.generated(explicit)?;
            // Counted whatever comes of it: no nonce is used twice.
            let nonce = self.iv.clone();
            self.count();
            self.gcm()?.seal(nonce.bytes(), &aad, body.into(), tag)?;
            return Ok(data.len());
        }
        self.invocation(explicit)?;
        let nonce = self.iv.clone();
        let opened = self.gcm()?.open(nonce.bytes(), &aad, (&mut *body).into(), tag);
        opened.map_err(|_| Reason::Operation.because("a record that is not authentic"))?;
        Ok(body.len())
    }

    /// What seals and opens whole records.
    fn gcm(&mut self) -> Outcome<&Gcm<Key>> {
        let stream = self.stream.as_mut().ok_or(Reason::NoKey)?;
        stream.make_ready(usize::MAX);
        Ok(stream.gcm())
    }

    /// Writes the last bytes of the nonce and counts them for the next one.
    fn generated(&mut self, place: &mut [u8]) -> Outcome {
        if !self.counts {
            return Err(not_counted());
        }
        let count = place.len().min(self.iv.len());
        let at = self.iv.len() - count;
        place[..count].copy_from_slice(&self.iv.bytes()[at..]);
        Ok(())
    }

    pub(super) fn count(&mut self) {
        let at = self.iv.len().saturating_sub(TLS_EXPLICIT);
        for byte in self.iv.bytes_mut()[at..].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    /// Takes the last bytes of the nonce from a record.
    pub(super) fn invocation(&mut self, bytes: &[u8]) -> Outcome {
        if !self.counts || self.encrypt {
            return Err(not_counted());
        }
        if self.stream.is_none() {
            return Err(Reason::NoKey.into());
        }
        let allowed = Sizes::between(0, self.iv.len());
        let at = self.iv.len().checked_sub(bytes.len());
        let at = at.ok_or_else(|| wrong_length("iv", bytes.len(), allowed))?;
        self.iv.bytes_mut()[at..].copy_from_slice(bytes);
        self.phase = Phase::Ready;
        Ok(())
    }

    /// The fixed part of the nonce; the rest is counted from a random start when sealing. All of
    /// it is counted from where it is.
    pub(super) fn fixed(&mut self, found: Found) -> Outcome {
        let (size, _) = found.size();
        let bytes = found.bytes_or_whole(self.iv.len())?;
        if size == usize::MAX {
            self.iv.set(bytes)?;
        } else {
            let most = self.iv.len().saturating_sub(TLS_EXPLICIT);
            let allowed = Sizes::between(TLS_FIXED, most);
            if !allowed.allow(bytes.len()) {
                return Err(wrong_length("iv", bytes.len(), allowed));
            }
            self.iv.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
            if self.encrypt {
                random(&mut self.iv.bytes_mut()[bytes.len()..])?;
            }
        }
        (self.counts, self.phase) = (true, Phase::Ready);
        Ok(())
    }
}

/// What a nonce that is not counted here says to who asks for the next one.
pub(super) fn not_counted() -> Refused {
    Reason::NoIv.because("the nonce has no fixed part, so that it is not counted here")
}

/// Fills bytes from the system's generator.
pub(super) fn random(bytes: &mut [u8]) -> Outcome {
    use std::io::Read as _;
    let file = std::fs::File::open("/dev/urandom");
    let filled = file.and_then(|mut file| file.read_exact(bytes));
    filled.map_err(|error| Reason::Internal.because(format!("/dev/urandom: {error}")))
}
