//! The functions of [`pipeline`](super::pipeline) that OpenSSL calls.

use std::ffi::{c_int, c_void};

use super::Context;
use super::pipeline::{MOST, Piece, Pipes};
use crate::core::{Param, Params};
use crate::{Outcome, Refused, guard, memory};

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
    guard(|| unsafe {
        let context = memory::context::<Context>(context)?;
        context.pipes = None;
        if !(1..=MOST).contains(&count) || key.is_null() {
            return Err(Refused);
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
        context.pipes = Some(pipes);
        Ok(())
    })
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
    guard(|| unsafe {
        let pipes = memory::context::<Context>(context)?.pipes.as_mut().ok_or(Refused)?;
        if count != pipes.count() || written.is_null() || inputs.is_null() || lengths.is_null() {
            return Err(Refused);
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
    })
}

pub(super) unsafe extern "C" fn finish(
    context: *mut c_void,
    count: usize,
    outputs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
) -> c_int {
    // SAFETY: OpenSSL's promises: arrays of `count`.
    guard(|| unsafe {
        let pipes = memory::context::<Context>(context)?.pipes.as_mut().ok_or(Refused)?;
        if count != pipes.count() || written.is_null() || outputs.is_null() || rooms.is_null() {
            return Err(Refused);
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
    })
}
