//! Seeded leaks: code that tells a secret by where it goes or what it touches. The checkers
//! must find each, at every level; if one does not, it proves nothing.

use std::hint::black_box;

/// A way to tell a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// A table indexed by a secret, as S-boxes are.
    Table,
    /// A comparison that ends at the first difference.
    EarlyExit,
    /// A branch on one bit, behind which some work is done.
    Branch,
    /// A division, whose time depends on its operands.
    Division,
}

impl Leak {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Table, Self::EarlyExit, Self::Branch, Self::Division];

    /// Leaks `secret`.
    #[inline(never)]
    pub fn tell(self, secret: &[u8]) -> u8 {
        match self {
            Self::Table => table(secret),
            Self::EarlyExit => early_exit(secret),
            Self::Branch => branch(secret),
            Self::Division => {
                secret.iter().fold(0, |sum, &byte| sum ^ (black_box(251) / (byte | 1)))
            }
        }
    }
}

static SQUARES: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i * i) as u8;
        i += 1;
    }
    table
};

fn table(secret: &[u8]) -> u8 {
    let squares = black_box(&SQUARES);
    secret.iter().fold(0, |sum, &byte| sum ^ squares[usize::from(byte)])
}

fn early_exit(secret: &[u8]) -> u8 {
    let mut equal = 0;
    for &byte in secret {
        if black_box(byte) != 0 {
            break;
        }
        equal += 1;
    }
    equal
}

fn branch(secret: &[u8]) -> u8 {
    let mut sum = 0_u8;
    for &byte in secret {
        if black_box(byte) & 1 == 1 {
            for _ in 0..8 {
                sum = black_box(sum.wrapping_mul(3));
            }
        }
    }
    sum
}
