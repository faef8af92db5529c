//! Runs of random messages.

use super::{Denied, Server, failed};
use crate::digest::Digest;
use crate::input::{Kind, bytes};
use crate::random::{Draw, Drawn};
use crate::request::Task;
use crate::ring::Keys;
use crate::work::{Data, Message, Refusal};
use crate::{Cell, Model, Placement, Shape, shape};

/// The bytes that the messages of a run may fill together.
const MAX_BYTES: u64 = 1 << 30;

/// One message and its output.
struct Stock {
    input: Vec<u8>,
    output: Option<Vec<u8>>,
    aad: Vec<u8>,
    tag: Vec<u8>,
}

impl Stock {
    fn new(seed: u64, number: u64, drawn: Drawn, tag_bytes: usize) -> Result<Self, Refusal> {
        let length = usize::try_from(drawn.length)
            .map_err(|_| format!("not enough memory for {} bytes", drawn.length))?;
        let output = match drawn.placement {
            Placement::InPlace => None,
            Placement::Disjoint => Some(vec![0; length]),
        };
        Ok(Self {
            input: bytes(seed, Kind::Data, number, length),
            output,
            aad: bytes(seed, Kind::Aad, number, drawn.aad_bytes as usize),
            tag: vec![0; tag_bytes],
        })
    }

    /// The message; while it is being sealed, in place.
    fn message<'m>(&'m mut self, keys: &'m Keys, slot: usize, sealing: bool) -> Message<'m> {
        let data = match &mut self.output {
            Some(output) if !sealing => Data::Disjoint(&self.input, output),
            _ => Data::InPlace(&mut self.input),
        };
        let (key, iv, aad, tag) = (keys.key(slot), keys.iv(slot), &self.aad, &mut self.tag);
        Message { slot, key, iv, aad, data, tag }
    }

    fn absorb(&self, digest: &mut Digest, shape: Shape) {
        if shape != Shape::Mac {
            digest.absorb(self.output.as_ref().unwrap_or(&self.input));
        }
        if shape != Shape::Open {
            digest.absorb(&self.tag);
        }
    }
}

impl Server<'_> {
    pub(super) fn random(&self, task: &Task, draw: Draw) -> Result<String, Denied> {
        let (offer, cell) = (self.offer(task)?, &task.cell);
        let (shape, tag_bytes) = (offer.shape(), offer.tag_bytes as usize);
        let refuse = |why: String| Err(Denied::Refused(why));
        if !matches!(cell.model, Model::Packet | Model::Message | Model::Batch) {
            return refuse(format!("model {} has no random messages", cell.model));
        }
        let (least, granule) = (draw.least, offer.granule);
        if !draw.granule.is_multiple_of(granule) || !least.is_multiple_of(granule.into()) {
            return refuse(format!("lengths of random messages must be whole blocks of {granule}"));
        }
        if cell.size.saturating_mul(draw.messages.into()) > MAX_BYTES {
            return refuse(format!("random messages may have {MAX_BYTES} bytes together"));
        }
        let (count, key_bytes) = (draw.messages as usize, offer.key_bytes as usize);
        let keys = Keys::with_slots(task.seed, count, key_bytes, cell.nonce_bytes as usize);
        let new = |number| {
            let drawn = draw.message(cell, task.seed, shape, number);
            Stock::new(task.seed, number, drawn, tag_bytes)
        };
        let mut stock = (0..draw.messages.into()).map(new).collect::<Result<Vec<_>, _>>()?;
        if shape == Shape::Open
            && let Some(operation) = shape::sealing(&cell.operation)
        {
            let sealing = Cell { operation, model: Model::Message, ..cell.one_by_one() };
            self.one_by_one(&sealing, &keys, &mut stock, true)?;
        }
        if cell.model == Model::Batch {
            self.in_batches(cell, &keys, &mut stock)?;
        } else {
            self.one_by_one(cell, &keys, &mut stock, false)?;
        }
        let mut digest = Digest::default();
        stock.iter().for_each(|message| message.absorb(&mut digest, shape));
        Ok(digest.finish())
    }

    fn one_by_one(
        &self,
        cell: &Cell,
        keys: &Keys,
        stock: &mut [Stock],
        sealing: bool,
    ) -> Result<(), Denied> {
        let mut outcome = Err("the engine");
        self.engine.prepare(cell, keys, &mut |work| {
            let mut messages = stock.iter_mut().enumerate();
            outcome =
                messages.try_for_each(|(slot, message)| work(message.message(keys, slot, sealing)));
        })?;
        outcome.map_err(failed)
    }

    fn in_batches(&self, cell: &Cell, keys: &Keys, stock: &mut [Stock]) -> Result<(), Denied> {
        let mut slots = 0..stock.len();
        let calls = stock.chunks_mut(cell.messages as usize).map(|call| {
            let messages = call.iter_mut().zip(&mut slots);
            messages.map(|(message, slot)| message.message(keys, slot, false)).collect()
        });
        let batches: Vec<_> = calls.collect();
        let (count, mut outcome) = (batches.len(), Err("the engine"));
        self.engine.prepare_batch(cell, keys, batches, &mut |work| {
            outcome = (0..count).try_for_each(&mut *work);
        })?;
        outcome.map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::replies;
    use super::*;

    const RUN: &str = "check algorithm=toy operation=xor nonce_bytes=16 seed=5 size=40 least=4";

    /// The digest of the first so many random messages.
    fn expected(messages: u32) -> String {
        let draw = Draw { messages, least: 4, granule: 4 };
        let cell = Cell::new("toy", "xor", Model::Packet, 40);
        let mut digest = Digest::default();
        for number in 0..messages.into() {
            let drawn = draw.message(&cell, 5, Shape::Cipher, number);
            let mask = bytes(5, Kind::Key, number, 16)[0] ^ bytes(5, Kind::Iv, number, 16)[0];
            let data = bytes(5, Kind::Data, number, drawn.length as usize);
            digest.absorb(&data.iter().map(|byte| byte ^ mask).collect::<Vec<u8>>());
        }
        format!("ok digest={}", digest.finish())
    }

    #[test]
    fn every_model_gives_the_digest_of_the_documented_messages() {
        let mut text = String::new();
        for model in ["packet", "message", "batch messages=16", "batch messages=7 keys=fresh"] {
            text += &format!("{RUN} model={model} granule=4 random=90\n");
        }
        assert_eq!(replies(text.as_bytes()), vec![expected(90); 4]);
        let text = format!("{RUN} model=packet granule=4 random=1\n");
        assert_eq!(replies(text.as_bytes()), [expected(1)]);
    }

    #[test]
    fn what_can_not_be_done_is_refused() {
        for (fields, reason) in [
            ("model=init random=5 size=0 least=0", "model%20init%20has%20no%20random%20messages"),
            ("model=packet random=5 granule=6", "must%20be%20whole%20blocks%20of%204"),
            ("model=packet random=10000 size=1000000 granule=4", "may%20have%201073741824%20bytes"),
            ("model=packet random=5 granule=4 operation=rot13", "toy%20has%20no%20toy/rot13"),
        ] {
            // A field that is given again replaces the usual one.
            let mut words: Vec<&str> = RUN.split(' ').collect();
            for field in fields.split(' ') {
                let key = field.split('=').next().expect("a key");
                words.retain(|word| word.split('=').next() != Some(key));
                words.push(field);
            }
            let reply = replies(format!("{}\n", words.join(" ")).as_bytes()).remove(0);
            assert!(reply.starts_with("refused") && reply.contains(reason), "{fields}: {reply}");
        }
    }
}
