//! The same way for every secret: an operation is stepped through under different keys and
//! data, and the addresses of its instructions and of all they access must be equal.
//!
//! Secret are keys, plaintexts, ciphertexts before their tags are checked, and the messages of
//! MACs. Public are lengths, IVs, associated data, the level, and whether a tag was right: where
//! it is wrong, the place of the wrong byte is secret.

use cipherlane::batch::Packet;
use cipherlane::registry::Kind;
use cipherlane::{Error, Level};
use model::random::SplitMix64;

use crate::calls::{Call, Parts, Way};
use crate::leaks::Leak;
use crate::step::{Trace, program, trace};

/// More steps than any operation here takes.
const ROOM: usize = 4_000_000;

/// What can be stepped through under secrets.
pub trait Subject {
    /// Makes ready for a run under the secret of that number, at the same addresses each time.
    ///
    /// # Errors
    /// If the library refuses it.
    fn fill(&mut self, secret: usize) -> Result<(), String>;

    /// Runs.
    ///
    /// # Errors
    /// If something else comes out than must.
    fn once(&mut self) -> Result<(), String>;
}

/// What is compared.
#[derive(Debug)]
pub struct Cell<'c> {
    /// The operation.
    pub call: &'c Call,
    /// How it is called.
    pub way: Way,
    /// At this level.
    pub level: Level,
    /// Message lengths wanted, one for each packet.
    pub lengths: &'c [usize],
    /// Whether tags are wrong; a MAC compares them then.
    pub wrong: bool,
    /// A seeded leak of the key.
    pub leak: Option<Leak>,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Instructions stepped through, all runs together.
    pub steps: usize,
    /// The width in bytes of the widest vector register that was named.
    pub widest: usize,
    /// Where the first run parted from another, if one did.
    pub parting: Option<Parting>,
}

/// Where two runs went or looked apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Parting {
    /// The number of the secret.
    pub secret: usize,
    /// The number of the step.
    pub step: usize,
    /// The address of the instruction in this program's file.
    pub instruction: u64,
}

/// Two traces, kept for all comparisons.
#[derive(Debug)]
pub struct Tracer {
    first: Trace,
    other: Trace,
}

impl Default for Tracer {
    fn default() -> Self {
        Self { first: Trace::first(ROOM), other: Trace::other(ROOM) }
    }
}

impl Tracer {
    /// The addresses in this program's file of all that the last comparison's first run went
    /// through.
    pub(crate) fn ran(&self) -> impl Iterator<Item = u64> {
        let program = program();
        let inside = self.first.addresses().filter(|address| program.contains(address));
        inside.map(|address| address - program.start)
    }

    /// Steps through a cell under `secrets` secrets.
    ///
    /// # Errors
    /// As [`runs`](Self::runs).
    pub fn compare(&mut self, cell: &Cell<'_>, secrets: usize) -> Result<Verdict, String> {
        self.runs(&mut Filled::new(cell), secrets)
    }

    /// Steps through a subject under `secrets` secrets.
    ///
    /// # Errors
    /// If the machine can't step, the subject fails, or there is no room for its steps.
    pub fn runs(&mut self, subject: &mut dyn Subject, secrets: usize) -> Result<Verdict, String> {
        // Whatever is made at the first use, is made here.
        subject.fill(0)?;
        subject.once()?;
        let (mut steps, mut widest) = (0, 0);
        for secret in 0..secrets {
            subject.fill(secret)?;
            let room = if secret == 0 { &mut self.first } else { &mut self.other };
            let mut result = Ok(());
            let traced = trace(room, &mut || result = subject.once());
            traced.map_err(|error| error.to_string())?;
            result?;
            if room.is_full() {
                return Err(format!("more than {} steps", room.steps()));
            }
            steps += room.steps();
            widest = widest.max(room.widest());
            if secret > 0
                && let Some((step, address)) = self.first.parting(&self.other)
            {
                let instruction = address.wrapping_sub(program().start);
                let parting = Some(Parting { secret, step, instruction });
                return Ok(Verdict { steps, widest, parting });
            }
        }
        Ok(Verdict { steps, widest, parting: None })
    }
}

/// A cell and its messages.
pub(crate) struct Filled<'a, 'c> {
    pub(crate) cell: &'a Cell<'c>,
    pub(crate) parts: Vec<Parts>,
}

impl<'a, 'c> Filled<'a, 'c> {
    pub(crate) fn new(cell: &'a Cell<'c>) -> Self {
        // Some have a way of their own for messages without associated data.
        let aad = |wanted: usize| if wanted.is_multiple_of(16) { 0 } else { 13 };
        let new = |&wanted| Parts::zeros(&cell.call.0, wanted, aad(wanted));
        Self { cell, parts: cell.lengths.iter().map(new).collect() }
    }
}

impl Subject for Filled<'_, '_> {
    fn fill(&mut self, secret: usize) -> Result<(), String> {
        fill(self.cell, &mut self.parts, secret)
    }

    fn once(&mut self) -> Result<(), String> {
        self.cell.once(&mut self.parts)
    }
}

