//! `cargo xtask pages`: the reports in a browser without a screen, in both languages, as on a
//! desktop and on a phone. Nothing may scroll sideways, be cut off, or lie over something else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// The names of browsers that can be driven so.
pub(crate) const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Width and height of a window, and its name.
const WINDOWS: [(u32, u32, &str); 2] = [(1280, 900, "desktop"), (390, 844, "phone")];

/// The languages of a report.
const LANGUAGES: [&str; 2] = ["en", "zh"];

/// Where the program puts its reports.
const FOLDER: &str = "cipherlane-report";

/// Where pictures go.
const PICTURES: &str = "docs/screenshots";

/// The most bytes of a picture.
const PICTURE: u64 = 400 << 10;

/// What a picture shows: the report and the heading it is scrolled to.
const SHOWN: [(&str, &str); 3] =
    [("jilin-1999", "table-1"), ("sm4-lab", "figure-n8"), ("zuc-report", "table-3")];

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
        if results.is_file() && path.join("report.md").is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, results));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(format!("{} holds no report of a study", folder.display()));
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

/// Brings a heading of the report to the top of the frame.
fn scroll(heading: &str) -> String {
    format!(
        "addEventListener('load', () => document.querySelector('iframe').contentDocument\
         .getElementById('{heading}').scrollIntoView());"
    )
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

fn drive(browser: &str, page: &Path, arguments: &[String]) -> Result<String, String> {
    let mut command = Command::new(browser);
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
    let mut faults = Vec::new();
    for (name, results) in reports()? {
        for lang in LANGUAGES {
            let report = page(&results, lang, &scratch.join(format!("{name}-{lang}")))?;
            for (width, height, window) in WINDOWS {
                let held = scratch.join(format!("{name}-{lang}-{window}.html"));
                let write = |script: &str| {
                    let text = holder(&report, width, height, script);
                    fs::write(&held, text).map_err(|error| error.to_string())
                };
                println!("   {name} ({lang}) on a {window}, {width} pixels wide");
                write(CHECK)?;
                let dom = drive(browser, &held, &["--dump-dom".to_owned()])?;
                let place = format!("{name} ({lang}) on a {window}");
                faults.extend(findings(&dom)?.into_iter().map(|it| format!("{place}: {it}")));
                let shown = SHOWN.iter().find(|(known, _)| *known == name);
                if let Some((_, heading)) = shown.filter(|_| pictures) {
                    write(&scroll(heading))?;
                    picture(browser, &held, &format!("{name}-{lang}-{window}"), (width, height))?;
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
fn picture(browser: &str, held: &Path, name: &str, window: (u32, u32)) -> Outcome {
    let folder = workspace::root().join(PICTURES);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let file = folder.join(format!("{name}.png"));
    let arguments = [
        format!("--screenshot={}", file.display()),
        format!("--window-size={},{}", window.0, window.1),
    ];
    drive(browser, held, &arguments)?;
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
