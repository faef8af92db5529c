//! One large buffer, or many messages, on all cores (feature `parallel`, by rayon).
//!
//! The data is cut into pieces whose place in the mode is known beforehand: a counter or
//! a tweak is moved on to the piece, a piece of CBC starts from the ciphertext in front of
//! it, hashes of pieces are joined by powers of the hash key. Any number of threads gives
//! the same bytes as one. Data below 512 KiB stays on the calling thread, because waking
//! another one costs more than it saves.
//!
//! What a single thread can't cut, no number of threads can: CBC encryption, CFB
//! encryption, OFB, CCM, the MACs that are chains.
//!
//! Many messages are a [`Batches`]: every thread has some of them.
//!
//! ```
//! use cipherlane::Sm4;
//! use cipherlane::parallel::Threads;
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = vec![0; 1 << 20];
//! let threads = Threads::global();
//! threads.ctr(&sm4, &[1; 16], data.as_mut_slice().into())?;
//! threads.ctr(&sm4, &[1; 16], data.as_mut_slice().into())?;
//! assert!(data.iter().all(|&byte| byte == 0));
//! # Ok::<(), cipherlane::Error>(())
//! ```

use lanes::InOut;
use rayon::ThreadPool;

use crate::traits::block::MAX_BLOCK;

mod batches;
mod blocks;
mod gcm;
mod xts;

pub use batches::Batches;

/// The least that is worth a thread, in bytes.
const LEAST: usize = 256 << 10;
/// Pieces for each thread, so that one that is held up does not hold up the others.
const PIECES: usize = 4;
/// Pieces are multiples of that, so that each but the last is whole tiles of any cipher
/// and whole pieces of GCM, in bytes.
const GRAIN: usize = 4096;

/// On which threads: those of rayon's global pool or of a pool of the caller's.
#[derive(Clone, Copy, Debug)]
pub struct Threads<'p> {
    pool: Option<&'p ThreadPool>,
    least: usize,
}

impl Threads<'static> {
    /// The threads of rayon's global pool, as many as there are cores unless the
    /// program or the environment variable `RAYON_NUM_THREADS` says otherwise.
    #[must_use]
    pub const fn global() -> Self {
        Threads { pool: None, least: LEAST }
    }
}

impl<'p> Threads<'p> {
    /// The threads of this pool.
    #[must_use]
    pub const fn of(pool: &'p ThreadPool) -> Self {
        Self { pool: Some(pool), least: LEAST }
    }

    /// Cuts data that is shorter, too: pieces of `bytes` or more, rounded up to 4 KiB.
    /// For ciphers that are slow enough to make it worth while; 256 KiB is the default.
    #[must_use]
    pub const fn pieces_from(self, bytes: usize) -> Self {
        Self { least: bytes, ..self }
    }

    /// How many threads there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads)
    }

    /// The length of the pieces, in bytes, that data of this length is cut into; the data's
    /// own or more where it stays whole.
    fn piece(&self, len: usize) -> usize {
        let threads = self.count();
        let least = self.least.max(1).next_multiple_of(GRAIN);
        if threads < 2 || len < least.saturating_mul(2) {
            return len.max(1);
        }
        (len / (PIECES * threads)).max(least).next_multiple_of(GRAIN)
    }

    /// Calls `work` with each piece of the data, on all threads.
    ///
    /// `ahead` is asked for what a piece needs to know of the input in front of it, while
    /// that is still untouched.
    fn pieces<T: Copy + Send + Sync>(
        &self,
        piece: usize,
        io: InOut<'_>,
        first: T,
        ahead: &(impl Fn(&[u8], usize) -> T + Sync),
        work: &(impl Fn(InOut<'_>, usize, T) + Sync),
    ) {
        self.run(piece, io, first, ahead, work, &|(), (), _| ());
    }

    /// Calls `work` with each piece of the data and joins what two neighbours make, in
    /// order; `join` is told the length of the second.
    pub(crate) fn joined<R: Send>(
        &self,
        io: InOut<'_>,
        work: &(impl Fn(InOut<'_>, usize) -> R + Sync),
        join: &(impl Fn(R, R, usize) -> R + Sync),
    ) -> R {
        let work = |io: InOut<'_>, offset, ()| work(io, offset);
        self.run(self.piece(io.len()), io, (), &|_, _| (), &work, join)
    }

    fn run<T: Copy + Send + Sync, R: Send>(
        &self,
        piece: usize,
        io: InOut<'_>,
        first: T,
        ahead: &(impl Fn(&[u8], usize) -> T + Sync),
        work: &(impl Fn(InOut<'_>, usize, T) -> R + Sync),
        join: &(impl Fn(R, R, usize) -> R + Sync),
    ) -> R {
        if middle(piece, io.len()).is_none() {
            return work(io, 0, first);
        }
        let whole = || halves(piece, io, 0, first, ahead, work, join);
        match self.pool {
            Some(pool) => pool.install(whole),
            None => whole(),
        }
    }
}

/// Halves the data until it is a piece. `work` gets the piece, the offset it begins at and
/// what `ahead` made of the input in front of it; `ahead` gets that back to where the
/// first half begins, and the offset of the second.
fn halves<T: Copy + Send + Sync, R: Send>(
    piece: usize,
    io: InOut<'_>,
    offset: usize,
    start: T,
    ahead: &(impl Fn(&[u8], usize) -> T + Sync),
    work: &(impl Fn(InOut<'_>, usize, T) -> R + Sync),
    join: &(impl Fn(R, R, usize) -> R + Sync),
) -> R {
    let Some(half) = middle(piece, io.len()) else { return work(io, offset, start) };
    let second = ahead(&io.input()[..half], offset + half);
    let (head, tail) = io.split_at(half);
    let len = tail.len();
    let (before, behind) = rayon::join(
        || halves(piece, head, offset, start, ahead, work, join),
        || halves(piece, tail, offset + half, second, ahead, work, join),
    );
    join(before, behind, len)
}

/// Where data is cut, at a multiple of the piece's length; `None` if it is a piece. What
/// is behind the last cut is longer than a block, so that it is enough for ciphertext
/// stealing.
fn middle(piece: usize, len: usize) -> Option<usize> {
    let pieces = len.saturating_sub(MAX_BLOCK).div_ceil(piece);
    (pieces > 1).then_some(pieces / 2 * piece)
}