impl Cell<'_> {
    /// Calls the operation, and leaks.
    fn once(&self, parts: &mut [Parts]) -> Result<(), String> {
        let mut packets: Vec<Packet<'_>> = parts.iter_mut().map(Parts::packet).collect();
        let result = if self.wrong && self.call.kind == Kind::Mac {
            packets.iter().try_for_each(|packet| self.call.verify(self.level, packet))
        } else {
            self.call.run(self.way, self.level, &mut packets)
        };
        drop(packets);
        if let Some(leak) = self.leak {
            std::hint::black_box(leak.tell(&parts[0].key));
        }
        match result {
            Ok(()) if !self.wrong => Ok(()),
            Err(Error::Authentication) if self.wrong => Ok(()),
            other => Err(format!("{}: {other:?}", self.call.name())),
        }
    }
}

/// A secret of that number: random, or nearly all of its bits equal.
fn secret(number: usize, random: &mut SplitMix64, into: &mut [u8]) {
    match number {
        1 | 2 => {
            into.fill(if number == 1 { 0 } else { 0xff });
            // The halves of some keys must differ.
            if let Some(last) = into.last_mut() {
                *last ^= 1;
            }
        }
        _ => into.copy_from_slice(&random.bytes(into.len())),
    }
}

/// Writes public and secret parts over what the last run left.
fn fill(cell: &Cell<'_>, parts: &mut [Parts], number: usize) -> Result<(), String> {
    let mut public = SplitMix64::new(1);
    let mut random = SplitMix64::new(100 + number as u64);
    let kind = cell.call.kind;
    for parts in &mut *parts {
        for field in [&mut parts.iv, &mut parts.aad] {
            let bytes = public.bytes(field.len());
            field.copy_from_slice(&bytes);
        }
        secret(number, &mut random, &mut parts.key);
        secret(number, &mut random, &mut parts.data);
        if kind == Kind::Mac {
            secret(number, &mut random, &mut parts.aad);
        }
        parts.tag.fill(0);
    }
    let sealing = cell.call.sealing().filter(|_| cell.call.opens());
    let before = match kind {
        Kind::Mac if cell.wrong => Some(cell.call),
        _ => sealing.as_ref(),
    };
    if let Some(before) = before {
        let mut packets: Vec<Packet<'_>> = parts.iter_mut().map(Parts::packet).collect();
        let done = before.run(Way::Alone, Level::portable(), &mut packets);
        done.map_err(|error| error.to_string())?;
    }
    if cell.wrong {
        for Parts { tag, .. } in parts {
            let last = tag.len() - 1;
            tag[if number.is_multiple_of(2) { 0 } else { last }] ^= 1 << (number % 8);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use cipherlane::modes::Padding;

    use super::*;
    use crate::calls::calls;
    use crate::step::skipped;
    use crate::unpadding::Unpadding;

    fn cell(call: &Call, leak: Option<Leak>) -> Cell<'_> {
        Cell { call, way: Way::Alone, level: Level::best(), lengths: &[40], wrong: false, leak }
    }

    #[test]
    fn a_sound_operation_has_one_trace_and_every_seeded_leak_two() {
        if skipped() {
            return;
        }
        let mut tracer = Tracer::default();
        let calls = calls(|it| it.name == "sm4");
        for level in Level::available() {
            let sound = Cell { level, ..cell(&calls[0], None) };
            let verdict = tracer.compare(&sound, 4).unwrap();
            assert!(verdict.parting.is_none() && verdict.steps > 1000, "{level}: {verdict:?}");
            for leak in Leak::ALL {
                let verdict = tracer.compare(&Cell { level, ..cell(&calls[0], Some(leak)) }, 2);
                assert!(verdict.unwrap().parting.is_some(), "{level}: {leak:?} was not found");
            }
        }
    }

    #[test]
    fn tables_read_by_gathers_are_found() {
        if skipped() {
            return;
        }
        let mut tracer = Tracer::default();
        let calls = calls(|it| it.name == "hc-128");
        for level in Level::available() {
            let ready = Cell { way: Way::Ready, level, ..cell(&calls[0], None) };
            let verdict = tracer.compare(&ready, 2).unwrap();
            assert!(verdict.parting.is_some(), "{level}: {verdict:?}");
        }
    }

    #[test]
    fn a_padding_does_not_tell_what_is_wrong_with_it() {
        if skipped() {
            return;
        }
        let mut tracer = Tracer::default();
        for padding in [Padding::Pkcs7, Padding::Iso7816] {
            for valid in [true, false] {
                let mut subject = Unpadding::new(Level::best(), padding, valid).unwrap();
                let verdict = tracer.runs(&mut subject, 4).unwrap();
                assert_eq!(verdict.parting, None, "{padding:?}, {valid}");
            }
        }
    }

    #[test]
    fn wrong_tags_are_refused_at_one_time_and_right_ones_are_no_wrong_ones() {
        if skipped() {
            return;
        }
        let mut tracer = Tracer::default();
        let calls = calls(|it| it.name == "sm4");
        let open = calls.iter().find(|it| it.0.name == "gcm-open").unwrap();
        let verdict = tracer.compare(&Cell { wrong: true, ..cell(open, None) }, 4).unwrap();
        assert_eq!(verdict.parting, None);
        // Whether a tag was right may show, so the two are never compared.
        assert!(
            Cell { wrong: true, ..cell(open, None) }.once(&mut [Parts::zeros(open, 0, 0)]).is_ok()
        );
    }
}
