//! The engine `ipsec-mb`: ZUC, SNOW 3G, SM4 and AES of Intel's multi-buffer library, through a small C
//! interface of our own, as the library's is macros.
//!
//! `lab/engines/ipsec-mb/shim.c` is that interface; `cipherlane engines build ipsec-mb` compiles
//! it against the library that it fetches. For ZUC and SNOW 3G there is no object: key and IV come
//! with every packet, so `message` sets up both like `packet`, and there is no set-up alone. A block
//! cipher's key is expanded into an object of the interface. There is no stream that goes on. In
//! `batch` packets of a block cipher are jobs, submitted one after the other and flushed at the end;
//! of ZUC, packets of one length go to the N-buffer functions sixteen at a
//! time, others and single ones to jobs.
//!
//! The one-buffer function for 128-EEA3 of version 1.3 lets a cell of the LFSR be 0 that must
//! be 2^31 - 1, and its N-buffer function calls that one for what does not fill its lanes. It
//! is never measured; what it does is looked at, and told as a known fault.
#![expect(unsafe_code, reason = "the library is called through a C interface")]

use std::path::Path;

use lab::reply::{Description, KnownWrong, Offer};
use lab::work::{Batch, Data, Engine, Fault, Keys, Message, Notes, Refusal, Run, RunBatch};
use lab::{Cell, KeySetup, LabError, Model};

mod functions;
mod keyed;
mod packets;
#[cfg(test)]
mod tests;
mod work;

use functions::Functions;
use keyed::{Calls, Group, Keyed, too_long};
use work::{Family, Kind, Prepared, Work};

