//! How an operation's objects are made.

use alloc::boxed::Box;
use alloc::sync::Arc;

use lanes::{InOut, Level};

use super::{Algorithm, NewStream};
use crate::air::PduCipher;
use crate::error::Error;
use crate::traits::aead::{Aead, AeadStream};
use crate::traits::block::BlockCipher;
use crate::traits::mac::DynMac;
use crate::traits::mode::{BlockMode, Direction, MessageMode};
use crate::traits::stream::StreamCipher;

/// A streaming object of an operation under a ready key.
pub enum Started<'c> {
    /// Takes any split of the data.
    Stream(Box<dyn StreamCipher + 'c>),
    /// Takes whole blocks; see [`modes::Buffered`](crate::modes::Buffered) for any split and padding.
    Blocks(Box<dyn BlockMode + 'c>),
}

/// Starts a streaming object that shares its key.
pub type Share = fn(Arc<dyn BlockCipher>, &[u8]) -> Result<Started<'static>, Error>;

/// A mode of operation, over a block cipher under a ready key.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Processes one whole message.
    pub message: fn(&dyn BlockCipher, &[u8], InOut<'_>) -> Result<(), Error>,
    /// Starts a streaming object.
    pub start: for<'c> fn(&'c dyn BlockCipher, &[u8]) -> Result<Started<'c>, Error>,
    /// The same with an object that keeps the key alive itself: for languages and threads
    /// that can't say how long a borrow lasts.
    pub share: Share,
}

/// The constructor of a [`Mode`]: what takes a whole message, whether the streaming object is of a
/// `Stream` or of `Blocks`, and what makes it from a cipher and an IV.
macro_rules! mode {
    ($message:expr, $started:ident, $new:expr) => {
        $crate::entry::constructor::Constructor::Mode($crate::entry::constructor::Mode {
            message: $message,
            start: |cipher, iv| {
                let object = alloc::boxed::Box::new($new(cipher, iv)?);
                Ok($crate::entry::constructor::Started::$started(object))
            },
            share: |cipher, iv| {
                let object = alloc::boxed::Box::new($new(cipher, iv)?);
                Ok($crate::entry::constructor::Started::$started(object))
            },
        })
    };
}
pub(crate) use mode;

/// Makes a mode on whole messages from a key.
pub type NewMessage = fn(&'static Algorithm, &[u8], Level) -> Result<Box<dyn MessageMode>, Error>;
/// Makes an AEAD from a key.
pub type NewAead = fn(&'static Algorithm, &[u8], Level) -> Result<Box<dyn Aead>, Error>;
/// Makes a streaming AEAD from a key, a direction and a nonce.
pub type NewAeadStream =
    fn(&'static Algorithm, &[u8], Level, Direction, &[u8]) -> Result<Box<dyn AeadStream>, Error>;
/// Makes a MAC with the longest tags from a key and an IV.
pub type NewMac = fn(&'static Algorithm, &[u8], &[u8], Level) -> Result<Box<dyn DynMac>, Error>;
/// Makes what encrypts and authenticates PDUs from a pair of keys.
pub type NewPduCipher = fn(&[u8], Level) -> Result<Box<dyn PduCipher>, Error>;

/// Whether an AEAD takes a message in pieces.
#[derive(Clone, Copy, Debug)]
pub enum AeadStreaming {
    /// Any message.
    Yes(NewAeadStream),
    /// Messages whose lengths have been announced by [`AeadStream::announce`].
    Announced(NewAeadStream),
    /// No, for the reason told.
    No(&'static str),
}

impl AeadStreaming {
    /// The constructor, if there is one.
    #[must_use]
    pub const fn constructor(&self) -> Option<NewAeadStream> {
        match *self {
            Self::Yes(new) | Self::Announced(new) => Some(new),
            Self::No(_) => None,
        }
    }
}

/// What an operation makes of a key, and how. Those that take an [`Algorithm`] are to be given
/// the operation's own.
#[derive(Clone, Copy, Debug)]
pub enum Constructor {
    /// A keystream.
    Stream {
        /// The constructor. Limits of the standard are in force.
        new: NewStream,
        /// The constructor without the limit, for measurements only; the same as `new` where
        /// the standard has none.
        unlimited: NewStream,
    },
    /// A mode over a block cipher that is ready.
    Mode(Mode),
    /// A mode on whole messages, whose key may be more than the cipher's.
    Message(NewMessage),
    /// An AEAD.
    Aead {
        /// The constructor.
        new: NewAead,
        /// Whether it takes a message in pieces.
        streaming: AeadStreaming,
    },
    /// Encryption and integrity of PDUs, which is not as safe as an AEAD: see [`PduCipher`].
    Pdu(NewPduCipher),
    /// A MAC.
    Mac {
        /// The constructor. Limits of the standard are in force.
        new: NewMac,
        /// The constructor without the limit, for measurements only; the same as `new` where
        /// the standard has none.
        unlimited: NewMac,
    },
}
