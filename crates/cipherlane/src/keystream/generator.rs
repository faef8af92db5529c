//! One stream of a generator whose state is all there is, and what a cipher gives for it.

use core::fmt;

use lanes::{InOut, Level};

use super::leftover::Leftover;
use crate::error::{Error, check_length};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;

mod sealed {
    use lanes::wipe::Plain;
    use lanes::{InOut, Level};

    use crate::error::Error;

    /// What a cipher's folder gives, out of users' reach.
    pub trait Kernel: Send + Sync + 'static {
        /// The state of one generator.
        type State: Plain + Send;
        /// The states of as many generators as run side by side.
        type Many: Plain + Send;

        /// Keystream bytes that [`generate`](Self::generate) makes for each stream.
        const BLOCK: usize;
        /// Up to how many streams are faster one after another.
        const FEW: usize;
        /// What passes of the level and of the one with half the lanes take.
        const PASSES: crate::keystream::passes::Passes;
        /// How deep operations on many streams go on the stack, where that is deeper than others do.
        const DEEP: usize = 0;
        /// Whether a message alone is made where its state lies, which is too long to be handed on.
        const IN_PLACE: bool = false;
        /// Whether an IV that ends inside a byte leaves the high bits of it unused.
        const UNUSED_HIGH: bool = false;

        /// Whether objects may be made at a level.
        ///
        /// # Errors
        /// [`Error::SelfTest`] where they may not.
        fn admit(level: Level) -> Result<(), Error>;

        /// An initialised generator, from a key and an IV that have been checked.
        fn start(level: Level, key: &[u8], iv: &[u8], iv_bits: usize) -> Self::State;

        /// The same where the caller keeps it.
        fn start_in(state: &mut Self::State, level: Level, key: &[u8], iv: &[u8], iv_bits: usize) {
            *state = Self::start(level, key, iv, iv_bits);
        }

        /// Xors keystream into the data. What the data doesn't use is left in `rest`, as the
        /// end of the array; the number of bytes left is returned.
        fn apply(
            level: Level,
            state: &mut Self::State,
            io: InOut<'_>,
            rest: &mut [u8; 16],
        ) -> usize;

        /// How many streams run side by side.
        fn lanes(level: Level) -> usize;

        /// Initialises the first `count` generators, from keys and IVs that have been checked.
        fn start_many<'m>(
            level: Level,
            many: &mut Self::Many,
            count: usize,
            message: &dyn Fn(usize) -> (&'m [u8], &'m [u8]),
        );

        /// Makes the next [`BLOCK`](Self::BLOCK) bytes of every stream, one stream's after
        /// another's. Of each the first `len` are wanted: where no stream goes on behind them, the rest
        /// need not be made.
        fn generate(level: Level, many: &mut Self::Many, out: &mut [u8], len: usize);

        /// One of many generators.
        fn take(many: &Self::Many, lane: usize) -> Self::State;
    }
}
pub(crate) use sealed::Kernel;

/// A generator of keystream; sealed.
pub trait Generator: Kernel {
    /// Its name in prose.
    const NAME: &'static str;
    /// The key's length in bytes.
    const KEY: Sizes;
    /// The IV's lengths in bytes.
    const IV: Sizes;
}

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// A keystream under one key and IV; `G` names the generator.
pub struct Keystream<G: Generator> {
    level: Level,
    _trace: Trace,
    /// The key; its length is `G::KEY`.
    key: Secret<[u8; 16]>,
    state: Secret<[G::State; 1]>,
    leftover: Leftover<16>,
}

