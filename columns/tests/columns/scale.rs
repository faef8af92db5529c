//! Memory that does not grow with the file, and ten million rows.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;

use crate::kills;
use crate::place::{Numbers, Place};

/// Runs to the end; seconds, and the most memory that it had, in MiB.
fn measured(place: &Place, line: &str) -> (f64, u64) {
    let begin = Instant::now();
    let mut child = place.command(line).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|it| it.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        sleep(Duration::from_millis(2));
    };
    assert!(ended.success(), "{line}: {ended}");
    (begin.elapsed().as_secs_f64(), most / 1024)
}

#[test]
fn memory_is_bounded_whatever_the_length_of_the_file() {
    let place = Place::new();
    let mut file = BufWriter::new(File::create(place.path("in.csv")).unwrap());
    writeln!(file, "id,name,note").unwrap();
    for row in 0..700_000 {
        writeln!(file, "{row},a name of some length {row},{:0>100}", row * 7).unwrap();
    }
    file.flush().unwrap();
    let bytes = file.get_ref().metadata().unwrap().len() >> 20;
    let settings = "--column name --dialect spark-aes --raw-key key.txt --key-text --threads 2";
    let (seconds, csv) = measured(&place, &format!("encrypt in.csv -o stored.parquet {settings}"));
    println!("{bytes} MiB of CSV to Parquet: {seconds:.1} s, {csv} MiB of memory at most");
    let (seconds, parquet) =
        measured(&place, &format!("decrypt stored.parquet -o out.parquet {settings}"));
    println!("the same from Parquet to Parquet: {seconds:.1} s, {parquet} MiB");
    assert!(bytes > 90 && csv < 200 && parquet < 200, "{bytes} {csv} {parquet}");
}

/// Ten million rows: a number and 64 bytes in the dialect of openGauss, as Parquet, written in pieces.
fn ten_million(place: &Place, rows: usize) {
    let codec = dialects::find("opengauss-sm4").unwrap();
    let codec = codec.prepare(&dialects::Settings::new(crate::place::KEY.as_bytes())).unwrap();
    let mut numbers = Numbers(10);
    let mut writer = None;
    for piece in 0..rows / 100_000 {
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(
            (0..100_000).map(|row| (piece * 100_000 + row) as i64),
        ));
        let cells = (0..100_000).map(|_| {
            let plain = hex::encode(numbers.bytes(32));
            let mut stored = Vec::new();
            let mut draw = |_, bytes: &mut [u8]| {
                bytes.copy_from_slice(&numbers.bytes(bytes.len()));
                Ok(())
            };
            codec.encrypt_with(plain.as_bytes(), &mut stored, &mut draw).unwrap();
            Some(String::from_utf8(stored).unwrap())
        });
        let cells: ArrayRef = Arc::new(cells.collect::<StringArray>());
        let batch = RecordBatch::try_from_iter([("id", ids), ("secret", cells)]).unwrap();
        let writer = writer.get_or_insert_with(|| {
            let file = File::create(place.path("in.parquet")).unwrap();
            ArrowWriter::try_new(file, batch.schema(), None).unwrap()
        });
        writer.write(&batch).unwrap();
    }
    writer.unwrap().close().unwrap();
}

#[test]
#[ignore = "long: ten million rows again and again, which take minutes and 3 GiB of disk"]
fn ten_million_rows_in_bounded_memory_and_fifty_kills() {
    let rows =
        std::env::var("CIPHERLANE_ROWS").ok().and_then(|it| it.parse().ok()).unwrap_or(10_000_000);
    let place = Place::new();
    ten_million(&place, rows);
    let line = "convert in.parquet -o out.parquet --column secret --from opengauss-sm4 \
                --from-raw-key key.txt --from-key-text --to spark-aes --to-raw-key key.txt \
                --to-key-text --force";
    let mut whole = 0.0;
    for threads in [1, 2] {
        let (seconds, memory) = measured(&place, &format!("{line} --threads {threads}"));
        let rate = rows as f64 / seconds;
        println!(
            "{rows} rows, {threads} threads: {seconds:.1} s, {rate:.0} rows/s, {memory} MiB at most"
        );
        assert!(memory < 300, "{memory} MiB");
        whole = seconds;
    }
    let check =
        "check out.parquet --column secret --dialect spark-aes --raw-key key.txt --key-text --json";
    let is_whole = || place.run(check).code(0).json()["columns"][0]["good"] == rows;
    assert!(is_whole());
    std::fs::remove_file(place.path("out.parquet")).unwrap();
    let line = format!("{line} --threads 2");
    kills::at_random(&place, (&line, "out.parquet"), Duration::from_secs_f64(whole), 50, is_whole);
}
