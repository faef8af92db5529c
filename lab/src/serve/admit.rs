//! Which requests an engine takes: what it offers, under conditions it can meet.

use super::{Denied, Server};
use crate::reply::Offer;
use crate::request::{MAX_AAD, Task};
use crate::{Mix, Model};

impl Server<'_> {
    /// The offer that a cell is of.
    pub(super) fn offer(&self, task: &Task) -> Result<&Offer, Denied> {
        let (cell, name) = (&task.cell, &self.description.engine);
        let refuse = |why: String| Err(Denied::Refused(why));
        let Some(offer) = self.description.offer(&cell.algorithm, &cell.operation) else {
            return refuse(format!("{name} has no {}/{}", cell.algorithm, cell.operation));
        };
        let what = format!("{name}: {}/{}", cell.algorithm, cell.operation);
        if !offer.levels.contains(&cell.level) {
            let levels = offer.levels.join(", ");
            return refuse(format!("{what} has no level `{}`; it has {levels}", cell.level));
        }
        if !offer.models.contains(&cell.model) {
            return refuse(format!("{what} can't be measured in model {}", cell.model));
        }
        // An engine that has no model of one message has batches of its own, of either keys.
        let single = cell.one_by_one().model;
        let own = [Model::Packet, Model::Message].iter().all(|it| !offer.models.contains(it));
        let granted = offer.models.contains(&single) || (own && cell.model == Model::Batch);
        if !granted {
            let keys = cell.keys;
            return refuse(format!("{what} has no model {single}, and so no batch of {keys} keys"));
        }
        if !offer.nonce_bytes.contains(&cell.nonce_bytes) {
            return refuse(format!("{what} takes no IV of {} bytes", cell.nonce_bytes));
        }
        if let Some(length) = uneven(task, offer.granule.into()) {
            let granule = offer.granule;
            return refuse(format!("{what}: {length} bytes are not whole blocks of {granule}"));
        }
        if cell.messages != 1 && cell.model != Model::Batch {
            let (model, messages) = (cell.model, cell.messages);
            return refuse(format!("model {model} has one message a call, not {messages}"));
        }
        if cell.threads > self.engine.threads(cell) {
            let threads = cell.threads;
            return refuse(format!(
                "{what}, model {}, works on one thread, not {threads}",
                cell.model
            ));
        }
        // A walk on one core leaves the caches of the others as they are, and a sample of one call
        // can't have every length of a mix.
        if cell.cold && (cell.threads > 1 || cell.mix != Mix::Equal) {
            return refuse(format!("{what} is measured cold on one thread, of equal lengths"));
        }
        let shape = offer.shape();
        if cell.aad_bytes != 0 && !shape.takes_aad() {
            return refuse(format!("{what} has no associated data"));
        }
        if cell.aad_bytes > MAX_AAD {
            let aad = cell.aad_bytes;
            return refuse(format!(
                "{what} is measured with at most {MAX_AAD} bytes of associated data, not {aad}"
            ));
        }
        match shape.only() {
            Some(only) if only != cell.placement => {
                refuse(format!("{what} is measured {only}, not {}", cell.placement))
            }
            _ => Ok(offer),
        }
    }
}

/// The first length of a task's messages that is not whole blocks.
fn uneven(task: &Task, granule: u64) -> Option<u64> {
    let lengths = match task.cell.mix {
        Mix::Equal => vec![task.call_bytes()],
        mix => mix.lengths(task.seed, task.cell.size, mix.period()).unwrap_or_default(),
    };
    lengths.into_iter().find(|length| !length.is_multiple_of(granule))
}
