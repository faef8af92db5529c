//! OpenSSL's part, played by a fuzzer: contexts of every cipher and MAC, through the tables that
//! OpenSSL calls, with keys, lengths and parameters of whatever name, type and size, in any order.
//!
//! What EVP promises is kept: buffers are as long as said, lists end, a context is used by one
//! call at a time. What is asked back: 0 or 1, no byte written beside a buffer, no length beyond
//! the room, no panic.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr;

use crate::core::{Algorithm, Dispatch, Param};
use crate::{cipher, mac};

type New = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Init =
    unsafe extern "C" fn(*mut c_void, *const u8, usize, *const u8, usize, *const Param) -> c_int;
type Update =
    unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize, *const u8, usize) -> c_int;
type Finish = unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int;
type Parameters = unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int;
type Named = unsafe extern "C" fn(*mut Param) -> c_int;
type MacInit = unsafe extern "C" fn(*mut c_void, *const u8, usize, *const Param) -> c_int;
type MacUpdate = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;

const KEYS: [&CStr; 28] = [
    c"aead",
    c"blocksize",
    c"block-size",
    c"cipher",
    c"custom-iv",
    c"iv",
    c"iv-generated",
    c"ivlen",
    c"key",
    c"keybits",
    c"keylen",
    c"mode",
    c"num",
    c"padding",
    c"properties",
    c"rounds",
    c"size",
    c"tag",
    c"taglen",
    c"tls-mac-size",
    c"tls-version",
    c"tlsaad",
    c"tlsaadpad",
    c"tlsivfixed",
    c"tlsivgen",
    c"tlsivinv",
    c"updated-iv",
    c"xts_standard",
];
const TEXTS: [&[u8]; 5] = [b"IEEE\0", b"GB\0", b"SM4-CBC\0", b"AES-128-CBC\0", b"\xff\0"];

/// What is left of the fuzzer's bytes; where they end, zeros.
struct Input<'d>(&'d [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.byte()).collect()
    }

    /// A length that is often one that something has.
    fn length(&mut self) -> usize {
        match self.below(4) {
            0 => [0, 8, 12, 13, 16, 24, 32, 64][self.below(8)],
            1 => self.below(256),
            _ => 16,
        }
    }
}

/// Bytes behind every buffer that nothing may change.
const BEHIND: [u8; 32] = [0xa5; 32];

/// Parameters with the room for their values.
struct List {
    params: Vec<Param>,
    rooms: Vec<Vec<u8>>,
    sizes: Vec<usize>,
}

impl List {
    fn new(input: &mut Input<'_>) -> Self {
        let count = input.below(4);
        let (mut params, mut rooms, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let key = KEYS[input.below(KEYS.len())];
            // All types of OSSL_PARAM, and what is none.
            let data_type = input.below(9) as c_uint;
            let size = match input.below(4) {
                0 => 4,
                1 => 8,
                _ => input.length(),
            };
            // A pointer's place holds one, whatever size is said.
            let room = if matches!(data_type, 6 | 7) { size.max(8) } else { size };
            let mut value = match input.below(3) {
                0 => TEXTS[input.below(TEXTS.len())].to_vec(),
                // Small numbers.
                1 => vec![input.byte()],
                _ => input.bytes(room),
            };
            value.resize(room, 0);
            value.extend(BEHIND);
            let data = if input.below(8) == 0 { ptr::null_mut() } else { value.as_mut_ptr() };
            params.push(Param::given(key, data_type, data.cast(), size));
            rooms.push(value);
            sizes.push(room);
        }
        params.push(Param::END);
        Self { params, rooms, sizes }
    }

    fn pointer(&mut self) -> *mut Param {
        self.params.as_mut_ptr()
    }
}

impl Drop for List {
    fn drop(&mut self) {
        for (room, size) in self.rooms.iter().zip(&self.sizes) {
            assert!(room[*size..] == BEHIND, "a parameter was written beside its room");
        }
    }
}

/// A function of a table.
fn function(table: *const Dispatch, number: c_int) -> Option<unsafe extern "C" fn()> {
    let mut next = table;
    // SAFETY: the tables are constants that end with number 0.
    unsafe {
        while (*next).number != 0 {
            if (*next).number == number {
                return (*next).function;
            }
            next = next.add(1);
        }
    }
    None
}

/// Its type, which belongs to its number.
macro_rules! typed {
    ($table:expr, $number:expr, $type:ty) => {
        // SAFETY: the functions of these numbers have these types, as `entry!` had them.
        unsafe {
            std::mem::transmute::<unsafe extern "C" fn(), $type>(
                function($table, $number).expect("every table has it"),
            )
        }
    };
}

thread_local! {
    /// Calls that failed and that succeeded.
    static VERDICTS: Cell<[u64; 2]> = const { Cell::new([0; 2]) };
}

fn verdict(done: c_int) {
    assert!(matches!(done, 0 | 1), "{done} is no verdict");
    let mut verdicts = VERDICTS.get();
    verdicts[done as usize] += 1;
    VERDICTS.set(verdicts);
}

/// Output of `room` bytes: filled by `call`, which gets its pointer and the place of the length.
fn into_room(room: usize, call: impl FnOnce(*mut u8, *mut usize) -> c_int) {
    let mut output = vec![0; room];
    output.extend(BEHIND);
    let mut written = 0;
    let done = call(output.as_mut_ptr(), &raw mut written);
    verdict(done);
    assert!(output[room..] == BEHIND, "output was written beside its room");
    assert!(done == 0 || written <= room, "{written} bytes are more than {room}");
}

