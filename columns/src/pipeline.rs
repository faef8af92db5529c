//! Reading, work and writing beside each other, with a bound on what is under way and rows in their
//! order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::failure::Failure;
use crate::input::{Chunk, Rows};
use crate::stop;

/// A chunk under way, by its number.
type Numbered<T> = (usize, T);

/// Takes every chunk through `work`, in as many threads as told, and gives what comes of them to
/// `write` in their order.
///
/// # Errors
/// The first failure of any of the three, in the order of chunks where it is of work; all end then.
pub(crate) fn run<T: Send>(
    mut rows: Box<dyn Rows>,
    threads: usize,
    work: impl Fn(usize, Chunk) -> Result<T, Failure> + Sync,
    mut write: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // A ticket is a chunk anywhere between reading and written.
    let (give_back, tickets) = bounded::<()>(threads + 2);
    for _ in 0..threads + 2 {
        let _ = give_back.send(());
    }
    let (to_work, chunks) = bounded::<Numbered<Chunk>>(1);
    let (to_write, done) = bounded::<Numbered<Result<T, Failure>>>(threads + 2);
    let of_reading: Mutex<Option<Failure>> = Mutex::new(None);
    thread::scope(|scope| {
        let reader = {
            let of_reading = &of_reading;
            move || {
                if let Err(failure) = read(&mut *rows, &tickets, &to_work) {
                    *of_reading.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                        Some(failure);
                }
            }
        };
        scope.spawn(reader);
        for _ in 0..threads {
            let (chunks, to_write, work) = (chunks.clone(), to_write.clone(), &work);
            scope.spawn(move || {
                for (number, chunk) in chunks {
                    // Nobody listens any more where another chunk has failed.
                    if to_write.send((number, work(number, chunk))).is_err() {
                        return;
                    }
                }
            });
        }
        // What is left here would keep the channels open.
        drop((chunks, to_write));
        in_order(done, give_back, &mut write)
    })?;
    let failure = of_reading.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    failure.map_or(Ok(()), Err)
}

fn read(
    rows: &mut dyn Rows,
    tickets: &Receiver<()>,
    to_work: &Sender<Numbered<Chunk>>,
) -> Result<(), Failure> {
    let mut number = 0;
    loop {
        // No ticket and nobody who would give one, or nobody who works: something has failed.
        if tickets.recv().is_err() {
            return Ok(());
        }
        stop::check()?;
        let Some(chunk) = rows.next()? else { return Ok(()) };
        if to_work.send((number, chunk)).is_err() {
            return Ok(());
        }
        number += 1;
    }
}

fn in_order<T>(
    done: Receiver<Numbered<Result<T, Failure>>>,
    give_back: Sender<()>,
    write: &mut impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, result) in done {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            stop::check()?;
            write(result?)?;
            next += 1;
            // The reader may have read all.
            let _ = give_back.send(());
        }
    }
    Ok(())
}
