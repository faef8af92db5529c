//! Many messages in one call, side by side in lanes where the operation has them.

use std::ffi::{c_char, c_int};

use ciphers::batch::{BatchCipher, Job, Packet, ReadyBatch};
use ciphers::registry::{Kind, Operation};
use ciphers::{Error, InOut};
use reserve::Watch;

use crate::kept::Kept;
use crate::memory::{self, Handle};
use crate::options::{cipherlane_options, settings};
use crate::status::{Outcome, Status, guard_or, quiet, said};

/// One message of a batch. Members that are not used are zero: `memset` a packet first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cipherlane_packet {
    /// The key, where keys come with the messages.
    pub key: *const u8,
    /// Its length in bytes.
    pub key_length: usize,
    /// The number of the key, where keys are ready.
    pub key_index: usize,
    /// The IV or nonce.
    pub iv: *const u8,
    /// Its length in bytes.
    pub iv_length: usize,
    /// Associated data of an AEAD; the message of a MAC.
    pub aad: *const u8,
    /// Its length in bytes.
    pub aad_length: usize,
    /// The data; not of a MAC.
    pub input: *const u8,
    /// Where the result goes: `input` itself, or apart from it, and from all other packets.
    pub output: *mut u8,
    /// The length of the data in bytes.
    pub length: usize,
    /// The tag: written by what seals and by a MAC, read by what opens.
    pub tag: *mut u8,
    /// Its length in bytes.
    pub tag_length: usize,
    /// Set by the call: 1 if this message was refused or its tag was wrong, else 0.
    pub failed: c_int,
    /// Zeros, else the packet is refused with `CIPHERLANE_VALUE`: room for what later versions
    /// take.
    pub reserved: [usize; 3],
}

/// An operation on many messages. Not for two threads at once.
#[expect(missing_debug_implementations, reason = "it holds key material")]
pub struct cipherlane_batch {
    work: Kept<Work>,
    kind: Kind,
    /// The most bytes of messages that a call had: what the library copies them into, it keeps.
    most: usize,
}

impl Handle for cipherlane_batch {
    fn end(&mut self) {
        self.work.end();
    }
}

/// Where the keys are, with room that is kept for the messages of the next call.
enum Work {
    Ready(Box<dyn ReadyBatch>, Vec<Job<'static>>),
    Fresh(Box<dyn BatchCipher>, Vec<Packet<'static>>),
}

/// The operation of an algorithm.
///
/// # Safety
/// The texts are null or end with a zero byte.
unsafe fn operation(
    algorithm: *const c_char,
    name: *const c_char,
    tag: Option<usize>,
) -> Outcome<Operation> {
    // SAFETY: the caller's promises.
    let (algorithm, name) =
        unsafe { (memory::text("algorithm", algorithm)?, memory::text("operation", name)?) };
    let batch = objects::batch(algorithm, name)?;
    Ok(match tag {
        Some(tag) => batch.with_tag_len(tag)?,
        None => batch,
    })
}

/// Makes a batch of any operation, under keys that come with the messages. Tags have the length
/// that `options` names, or else the longest of the operation. On failure `*batch` is null.
///
/// # Safety
/// `batch` is null or valid for writing; the texts end with a zero byte; `options` is null or
/// valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_batch_new(
    batch: *mut *mut cipherlane_batch,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::hand_out("batch", batch, || {
            let settings = settings(options)?;
            let operation = self::operation(algorithm, operation, settings.tag)?;
            let fresh = operation.fresh(settings.level)?;
            let work = Kept::new(Work::Fresh(fresh, Vec::new()));
            Ok(cipherlane_batch { work, kind: operation.kind, most: 0 })
        })
    }
}

/// Makes a batch of any operation, under `count` keys of `key_length` bytes that are set up
/// now; a packet names its own by its place. On failure `*batch` is null.
///
/// # Safety
/// As [`cipherlane_batch_new`]; `keys` is null or valid for `count` pointers, each valid for
/// `key_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_batch_new_ready(
    batch: *mut *mut cipherlane_batch,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    keys: *const *const u8,
    key_length: usize,
    count: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        memory::hand_out("batch", batch, || {
            let settings = settings(options)?;
            let operation = self::operation(algorithm, operation, settings.tag)?;
            let pointers = array(keys, count)?;
            memory::enough(count.saturating_mul(KEY))?;
            let mut keys: Vec<&[u8]> = Vec::new();
            keys.try_reserve_exact(count).map_err(|_| Status::NoMemory)?;
            for key in pointers {
                keys.push(memory::input("key", *key, key_length)?);
            }
            let ready = operation.ready(&keys, settings.level)?;
            let work = Kept::new(Work::Ready(ready, Vec::new()));
            Ok(cipherlane_batch { work, kind: operation.kind, most: 0 })
        })
    }
}

