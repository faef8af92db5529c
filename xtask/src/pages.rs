//! `cargo xtask pages`: the reports in a browser without a screen, in both languages, as on a
//! desktop and on phones, light and dark. Nothing may scroll sideways, be cut off, lie over something
//! else, be too faint or too small; the conclusions of a study stand on a phone's first screen, its
//! page has at most [`SCREENS`] of them, and a Chinese page has no English. The check is first made on
//! a page with all these faults, each of which it must find.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// The names of browsers that can be driven so.
pub(crate) const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A window.
#[derive(Clone, Copy)]
struct Window {
    width: u32,
    height: u32,
    name: &'static str,
    dark: bool,
    /// Whether it is the phone whose screens are counted.
    counted: bool,
}

const WINDOWS: [Window; 4] = [
    Window { width: 1280, height: 900, name: "desktop", dark: false, counted: false },
    Window { width: 390, height: 844, name: "phone", dark: false, counted: true },
    Window { width: 390, height: 844, name: "phone-dark", dark: true, counted: true },
    Window { width: 320, height: 640, name: "small-phone", dark: false, counted: false },
];

/// The most screens of a study's page on a phone, tables folded.
const SCREENS: u32 = 12;

/// What must stand on the first screen: a study's verdicts, a run's message.
const FIRST: [&str; 2] = [".verdicts", ".message"];

/// A page with every fault that the check is for, and what the check must say of it.
const BROKEN: &str = include_str!("pages/broken.html");
const FAULTS: [&str; 9] = [
    "the page scrolls sideways",
    "scrolls or cuts",
    "lies over",
    "is too faint",
    "has letters of",
    "screens, 12 are allowed",
    "below the first screen",
    "the dark page is rgb(255, 255, 255)",
    "English rests: sentence",
];

/// Words of small letters that are no English on a Chinese page: commands, files, units, and the
/// names that things have in the protocol.
const WORDS: &str = "cipherlane lab docs md csv json html png results report cells page out study \
    bench compare resume gcc clang javac rustc perf gprof memcpy memory copy tsc wall fresh ready \
    disjoint place imix crate crates libippcp libgcrypt libcrypto libc fetch init open submit stat \
    vcpu kvm kbps stepping model family bits bytes rounds xor loop tables table gather gathers \
    min aesni gfni vaes neon tau main cargo xtask crosscheck linux gnu";

/// The languages of a report.
const LANGUAGES: [&str; 2] = ["en", "zh"];

/// Where the program puts its reports.
const FOLDER: &str = "cipherlane-report";

/// Where pictures go.
const PICTURES: &str = "docs/screenshots";

/// The most bytes of a picture.
const PICTURE: u64 = 400 << 10;

/// The check, which writes what it finds into the page that holds the report.
const CHECK: &str = include_str!("pages/check.js");

/// The options: `--screenshots` puts pictures into `docs/screenshots/`.
pub(crate) const OPTIONS: &[&str] = &["--screenshots"];

fn browser() -> Option<&'static str> {
    let there = |name: &&&str| {
        let mut command = Command::new(name);
        workspace::output(command.arg("--version")).is_ok()
    };
    BROWSERS.iter().find(there).copied()
}

/// Every report there is: the folder's name and the results file.
fn reports() -> Result<Vec<(String, PathBuf)>, String> {
    let folder = workspace::root().join(FOLDER);
    let entries = fs::read_dir(&folder).map_err(|error| {
        format!("{}: {error}; run `cipherlane study all --quick` first", folder.display())
    })?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let results = path.join("results.json");
        let link = path.is_symlink();
        // Of runs the latest, of studies all.
        if results.is_file() && (path.join("report.md").is_file() || link) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, results));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(format!("{} holds no report", folder.display()));
    }
    Ok(found)
}

/// The page of a results file in a language, made anew.
fn page(results: &Path, lang: &str, folder: &Path) -> Result<String, String> {
    let program = workspace::root()
        .join("target/release")
        .join(format!("cipherlane{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.arg("report").arg(results).args(["--lang", lang, "--out"]).arg(folder);
    workspace::output(&mut command)?;
    let page = folder.join("report.html");
    fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))
}

/// A page that holds the report in a frame of that width: no browser makes a window as narrow
/// as a phone's.
fn holder(report: &str, width: u32, height: u32, script: &str) -> String {
    let quoted = report.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\"><style>body{{margin:0}}\
         iframe{{border:0;display:block;width:{width}px;height:{height}px}}</style></head><body>\
         <iframe srcdoc=\"{quoted}\"></iframe><pre id=\"found\">nothing was checked</pre>\
         <script>{script}</script></body></html>"
    )
}

/// The check with what it is to look for.
fn check(window: Window, first: &str, names: Option<&[String]>) -> String {
    let names = names.map_or_else(
        || "null".to_owned(),
        |names| {
            let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            format!("[{}]", quoted.join(","))
        },
    );
    let screens = if window.counted { SCREENS } else { 0 };
    format!(
        "const WANT = {{ dark: {}, height: {}, screens: {screens}, first: {first:?}, names: {names} }};\n\
         {CHECK}",
        window.dark, window.height
    )
}

