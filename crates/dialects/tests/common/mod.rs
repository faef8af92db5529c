//! Settings at random, such as a dialect takes.

use dialects::{Dialect, Form, Mode, Settings};

/// Numbers that are the same in every run (xorshift64*).
#[derive(Clone)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 56) as u8).collect()
    }
}

/// A key and an IV of the first lengths that a dialect takes.
pub(crate) struct Given {
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Option<Vec<u8>>,
}

impl Given {
    pub(crate) fn settings(&self, mode: &'static Mode) -> Settings<'_> {
        Settings {
            mode: Some(mode.name()),
            key_form: Some(Form::Bytes),
            iv: self.iv.as_deref(),
            iv_form: Some(Form::Bytes),
            ..Settings::new(&self.key)
        }
    }
}

pub(crate) fn settings(
    dialect: &'static Dialect,
    mode: &'static Mode,
    numbers: &mut Numbers,
) -> Given {
    let lens = [16, 24, 32].into_iter().chain(0..100);
    let ivs = || [None, Some(16), Some(12)];
    for len in lens {
        for iv in ivs() {
            let given = Given { key: numbers.bytes(len), iv: iv.map(|len| numbers.bytes(len)) };
            if dialect.prepare(&given.settings(mode)).is_ok() {
                return given;
            }
        }
    }
    panic!("{} {} takes no key", dialect.name(), mode.name());
}
