//! A results file made by hand.

use std::path::{Path, PathBuf};

use lab::record::{EngineRecord, Machine, Results, Row, RunRecord, SCHEMA, Unit};
use lab::{Cell, Model};

pub(crate) fn results(cpu: &str, factor: f64) -> Results {
    let engine = |name: &str| EngineRecord {
        name: name.into(),
        version: "1.0".into(),
        build: "rustc".into(),
        path: "built in".into(),
        released: None,
        current: None,
    };
    let mut rows = Vec::new();
    for (engine, level, cost) in
        [("cipherlane", "portable", 9.0), ("cipherlane", "avx512", 0.66), ("rustcrypto", "-", 28.0)]
    {
        rows.extend([16, 8192].map(|size| row(engine, level, size, cost * factor)));
    }
    Results {
        schema: SCHEMA.into(),
        created: "2026-01-02T03:04:05Z".into(),
        command: "cipherlane bench".into(),
        machine: Machine {
            cpu: cpu.into(),
            levels: vec!["portable".into(), "avx512".into()],
            default_level: None,
            cores: 2,
            tsc_hz: 2.0e9,
            core_per_tsc: 1.0,
            kernel: "Linux 6.1".into(),
            steal: None,
            facts: Vec::new(),
        },
        engines: vec![engine("cipherlane"), engine("rustcrypto")],
        rows,
        again: Vec::new(),
        claims: Vec::new(),
        missing: Vec::new(),
        study: None,
        facts: Vec::new(),
        floors: Vec::new(),
        unit: Unit::Ticks,
        run: RunRecord { passes: 3, samples: 21, series: 6, ..RunRecord::default() },
    }
}

/// Writes the results into a folder.
pub(crate) fn write(dir: &Path, name: &str, results: &Results) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, lab::report::json(results).unwrap()).unwrap();
    path
}

fn row(engine: &str, level: &str, size: u64, figure: f64) -> Row {
    let median = figure * size as f64;
    let pass: Vec<f64> = (0..21).map(|i| median * (0.99 + 0.001 * f64::from(i))).collect();
    Row {
        engine: engine.into(),
        cell: Cell {
            level: level.into(),
            nonce_bytes: 16,
            ..Cell::new("sm4", "ctr", Model::Message, size)
        },
        default: false,
        tag_bytes: 0,
        together: None,
        percentiles: None,
        clock: "tsc".into(),
        repeats: 1,
        passes: vec![pass; 3],
        canaries: Vec::new(),
        dropped: Vec::new(),
        median_cycles: median,
        q1_cycles: median * 0.995,
        q3_cycles: median * 1.005,
        min_cycles: median * 0.99,
        cycles_per_byte: Some(figure),
        cycles_per_setup: None,
        core_cycles_per_byte: None,
        core_cycles_per_setup: None,
        mbps: Some(16e3 / figure),
        ns: median / 2.0,
        digest: format!("{size:064x}"),
        flags: Vec::new(),
        remark: String::new(),
    }
}
