//! `cargo xtask pages`: the reports in a browser without a screen, as on a desktop and on a
//! phone. Nothing may scroll sideways, be cut off, or lie over something else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{Outcome, stage::stage, workspace};

/// The names of browsers that can be driven so.
pub(crate) const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Width and height of a window, and its name.
const WINDOWS: [(u32, u32, &str); 2] = [(1280, 900, "desktop"), (390, 844, "phone")];

/// Where the program puts its reports.
const FOLDER: &str = "cipherlane-report";

/// The check, which writes what it finds into the page that holds the report.
const CHECK: &str = include_str!("pages/check.js");

/// The options: `--screenshots` puts pictures into `docs/`.
pub(crate) const OPTIONS: &[&str] = &["--screenshots"];

fn browser() -> Option<&'static str> {
    let there = |name: &&&str| {
        let mut command = Command::new(name);
        workspace::output(command.arg("--version")).is_ok()
    };
    BROWSERS.iter().find(there).copied()
}

/// Every report there is: the folder's name and the page.
fn reports() -> Result<Vec<(String, PathBuf)>, String> {
    let folder = workspace::root().join(FOLDER);
    let entries = fs::read_dir(&folder).map_err(|error| {
        format!("{}: {error}; run `cipherlane study all --quick` first", folder.display())
    })?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let page = path.join("report.html");
        if page.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, page));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(format!("{} holds no report of a study", folder.display()));
    }
    Ok(found)
}

/// A page that holds the report in a frame of that width: no browser makes a window as narrow
/// as a phone's.
fn holder(report: &str, width: u32, height: u32) -> String {
    let quoted = report.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\"><style>body{{margin:0}}\
         iframe{{border:0;width:{width}px;height:{height}px}}</style></head><body>\
         <iframe srcdoc=\"{quoted}\"></iframe><pre id=\"found\">nothing was checked</pre>\
         <script>{CHECK}</script></body></html>"
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
        println!("   skipped: none of {} is on the PATH", BROWSERS.join(", "));
        return Ok(());
    };
    let pictures = options.iter().any(|option| option == "--screenshots");
    let scratch = workspace::scratch("pages");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let mut faults = Vec::new();
    for (name, page) in reports()? {
        let report = fs::read_to_string(&page).map_err(|error| error.to_string())?;
        for (width, height, window) in WINDOWS {
            println!("   {name} on a {window}, {width} pixels wide");
            let held = scratch.join(format!("{name}-{window}.html"));
            fs::write(&held, holder(&report, width, height)).map_err(|error| error.to_string())?;
            let dom = drive(browser, &held, &["--dump-dom".to_owned()])?;
            let found = findings(&dom)?;
            faults.extend(found.into_iter().map(|fault| format!("{name} on a {window}: {fault}")));
            if pictures {
                let file = workspace::root().join(format!("docs/{name}-{window}.png"));
                let window = [
                    format!("--screenshot={}", file.display()),
                    format!("--window-size={width},{height}"),
                ];
                drive(browser, &held, &window)?;
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
            holder("<p title=\"a&b\">", 390, 844)
                .contains("srcdoc=\"<p title=&quot;a&amp;b&quot;>\"")
        );
    }
}
