//! `cargo xtask threats`: the threat model of SECURITY.md as a picture. Each line is something the
//! attacker does, the promise that stands against it, and what the promise keeps; below stand what
//! everybody may know and what is kept from nobody. All words are those of the page, or the rule of
//! this file's tests fails.

use std::fmt::Write as _;
use std::fs;

use super::promises::PROMISES;
use crate::outcome::Outcome;
use crate::workspace;

const PICTURE: &str = "docs/threats.svg";

/// What the attacker does, by words of SECURITY.md; the promises against it, by their places; what is
/// kept.
const THREATS: [(&str, &[usize], &str); 5] = [
    ("chooses messages, nonces and associated data", &[0, 6], "results"),
    ("sees ciphertexts, tags and errors", &[5, 3, 4], "the place where a tag is wrong"),
    ("measures time", &[1], "Keys, plaintexts, internal states, the messages of MACs"),
    ("which addresses were touched, by caches", &[1], "Keys, plaintexts, internal states"),
    ("stack, registers and given-back memory", &[2], "Round keys, states and left-over keystream"),
];

/// What is no secret.
const PUBLIC: &str =
    "Lengths, algorithms, levels, nonces, associated data and whether a tag was right";

/// What nothing here stands against.
const OPEN: [&str; 6] = [
    "run code in the caller's process",
    "read its memory",
    "touch the machine",
    "Power, electromagnetic and fault attacks",
    "Transient execution",
    "swap and hibernation",
];

const WIDTH: usize = 960;
/// Left edges and widths of the three columns, and the height of a line of text.
const COLUMNS: [(usize, usize); 3] = [(12, 300), (352, 268), (660, 288)];
const LINE: usize = 18;
const GAP: usize = 12;
const INSIDE: usize = 9;
/// Letters of a line in each column.
const LETTERS: [usize; 3] = [42, 38, 40];

/// A text in lines of at most so many letters.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A box with lines of text.
fn boxed(
    svg: &mut String,
    (x, width): (usize, usize),
    y: usize,
    height: usize,
    lines: &[String],
    paint: (&str, &str),
) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"{}\" stroke=\"{}\"/>",
        paint.0, paint.1
    );
    let first = y + (height - lines.len() * LINE) / 2 + 14;
    for (line, text) in lines.iter().enumerate() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{}\">{text}</text>", x + INSIDE, first + line * LINE);
    }
}

fn promise(place: usize) -> &'static str {
    PROMISES[place].words.trim_end_matches(['.', ','])
}

/// The picture.
fn draw() -> String {
    const ATTACK: (&str, &str) = ("#fbeeee", "#c88a8a");
    const WALL: (&str, &str) = ("#eef3fa", "#8aa4c8");
    const KEPT: (&str, &str) = ("#eef8ee", "#86b486");
    const PLAIN: (&str, &str) = ("#f6f6f6", "#bbb");
    let mut body = String::new();
    let heads = ["The attacker", "The promise", "What it keeps"];
    for ((x, _), head) in COLUMNS.iter().zip(heads) {
        let _ = writeln!(body, "<text x=\"{x}\" y=\"24\" font-weight=\"bold\">{head}</text>");
    }
    let mut y = 36;
    for (threat, against, kept) in THREATS {
        let walls: Vec<String> =
            against.iter().flat_map(|place| wrapped(promise(*place), LETTERS[1])).collect();
        let texts = [wrapped(threat, LETTERS[0]), walls, wrapped(kept, LETTERS[2])];
        let most = texts.iter().map(Vec::len).max().unwrap_or(1);
        let height = most * LINE + 2 * INSIDE - 4;
        for ((column, text), paint) in COLUMNS.iter().zip(&texts).zip([ATTACK, WALL, KEPT]) {
            boxed(&mut body, *column, y, height, text, paint);
        }
        let (from, to, middle) = (COLUMNS[0].0 + COLUMNS[0].1, COLUMNS[1].0, y + height / 2);
        let _ = writeln!(
            body,
            "<path d=\"M{from} {middle}H{}M{} {}l8 4l-8 4\" stroke=\"#a33\" fill=\"none\"/>",
            to - 2,
            to - 10,
            middle - 4
        );
        y += height + GAP;
    }
    let whole = (COLUMNS[0].0, WIDTH - 2 * COLUMNS[0].0);
    for (head, text) in
        [("No secret:", PUBLIC.to_owned()), ("Kept from nobody who does this:", OPEN.join("; "))]
    {
        let lines = wrapped(&format!("{head} {text}"), 130);
        let height = lines.len() * LINE + 2 * INSIDE - 4;
        boxed(&mut body, whole, y, height, &lines, PLAIN);
        y += height + GAP;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>The threat model: what the attacker does, the promise against it, what stays open</title>\n\
         <rect width=\"{WIDTH}\" height=\"{y}\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// Compares the picture with what it is drawn from, or writes it.
pub(crate) fn run(options: &[String]) -> Outcome {
    if options.is_empty() {
        return if workspace::read(PICTURE)? == draw() {
            Ok(())
        } else {
            Err(format!("{PICTURE} is another one; `cargo xtask threats --write` draws it anew"))
        };
    }
    let file = workspace::root().join(PICTURE);
    let beside = file.with_extension("svg.new");
    fs::write(&beside, draw())
        .and_then(|()| fs::rename(&beside, &file))
        .map_err(|error| format!("{PICTURE}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_drawn_from_this() {
        run(&[]).unwrap();
    }

    /// The page without its breaks of lines, in small letters.
    fn security() -> String {
        let text = workspace::read("SECURITY.md").unwrap().to_lowercase();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn all_words_are_those_of_the_page() {
        let page = security();
        let threats = THREATS.iter().flat_map(|(threat, _, kept)| [*threat, *kept]);
        for words in threats.chain(OPEN).chain([PUBLIC]) {
            assert!(page.contains(&words.to_lowercase()), "SECURITY.md does not say `{words}`");
        }
    }

    #[test]
    fn every_promise_stands_against_something() {
        for place in 0..PROMISES.len() {
            let against = THREATS.iter().any(|threat| threat.1.contains(&place));
            assert!(against, "{}", promise(place));
        }
    }

    #[test]
    fn long_texts_are_broken() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
    }
}
