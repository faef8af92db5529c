//! What the ciphers of this program take besides time: code, tables, contexts, stack.

use cipherlane::registry::{self, Algorithm, New, Started};
use cipherlane::{Error, Level};
use lab::record::Fact;
use peers::catalogue::key_bytes;

use super::symbols::{Kernel, Symbols};
use crate::failure::Failure;
use crate::level;
use crate::measure::program;

/// The facts of all algorithms: `key-bits/…`, `context-bytes/…`, `state-bytes/…`,
/// `code-bytes/best/…`, `code-bytes/portable/…`, `table-bytes/…` and `stack-bytes/…`.
pub(super) fn facts() -> Result<Vec<Fact>, Failure> {
    let top = *level::chosen(&[])?.last().ok_or_else(|| {
        Failure::usage("no level may run", "set CIPHERLANE_LEVEL to a level, or unset it")
    })?;
    let symbols = Symbols::read(&program()?);
    let mut facts = Vec::new();
    for algorithm in registry::ALGORITHMS {
        if let Some(bytes) = key_bytes(algorithm.name) {
            let name = format!("key-bits/{}", algorithm.name);
            facts.push(Fact::figure(name, f64::from(bytes * 8)));
        }
        facts.extend(objects(algorithm, top));
        facts.extend(code(algorithm.name, top, symbols.as_ref().map_err(String::as_str)));
    }
    Ok(facts)
}

/// The bytes of the objects that a user keeps.
fn objects(algorithm: &'static Algorithm, level: Level) -> [Fact; 2] {
    let [context, state] =
        ["context", "state"].map(|what| format!("{what}-bytes/{}", algorithm.name));
    let key = vec![0x5a; algorithm.key.min];
    match algorithm.new {
        New::Stream { iv, new, .. } => {
            let stream = new(&key, &vec![0xa5; iv.min], level);
            let why = "key and IV are set up together: all of it is in the state";
            [Fact::unknown(context, why), figure(state, stream.map(|it| size_of_val(&*it)))]
        }
        New::Block { block, new, .. } => match new(&key, level) {
            Err(error) => [context, state].map(|name| Fact::unknown(name, error.to_string())),
            Ok(cipher) => {
                let ctr = registry::operation(algorithm, "ctr").and_then(|it| it.block_mode());
                let started = ctr.map(|ctr| {
                    (ctr.start)(&*cipher, &vec![0; block]).map(|started| match started {
                        Started::Stream(stream) => size_of_val(&*stream),
                        Started::Blocks(blocks) => size_of_val(&*blocks),
                    })
                });
                let state = match started {
                    Some(bytes) => figure(state, bytes),
                    None => Fact::unknown(state, "there is no operation ctr"),
                };
                [Fact::figure(context, size_of_val(&*cipher) as f64), state]
            }
        },
    }
}

fn figure(name: String, bytes: Result<usize, Error>) -> Fact {
    match bytes {
        Ok(bytes) => Fact::figure(name, bytes as f64),
        Err(error) => Fact::unknown(name, error.to_string()),
    }
}

/// The bytes of code, tables and stack.
fn code(algorithm: &str, top: Level, symbols: Result<&Symbols, &str>) -> [Fact; 4] {
    let names = ["code-bytes/best", "code-bytes/portable", "table-bytes", "stack-bytes"]
        .map(|what| format!("{what}/{algorithm}"));
    let symbols = match symbols {
        Ok(symbols) => symbols,
        Err(why) => return names.map(|name| Fact::unknown(name, why)),
    };
    let folder = folder(algorithm);
    let of = |level: &str| -> Vec<&Kernel> {
        let of_folder = symbols.kernels.iter().filter(|it| it.folder == folder);
        of_folder.filter(|it| it.level.as_deref().is_none_or(|it| it == level)).collect()
    };
    let total = |name: String, level: &str| match of(level).iter().map(|it| it.bytes).sum::<u64>() {
        0 => Fact::unknown(name, "no symbol of this program is of its source files alone"),
        bytes => Fact::figure(name, bytes as f64),
    };
    let [best, portable, tables, stack] = names;
    // A cipher that has no use for what a level adds has its kernels at one below.
    let has = |level: &Level| {
        let kernels = symbols.kernels.iter().filter(|it| it.folder == folder);
        kernels.filter_map(|it| it.level.as_deref()).any(|it| it == level.name())
    };
    let top = Level::available().rev().filter(|it| it.rank() <= top.rank()).find(has);
    let top = top.unwrap_or(Level::portable());
    let frame = of(top.name()).into_iter().filter_map(|it| it.frame).max();
    let tables_found = symbols.tables.get(folder).copied().unwrap_or(0);
    [
        total(best, top.name()),
        total(portable, "portable"),
        Fact::figure(tables, tables_found as f64),
        match frame {
            Some(bytes) => Fact::figure(stack, bytes as f64),
            None => Fact::unknown(stack, "no frame of a fixed size was found in its kernels"),
        },
    ]
}

/// The folder of the library with an algorithm's source files.
fn folder(algorithm: &str) -> &str {
    match algorithm {
        "hc-128" => "hc128",
        other => other.split('-').next().unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_of_the_table_has_a_key_and_a_state() {
        let facts = facts().unwrap();
        let value =
            |name: &str| facts.iter().find(|fact| fact.name == name).and_then(|fact| fact.value);
        for name in ["zuc-128", "zuc-256", "hc-128", "sm4", "aes-128", "trivium"] {
            assert!(value(&format!("key-bits/{name}")).is_some_and(|it| it >= 80.0), "{name}");
            assert!(value(&format!("state-bytes/{name}")).is_some_and(|it| it > 16.0), "{name}");
        }
        // Two tables of 512 words.
        assert!(value("state-bytes/hc-128").unwrap() > 4096.0);
        assert!(value("context-bytes/sm4").unwrap() >= 128.0);
    }

    #[test]
    fn algorithms_live_in_folders_of_their_own() {
        for (name, expected) in [("zuc-256", "zuc"), ("aes-128", "aes"), ("hc-128", "hc128")] {
            assert_eq!(folder(name), expected);
        }
    }
}