/// The most that a key takes that is ready, in bytes; a test measures it.
const KEY: usize = 4096;

/// The elements of an array.
///
/// # Safety
/// `first` is null or valid for `count` of them.
unsafe fn array<'a, T>(first: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if first.is_null() {
        return Err(Status::Null.into());
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Status::Length.into());
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Wipes and frees a batch; null is allowed.
///
/// # Safety
/// `batch` is null, or was made by a function above and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_batch_free(batch: *mut cipherlane_batch) {
    // SAFETY: the caller's promise.
    unsafe { memory::take_back(batch) }
}

/// How many messages share one pass of the kernel; 1 where they run one after another, 0 for
/// null.
///
/// # Safety
/// `batch` is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_batch_lanes(batch: *const cipherlane_batch) -> usize {
    // SAFETY: the caller's promise.
    let batch = unsafe { batch.as_ref() };
    let lanes = |batch: &cipherlane_batch| match batch.work.get() {
        Ok(Work::Ready(ready, _)) => ready.lanes(),
        Ok(Work::Fresh(fresh, _)) => fresh.lanes(),
        Err(_) => 0,
    };
    quiet(0, || batch.map_or(0, lanes))
}

/// Processes `count` messages. All lengths are checked before the first byte is written: the
/// first packet that the operation does not take is marked and named by the status, and nothing
/// is done. `CIPHERLANE_AUTHENTICATION` if a tag is wrong: that packet is marked, its output
/// wiped, and all others are processed. That packets are apart from each other is not checked.
///
/// # Safety
/// `batch` is null or alive and used by nobody else; `packets` is null or valid for `count`
/// packets, whose pointers are null or valid for their lengths, and whose outputs and tags do
/// not overlap with anything of another packet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_batch_apply(
    batch: *mut cipherlane_batch,
    packets: *mut cipherlane_packet,
    count: usize,
) -> c_int {
    // SAFETY: the caller's promises; no borrow outlives the call, because the room is emptied.
    let work = |batch: &mut cipherlane_batch| unsafe {
        array(packets, count)?;
        let packets = match count {
            0 => &mut [],
            _ => std::slice::from_raw_parts_mut(packets, count),
        };
        let kind = batch.kind;
        let most = &mut batch.most;
        match batch.work.get_mut()? {
            Work::Ready(ready, room) => {
                let done = fill(room, packets, most, |packet| job(packet, kind))
                    .and_then(|()| Ok(ready.apply(room)?));
                let failed = room.drain(..).map(|job| job.failed);
                mark(packets, failed, done)
            }
            Work::Fresh(fresh, room) => {
                let done = fill(room, packets, most, |packet| own(packet, kind))
                    .and_then(|()| Ok(fresh.apply(room)?));
                let failed = room.drain(..).map(|packet| packet.failed);
                mark(packets, failed, done)
            }
        }
    };
    // SAFETY: as above; the borrows follow each other.
    unsafe {
        let end = || {
            if let Some(batch) = batch.as_mut() {
                batch.end();
                wipe(packets, count, batch.kind);
            }
        };
        let done = guard_or(end, || work(memory::object("batch", batch)?));
        if done == Status::NoMemory as c_int {
            for at in 0..count {
                (*packets.add(at)).failed = 1;
            }
        }
        done
    }
}

/// Wipes what a call wrote that ran out of memory.
///
/// # Safety
/// As [`cipherlane_batch_apply`].
unsafe fn wipe(packets: *mut cipherlane_packet, count: usize, kind: Kind) {
    for at in 0..count {
        // SAFETY: the caller's promise.
        unsafe {
            let cipherlane_packet { output, length, tag, tag_length, .. } = *packets.add(at);
            // What opens only reads it.
            let tag_length = if kind == Kind::Open { 0 } else { tag_length };
            memory::wipe(&[(output, length), (tag, tag_length)]);
        }
    }
}

