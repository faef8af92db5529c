//! The engine `c`: this project's library through its C interface, `bindings/c`, in every
//! operation and model that the engine `cipherlane` has.
//!
//! An object is made for a key and kept; a message under another IV is one call. So the rows of
//! this engine beside those of `cipherlane` are the cost of the interface.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

mod functions;
mod object;
mod packets;

use std::ffi::CStr;
use std::path::Path;

use cipherlane::registry;
use lab::reply::{Description, KnownWrong, Offer};
use lab::work::{Engine, Keys, Notes, Refusal, Run, RunBatch};
use lab::{Cell, LabError, Model};

use self::functions::Functions;
use self::object::Object;
use self::packets::Packets;
use crate::cipherlane::Cipherlane;
use crate::session;
use crate::shared_library::Peer;

/// The library that was built.
pub(crate) const PEER: Peer = Peer {
    engine: "c",
    system: &["libcipherlane.so.0"],
    beside: &[],
    how_to_get: "`cipherlane engines build c` builds it in a clone of the repository, or name one \
                 with --lib PATH",
};

/// The library behind its C interface.
pub(crate) struct FromC(Functions);

/// An operation, as the engine `cipherlane` offers it.
struct Operation {
    work: registry::Operation,
    offer: Offer,
}

impl Operation {
    /// The operation of an offer.
    fn of(offer: Offer) -> Option<Self> {
        let algorithm = registry::algorithm(&offer.algorithm)?;
        let work = registry::operation(algorithm, &offer.operation)?;
        let offer = Offer { levels: vec![Cell::OWN_LEVEL.to_owned()], ..offer };
        Some(Self { work, offer })
    }

    /// Refuses what the interface refuses: lengths that the operation does not take, and more
    /// than the standard allows, which the engine `cipherlane` measures all the same.
    fn takes(&self, model: Model, lengths: &[u64]) -> Result<(), Refusal> {
        let (what, title) = (self.work.name, self.work.algorithm.title);
        let endless = model == Model::Stream;
        let most = |length: &u64| if endless { STREAM } else { *length };
        if let Some(limit) = self.work.limit
            && lengths.iter().any(|length| most(length) > limit)
        {
            let reason = format!(
                "cipherlane_cipher_new and cipherlane_mac_new keep to the {limit} bytes that \
                 {title} allows under one key and IV"
            );
            return Err(reason.into());
        }
        let data = self.work.data;
        let odd = |length: &&u64| !data.allow(usize::try_from(**length).unwrap_or(usize::MAX));
        match lengths.iter().find(odd) {
            Some(length) if !model.is_setup() && !endless => {
                Err(format!("{what} takes messages of {data} bytes, not {length}").into())
            }
            _ => Ok(()),
        }
    }
}

/// What no run of a stream comes to: at 16 bytes a nanosecond it takes five hours.
const STREAM: u64 = 1 << 48;

/// Every operation there is.
fn operations() -> impl Iterator<Item = Operation> {
    Cipherlane.describe().offers.into_iter().filter_map(Operation::of)
}

impl FromC {
    /// Opens the library of that path, or the one there is.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let functions = Functions::bind(PEER.open(lib)?);
        functions
            .map(Self)
            .map_err(|function| PEER.missing(&format!("the library has no function {function}")))
    }

    /// Why an operation can't be had, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        let Offer { algorithm, operation: name, key_bytes, nonce_bytes, .. } = &operation.offer;
        let iv_bytes = nonce_bytes.first().copied().unwrap_or_default();
        // The halves of a key of XTS must differ.
        let [key, iv] =
            [*key_bytes, iv_bytes].map(|length| (0..length).map(|i| i as u8).collect::<Vec<_>>());
        let made = session::started(Object::new(&self.0, operation), &key, &iv);
        made.err().map(|fault| format!("{fault} refuses {name} of {algorithm}"))
    }

    /// The operation of a cell, which this library has.
    fn find(&self, cell: &Cell) -> Result<Operation, Refusal> {
        let Cell { algorithm, operation, .. } = cell;
        let found = operations()
            .find(|it| it.offer.algorithm == *algorithm && it.offer.operation == *operation)
            .ok_or_else(|| format!("cipherlane has no {algorithm}/{operation}"))?;
        self.lacks(&found).map_or(Ok(found), |reason| Err(reason.into()))
    }
}

impl Engine for FromC {
    fn describe(&self) -> Description {
        let (mut offers, mut known_wrong) = (Vec::new(), Vec::new());
        for operation in operations() {
            match self.lacks(&operation) {
                None => offers.push(operation.offer),
                Some(reason) => {
                    let Offer { algorithm, operation, .. } = operation.offer;
                    known_wrong.push(KnownWrong { algorithm, operation, reason });
                }
            }
        }
        // SAFETY: no arguments; a static text.
        let version = unsafe { CStr::from_ptr((self.0.version)()) };
        Description {
            engine: PEER.engine.to_owned(),
            version: version.to_string_lossy().into_owned(),
            build: String::new(),
            path: self.0.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = self.find(cell)?;
        operation.takes(cell.model, &[cell.size])?;
        session::run(cell.model, keys, run, |key, iv| {
            session::started(Object::new(&self.0, &operation), key, iv)
        })?;
        Ok(Notes::default())
    }

    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        batches: Vec<lab::work::Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        let operation = self.find(cell)?;
        let messages = batches.iter().flatten();
        let lengths: Vec<u64> = messages.map(|message| message.data.len() as u64).collect();
        operation.takes(cell.model, &lengths)?;
        let mut packets = Packets::new(&self.0, &operation, cell.keys, keys, batches)
            .map_err(|function| Refusal(format!("{function} refuses {}", cell.operation)))?;
        run(&mut |number| packets.apply(number));
        Ok(Notes::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_the_library_has_is_left_out() {
        let all = Cipherlane.describe().offers;
        assert_eq!(operations().count(), all.len());
        let every = registry::ALGORITHMS.iter().flat_map(registry::operations);
        assert_eq!(operations().count(), every.count());
    }

    #[test]
    fn what_the_interface_refuses_is_refused_with_the_reason() {
        let find = |algorithm: &str, name: &str| {
            let same =
                |it: &Operation| it.offer.algorithm == algorithm && it.offer.operation == name;
            operations().find(same).expect("an operation")
        };
        let xts = find("sm4", "xts-encrypt");
        assert!(xts.takes(Model::Message, &[16]).is_ok());
        let refusal = xts.takes(Model::Message, &[16, 15]).expect_err("short");
        assert!(refusal.to_string().contains("not 15"), "{refusal}");
        for operation in operations() {
            let Some(limit) = operation.work.limit else { continue };
            let once = |length| operation.takes(Model::Message, &[length]);
            assert!(once(limit).is_ok(), "{}", operation.offer);
            let refusal = once(limit + 1).expect_err("too long").to_string();
            assert!(refusal.contains(&limit.to_string()), "{refusal}");
            assert_eq!(operation.takes(Model::Stream, &[16]).is_err(), limit < STREAM);
        }
    }
}
