//! The functions of [`pipeline`](super::pipeline) that OpenSSL calls.

use std::ffi::{c_int, c_void};

use super::pipeline::{MOST, Piece, Pipes};
use super::{Context, with};
use crate::core::{Param, Params};
use crate::reason::{Reason, Refused};
use crate::{Outcome, memory};

/// # Safety
/// As OpenSSL promises of the arguments of `pipeline_encrypt_init`.
unsafe fn init(
    context: *mut c_void,
    encrypt: bool,
    (key, key_length): (*const u8, usize),
    count: usize,
    (ivs, iv_length): (*const *const u8, usize),
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises: as many IVs as pipes; settings are only read.
    let work = |context: &mut Context| unsafe {
        context.pipes = None;
        if !(1..=MOST).contains(&count) || key.is_null() {
            return Err(Reason::InvalidData.because(format!("{count} pipes; allowed: 1 to {MOST}")));
        }
        let key = memory::input(key, key_length)?;
        let ivs = if ivs.is_null() || iv_length == 0 {
            vec![None; count]
        } else {
            let ivs = std::slice::from_raw_parts(ivs, count).iter();
            ivs.map(|iv| memory::input(*iv, iv_length).map(Some)).collect::<Outcome<Vec<_>>>()?
        };
        let params = Params::new(list.cast_mut());
        context.work.set(params)?;
        let mut pipes = Pipes::new(context.spec, &*context.work, encrypt, key, &ivs)?;
        pipes.set(params)?;
        context.pipes = Some(Box::new(pipes));
        Ok(())
    };
    // SAFETY: as above.
    unsafe { with(context, c"pipeline_init", work) }
}

pub(super) unsafe extern "C" fn encrypt_init(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    count: usize,
    ivs: *const *const u8,
    iv_length: usize,
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe { init(context, true, (key, key_length), count, (ivs, iv_length), list) }
}

pub(super) unsafe extern "C" fn decrypt_init(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    count: usize,
    ivs: *const *const u8,
    iv_length: usize,
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe { init(context, false, (key, key_length), count, (ivs, iv_length), list) }
}

pub(super) unsafe extern "C" fn update(
    context: *mut c_void,
    count: usize,
    outputs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
    inputs: *const *const u8,
    lengths: *const usize,
) -> c_int {
    // SAFETY: OpenSSL's promises: arrays of `count`; no outputs stand for associated data.
    let work = |context: &mut Context| unsafe {
        let pipes = context.pipes.as_mut().ok_or(Reason::NoKey)?;
        if count != pipes.count() || written.is_null() || inputs.is_null() || lengths.is_null() {
            return Err(other_arrays());
        }
        let written = std::slice::from_raw_parts_mut(written, count);
        let pieces: Vec<Piece> = (0..count)
            .map(|at| Piece {
                from: *inputs.add(at),
                length: *lengths.add(at),
                to: if outputs.is_null() { std::ptr::null_mut() } else { *outputs.add(at) },
                room: if rooms.is_null() { 0 } else { *rooms.add(at) },
            })
            .collect();
        written.fill(0);
        pipes.update(&pieces, written)
    };
    // SAFETY: as above.
    unsafe { with(context, c"pipeline_update", work) }
}

fn other_arrays() -> Refused {
    Reason::InvalidData.because("no array, or another number of pipes than at first")
}

pub(super) unsafe extern "C" fn finish(
    context: *mut c_void,
    count: usize,
    outputs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
) -> c_int {
    // SAFETY: OpenSSL's promises: arrays of `count`.
    let work = |context: &mut Context| unsafe {
        let pipes = context.pipes.as_mut().ok_or(Reason::NoKey)?;
        if count != pipes.count() || written.is_null() || outputs.is_null() || rooms.is_null() {
            return Err(other_arrays());
        }
        let written = std::slice::from_raw_parts_mut(written, count);
        written.fill(0);
        let mut places = (0..count)
            .map(|at| {
                let (place, room) = (*outputs.add(at), *rooms.add(at));
                memory::output(place, if place.is_null() { 0 } else { room })
            })
            .collect::<Outcome<Vec<&mut [u8]>>>()?;
        pipes.finish(&mut places, written)
    };
    // SAFETY: as above.
    unsafe { with(context, c"pipeline_final", work) }
}
