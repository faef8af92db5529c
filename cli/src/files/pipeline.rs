//! Reading, work on all cores and writing at the same time, in the memory of a few chunks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use zeroize::Zeroizing;

use crate::failure::{Exit, Failure};
use crate::files::source::Source;
use crate::files::stop;
use crate::files::target::Target;

/// A piece of a file.
struct Piece {
    index: u64,
    last: bool,
    /// Wiped when it is dropped: it may be the plaintext of a run that failed.
    bytes: Zeroizing<Vec<u8>>,
}

/// What is done with a piece, in place; it may become longer or shorter.
pub(crate) type Work<'w> = dyn Fn(u64, bool, &mut Vec<u8>) -> Result<(), Failure> + Sync + 'w;

/// How a file is cut and by how many threads it is worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Bytes of every piece that is read but the last.
    pub(crate) piece: usize,
    /// Bytes by which a piece may grow.
    pub(crate) growth: usize,
    /// Threads that work on pieces, besides the two that read and write.
    pub(crate) threads: usize,
}

/// Reads the source to its end, works on its pieces and writes them in their order. `written`
/// hears of every piece how many bytes were read for it.
///
/// A source that has nothing has one empty piece.
///
/// # Errors
/// The first of the source, the work, the target, or of a signal. What was written then is
/// worth nothing.
pub(crate) fn run(
    source: &mut Source,
    target: &mut Target,
    plan: Plan,
    work: &Work<'_>,
    written: &mut dyn FnMut(u64),
) -> Result<(), Failure> {
    let buffers = 2 * plan.threads + 2;
    let (free_in, free_out) = bounded::<Zeroizing<Vec<u8>>>(buffers);
    for _ in 0..buffers {
        free_in.send(Zeroizing::default()).expect("there is room");
    }
    let (jobs_in, jobs_out) = bounded::<Piece>(plan.threads);
    // All buffers fit: a worker never waits for the writer.
    let (done_in, done_out) = unbounded::<Result<(Piece, u64), Failure>>();
    let ended = AtomicBool::new(false);
    let ended = &ended;
    thread::scope(|scope| {
        let read_fault = done_in.clone();
        scope.spawn(move || {
            if let Err(failure) = read(source, plan, &free_out, &jobs_in, ended) {
                let _ = read_fault.send(Err(failure));
            }
        });
        for _ in 0..plan.threads {
            let (jobs, done) = (jobs_out.clone(), done_in.clone());
            scope.spawn(move || {
                for mut piece in jobs {
                    let read = piece.bytes.len() as u64;
                    let worked = work(piece.index, piece.last, &mut piece.bytes);
                    if done.send(worked.map(|()| (piece, read))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((jobs_out, done_in));
        let outcome = write(target, &done_out, &free_in, written);
        // Whoever still reads or waits for a buffer ends.
        ended.store(true, Ordering::Relaxed);
        drop((done_out, free_in));
        outcome
    })
}

fn read(
    source: &mut Source,
    plan: Plan,
    free: &Receiver<Zeroizing<Vec<u8>>>,
    jobs: &Sender<Piece>,
    ended: &AtomicBool,
) -> Result<(), Failure> {
    let mut next = |buffer: &mut Vec<u8>| {
        buffer.reserve_exact((plan.piece + plan.growth).saturating_sub(buffer.len()));
        buffer.resize(plan.piece, 0);
        let filled = source.fill(buffer)?;
        buffer.truncate(filled);
        Ok::<_, Failure>(())
    };
    let Ok(mut bytes) = free.recv() else { return Ok(()) };
    next(&mut bytes)?;
    for index in 0.. {
        // Only one that is read beyond shows whether a piece is the last.
        let Ok(mut ahead) = free.recv() else { return Ok(()) };
        ahead.clear();
        if bytes.len() == plan.piece {
            next(&mut ahead)?;
        }
        let last = ahead.is_empty();
        if ended.load(Ordering::Relaxed) || jobs.send(Piece { index, last, bytes }).is_err() || last
        {
            break;
        }
        bytes = ahead;
    }
    Ok(())
}

fn write(
    target: &mut Target,
    done: &Receiver<Result<(Piece, u64), Failure>>,
    free: &Sender<Zeroizing<Vec<u8>>>,
    written: &mut dyn FnMut(u64),
) -> Result<(), Failure> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut ended = false;
    for worked in done {
        let (piece, read) = worked?;
        early.insert(piece.index, (piece, read));
        while let Some((mut piece, read)) = early.remove(&next) {
            stop::check()?;
            target.write(&piece.bytes)?;
            written(read);
            next += 1;
            ended = piece.last;
            piece.bytes.clear();
            // Nobody takes it where all is read.
            let _ = free.try_send(piece.bytes);
        }
    }
    if ended {
        return Ok(());
    }
    Err(Failure::new(Exit::Environment, "a thread ended too early", "try again with --threads 1"))
}