fn one_cipher(table: *const Dispatch, input: &mut Input<'_>) {
    let new = typed!(table, 1, New);
    let inits = [typed!(table, 2, Init), typed!(table, 3, Init)];
    let updates = [typed!(table, 4, Update), typed!(table, 6, Update)];
    let finish = typed!(table, 5, Finish);
    let free = typed!(table, 7, Free);
    let duplicate = typed!(table, 8, New);
    let named = typed!(table, 9, Named);
    let (get, set) = (typed!(table, 10, Parameters), typed!(table, 11, Parameters));
    // SAFETY: as EVP promises: the context is one that `new` or `duplicate` made, buffers have
    // the lengths that are said, lists end, and nothing else uses either throughout a call.
    unsafe {
        let mut context = new(ptr::null_mut());
        assert!(!context.is_null());
        while !input.0.is_empty() {
            match input.below(10) {
                0 | 1 => {
                    let init = inits[input.below(2)];
                    let (key, iv) = (input.length(), input.length());
                    let (key, iv) = (input.bytes(key), input.bytes(iv));
                    let mut list = List::new(input);
                    let key_at = if input.below(4) == 0 { ptr::null() } else { key.as_ptr() };
                    let iv_at = if input.below(4) == 0 { ptr::null() } else { iv.as_ptr() };
                    let list = list.pointer();
                    verdict(init(context, key_at, key.len(), iv_at, iv.len(), list));
                }
                2..=5 => {
                    let update = updates[input.below(2)];
                    let length = input.length() + input.below(3) * 64;
                    let mut data = input.bytes(length);
                    let room = length + [32, 16, 0][input.below(3)];
                    match input.below(4) {
                        // Associated data has no output.
                        0 => {
                            let mut written = 0;
                            let (data, none) = (data.as_ptr(), ptr::null_mut());
                            let written = &raw mut written;
                            verdict(update(context, none, written, 0, data, length));
                        }
                        // In place, or further on in the same buffer.
                        1 => {
                            let apart = input.below(3);
                            data.resize(length + apart, 0);
                            data.extend(BEHIND);
                            let mut written = 0;
                            let start = data.as_mut_ptr();
                            let (output, written) = (start.add(apart), &raw mut written);
                            verdict(update(context, output, written, length, start, length));
                            assert!(data[length + apart..] == BEHIND, "written beside");
                        }
                        _ => into_room(room, |output, written| {
                            update(context, output, written, room, data.as_ptr(), length)
                        }),
                    }
                }
                6 => into_room(64, |output, written| finish(context, output, written, 64)),
                7 => {
                    let twin = duplicate(context);
                    if !twin.is_null() {
                        free(std::mem::replace(&mut context, twin));
                    }
                }
                8 => verdict(get(context, List::new(input).pointer())),
                _ => {
                    verdict(named(List::new(input).pointer()));
                    verdict(set(context, List::new(input).pointer()));
                }
            }
        }
        free(context);
    }
}

fn one_mac(table: *const Dispatch, input: &mut Input<'_>) {
    let new = typed!(table, 1, New);
    let duplicate = typed!(table, 2, New);
    let free = typed!(table, 3, Free);
    let init = typed!(table, 4, MacInit);
    let update = typed!(table, 5, MacUpdate);
    let finish = typed!(table, 6, Finish);
    let (get, set) = (typed!(table, 8, Parameters), typed!(table, 9, Parameters));
    // SAFETY: as above.
    unsafe {
        let mut context = new(ptr::null_mut());
        assert!(!context.is_null());
        while !input.0.is_empty() {
            match input.below(8) {
                0 | 1 => {
                    let key = input.length();
                    let key = input.bytes(key);
                    let mut list = List::new(input);
                    let key_at = if input.below(4) == 0 { ptr::null() } else { key.as_ptr() };
                    verdict(init(context, key_at, key.len(), list.pointer()));
                }
                2 | 3 => {
                    let data = input.length();
                    let data = input.bytes(data);
                    verdict(update(context, data.as_ptr(), data.len()));
                }
                4 => {
                    let room = input.below(40);
                    into_room(room, |output, written| finish(context, output, written, room));
                }
                5 => {
                    let twin = duplicate(context);
                    if !twin.is_null() {
                        free(std::mem::replace(&mut context, twin));
                    }
                }
                6 => verdict(get(context, List::new(input).pointer())),
                _ => verdict(set(context, List::new(input).pointer())),
            }
        }
        free(context);
    }
}

/// The tables of a list of algorithms.
fn tables(mut list: *const Algorithm) -> Vec<*const Dispatch> {
    let mut all = Vec::new();
    // SAFETY: lists live as long as the process and end with null.
    unsafe {
        while !(*list).names.is_null() {
            all.push((*list).functions);
            list = list.add(1);
        }
    }
    all
}

/// Plays OpenSSL as these bytes say.
pub fn fuzzed(data: &[u8]) {
    let mut input = Input(data);
    let macs = input.below(4) == 0;
    let all = tables(if macs { mac::algorithms() } else { cipher::table::algorithms(true) });
    let table = all[input.below(all.len())];
    if macs { one_mac(table, &mut input) } else { one_cipher(table, &mut input) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn whatever_comes_nothing_is_written_beside_its_room() {
        // xorshift64, from a seed of its own for every length.
        for seed in 1..20_000_u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            };
            let data: Vec<u8> = (0..seed % 700).map(|_| next()).collect();
            super::fuzzed(&data);
        }
        let [failed, succeeded] = super::VERDICTS.get();
        assert!(failed > 10_000 && succeeded > 10_000, "{failed} failed, {succeeded} succeeded");
    }
}