/// Puts the packets into the library's form; the one that can't be is marked.
fn fill<T>(
    room: &mut Vec<T>,
    packets: &mut [cipherlane_packet],
    most: &mut usize,
    convert: impl Fn(&cipherlane_packet) -> Outcome<T>,
) -> Outcome {
    let (watch, mut all) = (Watch::begin(), 0_usize);
    room.clear();
    let there_is = room.try_reserve(packets.len()).is_ok();
    if watch.holds() || !there_is {
        // Before anything was done: the batch itself can go on.
        *room = Vec::new();
        return Err(Status::NoMemory.into());
    }
    for packet in packets {
        packet.failed = 1;
        room.push(convert(packet)?);
        packet.failed = 0;
        // Lengths that objects have.
        all = all.saturating_add(packet.length + packet.aad_length);
    }
    if all > *most {
        memory::enough(all)?;
        *most = all;
    }
    Ok(())
}

/// Copies the marks back.
fn mark(
    packets: &mut [cipherlane_packet],
    failed: impl ExactSizeIterator<Item = bool>,
    done: Outcome,
) -> Outcome {
    // Fewer, if a packet could not be taken, which is marked.
    if failed.len() == packets.len() {
        for (packet, failed) in packets.iter_mut().zip(failed) {
            packet.failed = c_int::from(failed);
        }
    }
    done
}

/// The parts of a packet but its key: IV, associated data, data, tag.
type Parts = (&'static [u8], &'static [u8], InOut<'static>, &'static mut [u8]);

/// # Safety
/// The packet's pointers are null or valid for their lengths, for as long as the parts are used.
unsafe fn parts(packet: &cipherlane_packet, kind: Kind) -> Outcome<Parts> {
    if kind == Kind::Mac && packet.length != 0 {
        return Err(Error::State("a MAC takes its message as associated data").into());
    }
    if packet.reserved != [0; 3] {
        let text = "a packet has something in its member `reserved`; allowed: zeros";
        return Err(said(Status::Value, text.into()));
    }
    let output = ("output", packet.output.cast_const(), packet.length);
    let tag = ("tag", packet.tag.cast_const(), packet.tag_length);
    let head = [("iv", packet.iv, packet.iv_length), ("aad", packet.aad, packet.aad_length)];
    memory::apart(output, &head)?;
    memory::apart(tag, &[head[0], head[1], output, ("input", packet.input, packet.length)])?;
    // SAFETY: the caller's promise.
    unsafe {
        Ok((
            memory::input("iv", packet.iv, packet.iv_length)?,
            memory::input("aad", packet.aad, packet.aad_length)?,
            memory::in_out(packet.input, packet.output, packet.length)?,
            memory::output("tag", packet.tag, packet.tag_length)?,
        ))
    }
}

/// # Safety
/// As [`parts`].
unsafe fn job(packet: &cipherlane_packet, kind: Kind) -> Outcome<Job<'static>> {
    // SAFETY: the caller's promise.
    let (iv, aad, io, tag) = unsafe { parts(packet, kind) }?;
    Ok(Job { key: packet.key_index, iv, aad, io, tag, failed: false })
}

/// # Safety
/// As [`parts`], and so is the key.
unsafe fn own(packet: &cipherlane_packet, kind: Kind) -> Outcome<Packet<'static>> {
    // SAFETY: the caller's promise.
    let (iv, aad, io, tag) = unsafe { parts(packet, kind) }?;
    let key = ("key", packet.key, packet.key_length);
    memory::apart(("output", packet.output, packet.length), &[key])?;
    memory::apart(("tag", packet.tag, packet.tag_length), &[key])?;
    // SAFETY: as above.
    let key = unsafe { memory::input("key", packet.key, packet.key_length) }?;
    Ok(Packet { key, iv, aad, io, tag, failed: false })
}

#[cfg(all(test, feature = "reserve"))]
mod tests {
    use super::*;
    use ciphers::registry::{ALGORITHMS, operations};
    use reserve::drill;

    #[test]
    fn a_key_that_is_ready_takes_no_more_than_is_asked_for() {
        // Both keys of XTS differ.
        let (key, mut most) = (std::array::from_fn::<u8, 64, _>(|at| at as u8), (0, String::new()));
        for it in ALGORITHMS.iter().flat_map(operations) {
            let key = &key[..it.key.max.min(64)];
            let bytes = |count: usize| {
                let before = drill::bytes();
                let made = it.ready(&vec![key; count], ciphers::Level::detect().expect("a level"));
                assert!(made.is_ok(), "{it:?}");
                drill::bytes() - before
            };
            let one = (bytes(600) - bytes(88)) / 512;
            if one > most.0 {
                most = (one, format!("{}/{}", it.algorithm.name, it.name));
            }
        }
        println!("{most:?}");
        assert!(most.0 <= KEY, "{most:?}");
    }
}
