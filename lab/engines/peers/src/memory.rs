//! The engine `memory`: a copy of the message and nothing else, the least that any cipher could
//! do. Charts show it as a line beneath the ciphers.

use lab::Cell;
use lab::reply::{Description, Offer};
use lab::work::{Data, Engine, Keys, Message, Notes, Refusal, Run};

/// `memcpy` of the standard library.
pub(crate) struct Memory;

/// The engine's name.
pub(crate) const NAME: &str = "memory";

impl Engine for Memory {
    fn describe(&self) -> Description {
        Description {
            engine: NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: crate::build(),
            path: crate::own_path(),
            offers: vec![Offer {
                algorithm: "memory".to_owned(),
                operation: "copy".to_owned(),
                levels: vec![Cell::OWN_LEVEL.to_owned()],
                models: vec![lab::Model::Message],
                key_bytes: 16,
                nonce_bytes: vec![0],
                granule: 1,
                tag_bytes: 0,
            }],
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, _: &Cell, _: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        run(&mut |message: Message<'_>| match message.data {
            Data::Disjoint(input, output) => {
                output.copy_from_slice(input);
                Ok(())
            }
            Data::InPlace(_) => Err("memcpy has no message in place"),
        });
        Ok(Notes::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_offers_one_operation() {
        let description = Memory.describe();
        assert_eq!(description.offers.len(), 1);
        assert!(description.offer("memory", "copy").is_some());
    }
}
