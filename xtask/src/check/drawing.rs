//! `cargo xtask floors`: the floors of the library as a picture, from its imports.
//!
//! A row is a floor, the ground lowest, with its rooms. Behind the rows stands a line for each
//! floor that others import from: it begins at the highest of these, has a dot with the number of
//! imports at each, and ends in an arrow. An import is a file that takes from another one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use super::ROOMS;
use super::imports::{Imports, Module};
use super::rules::floors::{FLOORS, place};
use super::source::Source;
use crate::{Outcome, workspace};

/// Where the picture is.
pub(super) const PICTURE: &str = "docs/floors.svg";

const WIDTH: usize = 960;
/// Where rooms begin and end, and from where on the lines stand, how far apart.
const ROOM: usize = 172;
const ROOMS_END: usize = 640;
const LINES: usize = 664;
const APART: usize = 34;
/// The heights of a row of boxes, of a box, and between floors.
const ROW: usize = 28;
const BOX: usize = 22;
const GAP: usize = 14;

/// The rooms of each floor that are there, a cipher each as one.
fn rooms(imports: &Imports) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new(); FLOORS.len()];
    let there: BTreeSet<&str> =
        imports.files.keys().map(|it| it.first().map_or("lib", String::as_str)).collect();
    for (floor, (_, rooms)) in FLOORS.iter().enumerate() {
        for room in rooms.iter().filter(|room| there.contains(*room)) {
            if *room == "ciphers" {
                let ciphers = imports.files.keys().filter(|it| it[..].len() == 2 && it[0] == *room);
                all[floor].extend(ciphers.map(|it| it[1].clone()));
            } else {
                all[floor].push((*room).to_string());
            }
        }
    }
    all
}

/// How many imports lead from a floor to another one.
fn counts(imports: &Imports) -> BTreeMap<(usize, usize), usize> {
    let mut counts = BTreeMap::new();
    for (from, to) in imports.arrows.keys() {
        if let (Some((from, _)), Some((to, _))) = (place(from), place(to))
            && from != to
        {
            *counts.entry((from, to)).or_default() += 1;
        }
    }
    counts
}

/// The boxes of a floor: left edge, row and width of each.
fn boxes(rooms: &[String]) -> Vec<(usize, usize, usize)> {
    let (mut x, mut row) = (ROOM, 0);
    let mut boxes = Vec::new();
    for room in rooms {
        let width = 8 * room.len() + 12;
        if x + width > ROOMS_END {
            (x, row) = (ROOM, row + 1);
        }
        boxes.push((x, row, width));
        x += width + 6;
    }
    boxes
}

/// The picture.
fn draw(imports: &Imports) -> String {
    let (rooms, counts) = (rooms(imports), counts(imports));
    let boxes: Vec<_> = rooms.iter().map(|rooms| boxes(rooms)).collect();
    // From the roof down.
    let (mut top, mut tops) = (GAP, vec![0; FLOORS.len()]);
    for floor in (0..FLOORS.len()).rev() {
        tops[floor] = top;
        top += (boxes[floor].last().map_or(0, |(_, row, _)| *row) + 1) * ROW + GAP;
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>The floors of crates/cipherlane, and how many imports lead down</title>\n\
         <rect width=\"{WIDTH}\" height=\"{top}\" fill=\"#fff\"/>\n"
    );
    let middle = |floor: usize| tops[floor] + BOX / 2;
    for floor in (0..FLOORS.len()).rev() {
        let (y, line) = (middle(floor), tops[floor] - GAP / 2);
        _ = writeln!(
            svg,
            "<path d=\"M12 {line}H{}\" stroke=\"#ddd\"/>\n\
             <text x=\"16\" y=\"{}\" fill=\"#555\">{floor} {}</text>",
            WIDTH - 12,
            y + 4,
            FLOORS[floor].0
        );
        for (room, (x, row, width)) in rooms[floor].iter().zip(&boxes[floor]) {
            let y = tops[floor] + row * ROW;
            _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX}\" rx=\"3\" \
                 fill=\"#eef3fa\" stroke=\"#8aa4c8\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{room}</text>",
                x + width / 2,
                y + 15
            );
        }
    }
    for to in 0..FLOORS.len() {
        let from: Vec<_> = counts.iter().filter(|((_, it), _)| *it == to).collect();
        let Some(((highest, _), _)) = from.last() else { continue };
        let (x, end) = (LINES + to * APART, middle(to));
        _ = writeln!(
            svg,
            "<path d=\"M{x} {}V{end}M{} {}l4 8l4 -8\" stroke=\"#356\" fill=\"none\"/>",
            middle(*highest),
            x - 4,
            end - 8
        );
        for ((from, _), count) in from {
            let y = middle(*from);
            _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"#356\"/>\
                 <text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#356\">{count}</text>",
                x + 5,
                y + 4
            );
        }
    }
    svg + "</svg>\n"
}