use crate::peer_operations::{self, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// ipsec-mb behind its interface, from the cache.
pub(crate) const PEER: Peer = Peer {
    engine: "ipsec-mb",
    system: &[],
    beside: &[],
    how_to_get: "`cipherlane engines build ipsec-mb` builds it, or name the library that it \
                 makes with --lib PATH",
};

/// The longest packet of ZUC that the library takes, in bytes: 65504 bits, the most of 3GPP.
const LONGEST: usize = 8188;

/// The longest of SNOW 3G: its functions count the bits in 32 bits.
const LONGEST_SNOW3G: usize = (1 << 29) - 1;

/// The most keystream that ZUC-256 of 2018 allows under one key and IV, in bytes.
const ZUC_256_LIMIT: u64 = 2500;

const ISSUE: &str = "https://github.com/intel/intel-ipsec-mb/issues/144";

const fn zuc(kind: Kind, key: usize, iv: usize, tag: usize) -> Work {
    Work { family: Family::Zuc, kind, key, iv, tag }
}

const fn snow3g(kind: Kind, tag: usize) -> Work {
    Work { family: Family::Snow3g, kind, key: 16, iv: 16, tag }
}

/// What the library has, by the registry's names.
const OPERATIONS: [(&str, &str, Work); 13] = [
    ("zuc-128", "keystream", zuc(Kind::Encrypt, 16, 16, 0)),
    ("zuc-128", "eea3", zuc(Kind::Encrypt, 16, 16, 0)),
    ("zuc-128", "eia3", zuc(Kind::Mac, 16, 16, 4)),
    ("zuc-128", "eea3+eia3", zuc(Kind::Seal, 16, 16, 4)),
    ("zuc-128", "eea3+eia3-open", zuc(Kind::Open, 16, 16, 4)),
    ("zuc-256", "keystream", zuc(Kind::Encrypt, 32, 23, 0)),
    ("zuc-256", "mac32", zuc(Kind::Mac, 32, 23, 4)),
    ("zuc-256", "mac64", zuc(Kind::Mac, 32, 23, 8)),
    ("zuc-256", "mac128", zuc(Kind::Mac, 32, 23, 16)),
    ("snow3g", "nea1", snow3g(Kind::Encrypt, 0)),
    ("snow3g", "nia1", snow3g(Kind::Mac, 4)),
    ("snow3g", "nea1+nia1", snow3g(Kind::Seal, 4)),
    ("snow3g", "nea1+nia1-open", snow3g(Kind::Open, 4)),
];

/// What is asked of the family and in later versions of the library only, if in any.
const LACKS: [(&str, &str); 8] = [
    ("zuc-256-2021", "keystream"),
    ("zuc-256-2023", "keystream"),
    ("zuc-256-2023", "mac32"),
    ("zuc-256-2023", "nea6"),
    ("zuc-256-2023", "nia6"),
    ("zuc-256-2023", "nca6-seal"),
    ("zuc-256-2023", "nca6-open"),
    ("zuc-128", "gxm-seal"),
];

/// ipsec-mb.
pub(crate) struct IpsecMb {
    functions: Functions,
    calls: Calls,
    opened: Opened,
}

impl IpsecMb {
    /// Opens the library of that path, or the one in the cache.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let opened = PEER.open(lib)?;
        let functions = Functions::bind(&opened).map_err(|why| PEER.missing(&why))?;
        let lacks = |name| PEER.missing(&format!("the library has no function {name}"));
        let calls = Calls::bind(&opened).map_err(lacks)?;
        Ok(Self { functions, calls, opened })
    }

    /// The keystream of the packet that the fault was found with: by a job, and by the
    /// one-buffer function.
    fn two_ways(&self) -> Result<[[u8; 64]; 2], Fault> {
        const KEY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let count = 3_478_155_851_u32.to_be_bytes();
        let mut iv = [0; 16];
        iv[..4].copy_from_slice(&count);
        iv[8..12].copy_from_slice(&count);
        let mut data = [0; 64];
        let mut message = Message {
            slot: 0,
            key: &KEY,
            iv: &iv,
            aad: &[],
            data: Data::InPlace(&mut data),
            tag: &mut [],
        };
        let mut job = Prepared::new(OPERATIONS[0].2, 1);
        job.add(&mut message);
        job.apply(&self.functions)?;
        Ok([data, self.functions.one_buffer(&KEY, &iv)?])
    }

    /// Whether the one-buffer function is wrong on that packet.
    fn one_buffer_is_wrong(&self) -> bool {
        self.two_ways().is_ok_and(|[job, one]| job != one)
    }

    /// Why an operation of a block cipher can't be had from this library, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        let (name, cipher) = (operation.name, operation.cipher);
        let none = Keyed::new(&self.functions, &self.calls, operation).err()?;
        Some(format!("{none} of ipsec-mb {} knows no {name} of {cipher}", self.functions.version))
    }

    /// The block ciphers' operations that there are, and those that are lacking.
    fn blocks(&self) -> (Vec<Offer>, Vec<KnownWrong>) {
        let (mut offers, lacking) = peer_operations::offers(|operation| self.lacks(operation));
        for offer in &mut offers {
            offer.models.retain(|model| *model != Model::Stream);
            offer.models.push(Model::Batch);
            // Its CFB is of whole blocks.
            if offer.operation.starts_with("cfb") {
                offer.granule = 16;
            }
        }
        (offers, lacking)
    }

    /// The operation of a cell, if it is one of a block cipher.
    fn block(&self, cell: &Cell) -> Result<Option<Operation>, Refusal> {
        let Ok(operation) = peer_operations::find(PEER.engine, cell) else { return Ok(None) };
        let long = too_long(&operation, cell.size, cell.aad_bytes);
        match self.lacks(&operation).or(long) {
            Some(reason) => Err(reason.into()),
            None => Ok(Some(operation)),
        }
    }

    fn known_wrong(&self) -> Vec<KnownWrong> {
        let fault = |algorithm: &str, operation: &str, reason: String| KnownWrong {
            algorithm: algorithm.to_owned(),
            operation: operation.to_owned(),
            reason,
        };
        let version = &self.functions.version;
        let lacks = LACKS.map(|(algorithm, operation)| {
            let why = format!("ipsec-mb {version} has no {algorithm}/{operation}");
            fault(algorithm, operation, why)
        });
        let wrong = self.one_buffer_is_wrong().then(|| {
            let why = format!(
                "IMB_ZUC_EEA3_1_BUFFER is wrong where a cell of the LFSR becomes 0, e.g. for key \
                 00 01 ... 0f and COUNT 3478155851 ({ISSUE}): jobs are measured in its place"
            );
            fault("zuc-128", "eea3-one-buffer", why)
        });
        wrong.into_iter().chain(lacks).collect()
    }
}

impl IpsecMb {
    /// Batches of a block cipher.
    fn batches(
        &self,
        operation: &Operation,
        cell: &Cell,
        keys: &Keys,
        mut batches: Vec<Batch<'_>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        // The messages of a mix differ: what a job can't count is refused before any is made.
        let lengths = batches.iter().flatten();
        let longest = lengths.map(|it| it.data.len() as u64).max().unwrap_or(0);
        if let Some(reason) = too_long(operation, longest, cell.aad_bytes) {
            return Err(reason.into());
        }
        let mut groups: Vec<Group> = batches.iter_mut().map(|batch| Group::of(batch)).collect();
        let make = |key: &[u8]| {
            Keyed::new(&self.functions, &self.calls, operation)
                .and_then(|it| session::started(it, key, &[]))
                .map_err(|fault| Refusal(format!("{fault} failed")))
        };
        match cell.keys {
            KeySetup::Ready => {
                let ready = (0..keys.slots()).map(|slot| make(keys.key(slot)));
                let ready: Vec<Keyed<'_>> = ready.collect::<Result<_, _>>()?;
                groups.iter_mut().for_each(|group| group.place(&ready));
                run(&mut |number| groups[number].apply(&self.calls));
            }
            KeySetup::Fresh => {
                let most = groups.iter().map(Group::count).max().unwrap_or(0);
                let fresh: Vec<Keyed<'_>> =
                    (0..most).map(|_| make(&[])).collect::<Result<_, _>>()?;
                run(&mut |number| {
                    groups[number].set_keys(&fresh)?;
                    groups[number].apply(&self.calls)
                });
            }
        }
        Ok(Notes::default())
    }
}