impl<G: Generator> Keystream<G> {
    /// The keystream of a key and an IV of whole bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key or the IV has a length the cipher doesn't take,
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key or the IV has a length the cipher doesn't take.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        check_length("iv", iv.len(), G::IV)?;
        Self::with_iv_bits(key, iv, 8 * iv.len(), level)
    }

    /// The same with an IV of `bits` bits in as few bytes as hold them. Which bits of the
    /// last byte those are, the cipher's module tells; the others are 0.
    ///
    /// # Errors
    /// [`Error::Length`] if the key's length is wrong or the IV's doesn't fit `bits`,
    /// [`Error::Value`] if the cipher takes no IV of `bits` bits or an unused bit is 1.
    pub fn with_iv_bits(key: &[u8], iv: &[u8], bits: usize, level: Level) -> Result<Self, Error> {
        G::admit(level)?;
        check_length("key", key.len(), G::KEY)?;
        check_bits::<G>(iv, bits)?;
        let state = Secret([G::start(level, key, iv, bits)]);
        let mut kept = Secret([0; 16]);
        kept.0[..key.len()].copy_from_slice(key);
        let trace = Trace::of(level, STACK);
        Ok(Self { level, _trace: trace, key: kept, state, leftover: Leftover::new() })
    }

    /// Starts again with an IV of `bits` bits under the same key.
    ///
    /// # Errors
    /// As [`with_iv_bits`](Self::with_iv_bits); the object is unchanged then.
    pub fn reset_iv_bits(&mut self, iv: &[u8], bits: usize) -> Result<(), Error> {
        check_bits::<G>(iv, bits)?;
        self.state.0 = [G::start(self.level, &self.key.0[..G::KEY.max], iv, bits)];
        self.leftover.clear();
        Ok(())
    }

    /// The state itself, to compare it with what standards tabulate.
    #[cfg(all(test, any(feature = "enocoro", feature = "grain", feature = "mickey")))]
    pub(crate) fn state(&self) -> &G::State {
        &self.state.0[0]
    }
}

impl<G: Generator> StreamCipher for Keystream<G> {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let (level, state) = (self.level, &mut self.state.0[0]);
        self.leftover.apply_words(io, |body, rest| G::apply(level, state, body, rest));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let lengths = G::KEY.allow(key.len()) && G::IV.allow(iv.len());
        let takes = lengths && G::admit(self.level).is_ok();
        if takes {
            self.state.0 = [G::start(self.level, key, iv, 8 * iv.len())];
            self.key.0[..key.len()].copy_from_slice(key);
            self.leftover.clear();
        }
        takes
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), G::IV)?;
        self.reset_iv_bits(iv, 8 * iv.len())
    }
}

impl<G: Generator> fmt::Debug for Keystream<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(G::NAME).field("level", &self.level).finish_non_exhaustive()
    }
}

/// Whether `G` takes an IV of `bits` bits in these bytes.
fn check_bits<G: Generator>(iv: &[u8], bits: usize) -> Result<(), Error> {
    let (min, max) = (8 * G::IV.min, 8 * G::IV.max);
    if bits < min || bits > max {
        let (got, min, max) = (bits as u64, min as u64, max as u64);
        return Err(Error::Value { field: "iv's length in bits", got, min, max });
    }
    check_length("iv", iv.len(), Sizes::exactly(bits.div_ceil(8)))?;
    let (used, last) = (bits % 8, iv.last().copied().unwrap_or(0));
    let unused = match used {
        0 => 0,
        _ if G::UNUSED_HIGH => last >> used,
        _ => last & (0xff >> used),
    };
    if unused != 0 {
        let field = "unused bits of the iv's last byte";
        return Err(Error::Value { field, got: unused.into(), min: 0, max: 0 });
    }
    Ok(())
}

/// Xors the bytes that `words` makes, `N` at a time, into the data; see [`Kernel::apply`].
#[cfg(feature = "_shift_registers")]
#[inline(always)]
pub(crate) fn xor_words<const N: usize>(
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
    mut words: impl FnMut() -> [u8; N],
) -> usize {
    let (len, tile) = (io.len(), const { 64 / N * N });
    let mut offset = 0;
    while len - offset >= tile {
        let mut mask = [0; 64];
        for at in (0..tile).step_by(N) {
            mask[at..at + N].copy_from_slice(&words());
        }
        io.part(offset, tile).xor(&mask[..tile]);
        offset += tile;
    }
    let mut end = [0; 64];
    let used = len - offset;
    let made = used.next_multiple_of(N);
    for at in (0..made).step_by(N) {
        end[at..at + N].copy_from_slice(&words());
    }
    io.part(offset, used).xor(&end[..used]);
    let left = made - used;
    rest[16 - left..].copy_from_slice(&end[used..made]);
    left
}
