//! The MACs there are, and one of them under a key.

use ciphers::Mac;
use ciphers::mac::cmac::Cmac;
use ciphers::mac::gmac::Gmac;
use ciphers::zuc::mac::{Zuc128Mac, Zuc256Mac};
use ciphers::zuc::nia6::Nia6;

use crate::cipher::Key;
use crate::wiped::Wiped;

/// Which MAC it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Cmac,
    Gmac,
    Eia3,
    Zuc256,
    Nia6,
}

impl Kind {
    pub(super) const fn takes_iv(self) -> bool {
        !matches!(self, Self::Cmac)
    }

    /// Whether it is made of a block cipher.
    pub(super) const fn takes_cipher(self) -> bool {
        matches!(self, Self::Cmac | Self::Gmac)
    }
}

/// A MAC under a key and, where it takes one, an IV.
pub(super) enum Running {
    Cmac(Cmac<Key>),
    Gmac(Box<Gmac<Key>>),
    Eia3(Box<Zuc128Mac>),
    Zuc256(Box<Zuc256Mac>),
    Nia6(Box<Nia6>),
}

impl Running {
    pub(super) fn mac(&mut self) -> &mut dyn Mac {
        match self {
            Self::Cmac(mac) => mac,
            Self::Gmac(mac) => &mut **mac,
            Self::Eia3(mac) => &mut **mac,
            Self::Zuc256(mac) => &mut **mac,
            Self::Nia6(mac) => &mut **mac,
        }
    }
}

/// OpenSSL's users may copy a message with its IV.
impl Clone for Running {
    fn clone(&self) -> Self {
        match self {
            Self::Cmac(mac) => Self::Cmac(mac.clone()),
            Self::Gmac(mac) => Self::Gmac(Box::new(mac.clone_under_the_same_iv())),
            Self::Eia3(mac) => Self::Eia3(Box::new(mac.clone_under_the_same_iv())),
            Self::Zuc256(mac) => Self::Zuc256(Box::new(mac.clone_under_the_same_iv())),
            Self::Nia6(mac) => Self::Nia6(Box::new(mac.clone_under_the_same_iv())),
        }
    }
}

/// A key, as the MAC wants it.
#[derive(Clone)]
pub(super) enum Keyed {
    Cipher(Key),
    Bytes(Wiped),
}
