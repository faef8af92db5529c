//! `doctor`: which dialect opens a column, how sure that is, and the command that decrypts it.

use dialects::detect::{Class, Clue, Clues, Reading, Report, Variant, Verdict, detect};
use serde::Serialize;

use crate::args::DoctorArgs;
use crate::failure::{Exit, Failure, one_line};
use crate::keys::{Key, KeyPlace};
use crate::plan::find;
use crate::sample::samples;
use crate::settings::digits;
use crate::summary::say;
use crate::work::table;

/// A key with the words of a command line that give it again.
struct Given {
    key: Key,
    words: Vec<String>,
}

/// An IV with such words.
struct GivenIv {
    bytes: Vec<u8>,
    text: bool,
    words: [String; 2],
}

impl GivenIv {
    fn clue(&self) -> Clue<'_> {
        Clue { bytes: &self.bytes, form: (!self.text).then_some(dialects::Form::Bytes) }
    }
}

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    file: String,
    columns: Vec<JsonColumn<'a>>,
}

#[derive(Serialize)]
struct JsonColumn<'a> {
    name: &'a str,
    cells: usize,
    readings_tried: usize,
    verdict: &'static str,
    words: String,
    readings: Vec<JsonReading>,
}

#[derive(Serialize)]
struct JsonReading {
    class: &'static str,
    alike: bool,
    opened: usize,
    paddings: usize,
    texts: usize,
    bits: f64,
    variants: Vec<JsonVariant>,
    command: String,
}

#[derive(Serialize)]
struct JsonVariant {
    dialect: &'static str,
    mode: &'static str,
    coding: &'static str,
    key: usize,
    iv: Option<usize>,
    digest: Option<&'static str>,
}

/// All keys that were given.
fn keys(args: &DoctorArgs) -> Result<Vec<Given>, Failure> {
    let mut keys = Vec::new();
    let mut add = |place: KeyPlace<'_>, option: &str, value: String| {
        let place = KeyPlace { key_text: args.key_text, ..place };
        let mut words = vec![option.to_owned(), value];
        if args.key_text && option.starts_with("--raw-key") {
            words.push("--key-text".to_owned());
        }
        keys.push(Given { key: place.read()?, words });
        Ok::<(), Failure>(())
    };
    let none = KeyPlace::default();
    for path in &args.raw_key {
        add(KeyPlace { raw_key: Some(path), ..none }, "--raw-key", path.display().to_string())?;
    }
    for name in &args.raw_key_env {
        add(KeyPlace { raw_key_env: Some(name), ..none }, "--raw-key-env", name.clone())?;
    }
    for number in &args.raw_key_fd {
        let place = KeyPlace { raw_key_fd: Some(*number), ..none };
        add(place, "--raw-key-fd", number.to_string())?;
    }
    for path in &args.passphrase_file {
        let place = KeyPlace { passphrase_file: Some(path), ..none };
        add(place, "--passphrase-file", path.display().to_string())?;
    }
    for name in &args.passphrase_env {
        add(KeyPlace { passphrase_env: Some(name), ..none }, "--passphrase-env", name.clone())?;
    }
    if keys.is_empty() {
        // The one error that says which options there are.
        none.read()?;
    }
    Ok(keys)
}

fn ivs(args: &DoctorArgs) -> Result<Vec<GivenIv>, Failure> {
    let hex = args.iv.iter().map(|text| {
        let words = ["--iv".to_owned(), text.clone()];
        Ok(GivenIv { bytes: digits("", "iv", text)?, text: false, words })
    });
    let text = args.iv_text.iter().map(|text| {
        let words = ["--iv-text".to_owned(), text.clone()];
        Ok(GivenIv { bytes: text.clone().into_bytes(), text: true, words })
    });
    hex.chain(text).collect()
}

pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let (keys, ivs) = (keys(args)?, ivs(args)?);
    let aad = args.aad.as_deref().map_or(Ok(Vec::new()), |text| digits("", "aad", text))?;
    let clues_of_keys: Vec<Clue<'_>> =
        keys.iter().map(|it| Clue { bytes: &it.key.bytes, form: it.key.form }).collect();
    let clues_of_ivs: Vec<Clue<'_>> = ivs.iter().map(GivenIv::clue).collect();
    let clues = Clues { keys: &clues_of_keys, ivs: &clues_of_ivs, aad: &aad };
    let (mut table, _) = table(&args.input, None)?;
    let columns = find(&args.input.column, &table.schema)?;
    let samples = samples(args, &mut table, &columns)?;
    let mut reports: Vec<(String, Report)> = Vec::new();
    for ((_, name), sample) in columns.into_iter().zip(samples) {
        let cells: Vec<&[u8]> = sample.kept.iter().map(|it| it.as_slice()).collect();
        reports.push((name, detect(&clues, &cells)));
    }
    let command = |name: &str, variant: &Variant| command(args, &keys, &ivs, name, variant);
    let text = if args.input.json {
        json(args, &reports, command)?
    } else {
        reports.iter().map(|(name, report)| told(name, report, command)).collect()
    };
    say(&text)?;
    let found = |report: &Report| {
        matches!(report.verdict, Verdict::Authenticated | Verdict::Sure | Verdict::Plausible)
    };
    Ok(if reports.iter().all(|(_, report)| found(report)) { Exit::Done } else { Exit::Failed })
}