/// An error if the picture is not that of these sources.
pub(super) fn compare(sources: &[Source]) -> Outcome {
    if shows(&workspace::read(PICTURE)?, Imports::read(sources)) {
        return Ok(());
    }
    Err(format!("{PICTURE} does not show the imports; `cargo xtask floors --write` draws it anew"))
}

/// Whether a picture is that of these imports. Ciphers that it does not know have come since, and
/// don't make it wrong: they are shown when it is drawn anew.
fn shows(picture: &str, mut imports: Imports) -> bool {
    let new = |module: &Module| {
        module.len() > 1
            && module[0] == "ciphers"
            && !picture.contains(&format!(">{}</text>", module[1]))
    };
    imports.files.retain(|module, _| !new(module));
    imports.arrows.retain(|(from, to), _| !new(from) && !new(to));
    draw(&imports) == picture
}

/// Compares the picture with the imports, or writes it.
pub(crate) fn run(options: &[String]) -> Outcome {
    let sources = Source::read_all(ROOMS)?;
    if options.is_empty() {
        return compare(&sources);
    }
    let file = workspace::root().join(PICTURE);
    let beside = file.with_extension("svg.new");
    fs::write(&beside, draw(&Imports::read(&sources)))
        .and_then(|()| fs::rename(&beside, &file))
        .map_err(|error| format!("{PICTURE}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_that_of_the_imports() {
        compare(&Source::read_all(ROOMS).unwrap()).unwrap();
    }

    #[test]
    fn rooms_and_numbers_stand_in_it() {
        let parse = |path: &str, text| {
            Source::parse(&format!("crates/cipherlane/src/{path}"), text).unwrap()
        };
        let sources = [
            parse("error.rs", ""),
            parse("ciphers/mod.rs", ""),
            parse("ciphers/kasumi/mod.rs", "use crate::error::Error;"),
            parse("modes/ctr.rs", "use crate::error::Error; use crate::ciphers::kasumi::K;"),
            parse("modes/ecb.rs", "use crate::error::Error; use crate::error::Limit;"),
        ];
        assert_eq!(
            counts(&Imports::read(&sources)).into_iter().collect::<Vec<_>>(),
            [((2, 0), 1), ((3, 0), 2), ((3, 2), 1)]
        );
        let picture = draw(&Imports::read(&sources));
        assert!(picture.contains(">kasumi</text>") && picture.contains(">2</text>"), "{picture}");
        assert!(!picture.contains(">sm4</text>"));
    }

    #[test]
    fn a_new_cipher_leaves_the_picture_right_and_another_import_does_not() {
        let parse = |(path, text): (&str, &str)| {
            Source::parse(&format!("crates/cipherlane/src/{path}"), text).unwrap()
        };
        let old = [
            ("error.rs", ""),
            ("block/mod.rs", ""),
            ("ciphers/kasumi/mod.rs", "use crate::error::Error;"),
            ("registry/mod.rs", "use crate::ciphers::kasumi::A; use crate::ciphers::speck::A;"),
        ];
        let read = |more: &[(&'static str, &'static str)]| {
            let all: Vec<Source> = old.iter().chain(more).copied().map(parse).collect();
            Imports::read(&all)
        };
        // Without a folder of that name the registry's path leads to the roof, which is not there.
        let picture = draw(&read(&[]));
        let speck = ("ciphers/speck/mod.rs", "use crate::error::Error; use crate::block::B;");
        assert!(shows(&picture, read(&[speck])));
        assert!(!shows(&picture, read(&[speck, ("modes/ctr.rs", "use crate::error::Error;")])));
    }
}
