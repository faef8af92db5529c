//! The results as a table for spreadsheets and scripts: one line a row, every scalar field.

use serde::Serialize;

use super::ReportError;
use crate::record::{Results, Row};

/// A [`Row`] without its raw samples, under the same field names.
#[derive(Serialize)]
struct Line<'r> {
    engine: &'r str,
    algorithm: &'r str,
    operation: &'r str,
    level: &'r str,
    model: &'r str,
    size: u64,
    messages: u32,
    keys: &'r str,
    mix: &'static str,
    threads: u32,
    nonce_bytes: u32,
    aad_bytes: u32,
    tag_bytes: u32,
    placement: &'r str,
    clock: &'r str,
    repeats: u64,
    passes: usize,
    samples: usize,
    canaries: usize,
    dropped: usize,
    median_cycles: f64,
    q1_cycles: f64,
    q3_cycles: f64,
    min_cycles: f64,
    cycles_per_byte: Option<f64>,
    cycles_per_setup: Option<f64>,
    core_cycles_per_byte: Option<f64>,
    core_cycles_per_setup: Option<f64>,
    mbps: Option<f64>,
    ns: f64,
    digest: &'r str,
    flags: String,
    remark: &'r str,
    unaligned: u32,
    cold: bool,
    together_processes: Option<u32>,
    together_mbps: Option<f64>,
    together_slowdown: Option<f64>,
    call_p50_ns: Option<f64>,
    call_p99_ns: Option<f64>,
    call_p999_ns: Option<f64>,
}

impl<'r> From<&'r Row> for Line<'r> {
    fn from(row: &'r Row) -> Self {
        Self {
            engine: &row.engine,
            algorithm: &row.cell.algorithm,
            operation: &row.cell.operation,
            level: &row.cell.level,
            model: row.cell.model.name(),
            size: row.cell.size,
            messages: row.cell.messages,
            keys: row.cell.keys.name(),
            mix: row.cell.mix.name(),
            threads: row.cell.threads,
            nonce_bytes: row.cell.nonce_bytes,
            aad_bytes: row.cell.aad_bytes,
            tag_bytes: row.tag_bytes,
            placement: row.cell.placement.name(),
            clock: &row.clock,
            repeats: row.repeats,
            passes: row.passes.len(),
            samples: row.passes.iter().map(Vec::len).sum(),
            canaries: row.canaries.len(),
            dropped: row.dropped.len(),
            median_cycles: row.median_cycles,
            q1_cycles: row.q1_cycles,
            q3_cycles: row.q3_cycles,
            min_cycles: row.min_cycles,
            cycles_per_byte: row.cycles_per_byte,
            cycles_per_setup: row.cycles_per_setup,
            core_cycles_per_byte: row.core_cycles_per_byte,
            core_cycles_per_setup: row.core_cycles_per_setup,
            mbps: row.mbps,
            ns: row.ns,
            digest: &row.digest,
            flags: row.flags.join("; "),
            remark: &row.remark,
            unaligned: row.cell.unaligned,
            cold: row.cell.cold,
            together_processes: row.together.as_ref().map(|it| it.processes),
            together_mbps: row.together.as_ref().and_then(|it| it.mbps),
            together_slowdown: row.together.as_ref().map(|it| it.slowdown),
            call_p50_ns: row.percentiles.as_ref().and_then(|it| it.p50_ns),
            call_p99_ns: row.percentiles.as_ref().and_then(|it| it.p99_ns),
            call_p999_ns: row.percentiles.as_ref().and_then(|it| it.p999_ns),
        }
    }
}

/// The file's bytes: RFC 4180 with a header line. `passes`, `samples`, `canaries` and
/// `dropped` are counts; what they count is in `results.json`.
///
/// # Errors
/// [`ReportError::Render`].
pub fn render(results: &Results) -> Result<Vec<u8>, ReportError> {
    let failed = |reason: String| ReportError::Render { part: "CSV", reason };
    let mut writer = csv::WriterBuilder::new().has_headers(true).from_writer(Vec::new());
    for row in &results.rows {
        writer.serialize(Line::from(row)).map_err(|error| failed(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| failed(error.to_string()))
}
