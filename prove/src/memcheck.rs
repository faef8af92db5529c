//! No branch and no address that depends on a secret, as Memcheck sees it: keys, data and the
//! messages of MACs are marked undefined, and valgrind reports where a decision needs them.
//!
//! What opens or verifies decides on its tag, and modes with two keys on their being equal:
//! these verdicts are public, so such operations are left to the traces.

use cipherlane::registry::Kind;
use cipherlane::{Error, Level};

use crate::calls::{Call, Parts, Way, calls};
use crate::leaks::Leak;
use crate::share::{Share, claims};
use crate::traces::{Cell, Filled, Subject};
use crate::valgrind::{errors, hide, reveal};
use crate::work::{Record, cells};

const SHORT: [usize; 1] = [100];
const BATCH: [usize; 2] = [16, 40];

/// Whether the operation's answer says something of the key itself.
fn judges_keys(call: &Call) -> bool {
    let mut parts = Parts::zeros(&call.0, 32, 0);
    call.run(Way::Alone, Level::portable(), &mut [parts.packet()]) == Err(Error::EqualKeys)
}

/// The number of errors that valgrind reports while a cell runs.
fn reported(cell: &Cell<'_>) -> Result<u64, String> {
    let mut filled = Filled::new(cell);
    filled.fill(0)?;
    let mac = cell.call.kind == Kind::Mac;
    for Parts { key, aad, data, .. } in &mut filled.parts {
        hide(key);
        hide(data);
        if mac {
            hide(aad);
        }
    }
    let before = errors();
    let result = filled.once();
    let found = errors() - before;
    for Parts { key, aad, data, tag, .. } in &mut filled.parts {
        [key, aad, data, tag].into_iter().for_each(|bytes| reveal(bytes));
    }
    result.map(|()| found)
}

/// Checks every operation that claims constant time at every level that valgrind can run.
pub fn run(share: Share, tell: &mut dyn FnMut(Record)) {
    let sound = calls(claims);
    let judged = |call: &Call| call.opens() || judges_keys(call);
    let sound: Vec<Call> = sound.into_iter().filter(|call| !judged(call)).collect();
    for (call, level) in share.of(cells(&sound)) {
        for (way, lengths) in [(Way::Alone, &SHORT[..]), (Way::Ready, &BATCH)] {
            if way == Way::Alone || call.in_lanes() {
                let cell = Cell { call, way, level, lengths, wrong: false, leak: None };
                let record = Record::of("memcheck", call, way.name(), level);
                let fault = match reported(&cell) {
                    Ok(0) => None,
                    Ok(found) => Some(format!("{found} decisions on a secret")),
                    Err(error) => Some(error),
                };
                tell(Record { fault, ..record });
            }
        }
    }
    // The checker itself: a division decides nothing, the others do.
    for (call, level) in share.of(cells(&sound[..sound.len().min(1)])) {
        for leak in [Leak::Table, Leak::EarlyExit, Leak::Branch] {
            let (way, lengths, leak) = (Way::Alone, &SHORT[..], Some(leak));
            let cell = Cell { call, way, level, lengths, wrong: false, leak };
            let what = format!("{:?} that must be found", leak.unwrap_or(Leak::Table));
            let record = Record::of("memcheck", call, what, level);
            let fault = match reported(&cell) {
                Ok(0) => Some("was not found".into()),
                Ok(_) => None,
                Err(error) => Some(error),
            };
            tell(Record { fault, ..record });
        }
    }
}
