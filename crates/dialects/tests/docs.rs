//! `docs/DIALECTS.md` says what the rows say.

use std::fmt::Write as _;
use std::fs;

use dialects::{Dialect, Mode, all};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/DIALECTS.md");
const BEGIN: &str = "--test docs` -->\n";
const END: &str = "<!-- end of rows -->\n";

/// What the modes say, each once.
fn distinct(dialect: &'static Dialect, say: impl Fn(&Mode) -> String) -> String {
    let mut said: Vec<String> = Vec::new();
    for text in dialect.modes().iter().map(say) {
        if !said.contains(&text) {
            said.push(text);
        }
    }
    said.join("; ")
}

/// The names of the modes; those that differ in a key's length stand together.
fn modes(dialect: &'static Dialect) -> String {
    let shorter = |name: &str| {
        let lengths = ["128", "192", "256"];
        let family = dialect.ciphers().len() == 3 && name.contains(lengths[0]);
        let other = family
            && lengths.iter().all(|it| {
                dialect.modes().iter().any(|mode| mode.name() == name.replacen(lengths[0], it, 1))
            });
        let skip = dialect.ciphers().len() == 3
            && lengths[1..].iter().any(|it| {
                let first = name.replacen(it, lengths[0], 1);
                first != name && dialect.modes().iter().any(|mode| mode.name() == first)
            });
        match (other, skip) {
            (true, _) => Some(name.replacen(lengths[0], "{128,192,256}", 1)),
            (_, true) => None,
            _ => Some(name.to_owned()),
        }
    };
    let names = dialect.modes().iter().filter_map(|mode| shorter(mode.name()));
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

fn rows() -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "| dialect | cipher | key | IV | layout | coding | published values |")?;
    writeln!(text, "|---|---|---|---|---|---|---|")?;
    for it in all() {
        let name = it.name();
        let (ciphers, key) = (it.ciphers().join(", "), it.key());
        let (iv, layout) = (distinct(it, Mode::iv), distinct(it, Mode::layout));
        let coding = it.codings()[0].name();
        let published = if it.status().name() == "published" { "come out" } else { "**none**" };
        let row = format!("[`{name}`](#{})", name.replace('.', ""));
        writeln!(text, "| {row} | {ciphers} | {key} | {iv} | {layout} | {coding} | {published} |")?;
    }
    for it in all() {
        writeln!(text, "\n### {}\n\n{}.\n", it.name(), it.engine())?;
        writeln!(text, "- Modes: {}; the first one where none is named.", modes(it))?;
        writeln!(text, "- Key: {}", it.key_words())?;
        writeln!(text, "- IV: {}", it.iv_words())?;
        writeln!(text, "- Padding: {}.", distinct(it, |mode| mode.padding().to_owned()))?;
        if let Some(mac) = it.mac_words() {
            writeln!(text, "- MAC: {mac}.")?;
        }
        let codings: Vec<&str> = it.codings().iter().map(|coding| coding.name()).collect();
        writeln!(text, "- Coding: {}.", codings.join(", "))?;
        writeln!(text, "- Text: {}; {}.", it.text_words(), it.null_words())?;
        let flaws: Vec<String> = it.flaws().iter().map(ToString::to_string).collect();
        let flaws = if flaws.is_empty() { "none".to_owned() } else { flaws.join("; ") };
        writeln!(text, "- Flaws: {flaws}.")?;
        for flawless in it.modes().iter().filter(|mode| it.flaws_of(mode).is_empty()) {
            writeln!(text, "- Without flaws: `{}`.", flawless.name())?;
        }
        if let Some(note) = it.status_note() {
            writeln!(text, "- Status: **{}**. {note}", it.status().name())?;
        }
        for note in it.notes() {
            writeln!(text, "- Note: {note}")?;
        }
        for source in it.sources() {
            writeln!(text, "- Source: {}: {}.", source.at, source.read)?;
        }
    }
    Ok(text)
}

/// `WRITE=1` writes the page instead.
#[test]
fn the_page_says_what_the_rows_say() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (head, rest) = page.split_once(BEGIN).unwrap();
    let (there, tail) = rest.split_once(END).unwrap();
    let made = format!("\n{}\n", rows().unwrap());
    if std::env::var_os("WRITE").is_some() {
        fs::write(PAGE, format!("{head}{BEGIN}{made}{END}{tail}")).unwrap();
        return;
    }
    assert_eq!(there, made, "`WRITE=1 cargo test -p cipherlane-dialects --test docs` makes it");
}
