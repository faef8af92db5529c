//! The records, as far as pages show them.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// What the laboratory writes.
const SCHEMA: &str = "cipherlane-machine/1";
const FILE: &str = "bench.json";

/// A machine.
#[derive(Debug)]
pub(super) struct Machine {
    /// The name of its folder.
    pub(super) folder: String,
    /// Its CPU, where `tuned.txt` says it.
    pub(super) cpu: Option<String>,
    pub(super) record: Option<Record>,
    /// What else is kept of it.
    pub(super) others: Vec<String>,
}

/// Its record.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) cpu: String,
    pub(super) microcode: String,
    pub(super) kernel: String,
    pub(super) ghz: f64,
    pub(super) core_per_tick: f64,
    pub(super) levels: Vec<String>,
    pub(super) level: String,
    /// With that of the history, where the record's own was put together with others.
    pub(super) commit: String,
    pub(super) day: String,
    /// Names and versions, how old those are that are not current.
    pub(super) engines: Vec<(String, String)>,
    pub(super) figures: Vec<Figure>,
}

/// A cell.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) cell: Cell,
    pub(super) ours: Timed,
    pub(super) peers: Vec<Timed>,
    pub(super) best: Option<Best>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) operation: String,
    pub(super) model: String,
    pub(super) size: u64,
    /// All conditions that the file names besides, as it has them.
    pub(super) conditions: Vec<Value>,
}

#[derive(Debug)]
pub(super) struct Timed {
    pub(super) engine: String,
    pub(super) figure: f64,
    /// Whether something else ran meanwhile.
    pub(super) disturbed: bool,
}

#[derive(Debug)]
pub(super) struct Best {
    pub(super) engine: String,
    pub(super) ratio: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) verdict: String,
}

/// All machines of a folder, by name.
pub(super) fn all(folder: &Path) -> Result<Vec<Machine>, String> {
    let failed = |error| format!("cannot list {}: {error}", folder.display());
    let mut machines = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let place = entry.map_err(failed)?.path();
        if !place.is_dir() {
            continue;
        }
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut others = Vec::new();
        for file in fs::read_dir(&place).map_err(failed)? {
            others.push(name(&file.map_err(failed)?.path()));
        }
        let recorded = others.iter().any(|it| it == FILE);
        others.retain(|it| it != FILE && !it.starts_with('.') && !it.ends_with(".new"));
        others.sort();
        let file = place.join(FILE);
        let record = recorded.then(|| {
            let text = fs::read_to_string(&file).map_err(|error| error.to_string());
            text.and_then(|text| parse(&text))
                .map_err(|why| format!("{}: {why}; record that machine anew", file.display()))
        });
        let tuned = fs::read_to_string(place.join("tuned.txt")).unwrap_or_default();
        let cpu = tuned.lines().find_map(|line| line.strip_prefix("cpu: ")).map(str::to_owned);
        machines.push(Machine { folder: name(&place), cpu, record: record.transpose()?, others });
    }
    machines.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(machines)
}

/// A record.
pub(super) fn parse(text: &str) -> Result<Record, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let schema = value["schema"].as_str().unwrap_or("absent");
    if schema != SCHEMA {
        return Err(format!("schema is `{schema}`; allowed: `{SCHEMA}`"));
    }
    let machine = &value["machine"];
    let engine = |it: &Value| {
        let version = words(it, "version")?;
        let age = it["outdated"].as_str().map(|age| format!(" (old: {age})"));
        Ok((words(it, "name")?, version + &age.unwrap_or_default()))
    };
    let level = |it: &Value| it.as_str().map(str::to_owned).ok_or("levels are no words".to_owned());
    let figures = list(&value, "figures")?.iter().enumerate();
    Ok(Record {
        cpu: words(machine, "cpu")?,
        microcode: value["microcode"].as_str().unwrap_or("unknown").to_owned(),
        kernel: words(machine, "kernel")?,
        ghz: number(machine, "tsc_hz")? / 1e9,
        core_per_tick: number(machine, "core_per_tsc")?,
        levels: list(machine, "levels")?.iter().map(level).collect::<Result<_, _>>()?,
        level: words(machine, "default_level")?,
        commit: match value["landed_as"].as_str() {
            Some(landed) => format!("{}, in the history as {landed}", words(&value, "commit")?),
            None => words(&value, "commit")?,
        },
        day: words(&value, "created")?.split('T').next().unwrap_or_default().to_owned(),
        engines: list(&value, "engines")?.iter().map(engine).collect::<Result<_, String>>()?,
        figures: figures
            .map(|(index, it)| figure(it).map_err(|why| format!("figures[{index}]: {why}")))
            .collect::<Result<_, _>>()?,
    })
}

fn figure(value: &Value) -> Result<Figure, String> {
    const CONDITIONS: [&str; 7] =
        ["messages", "keys", "threads", "nonce_bytes", "aad_bytes", "tag_bytes", "placement"];
    let best = match &value["best"] {
        Value::Null => None,
        it => Some(Best {
            engine: words(it, "engine")?,
            ratio: number(it, "ratio")?,
            low: number(it, "low")?,
            high: number(it, "high")?,
            verdict: words(it, "verdict")?,
        }),
    };
    let size = value["size"].as_u64();
    Ok(Figure {
        cell: Cell {
            operation: words(value, "operation")?,
            model: words(value, "model")?,
            size: size.ok_or_else(|| format!("`size` is {}; allowed: bytes", value["size"]))?,
            conditions: CONDITIONS.iter().map(|name| value[*name].clone()).collect(),
        },
        ours: timed(&value["ours"])?,
        peers: list(value, "peers")?.iter().map(timed).collect::<Result<_, _>>()?,
        best,
    })
}

fn timed(value: &Value) -> Result<Timed, String> {
    let flags = value["flags"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(Timed {
        engine: words(value, "engine")?,
        figure: number(value, "figure")?,
        disturbed: flags.iter().any(|flag| flag == "canary"),
    })
}

fn words(value: &Value, field: &str) -> Result<String, String> {
    let words = value[field].as_str().map(str::to_owned);
    words.ok_or_else(|| format!("`{field}` is {}; allowed: words", value[field]))
}

fn number(value: &Value, field: &str) -> Result<f64, String> {
    let number = value[field].as_f64().filter(|it| *it > 0.0);
    number.ok_or_else(|| format!("`{field}` is {}; allowed: a number above 0", value[field]))
}

fn list<'v>(value: &'v Value, field: &str) -> Result<&'v [Value], String> {
    let list = value[field].as_array().map(Vec::as_slice);
    list.ok_or_else(|| format!("`{field}` is {}; allowed: a list", value[field]))
}
