//! Two algorithms on one packet, as PDCP uses them together: what is the same for all pairs.
//!
//! A pair's file says what its algorithms are by a method `process` of the object. This is a macro so
//! that the object is a type of its own, which its documentation is about.

#[cfg(any(feature = "snow3g", all(feature = "aes", feature = "alloc")))]
pub(crate) mod many;

use lanes::InOut;

use crate::air::Order;
use crate::error::Error;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::mac::Mac;
use crate::traits::stream::StreamCipher;

/// The lengths of CK and IK one behind the other, and of a tag, in bytes.
pub(crate) const KEYS: Sizes = Sizes::exactly(32);
pub(crate) const TAG: Sizes = Sizes::exactly(4);

/// The object under CK and IK: `depth` bytes of stack are cleared when it ends, `ivs` are the lengths of
/// both IVs together, which `of` makes of a frame.
macro_rules! pdu_pair {
    (
        $(#[$meta:meta])*
        $name:ident, depth: $depth:expr, answer: $answer:expr, ivs: $ivs:expr, of: $of:ident
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            _trace: crate::secret::Trace,
            level: lanes::Level,
            /// CK, then IK.
            keys: crate::secret::Secret<[u8; 32]>,
            order: crate::air::Order,
        }

        const _: () = {
            use lanes::{InOut, Level};

            use crate::pdu::{KEYS, TAG};
            use crate::air::{Frame, Order, PduCipher};
            use crate::error::{Error, check_length};
            use crate::secret::{Secret, Trace};

            impl $name {
                /// Under CK and IK, 16 bytes each one behind the other, at the level
                /// [`Level::detect`] gives.
                ///
                /// # Errors
                /// [`Error::Length`] if that is not 32 bytes, [`Error::Level`] if
                /// `CIPHERLANE_LEVEL` names no level.
                pub fn new(keys: &[u8], order: Order) -> Result<Self, Error> {
                    Self::with_level(keys, order, Level::detect()?)
                }

                /// The same at a given level.
                ///
                /// # Errors
                /// [`Error::Length`] if the keys are not 32 bytes.
                pub fn with_level(keys: &[u8], order: Order, level: Level) -> Result<Self, Error> {
                    crate::first_use::admit(level, &$answer)?;
                    check_length("keys", keys.len(), KEYS)?;
                    let trace = Trace::of(level, $depth);
                    let mut both = Self { _trace: trace, level, keys: Secret([0; 32]), order };
                    both.keys.0.copy_from_slice(keys);
                    Ok(both)
                }

                /// Encrypts a packet's data and writes the tag of header and data.
                ///
                /// # Errors
                /// None today: all values were checked before. A later version may refuse some.
                pub fn seal(
                    &self,
                    frame: Frame,
                    header: &[u8],
                    io: InOut<'_>,
                    tag: &mut [u8; 4],
                ) -> Result<(), Error> {
                    self.seal_pdu(&frame.$of(), header, io, tag)
                }

                /// Decrypts a packet's data if the tag is right.
                ///
                /// # Errors
                /// [`Error::Authentication`] if it is wrong; the output is then all zeros.
                pub fn open(
                    &self,
                    frame: Frame,
                    header: &[u8],
                    io: InOut<'_>,
                    tag: &[u8; 4],
                ) -> Result<(), Error> {
                    self.open_pdu(&frame.$of(), header, io, tag)
                }
            }

            impl PduCipher for $name {
                fn seal_pdu(
                    &self,
                    ivs: &[u8],
                    header: &[u8],
                    io: InOut<'_>,
                    tag: &mut [u8],
                ) -> Result<(), Error> {
                    check_length("ivs", ivs.len(), $ivs)?;
                    check_length("tag", tag.len(), TAG)?;
                    let of_output = self.order == Order::EncryptThenMac;
                    tag.copy_from_slice(&self.process(ivs, header, io, of_output)?.0);
                    Ok(())
                }

                fn open_pdu(
                    &self,
                    ivs: &[u8],
                    header: &[u8],
                    mut io: InOut<'_>,
                    tag: &[u8],
                ) -> Result<(), Error> {
                    check_length("ivs", ivs.len(), $ivs)?;
                    check_length("tag", tag.len(), TAG)?;
                    let of_output = self.order == Order::MacThenEncrypt;
                    let computed = self.process(ivs, header, io.reborrow(), of_output)?;
                    if crate::ct::equal(&computed.0, tag) {
                        return Ok(());
                    }
                    io.output().fill(0);
                    Err(Error::Authentication)
                }
            }

            impl core::fmt::Debug for $name {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    let mut f = f.debug_struct(stringify!($name));
                    f.field("level", &self.level).field("order", &self.order).finish_non_exhaustive()
                }
            }
        };
    };
}
pub(crate) use pdu_pair;

/// Encrypts or decrypts what is left of the data and returns the tag, in the second order as it is sent.
/// The MAC has the header behind it.
pub(crate) fn finish(
    order: Order,
    cipher: &mut impl StreamCipher,
    mac: &mut impl Mac,
    mut io: InOut<'_>,
    of_output: bool,
) -> Result<Secret<[u8; 4]>, Error> {
    if of_output {
        cipher.apply_inout(io.reborrow())?;
        mac.update(io.output())?;
    } else {
        mac.update(io.input())?;
        cipher.apply_inout(io)?;
    }
    let mut tag = Secret([0; 4]);
    mac.finish(&mut tag.0)?;
    if order == Order::MacThenEncrypt {
        cipher.apply(&mut tag.0)?;
    }
    Ok(tag)
}
