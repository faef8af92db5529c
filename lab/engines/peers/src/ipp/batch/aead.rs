//! GCM and CCM of sixteen messages.

use std::ffi::c_int;

use lab::work::Fault;

use super::lanes::{LANES, Lanes};
use super::{CryptoMb, Status, done};
use crate::ipp::aead::same;
use crate::peer_operations::{Mode, Operation};

type GcmInit =
    unsafe extern "C" fn(*const *const u8, *const *const u8, *const c_int, *mut Context) -> Status;
/// The same with the lengths of tags and messages.
type CcmInit = unsafe extern "C" fn(
    *const *const u8,
    *const *const u8,
    *const c_int,
    *const c_int,
    *const u64,
    *mut Context,
) -> Status;
type Aad = unsafe extern "C" fn(*const *const u8, *const c_int, *mut Context) -> Status;
type Crypt =
    unsafe extern "C" fn(*const *mut u8, *const *const u8, *const c_int, *mut Context) -> Status;
type Tag = unsafe extern "C" fn(*const *mut u8, *const c_int, *mut Context) -> Status;

/// `SM4_GCM_CTX_mb16` or `SM4_CCM_CTX_mb16`, which have 5184 and 3136 bytes: more than
/// either may grow to.
#[repr(C, align(64))]
struct Context([u8; 1 << 15]);

/// The longest tag in bytes.
const TAG: usize = 16;

enum Init {
    Gcm(GcmInit),
    Ccm(CcmInit),
}

/// The names of the functions: initialisation, associated data, encryption, decryption, tag.
const GCM: [&str; 5] = [
    "mbx_sm4_gcm_init_mb16",
    "mbx_sm4_gcm_update_aad_mb16",
    "mbx_sm4_gcm_encrypt_mb16",
    "mbx_sm4_gcm_decrypt_mb16",
    "mbx_sm4_gcm_get_tag_mb16",
];
const CCM: [&str; 5] = [
    "mbx_sm4_ccm_init_mb16",
    "mbx_sm4_ccm_update_aad_mb16",
    "mbx_sm4_ccm_encrypt_mb16",
    "mbx_sm4_ccm_decrypt_mb16",
    "mbx_sm4_ccm_get_tag_mb16",
];

/// GCM or CCM with its functions and room for its state.
pub(super) struct Aead {
    init: Init,
    aad: Aad,
    crypt: Crypt,
    tag: Tag,
    opens: bool,
    names: [&'static str; 5],
    context: Box<Context>,
}

impl Aead {
    /// Finds the functions of an operation.
    pub(super) fn bind(library: &CryptoMb, operation: &Operation) -> Result<Self, String> {
        let is_ccm = operation.mode == Mode::Ccm;
        let names = if is_ccm { CCM } else { GCM };
        Ok(Self {
            init: if is_ccm {
                Init::Ccm(library.function(names[0])?)
            } else {
                Init::Gcm(library.function(names[0])?)
            },
            aad: library.function(names[1])?,
            crypt: library.function(names[if operation.encrypt { 2 } else { 3 }])?,
            tag: library.function(names[4])?,
            opens: !operation.encrypt,
            names,
            context: Box::new(Context([0; 1 << 15])),
        })
    }

    /// Seals or opens the messages of a group, from key to tag.
    #[inline]
    pub(super) fn apply(&mut self, lanes: &Lanes) -> Result<(), Fault> {
        let (context, count) = (&raw mut *self.context, lanes.count);
        let (output, input) = (lanes.output.as_ptr(), lanes.input.as_ptr());
        let (key, iv, iv_length) =
            (lanes.key.as_ptr(), lanes.iv.as_ptr(), lanes.iv_length.as_ptr());
        let mut own = [[0; TAG]; LANES];
        let mut tags = lanes.tag;
        if self.opens {
            for (lane, own) in own.iter_mut().enumerate().take(count) {
                tags[lane] = own.as_mut_ptr();
            }
        }
        if lanes.tag_length.iter().any(|length| usize::try_from(*length).is_ok_and(|it| it > TAG)) {
            return Err(self.names[4]);
        }
        // SAFETY: every lane in use has key, nonce, associated data, input, output and room
        // for a tag of the lengths that are told; the others are null. The context has room
        // for either state, and the functions follow in the order of the headers.
        unsafe {
            let status = match self.init {
                Init::Gcm(init) => init(key, iv, iv_length, context),
                Init::Ccm(init) => {
                    let (tag, total) = (lanes.tag_length.as_ptr(), lanes.total.as_ptr());
                    init(key, iv, iv_length, tag, total, context)
                }
            };
            done(status, count, self.names[0])?;
            if lanes.have_aad() {
                let status = (self.aad)(lanes.aad.as_ptr(), lanes.aad_length.as_ptr(), context);
                done(status, count, self.names[1])?;
            }
            if lanes.have_data() {
                let status = (self.crypt)(output, input, lanes.length.as_ptr(), context);
                done(status, count, self.names[if self.opens { 3 } else { 2 }])?;
            }
            let status = (self.tag)(tags.as_ptr(), lanes.tag_length.as_ptr(), context);
            done(status, count, self.names[4])?;
        }
        if !self.opens {
            return Ok(());
        }
        let mut well = true;
        for (lane, own) in own.iter().enumerate().take(count) {
            let length = usize::try_from(lanes.tag_length[lane]).unwrap_or(0).min(TAG);
            // SAFETY: the lane's tag has that length and is only read.
            let sent = unsafe { std::slice::from_raw_parts(lanes.tag[lane], length) };
            well &= same(&own[..length], sent);
        }
        if well { Ok(()) } else { Err("the comparison of the tags") }
    }
}
