//! Many messages in one call: `crypto_mb`, which comes with the library and takes sixteen
//! messages of SM4 at a time, each in a lane of its registers.
//!
//! Messages are put into groups of sixteen before the clock starts, as arrays of pointers. A
//! lane without a message has null pointers, which the library passes over. Keys that are
//! ready lie in one schedule a group; GCM and CCM set key and nonce by one function, so
//! there they are set up again inside the clock. CTR and OFB write into their IVs: these are
//! copied for every call.

use std::ffi::{CStr, c_int};
use std::path::Path;

use lab::work::{Batch, Message, Notes, Refusal, Run, RunBatch};
use lab::{Cell, KeySetup};

mod aead;
mod blocks;
mod lanes;

use aead::Aead;
use blocks::Blocks;
use lanes::{LANES, Lanes};

use super::Version;
use crate::peer_operations::{Mode, Operation};
use crate::shared_library::{Opened, Peer};

/// The library beside that of the engine, with what Intel's compiler gave it.
const PEER: Peer = Peer {
    engine: "ipp",
    system: &[],
    beside: &["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"],
    how_to_get: super::PEER.how_to_get,
};

/// Its file name.
const FILE: &str = "libcrypto_mb.so.13";

/// `MBX_ALGO_SM4` of the header cpu_features.h.
const ALGORITHM_SM4: c_int = 10;

/// `MBX_WIDTH_MB16`: sixteen messages at a time.
const SIXTEEN: u64 = 16;

/// `mbx_status16`: four bits a lane, 0 where all is well.
type Status = u64;

/// The multi-buffer library.
pub(super) struct CryptoMb {
    version: String,
    opened: Opened,
}

impl CryptoMb {
    /// Opens the library that lies beside that of the engine.
    ///
    /// # Errors
    /// Why it can't be used, in one line.
    pub(super) fn beside(engine: &Path) -> Result<Self, String> {
        let opened = PEER.open(Some(&engine.with_file_name(FILE)));
        let opened = opened.map_err(|error| error.to_string())?;
        let mut library = Self { version: String::new(), opened };
        let version: unsafe extern "C" fn() -> *const Version =
            library.function("mbx_getversion")?;
        let info: unsafe extern "C" fn(c_int) -> u64 = library.function("mbx_get_algo_info")?;
        // SAFETY: the first takes nothing and returns a static structure of static strings,
        // the second takes a number of its header.
        let width = unsafe {
            let text = CStr::from_ptr((*version()).version);
            library.version = text.to_string_lossy().into_owned();
            info(ALGORITHM_SM4)
        };
        match width & SIXTEEN {
            0 => Err(format!("{} has no SM4 for this CPU", library.version)),
            _ => Ok(library),
        }
    }

    /// The version with what it was compiled for.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// The function of that name, at the type of the place it is put. The types that are
    /// asked for are those of the headers sm4.h, sm4_gcm.h and sm4_ccm.h, version 2.3.
    fn function<T: Copy>(&self, name: &'static str) -> Result<T, String> {
        // SAFETY: every caller names the function's type of the header.
        unsafe { self.opened.function(name) }
            .map_err(|name| format!("{FILE} {} has no function {name}", self.version))
    }

    /// Whether it does an operation.
    pub(super) fn takes(operation: &Operation) -> bool {
        let modes = [Mode::Ecb, Mode::Cbc, Mode::Ctr, Mode::Cfb, Mode::Ofb];
        let whole = [Mode::Gcm, Mode::Ccm, Mode::Xts];
        operation.cipher == "sm4"
            && (modes.contains(&operation.mode) || whole.contains(&operation.mode))
    }

    /// Gets the batches of a cell ready and hands the work to `run`.
    pub(super) fn prepare(
        &self,
        operation: &Operation,
        cell: &Cell,
        mut batches: Vec<Batch<'_>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        // The messages stay where they are as long as the pointers to them are used.
        let groups: Result<Vec<Vec<Lanes>>, Refusal> = batches.iter_mut().map(groups).collect();
        let groups = groups?;
        if operation.mode.is_aead() {
            let mut aead = Aead::bind(self, operation)?;
            run(&mut |number| groups[number].iter().try_for_each(|lanes| aead.apply(lanes)));
            return Ok(Notes { remark: aead_remark(cell).to_owned(), ..Notes::default() });
        }
        let blocks = Blocks::bind(self, operation)?;
        match cell.keys {
            KeySetup::Fresh => {
                let mut keys = blocks.no_keys();
                run(&mut |number| {
                    groups[number].iter().try_for_each(|lanes| {
                        blocks.set(&mut keys, lanes)?;
                        blocks.apply(&keys, lanes)
                    })
                });
            }
            KeySetup::Ready => {
                let mut ready = Vec::with_capacity(groups.len());
                for batch in &groups {
                    let mut keys = vec![blocks.no_keys(); batch.len()];
                    for (keys, lanes) in keys.iter_mut().zip(batch) {
                        blocks.set(keys, lanes)?;
                    }
                    ready.push(keys);
                }
                run(&mut |number| {
                    let mut both = ready[number].iter().zip(&groups[number]);
                    both.try_for_each(|(keys, lanes)| blocks.apply(keys, lanes))
                });
            }
        }
        Ok(Notes::default())
    }

    /// One message after another, each in a call of its own: for the sealed messages that a
    /// batch opens, which no figure is made of.
    pub(super) fn singly(&self, operation: &Operation, run: Run<'_>) -> Result<Notes, Refusal> {
        let mut aead = Aead::bind(self, operation)?;
        run(&mut |message: Message<'_>| {
            let lanes = Lanes::new(&mut [message]).map_err(|_| "the length of a message")?;
            aead.apply(&lanes)
        });
        Ok(Notes::default())
    }
}

/// What a reader must know of a figure of GCM or CCM.
fn aead_remark(cell: &Cell) -> &'static str {
    match cell.keys {
        KeySetup::Fresh => "",
        KeySetup::Ready => {
            "crypto_mb sets key and nonce by one function: ready keys are set up again inside \
             the clock"
        }
    }
}

/// A batch in groups of as many messages as there are lanes.
fn groups(batch: &mut Batch<'_>) -> Result<Vec<Lanes>, Refusal> {
    batch.chunks_mut(LANES).map(Lanes::new).collect()
}

/// Whether the first lanes are well.
fn done(status: Status, lanes: usize, function: &'static str) -> Result<(), &'static str> {
    let used = if lanes < LANES { (1 << (4 * lanes)) - 1 } else { Status::MAX };
    if status & used == 0 { Ok(()) } else { Err(function) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lanes_in_use_count() {
        assert!(done(0, 16, "f").is_ok());
        assert!(done(0x2222_2222_2222_2000, 3, "f").is_ok());
        assert_eq!(done(0x2222_2222_2222_2000, 4, "f"), Err("f"));
        assert_eq!(done(1 << 60, 16, "f"), Err("f"));
    }
}
