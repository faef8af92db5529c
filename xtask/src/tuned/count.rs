//! One count: what a run of the program measured, by cell and by who measured it.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// What is measured, by whomever.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    /// `ALGORITHM/OPERATION`.
    pub(super) operation: String,
    pub(super) model: String,
    /// Bytes of a message; 0 for set-ups.
    pub(super) size: u64,
    /// Messages a call.
    pub(super) messages: u64,
    /// `fresh` or `ready`.
    pub(super) keys: String,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.model)?;
        if self.messages > 1 {
            write!(f, " of {}", self.messages)?;
        }
        if self.size > 0 { write!(f, " {} B", self.size) } else { Ok(()) }
    }
}

/// Who measures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Runner {
    pub(super) engine: String,
    /// `-` for a peer, which chooses for itself.
    pub(super) level: String,
}

impl Runner {
    /// Our library at a level.
    pub(super) fn ours(level: &str) -> Self {
        Self { engine: OURS.to_owned(), level: level.to_owned() }
    }

    /// Whether it is another library than ours: our bindings are our library once more, and what
    /// copies memory or shows an idea is none.
    pub(super) fn is_peer(&self) -> bool {
        !NO_PEERS.contains(&self.engine.as_str()) && !self.engine.starts_with("ladder-")
    }
}

impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.engine == OURS { &self.level } else { &self.engine })
    }
}

/// The engine that is our library.
const OURS: &str = "cipherlane";
/// Engines that are no peers.
const NO_PEERS: [&str; 7] =
    [OURS, "openssl-provider", "c", "java", "python", "memory", "cipherlane-i686"];

/// Ticks a message or set-up, of each who measured a cell.
pub(super) type Times = BTreeMap<Cell, BTreeMap<Runner, f64>>;

/// A run of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    pub(super) cpu: String,
    /// Lowest first.
    pub(super) levels: Vec<String>,
    /// The level that a caller gets.
    pub(super) default: String,
    pub(super) commit: String,
    /// Names and versions of the peers that measured something.
    pub(super) peers: Vec<String>,
    pub(super) times: Times,
}

impl Count {
    /// Reads a results file.
    ///
    /// A cell's time is the least sample of all passes: what else runs on a machine only adds to
    /// it, and each pass has a process of its own.
    pub(super) fn read(json: &str) -> Result<Self, String> {
        let results: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let machine = &results["machine"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let levels: Vec<String> = list(&machine["levels"]).iter().map(text).collect();
        // Files written before the field was there: the highest.
        let default = machine["default_level"].as_str().map(str::to_owned);
        let default = default.or_else(|| levels.last().cloned()).ok_or("it names no level")?;
        let facts = list(&machine["facts"]);
        let commit = facts.iter().find(|fact| fact[0] == "commit").map(|fact| text(&fact[1]));
        let mut count = Self {
            cpu: text(&machine["cpu"]),
            levels,
            default,
            commit: commit.unwrap_or_default(),
            ..Self::default()
        };
        for row in list(&results["rows"]) {
            let ticks = row["min_cycles"].as_f64().filter(|ticks| *ticks > 0.0);
            let (Some(ticks), Some(size), Some(messages)) =
                (ticks, row["size"].as_u64(), row["messages"].as_u64())
            else {
                return Err("a row lacks its figures".to_owned());
            };
            let operation = format!("{}/{}", text(&row["algorithm"]), text(&row["operation"]));
            let (model, keys) = (text(&row["model"]), text(&row["keys"]));
            let runner = Runner { engine: text(&row["engine"]), level: text(&row["level"]) };
            let cell = Cell { operation, model, size, messages, keys };
            count.times.entry(cell).or_default().insert(runner, ticks);
        }
        // Cells that only others measure are not ours to judge.
        count.times.retain(|_, runners| runners.keys().any(|it| it.engine == OURS));
        let took_part = |name: &str| {
            let mut runners = count.times.values().flat_map(BTreeMap::keys);
            runners.any(|it| it.engine == name && it.is_peer())
        };
        let engines = list(&results["engines"]);
        let engines =
            engines.iter().map(|engine| (text(&engine["name"]), text(&engine["version"])));
        count.peers = engines
            .filter(|(name, _)| took_part(name))
            .map(|(name, version)| format!("{name} {version}"))
            .collect();
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: &str, level: &str, ticks: f64) -> Value {
        serde_json::json!({
            "engine": engine, "algorithm": "sm4", "operation": "ctr", "level": level,
            "model": "message", "size": 64, "messages": 1, "keys": "ready", "min_cycles": ticks,
        })
    }

    fn results(default: Option<&str>, rows: &[Value]) -> String {
        let mut results = serde_json::json!({
            "machine": {
                "cpu": "A CPU", "levels": ["portable", "avx2"],
                "facts": [["kernel", "x"], ["commit", "abc"]],
            },
            "engines": [
                {"name": "cipherlane", "version": "1"}, {"name": "memory", "version": "1"},
                {"name": "openssl", "version": "3.0"}, {"name": "ipp", "version": "2"},
            ],
            "rows": rows,
        });
        if let Some(level) = default {
            results["machine"]["default_level"] = level.into();
        }
        results.to_string()
    }

    #[test]
    fn a_results_file_is_read_by_cell_and_runner() {
        let mut foreign = row("memory", "-", 1.0);
        foreign["operation"] = "copy".into();
        let rows = [
            row("cipherlane", "avx2", 7.0),
            row("openssl", "-", 9.0),
            row("memory", "-", 1.0),
            foreign,
        ];
        let count = Count::read(&results(Some("portable"), &rows)).unwrap();
        assert_eq!((count.default.as_str(), count.commit.as_str()), ("portable", "abc"));
        assert_eq!(count.peers, ["openssl 3.0"]);
        assert_eq!(count.times.len(), 1, "what is not ours is left out");
        let (cell, runners) = count.times.first_key_value().unwrap();
        assert_eq!(cell.to_string(), "sm4/ctr message 64 B");
        assert_eq!(runners[&Runner::ours("avx2")], 7.0);
        let peers: Vec<String> =
            runners.keys().filter(|it| it.is_peer()).map(ToString::to_string).collect();
        assert_eq!(peers, ["openssl"]);
    }

    #[test]
    fn a_file_that_names_no_default_level_has_the_highest() {
        let count = Count::read(&results(None, &[row("cipherlane", "avx2", 7.0)])).unwrap();
        assert_eq!(count.default, "avx2");
        assert!(Count::read("{}").is_err());
        let broken = results(None, &[row("cipherlane", "avx2", 0.0)]);
        assert!(Count::read(&broken).is_err());
    }
}
