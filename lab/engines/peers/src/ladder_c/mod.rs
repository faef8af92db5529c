//! The engines `ladder-c-…`: the rungs of the ladder in C, libraries that
//! `cipherlane engines build ladder-c` compiles, one for each level of optimisation. Such a library
//! is a table of functions: keys, messages, digests, threads and the clock are those of every
//! engine. A machine that is emulated, and this one with 32 bits, has a program instead
//! ([`emulated`]).

mod emulated;
mod rung;

pub(crate) use emulated::Emulated;

use std::path::{Path, PathBuf};

use lab::reply::{Description, Offer};
use lab::study::MAX_THREADS;
use lab::work::{Engine, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, LabError, Mix, Model};

use crate::cipherlane::pool;
use crate::program::Built;
use crate::shared_library::Peer;
use rung::{Context, Rung, Table};

macro_rules! peer {
    ($engine:literal, $compiler:literal) => {
        Peer {
            engine: $engine,
            system: &[],
            beside: &[],
            how_to_get: concat!(
                "`cipherlane engines build ",
                $engine,
                "` compiles it, for which ",
                $compiler,
                " must be on the PATH"
            ),
        }
    };
}

/// The libraries, from the cache.
pub(crate) const PEERS: [Peer; 7] = [
    peer!("ladder-c-O0", "gcc"),
    peer!("ladder-c-O1", "gcc"),
    peer!("ladder-c-O2", "gcc"),
    peer!("ladder-c-O3", "gcc"),
    peer!("ladder-c-clang-O0", "clang"),
    peer!("ladder-c-clang-O1", "clang"),
    peer!("ladder-c-clang-O2", "clang"),
];

/// The programs of this machine as one of 32 bits, from the cache.
pub(crate) const M32: [Built; 2] = [
    Built {
        engine: "ladder-c-m32-O2",
        runner: &[],
        how_to_get: "`cipherlane engines build ladder-c-m32-O2` compiles it, for which gcc must be \
                     on the PATH and `apt-get install gcc-multilib` brings the 32-bit C library",
    },
    Built {
        engine: "ladder-c-clang-m32-O2",
        runner: &[],
        how_to_get: "`cipherlane engines build ladder-c-clang-m32-O2` compiles it, for which clang \
                     must be on the PATH and `apt-get install gcc-multilib` brings the 32-bit C \
                     library",
    },
];

/// The program of an emulated machine, from the cache.
pub(crate) const S390X: Built = Built {
    engine: "ladder-c-s390x",
    runner: &["qemu-s390x-static"],
    how_to_get: "`cipherlane engines build ladder-c-s390x` compiles it, for which \
                 s390x-linux-gnu-gcc, and to run it qemu-s390x-static, must be on the PATH",
};

/// The rungs of one compilation, whose library stays open.
pub(crate) struct Ladder {
    engine: &'static str,
    path: PathBuf,
    table: Table,
}

impl Ladder {
    /// Opens the library of that path, or the one in the cache.
    pub(crate) fn open(peer: &Peer, lib: Option<&Path>) -> Result<Self, LabError> {
        let library = peer.open(lib)?;
        let table = Table::of(&library).map_err(|why| peer.missing(&why))?;
        Ok(Self { engine: peer.engine, path: library.path, table })
    }

    fn find(&self, cell: &Cell) -> Option<&'static Rung> {
        let wanted = [&cell.algorithm, &cell.operation, &cell.level];
        self.table.rungs.iter().copied().find(|rung| rung.facts().names.iter().eq(wanted))
    }
}

/// What is known of a rung, wherever it runs.
struct Facts {
    /// Algorithm, operation and name.
    names: [String; 3],
    key_bytes: u32,
    iv_bytes: u32,
    granule: u32,
    latency: bool,
    tag_bytes: u32,
}

/// An offer for each operation: its rungs are its levels.
fn offers(rungs: impl IntoIterator<Item = Facts>) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for Facts { names, key_bytes, iv_bytes, granule, latency, tag_bytes } in rungs {
        let [algorithm, operation, name] = names;
        let known = |it: &&mut Offer| it.algorithm == algorithm && it.operation == operation;
        if let Some(offer) = offers.iter_mut().find(known) {
            offer.levels.push(name);
            continue;
        }
        let of_mac = [Model::Init, Model::Packet, Model::Message];
        let models = Model::ALL.into_iter().filter(|it| match tag_bytes {
            0 => latency || *it != Model::Latency,
            _ => of_mac.contains(it),
        });
        offers.push(Offer {
            algorithm,
            operation,
            levels: vec![name],
            models: models.collect(),
            key_bytes,
            nonce_bytes: vec![iv_bytes],
            granule,
            tag_bytes,
        });
    }
    offers
}

