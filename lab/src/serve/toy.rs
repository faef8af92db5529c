//! A small engine for the tests of the server.

use super::serve;
use crate::canary::plain_load;
use crate::reply::Description;
use crate::work::{
    Batch, Data, Elsewhere, Engine, Fault, Keys, Message, Notes, Refusal, Run, RunBatch, one_by_one,
};
use crate::{Cell, Model};

/// A library whose one cipher xors with the first byte of key and IV.
pub(super) struct Toy;

impl Engine for Toy {
    fn describe(&self) -> Description {
        Description {
            engine: "toy".into(),
            version: "1".into(),
            offers: vec!["toy/xor:-:init,message,packet:16:16:4:0".parse().expect("an offer")],
            ..Description::default()
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        if cell.size == 4000 {
            return Err("toy has no function for 4000 bytes".into());
        }
        let ready: Vec<u8> = keys.keys().map(|key| key[0]).collect();
        run(&mut |message: Message<'_>| {
            let mask = match cell.model {
                Model::Message => ready[message.slot],
                _ => message.key[0],
            };
            let output = match message.data {
                data if data.len() == 4004 => return Err("toy_xor"),
                Data::InPlace(data) => data,
                Data::Disjoint(input, output) => {
                    output.copy_from_slice(input);
                    output
                }
            };
            output.iter_mut().for_each(|byte| *byte ^= mask ^ message.iv[0]);
            Ok(())
        });
        Ok(Notes { flags: vec!["a toy".into()], remark: String::new() })
    }

    /// One length is done by another process, a microsecond a byte.
    fn elsewhere(
        &self,
        cell: &Cell,
        message: Message<'_>,
    ) -> Result<Option<Box<dyn Elsewhere + '_>>, Refusal> {
        let there = (cell.size == 4008).then(|| There(message.data.len() as u64));
        Ok(there.map(|it| Box::new(it) as Box<dyn Elsewhere>))
    }

    /// Several messages a call, but no more than 32.
    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        batches: Vec<Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        match cell.messages {
            1..=32 => one_by_one(self, cell, keys, batches, run),
            messages => Err(format!("toy_many takes 32 messages, not {messages}").into()),
        }
    }
}

/// Bytes of a message that another process works on.
struct There(u64);

impl Elsewhere for There {
    fn samples(&self, calls: u64, samples: u32) -> Result<Vec<u64>, Fault> {
        Ok(vec![1000 * self.0 * calls; samples as usize])
    }

    fn switches(&self) -> Option<u64> {
        Some(7)
    }
}

/// The replies to these lines.
pub(super) fn replies(input: &[u8]) -> Vec<String> {
    let mut output = Vec::new();
    serve(&Toy, &|_| plain_load(), input, &mut output).expect("pipes");
    let text = String::from_utf8(output).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}
