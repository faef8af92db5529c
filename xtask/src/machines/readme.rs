//! The table of README.md, between two marks.

use super::page::{cells, escaped, head, mark, ratio, row, short, size};
use super::read::{Cell, Figure, Machine, Record};

const BEGIN: &str = "<!-- machines: made by `cargo xtask machines --write` -->";
const END: &str = "<!-- machines: end -->";

/// The lines of the table, as far as a machine has them: operation, model and length.
const ROWS: [(&str, &str, u64); 12] = [
    ("sm4/ctr", "message", 64),
    ("sm4/ctr", "message", 8192),
    ("sm4/ecb-encrypt", "message", 8192),
    ("sm4/cbc-encrypt", "message", 8192),
    ("sm4/cbc-decrypt", "message", 8192),
    ("sm4/gcm-seal", "message", 1500),
    ("aes-128/ctr", "message", 8192),
    ("aes-128/cbc-decrypt", "message", 8192),
    ("aes-128/gcm-seal", "message", 1500),
    ("zuc-128/eea3", "packet", 1500),
    ("zuc-128/eia3", "packet", 1500),
    ("zuc-128/keystream", "stream", 65536),
];

/// The page with the part between its marks made anew.
pub(super) fn replaced(page: &str, machines: &[Machine]) -> Result<String, String> {
    let fault = || format!("README.md: not one `{BEGIN}` with a `{END}` behind it");
    let (before, rest) = page.split_once(BEGIN).ok_or_else(fault)?;
    let (old, after) = rest.split_once(END).ok_or_else(fault)?;
    if [old, after].iter().any(|part| part.contains(BEGIN)) || after.contains(END) {
        return Err(fault());
    }
    Ok(format!("{before}{BEGIN}\n{}{END}{after}", table(machines)))
}

fn table(machines: &[Machine]) -> String {
    let recorded: Vec<&Record> = machines.iter().filter_map(|it| it.record.as_ref()).collect();
    let mut text = String::new();
    if recorded.is_empty() {
        text += "No machine is recorded yet: `cargo run --release -- bench --record` does it. What else is kept of\n\
                 machines is in [docs/MACHINES.md](docs/MACHINES.md).\n";
    } else {
        text += &head(&recorded, "core cycles a byte");
        let cells = cells(&recorded);
        for (operation, model, bytes) in ROWS {
            let is =
                |it: &&Cell| (&*it.operation, &*it.model, it.size) == (operation, model, bytes);
            for cell in cells.iter().filter(is) {
                let what = match model {
                    "packet" => ", a new key each",
                    "stream" => ", one stream",
                    _ => "",
                };
                let name = format!("{operation}, {}{what}", size(bytes));
                text += &row(&name, cell, &recorded, shown);
            }
        }
        text += "\nOurs at the level that a caller gets; the best peer; how many times as fast ours is, with its\n\
                 95 % interval. All figures are in [docs/MACHINES.md](docs/MACHINES.md).\n";
    }
    text
}

/// `**0.55**; ipp 0.89; 1.62 (1.60 to 1.64)`.
fn shown(figure: &Figure) -> String {
    let ours = format!("**{}**{}", short(figure.ours.figure), mark(figure.ours.disturbed));
    let peer = figure.best.as_ref().and_then(|best| {
        let peer = figure.peers.iter().find(|peer| peer.engine == best.engine)?;
        Some(format!("{} {}{}", escaped(&peer.engine), short(peer.figure), mark(peer.disturbed)))
    });
    peer.map_or(ours.clone(), |peer| format!("{ours}; {peer}; {}", ratio(figure)))
}