impl Engine for Ladder {
    fn describe(&self) -> Description {
        Description {
            engine: self.engine.to_owned(),
            version: self.table.version.clone(),
            build: self.table.build.clone(),
            path: self.path.display().to_string(),
            offers: offers(self.table.rungs.iter().map(|rung| rung.facts())),
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let (model, level) = (cell.model, &cell.level);
        let rung = self.find(cell).ok_or_else(|| format!("there is no rung {level}"))?;
        if let Some(reason) = rung.lacks() {
            return Err(format!("{level}: {reason}").into());
        }
        // The size of a mix is the mean of its lengths, which are whole blocks.
        let size = if cell.mix == Mix::Equal { cell.size } else { 0 };
        if !rung.takes(keys.key(0), keys.iv(0), size) {
            return Err(format!("{level} takes other lengths of key, IV or message").into());
        }
        if model == Model::Latency && !rung.latency {
            return Err(format!("{level} can't be measured in model latency").into());
        }
        let pool = (cell.threads > 1).then(|| pool(cell.threads)).transpose()?;
        rung.prepare();
        // Each slot has a context of its own where keys are ready; else there is but one.
        let ready = matches!(model, Model::Message | Model::Latency);
        let mut contexts = vec![Context::new(rung); if ready { keys.slots() } else { 1 }];
        for (context, key) in contexts.iter_mut().zip(keys.keys()) {
            context.set_key(key);
        }
        if model == Model::Stream {
            contexts[0].start(keys.iv(0));
        }
        run(&mut |message: Message<'_>| {
            let Message { slot, key, iv, data, tag, .. } = message;
            let context = &mut contexts[if ready { slot } else { 0 }];
            if !ready && model != Model::Stream {
                context.set_key(key);
            }
            if !matches!(model, Model::Stream | Model::Key) {
                context.start(iv);
            }
            match model {
                Model::Init | Model::Key => {}
                _ if rung.is_mac() => context.authenticate(data.input(), tag),
                _ => context.process(data, pool.as_ref()),
            }
            Ok(())
        });
        Ok(Notes::default())
    }

    fn threads(&self, cell: &Cell) -> u32 {
        let whole = matches!(cell.model, Model::Stream | Model::Message);
        let shared = self.find(cell).is_some_and(|rung| whole && rung.splits);
        if shared { MAX_THREADS } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_rungs_is_missing_and_says_what_brings_it() {
        let other = Ladder::open(&PEERS[0], Some(Path::new("libc.so.6")));
        let error = other.err().expect("it has no rungs").to_string();
        let why = ["the library lacks ladder_rung_bytes", "can't be opened"];
        assert!(why.iter().any(|it| error.contains(it)), "{error}");
        assert!(error.contains("`cipherlane engines build ladder-c-O0`"), "{error}");
    }

    #[test]
    fn rungs_of_an_operation_are_its_levels() {
        let names = |operation: &str, name: &str| ["sm4", operation, name].map(str::to_owned);
        let rung = |operation, name, latency| Facts {
            names: names(operation, name),
            key_bytes: 16,
            iv_bytes: 0,
            granule: 16,
            latency,
            tag_bytes: 0,
        };
        let mac = Facts { tag_bytes: 4, ..rung("mac", "a", false) };
        let rungs = [rung("ecb", "a", true), rung("cbc", "a", false), rung("ecb", "b", true), mac];
        let offers: Vec<String> = offers(rungs).iter().map(ToString::to_string).collect();
        let all = "init,key,stream,packet,message,batch";
        assert_eq!(
            offers,
            [
                format!("sm4/ecb:a,b:{all},latency:16:0:16:0"),
                format!("sm4/cbc:a:{all}:16:0:16:0"),
                "sm4/mac:a:init,packet,message:16:0:16:4".to_owned(),
            ]
        );
    }
}
