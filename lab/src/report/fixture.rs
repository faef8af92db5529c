//! A results file made by hand, for the tests of the reports.

use crate::record::{
    By, Canaries, EngineRecord, Machine, Missing, Results, Row, RunRecord, SCHEMA, Unit,
};
use crate::{Cell, Model};

pub(super) const SIZES: [u64; 4] = [16, 1024, 8192, 9000];
pub(super) const LEVELS: [&str; 3] = ["portable", "avx2-gfni", "avx512"];

/// Core cycles a tick.
pub(super) const CORE: f64 = 1.4;

fn canaries() -> Canaries {
    Canaries {
        chain: vec![1.0 / CORE; 2],
        load: vec![900.0; 2],
        switches: Some(0.0),
        core_per_tick: Some(CORE),
        by: Some(By::Chain),
    }
}

/// Two engines, three levels, a block and a stream cipher, one flagged cell,
/// one missing one, and names that need escaping.
pub(crate) fn results() -> Results {
    let mut rows = Vec::new();
    for (rank, level) in LEVELS.into_iter().enumerate() {
        let cost = [9.0, 1.5, 0.66][rank];
        rows.push(row("cipherlane", "sm4", "ctr", level, Model::Key, 0, 310.0));
        rows.push(row("cipherlane", "sm4", "ctr", level, Model::Stream, 1 << 20, cost));
        for size in SIZES {
            rows.push(row("cipherlane", "sm4", "ctr", level, Model::Message, size, cost + 0.01));
        }
    }
    for size in SIZES {
        rows.push(row("rusty<&\"engine\">", "sm4", "ctr", "-", Model::Message, size, 28.4));
    }
    for engine in ["cipherlane", "rusty<&\"engine\">"] {
        let level = if engine == "cipherlane" { "portable" } else { "-" };
        rows.push(row(engine, "zuc-128", "keystream", level, Model::Init, 0, 1200.0));
        rows.push(row(engine, "zuc-128", "keystream", level, Model::Stream, 1 << 20, 4.25));
        for size in SIZES {
            rows.push(row(engine, "zuc-128", "keystream", level, Model::Packet, size, 5.0));
        }
    }
    rows[4].flags.push("canary".into());
    rows[4].remark = "the <neighbour> & \"friend\"".into();
    let engine = |name: &str, path: &str| EngineRecord {
        name: name.into(),
        version: "1.2".into(),
        build: "rustc 1.95.0 -O3".into(),
        path: path.into(),
        released: None,
        current: None,
    };
    Results {
        schema: SCHEMA.into(),
        created: "2026-01-02T03:04:05Z".into(),
        command: "cipherlane bench".into(),
        study: None,
        machine: Machine {
            cpu: "Test CPU <3".into(),
            levels: LEVELS.map(String::from).into(),
            default_level: Some("avx512".into()),
            cores: 2,
            tsc_hz: 2.1e9,
            core_per_tsc: CORE,
            kernel: "Linux 6.1".into(),
            steal: Some(0.012),
            facts: vec![("Hypervisor".into(), "KVM".into())],
        },
        engines: vec![engine("cipherlane", "built in"), engine("rusty<&\"engine\">", "")],
        rows,
        again: Vec::new(),
        claims: Vec::new(),
        missing: vec![Missing {
            engine: "rusty<&\"engine\">".into(),
            algorithm: "sm4".into(),
            operation: "ctr".into(),
            level: "-".into(),
            model: "key".into(),
            reason: "no key schedule <of its own>".into(),
        }],
        facts: Vec::new(),
        floors: Vec::new(),
        unit: Unit::Ticks,
        run: RunRecord {
            passes: 3,
            samples: 21,
            series: 34,
            repeated: 2,
            dropped: 3,
            flagged: 1,
            power: None,
            seconds: 12.5,
            partial: false,
        },
    }
}

fn row(
    engine: &str,
    algorithm: &str,
    operation: &str,
    level: &str,
    model: Model,
    size: u64,
    figure: f64,
) -> Row {
    let setup = size == 0;
    let median = if setup { figure } else { figure * size as f64 };
    Row {
        engine: engine.into(),
        cell: Cell {
            level: level.into(),
            nonce_bytes: 16,
            ..Cell::new(algorithm, operation, model, size)
        },
        default: engine == "cipherlane" && level == "avx512",
        tag_bytes: 0,
        together: None,
        percentiles: None,
        clock: "tsc".into(),
        repeats: 7,
        passes: vec![vec![median * 0.98, median, median * 1.03]; 3],
        canaries: vec![canaries(); 3],
        dropped: Vec::new(),
        median_cycles: median,
        q1_cycles: median * 0.98,
        q3_cycles: median * 1.03,
        min_cycles: median * 0.97,
        cycles_per_byte: (!setup).then_some(figure),
        cycles_per_setup: setup.then_some(figure),
        core_cycles_per_byte: (!setup).then_some(figure * CORE),
        core_cycles_per_setup: setup.then_some(figure * CORE),
        mbps: (!setup).then(|| 2.1e9 / figure * 8.0 / 1e6),
        ns: median / 2.1,
        digest: format!("{algorithm}-{operation}-{model}-{size}"),
        flags: Vec::new(),
        remark: String::new(),
    }
}