fn find(cell: &Cell) -> Result<Work, Refusal> {
    let mut all = OPERATIONS.iter();
    let found =
        all.find(|(algorithm, name, _)| *algorithm == cell.algorithm && *name == cell.operation);
    let (algorithm, name) = (&cell.algorithm, &cell.operation);
    let work = found.ok_or_else(|| format!("ipsec-mb has no {algorithm}/{name}"))?.2;
    check_length(work, usize::try_from(cell.size).unwrap_or(usize::MAX), cell.aad_bytes as usize)?;
    Ok(work)
}

fn check_length(work: Work, bytes: usize, aad: usize) -> Result<(), Refusal> {
    let longest = match work.family {
        Family::Zuc => LONGEST,
        Family::Snow3g => LONGEST_SNOW3G,
    };
    if bytes >= 1 && bytes.saturating_add(aad) <= longest {
        return Ok(());
    }
    let bytes = bytes.saturating_add(aad);
    Err(format!("IMB_SUBMIT_JOB of ipsec-mb takes packets of 1 to {longest} bytes, not {bytes}")
        .into())
}

/// What a reader must know of a cell.
fn notes(cell: &Cell, work: Work) -> Notes {
    let allowed = ZUC_256_LIMIT - 2 * work.tag as u64;
    if work.key == 32 && cell.size > allowed {
        return Notes {
            flags: vec!["outside the specification".to_owned()],
            remark: format!("ZUC-256 allows {allowed} bytes under one key and IV"),
        };
    }
    if cell.aad_bytes > 0 {
        let remark = "the library takes no associated data apart: they are copied, and the data \
                      behind them";
        return Notes { remark: remark.to_owned(), ..Notes::default() };
    }
    Notes::default()
}

impl Engine for IpsecMb {
    fn describe(&self) -> Description {
        let offer = |(algorithm, operation, work): &(&str, &str, Work)| {
            let parts = if matches!(work.kind, Kind::Seal | Kind::Open) { 2 } else { 1 };
            Offer {
                algorithm: (*algorithm).to_owned(),
                operation: (*operation).to_owned(),
                levels: vec![Cell::OWN_LEVEL.to_owned()],
                models: vec![Model::Packet, Model::Message, Model::Batch],
                key_bytes: (parts * work.key) as u32,
                nonce_bytes: vec![(parts * work.iv) as u32],
                granule: 1,
                tag_bytes: work.tag as u32,
            }
        };
        let (offers, lacking) = self.blocks();
        Description {
            engine: PEER.engine.to_owned(),
            version: self.functions.version.clone(),
            build: "Debian's libIPSec_MB.so.2, behind a C interface compiled with -O2".to_owned(),
            path: self.opened.path.display().to_string(),
            offers: OPERATIONS.iter().map(offer).chain(offers).collect(),
            known_wrong: self.known_wrong().into_iter().chain(lacking).collect(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        if let Some(operation) = self.block(cell)? {
            session::run(cell.model, keys, run, |key, iv| {
                session::started(Keyed::new(&self.functions, &self.calls, &operation)?, key, iv)
            })?;
            return Ok(Notes::default());
        }
        let work = find(cell)?;
        if !matches!(cell.model, Model::Packet | Model::Message) {
            return Err(format!("ipsec-mb can't be measured in model {}", cell.model).into());
        }
        let mut packet = Prepared::new(work, 1);
        run(&mut |mut message: Message<'_>| {
            if check_length(work, message.data.len(), message.aad.len()).is_err() {
                return Err("the length of a packet");
            }
            packet.clear();
            packet.add(&mut message);
            packet.apply(&self.functions)
        });
        Ok(notes(cell, work))
    }

    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        mut batches: Vec<Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        if let Some(operation) = self.block(cell)? {
            return self.batches(&operation, cell, keys, batches, run);
        }
        let work = find(cell)?;
        let mut prepared = Vec::with_capacity(batches.len());
        for batch in &mut batches {
            let mut packets = Prepared::new(work, batch.len());
            for message in batch {
                check_length(work, message.data.len(), message.aad.len())?;
                packets.add(message);
            }
            prepared.push(packets);
        }
        run(&mut |number| prepared[number].apply(&self.functions));
        Ok(notes(cell, work))
    }
}
