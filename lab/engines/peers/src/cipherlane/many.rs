//! Model `batch`: many messages in one call, through the registry's batches.

use cipherlane::Level;
use cipherlane::batch::{BatchCipher, Job, Packet, ReadyBatch};
use cipherlane::registry::{Kind, Operation};
use lab::work::{Batch, Data, Fault, Keys, Message, Refusal, RunBatch};
use lab::{Cell, KeySetup};
use rayon::ThreadPool;

use super::threads::pool;
use super::{io, refused};

/// Whether a cell's messages go in batches: under keys that are ready there are none whose
/// messages may lie `outside` the standard's limits.
pub(super) fn can(cell: &Cell, outside: bool) -> bool {
    !(outside && cell.keys == KeySetup::Ready)
}

/// Gets the batches of a cell ready and hands their work to `run`; without the standard's
/// limits if its messages are `outside` of them.
pub(super) fn prepare<'m>(
    operation: &Operation,
    level: Level,
    cell: &Cell,
    keys: &'m Keys,
    batches: Vec<Batch<'m>>,
    outside: bool,
    run: RunBatch<'_>,
) -> Result<(), Refusal> {
    let mut lengths = batches.iter().flatten().map(|message| message.data.len());
    if let Some(length) = lengths.find(|length| !operation.data.allow(*length)) {
        let (what, data) = (&cell.operation, operation.data);
        return Err(format!("{what} takes messages of {data} bytes, not {length}").into());
    }
    let threads = cell.threads;
    match cell.keys {
        KeySetup::Ready => {
            let all: Vec<&[u8]> = keys.keys().collect();
            let new = || operation.ready(&all, level).map_err(refused);
            let batches = convert(batches, |message| job(message, operation.kind));
            on(threads, new, batches, |batch, jobs| ready(&mut **batch, jobs), run)
        }
        KeySetup::Fresh => {
            let new = || {
                let batch =
                    if outside { operation.unlimited(level) } else { operation.fresh(level) };
                batch.map_err(refused)
            };
            let batches = convert(batches, |message| packet(message, operation.kind));
            on(threads, new, batches, |batch, packets| fresh(&mut **batch, packets), run)
        }
    }
}

fn ready(batch: &mut dyn ReadyBatch, jobs: &mut [Job<'_>]) -> Result<(), Fault> {
    batch.apply(jobs).map_err(|_| "ReadyBatch::apply")
}

fn fresh(batch: &mut dyn BatchCipher, packets: &mut [Packet<'_>]) -> Result<(), Fault> {
    batch.apply(packets).map_err(|_| "BatchCipher::apply")
}

/// The messages in the library's form.
fn convert<'m, T>(batches: Vec<Batch<'m>>, to: impl Fn(Message<'m>) -> T) -> Vec<Vec<T>> {
    batches.into_iter().map(|batch| batch.into_iter().map(&to).collect()).collect()
}

fn job(message: Message<'_>, kind: Kind) -> Job<'_> {
    let Message { slot, iv, aad, data, tag, .. } = message;
    match kind {
        Kind::Cipher => Job::new(slot, iv, io(data)),
        Kind::Seal | Kind::Open => Job::aead(slot, iv, aad, io(data), tag),
        Kind::Mac => Job::mac(slot, iv, read(data), tag),
    }
}

fn packet(message: Message<'_>, kind: Kind) -> Packet<'_> {
    let Message { key, iv, aad, data, tag, .. } = message;
    match kind {
        Kind::Cipher => Packet::new(key, iv, io(data)),
        Kind::Seal | Kind::Open => Packet::aead(key, iv, aad, io(data), tag),
        Kind::Mac => Packet::mac(key, iv, read(data), tag),
    }
}

/// What a MAC reads.
fn read(data: Data<'_>) -> &[u8] {
    match data {
        Data::InPlace(data) => data,
        Data::Disjoint(input, _) => input,
    }
}

/// Runs batches on one thread, or shares each among several, whose objects are their own.
fn on<B: Send, T: Send>(
    threads: u32,
    new: impl Fn() -> Result<B, Refusal>,
    mut batches: Vec<Vec<T>>,
    apply: impl Fn(&mut B, &mut [T]) -> Result<(), Fault> + Sync,
    run: RunBatch<'_>,
) -> Result<(), Refusal> {
    let mut objects = (0..threads).map(|_| new()).collect::<Result<Vec<B>, _>>()?;
    match objects.as_mut_slice() {
        [object] => run(&mut |number| apply(object, &mut batches[number])),
        objects => {
            let pool = pool(threads)?;
            run(&mut |number| shared(&pool, objects, &mut batches[number], &apply));
        }
    }
    Ok(())
}

/// One batch in as many parts as there are objects, each on a thread.
fn shared<B: Send, T: Send>(
    pool: &ThreadPool,
    objects: &mut [B],
    messages: &mut [T],
    apply: &(impl Fn(&mut B, &mut [T]) -> Result<(), Fault> + Sync),
) -> Result<(), Fault> {
    let each = messages.len().div_ceil(objects.len()).max(1);
    let mut results = vec![Ok(()); objects.len()];
    pool.scope(|scope| {
        let parts = objects.iter_mut().zip(messages.chunks_mut(each)).zip(&mut results);
        for ((object, part), result) in parts {
            scope.spawn(move |_| *result = apply(object, part));
        }
    });
    results.into_iter().collect()
}