/// A word as a POSIX shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The command that decrypts the column so.
fn command(
    args: &DoctorArgs,
    keys: &[Given],
    ivs: &[GivenIv],
    name: &str,
    variant: &Variant,
) -> String {
    let mut words: Vec<String> =
        ["cipherlane", "columns", "decrypt", "--column", name, "--dialect", variant.dialect]
            .map(str::to_owned)
            .to_vec();
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    add("--dialect-mode", variant.mode);
    add("--coding", variant.coding.name());
    if let Some(hash) = variant.hash {
        add("--dialect-digest", &hash.name().to_lowercase());
    }
    if let Some(aad) = &args.aad {
        add("--aad", aad);
    }
    words.extend(keys[variant.key].words.iter().cloned());
    if let Some(iv) = variant.iv {
        words.extend(ivs[iv].words.iter().cloned());
    }
    let mut text: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    text.extend(args.input.files.iter().map(|path| quoted(&path.display().to_string())));
    text.join(" ") + " -o OUTPUT"
}

/// What a reading rests on, in words.
fn rests(reading: &Reading, cells: usize) -> String {
    let opened = format!("opens {} of {cells}", reading.opened);
    let error = match reading.bits {
        bits if bits >= 100.0 => "a wrong key does so less than once in 2^100".to_owned(),
        bits => format!("a wrong key does so at most once in 2^{bits:.0}"),
    };
    match reading.class {
        Class::Authenticated => format!("{opened}, by tag or MAC"),
        Class::Sure => format!("{opened}, {} new paddings; {error}", reading.paddings),
        Class::Plausible => format!("{opened}, {} are UTF-8; {error}", reading.texts),
        Class::Rivalled if reading.alike => {
            format!(
                "{opened}; the others read the same of this sample, so longer values would tell"
            )
        }
        Class::Rivalled => format!("{opened}; another reading of the same values is about as good"),
        Class::FirstBlock => format!(
            "{opened}, {} new paddings; nothing proves the first 16 bytes of each value: an IV, or a \
             block under an IV that was not given (--iv, --iv-text)",
            reading.paddings
        ),
        Class::Weak => format!("{opened}; {error}, which is too often"),
    }
}

fn told(name: &str, report: &Report, command: impl Fn(&str, &Variant) -> String) -> String {
    let mut text = format!(
        "{}: {} ({} cells, {} readings tried)\n",
        one_line(name),
        report.verdict,
        report.cells,
        report.tried
    );
    for reading in report.readings.iter().take(6) {
        let first = &reading.variants[0];
        text += &format!(
            "  {:<13} {} {} {}: {}\n",
            reading.class.name(),
            first.dialect,
            first.mode,
            first.coding.name(),
            rests(reading, report.cells)
        );
        let same: Vec<String> =
            reading.variants[1..].iter().map(|it| format!("{} {}", it.dialect, it.mode)).collect();
        if !same.is_empty() {
            text += &format!("                the same bytes: {}\n", same.join(", "));
        }
    }
    if report.readings.len() > 6 {
        text += &format!("  and {} more: --json has all\n", report.readings.len() - 6);
    }
    if let Some(best) = report.readings.first().filter(|it| it.class != Class::Weak) {
        text += &format!("  {}\n", command(name, &best.variants[0]));
    }
    text
}

fn json(
    args: &DoctorArgs,
    reports: &[(String, Report)],
    command: impl Fn(&str, &Variant) -> String,
) -> Result<String, Failure> {
    let variant = |it: &Variant| JsonVariant {
        dialect: it.dialect,
        mode: it.mode,
        coding: it.coding.name(),
        key: it.key,
        iv: it.iv,
        digest: it.hash.map(dialects::Hash::name),
    };
    let column = |(name, report): &(String, Report)| JsonColumn {
        name: reports.iter().find(|(it, _)| it == name).map_or("", |(it, _)| it.as_str()),
        cells: report.cells,
        readings_tried: report.tried,
        verdict: report.verdict.name(),
        words: report.verdict.to_string(),
        readings: report
            .readings
            .iter()
            .map(|it| JsonReading {
                class: it.class.name(),
                alike: it.alike,
                opened: it.opened,
                paddings: it.paddings,
                texts: it.texts,
                bits: (it.bits * 10.0).round() / 10.0,
                variants: it.variants.iter().map(variant).collect(),
                command: command(name, &it.variants[0]),
            })
            .collect(),
    };
    let json = Json {
        schema: "cipherlane-columns-doctor/1",
        file: args.input.files[0].display().to_string(),
        columns: reports.iter().map(column).collect(),
    };
    serde_json::to_string(&json).map(|text| text + "\n").map_err(|error| {
        Failure::new(Exit::Environment, format!("no report: {error}"), "leave --json away")
    })
}
