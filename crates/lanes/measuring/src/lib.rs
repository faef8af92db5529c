//! Loops of lane operations, for whoever holds a clock: this crate has none.
//!
//! One function a level takes a list of [`Operation`]s and does a block of each of them, in turn on eight
//! registers or all in one chain. The list is read while it runs, so every mixture
//! can be timed and none has machine code of its own. Registers are pinned
//! ([`lanes::Registers::pin`]) after each operation, so nothing is folded, left out or moved.
#![forbid(unsafe_code)]

mod block;
mod operation;

use std::hint::black_box;

use lanes::{Level, Registers as _, dispatch_sm4};

pub use operation::Operation;

/// Which registers of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Registers {
    /// The level's own.
    Wide,
    /// Those of one 128-bit group.
    Narrow,
}

/// How operations follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In turn on eight registers, so that they overlap as far as units are free.
    Side,
    /// Each takes what the one before gave.
    Chain,
}

/// Which of a loop's registers: none of one set waits for one of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Eight, enough to fill the units.
    First,
    /// A few, for what is done beside that.
    Second,
}

/// An operation, done `turns` times [`Operation::per_turn`] times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub operation: Operation,
    /// On which registers; a chain has one alone.
    pub set: Set,
    /// How often.
    pub turns: u32,
}

/// What is read and written, and longer than a loop's registers together.
#[repr(align(64))]
struct Memory([u8; block::MEMORY]);

/// Does the steps of the list one after another, so many times.
///
/// Nothing happens at a level without AES instructions, whose operations are many instructions
/// each; see [`has`].
pub fn run(level: Level, registers: Registers, order: Order, list: &[Step], rounds: u64) {
    let from = black_box(Memory(std::array::from_fn(|i| (i * 167 + i / 256 * 13) as u8)));
    let mut to = Memory([0; block::MEMORY]);
    let rows: &[[u8; 64]; 256] = black_box(&[[7; 64]; 256]);
    let places = &mut block::Places { from: &from.0, to: &mut to.0, rows };
    let wide = registers == Registers::Wide;
    dispatch_sm4!(level, isa => {
        match order {
            Order::Side if wide => block::run::<_, 8>(isa, places, list, rounds),
            Order::Side => block::run::<_, 8>(isa.narrow(), places, list, rounds),
            Order::Chain if wide => block::run::<_, 1>(isa, places, list, rounds),
            Order::Chain => block::run::<_, 1>(isa.narrow(), places, list, rounds),
        }
    });
    black_box(&to.0);
}

/// Whether operations of the level can be timed: it has AES instructions.
#[must_use]
pub fn has(level: Level) -> bool {
    dispatch_sm4!(level, isa => block::has(isa))
}
