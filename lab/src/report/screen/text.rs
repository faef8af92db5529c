//! Words, versions and widths of the screen.

use crate::record::{Results, Row, number};
use crate::report::{headline, size_label};
use crate::{Mix, Model};

/// Lines of at most `width` columns, broken at blanks; a word that is longer is cut.
pub(in crate::report) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let long = word.chars().count();
        if used > 0 && used + 1 + long > width {
            lines.push(std::mem::take(&mut line));
            // What goes on is set in, so that a paragraph is seen as one.
            line.push(' ');
            used = 1;
        }
        if used > 1 || (used == 1 && line != " ") {
            line.push(' ');
            used += 1;
        }
        let word = fitted(word, width.saturating_sub(used));
        used += word.chars().count();
        line.push_str(&word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The lines of [`wrapped`], of which no more than `most` stay; what is cut is marked.
pub(super) fn at_most(mut lines: Vec<String>, most: usize, width: usize) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = fitted(last, width - 2) + " …";
        }
    }
    lines
}

/// Text of at most `width` columns; what is cut off is marked.
pub(in crate::report) fn fitted(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// Text of exactly `width` columns.
pub(super) fn padded(text: &str, width: usize) -> String {
    format!("{:<width$}", fitted(&clean(text), width))
}

/// Control characters as `?`: a results file from elsewhere can't drive the terminal.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// An engine with its version: `ipp 2.3.0`. Of an engine that is many packages that which the
/// algorithm is named after, else the first: `rustcrypto zuc 0.4.1`.
pub(in crate::report) fn version(results: &Results, engine: &str, algorithm: &str) -> String {
    let known = results.engines.iter().find(|it| it.name == engine);
    let Some(text) = known.map(|it| it.version.as_str()).filter(|it| !it.is_empty()) else {
        return engine.to_owned();
    };
    let packages: Vec<&str> = text.split(", ").collect();
    if packages.len() > 1 && packages.iter().all(|it| it.split(' ').count() == 2) {
        let of = |package: &&&str| {
            let name = package.split(' ').next().unwrap_or(package);
            algorithm == name || algorithm.starts_with(&format!("{name}-"))
        };
        let package = packages.iter().find(of).unwrap_or(&packages[0]);
        return format!("{engine} {package}");
    }
    format!("{engine} {}", number(text).unwrap_or(text))
}

/// What a row did, in few words: `8 KiB, key ready`.
pub(in crate::report) fn work(row: &Row) -> String {
    match row.cell.model {
        Model::Init | Model::Key => label(row),
        Model::Stream => format!("stream in pieces of {}", size_label(row.cell.size)),
        Model::Message | Model::Packet | Model::Batch if row.cell.mix == Mix::Equal => {
            format!("{}, {}", size_label(row.cell.size), label(row))
        }
        _ => headline::work(row),
    }
}

/// A row's model and conditions in few words.
pub(in crate::report) fn label(row: &Row) -> String {
    let work = super::super::table::work(row);
    let plain = match row.cell.model {
        Model::Message => "key ready",
        Model::Packet => "new key each",
        Model::Stream => "one stream",
        Model::Key => "key set-up",
        Model::Init => "key and IV set-up",
        Model::Latency => "block after block",
        Model::Batch => return work,
    };
    // What `work` says besides the model stays.
    format!("{plain}{}", work.strip_prefix(row.cell.model.name()).unwrap_or_default())
}
