//! The cells of one operation of an engine in one model.

use crate::reply::{Description, Offer};
use crate::study::{STREAM_SIZE, Selection};
use crate::{Cell, KeySetup, Mix, Model};

/// What a selection asks of an offer in a model, and why some of it can't be had. `first` is
/// the offer of the first engine that has the operation: its IV length is taken if this one
/// takes it too.
pub(super) fn of(
    selection: &Selection,
    engines: &[Description],
    offer: &Offer,
    first: &Offer,
    model: Model,
) -> (Vec<Cell>, Option<String>) {
    let (lengths, left_out) = lengths(selection, engines, offer, model);
    let shared = first.nonce_bytes.iter().find(|bytes| offer.nonce_bytes.contains(bytes));
    let nonce_bytes = shared.or(offer.nonce_bytes.first()).copied().unwrap_or(0);
    // What has one placement only is measured in that, and the row says so.
    let only = offer.shape().only().map(|only| vec![only]);
    let placements = only.as_ref().unwrap_or(&selection.placements);
    let batch = model == Model::Batch;
    let messages = if batch { selection.messages.as_slice() } else { &[1] };
    let keys = if batch { keys(selection, engines, &offer.algorithm) } else { vec![model.keys()] };
    let shared_work = batch || model == Model::Message;
    let threads = if shared_work { selection.threads.as_slice() } else { &[1] };
    // Only a message of an operation that takes associated data has any.
    let message = [Model::Packet, Model::Message, Model::Batch].contains(&model);
    let takes = message && offer.shape().takes_aad();
    let aads = if takes { selection.aad_bytes.as_slice() } else { &[0] };
    let cold = selection.cold;
    let unaligned = if model.is_setup() { 0 } else { selection.unaligned };
    let mut cells = Vec::new();
    for &messages in messages {
        for &keys in &keys {
            for &(mix, size) in &lengths {
                for &placement in placements {
                    for &threads in threads {
                        let base = Cell::new(&offer.algorithm, &offer.operation, model, size);
                        let lengths = Cell { nonce_bytes, mix, placement, unaligned, ..base };
                        let cell = Cell { messages, keys, threads, cold, ..lengths };
                        cells.extend(aads.iter().map(|&it| Cell { aad_bytes: it, ..cell.clone() }));
                    }
                }
            }
        }
    }
    (cells, left_out)
}

/// The lengths of a selection that an offer takes in a model, and why not the others.
///
/// `stream` is about one long message: it takes the longest size, and at least 4096 bytes a
/// call. `latency` takes one block.
fn lengths(
    selection: &Selection,
    engines: &[Description],
    offer: &Offer,
    model: Model,
) -> (Vec<(Mix, u64)>, Option<String>) {
    let granule = u64::from(offer.granule);
    let even = |size: &u64| size.is_multiple_of(granule);
    let equal = |size| (Mix::Equal, size);
    match model {
        Model::Init | Model::Key => (vec![equal(0)], None),
        Model::Latency => (vec![equal(granule)], None),
        Model::Stream => {
            let longest = selection.sizes.iter().copied().filter(even).max();
            let size = longest.filter(|size| *size >= 4096).unwrap_or(STREAM_SIZE);
            (vec![equal(size)], None)
        }
        Model::Batch if selection.mix != Mix::Equal => mixed(selection.mix, engines, offer),
        Model::Packet | Model::Message | Model::Batch => {
            let (even, uneven): (Vec<u64>, Vec<u64>) =
                selection.sizes.iter().copied().partition(even);
            let list = uneven.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let left_out = (!uneven.is_empty())
                .then(|| format!("{list} bytes are not whole blocks of {granule}"));
            (even.into_iter().map(equal).collect(), left_out)
        }
    }
}

/// The size of a mix. All engines take the blocks that the most demanding of them takes, so
/// that their messages are the same.
fn mixed(mix: Mix, engines: &[Description], offer: &Offer) -> (Vec<(Mix, u64)>, Option<String>) {
    let offers = engines.iter().filter_map(|it| it.offer(&offer.algorithm, &offer.operation));
    let granule = offers.map(|it| it.granule).max().unwrap_or(offer.granule);
    match mix.size(granule) {
        Some(size) if granule.is_multiple_of(offer.granule) => (vec![(mix, size)], None),
        _ => (Vec::new(), Some(format!("{mix} has no messages of whole blocks of {granule}"))),
    }
}

/// The key set-ups of a batch: those asked for; else fresh keys for an algorithm without a
/// key schedule of its own, whose key goes in with the IV, and ready ones for all others.
fn keys(selection: &Selection, engines: &[Description], algorithm: &str) -> Vec<KeySetup> {
    if !selection.keys.is_empty() {
        return selection.keys.clone();
    }
    let mut offers = engines.iter().flat_map(|engine| &engine.offers);
    let schedule = offers.any(|it| it.algorithm == algorithm && it.models.contains(&Model::Key));
    vec![if schedule { KeySetup::Ready } else { KeySetup::Fresh }]
}