/// The words of small letters among the names of a results file: engines, algorithms, operations,
/// models, levels.
fn names(results: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(results).map_err(|error| error.to_string())?;
    let file: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut names: Vec<String> = WORDS.split_whitespace().map(str::to_owned).collect();
    for list in ["rows", "missing", "engines", "claims"] {
        for entry in file[list].as_array().into_iter().flatten() {
            for field in ["engine", "name", "algorithm", "operation", "model", "level"] {
                // The name of a claim is no name that a page shows.
                if list == "claims" && field == "name" {
                    continue;
                }
                let text = entry[field].as_str().unwrap_or_default();
                let words = text.split(|c: char| !c.is_ascii_alphanumeric());
                names.extend(words.filter(|word| word.len() > 2).map(str::to_owned));
            }
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Sees that the check finds what it is for.
fn tried(browser: &str, scratch: &Path) -> Outcome {
    let window = Window { dark: true, ..WINDOWS[2] };
    let held = scratch.join("broken.html");
    let script = check(window, FIRST[0], Some(&[]));
    fs::write(&held, holder(BROKEN, window.width, window.height, &script))
        .map_err(|error| error.to_string())?;
    let found = findings(&drive(browser, &held, window, &["--dump-dom".to_owned()])?)?;
    match FAULTS.iter().find(|fault| !found.iter().any(|it| it.contains(**fault))) {
        Some(fault) => Err(format!("the check does not find `{fault}` in {}", held.display())),
        None => Ok(()),
    }
}

/// What the check wrote, a line each.
fn findings(dom: &str) -> Result<Vec<String>, String> {
    let (_, rest) = dom.split_once("<pre id=\"found\">").ok_or("the browser gave no page back")?;
    let (text, _) = rest.split_once("</pre>").ok_or("the browser's page is cut off")?;
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut lines = text.lines().map(str::to_owned);
    match lines.next().as_deref() {
        Some(first) if first.starts_with("checked ") => {
            println!("   {first}");
            Ok(lines.collect())
        }
        other => Err(format!("the check did not run: {}", other.unwrap_or("nothing"))),
    }
}

fn drive(
    browser: &str,
    page: &Path,
    window: Window,
    arguments: &[String],
) -> Result<String, String> {
    let mut command = Command::new(browser);
    // 0 is dark and 1 light, among the browser's own settings.
    let scheme = u8::from(!window.dark);
    command.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    command.args(["--virtual-time-budget=20000"]).args(arguments);
    command.arg(format!("file://{}", page.display()));
    workspace::output(&mut command)
}

fn look(options: &[String]) -> Outcome {
    let Some(browser) = browser() else {
        skip("the reports in a browser", "`apt-get install chromium` brings one");
        return Ok(());
    };
    let pictures = options.iter().any(|option| option == "--screenshots");
    let scratch = workspace::scratch("pages");
    workspace::run(&mut workspace::cargo(&["build", "--release", "--quiet"]))?;
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    tried(browser, &scratch)?;
    let mut faults = Vec::new();
    for (name, results) in reports()? {
        let study = results.with_file_name("report.md").is_file();
        let languages = if study { &LANGUAGES[..] } else { &LANGUAGES[..1] };
        for lang in languages {
            let report = page(&results, lang, &scratch.join(format!("{name}-{lang}")))?;
            let names = if *lang == "zh" { Some(names(&results)?) } else { None };
            for window in WINDOWS {
                let place = format!("{name}-{lang}-{}", window.name);
                let held = scratch.join(format!("{place}.html"));
                // A run has as many screens as it has figures.
                let counted = window.counted && study;
                let script = check(
                    Window { counted, ..window },
                    FIRST[usize::from(!study)],
                    names.as_deref(),
                );
                let text = holder(&report, window.width, window.height, &script);
                fs::write(&held, text).map_err(|error| error.to_string())?;
                println!("   {place}");
                let dom = drive(browser, &held, window, &["--dump-dom".to_owned()])?;
                faults.extend(findings(&dom)?.into_iter().map(|it| format!("{place}: {it}")));
                if pictures && window.name != "small-phone" {
                    let text = holder(&report, window.width, window.height, "");
                    fs::write(&held, text).map_err(|error| error.to_string())?;
                    picture(browser, &held, &place, window)?;
                }
            }
        }
    }
    match faults.as_slice() {
        [] => Ok(()),
        [first, ..] => {
            faults.iter().take(40).for_each(|fault| println!("   {fault}"));
            Err(format!("{} faults, the first: {first}", faults.len()))
        }
    }
}

/// A picture of a page as its window shows it.
fn picture(browser: &str, held: &Path, name: &str, window: Window) -> Outcome {
    let folder = workspace::root().join(PICTURES);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let file = folder.join(format!("{name}.png"));
    let arguments = [
        format!("--screenshot={}", file.display()),
        format!("--window-size={},{}", window.width, window.height),
    ];
    drive(browser, held, window, &arguments)?;
    let bytes = fs::metadata(&file).map_err(|error| error.to_string())?.len();
    if bytes > PICTURE {
        return Err(format!("{name}.png has {bytes} bytes, {PICTURE} are allowed"));
    }
    Ok(())
}

pub(crate) fn run(options: &[String]) -> Outcome {
    stage("the reports in a browser", Duration::from_secs(300), || look(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_check_wrote_is_read() {
        let dom = "<pre id=\"found\">checked 3 texts\n&lt;p&gt; is cut off</pre>";
        assert_eq!(findings(dom), Ok(vec!["<p> is cut off".to_owned()]));
        assert!(findings("<pre id=\"found\">nothing was checked</pre>").is_err());
        assert!(findings("").is_err());
    }

    #[test]
    fn a_report_is_quoted_whole() {
        assert!(
            holder("<p title=\"a&b\">", 390, 844, CHECK)
                .contains("srcdoc=\"<p title=&quot;a&amp;b&quot;>\"")
        );
    }
}
