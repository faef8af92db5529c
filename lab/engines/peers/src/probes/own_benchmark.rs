//! What libraries say of themselves: their own benchmarks, which know nothing of this one.

use std::process::Command;

use lab::record::Fact;
use recipes::Tool;

/// The message length in bytes.
const SIZE: &str = "8192";

/// Runs of each; the fastest counts, as the fastest pass does here.
const RUNS: u32 = 3;

/// What brings the program of OpenSSL.
const OPENSSL: Tool = Tool { program: "openssl", remedy: "`apt-get install openssl` brings it" };

/// SM4 in ECB on 8192 bytes in 10^9 bytes a second, `own-benchmark/ENGINE/sm4/ecb-encrypt`; the
/// reason where a library has no benchmark here.
#[must_use]
pub fn own_benchmark() -> Vec<Fact> {
    let found = [
        ("openssl", fastest(openssl)),
        ("botan", fastest(botan)),
        (
            "libgcrypt",
            Err("its benchmark, bench-slope, is in its sources only: no package has it".to_owned()),
        ),
    ];
    let fact = |(engine, found): (&str, Result<f64, String>)| {
        let name = format!("own-benchmark/{engine}/sm4/ecb-encrypt");
        match found {
            Ok(speed) => Fact::figure(name, speed / 1e9),
            Err(why) => Fact::unknown(name, why),
        }
    };
    found.map(fact).into()
}

fn fastest(run: fn() -> Result<f64, String>) -> Result<f64, String> {
    (0..RUNS).map(|_| run()).try_fold(0.0, |best, speed| Ok(f64::max(best, speed?)))
}

/// Bytes a second by `openssl speed`.
fn openssl() -> Result<f64, String> {
    let text =
        said(OPENSSL, &["speed", "-mr", "-seconds", "1", "-bytes", SIZE, "-evp", "sm4-ecb"])?;
    of_openssl(&text).ok_or_else(|| "`openssl speed` printed no figure".to_owned())
}

/// The figure in a line such as `+F:25:SM4-ECB:181266618.18`.
fn of_openssl(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("+F:"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

/// Bytes a second by `botan speed`.
fn botan() -> Result<f64, String> {
    let program = Tool {
        program: "botan",
        remedy: "it is of use where it is of the engine's version, 3.13.0",
    };
    let version = said(program, &["version"])?;
    let wanted = recipes::recipe("botan").map_or("", |recipe| recipe.version);
    if version.trim() != wanted {
        return Err(format!(
            "the program `botan` on the PATH is {}, the library measured {wanted}",
            version.trim()
        ));
    }
    let buffer = format!("--buf-size={SIZE}");
    let text = said(program, &["speed", "--msec=1000", "--no-sample", &buffer, "SM4"])?;
    of_botan(&text).ok_or_else(|| "`botan speed` printed no figure".to_owned())
}

/// The figure in a line such as `SM4 encrypt buffer size 8192 bytes: 165.100 MiB/sec (…)`.
fn of_botan(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("SM4 encrypt"))?;
    let (before, _) = line.split_once(" MiB/sec")?;
    let mebibytes: f64 = before.rsplit(' ').next()?.parse().ok()?;
    Some(mebibytes * f64::from(1 << 20))
}

fn said(tool: Tool, arguments: &[&str]) -> Result<String, String> {
    if !tool.is_there() {
        return Err(format!("the program `{}` is not on the PATH; {}", tool.program, tool.remedy));
    }
    let output = Command::new(tool.program).args(arguments).output();
    let output = output.map_err(|error| format!("`{}` can't be started: {error}", tool.program))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let last = words.lines().last().unwrap_or("it said nothing").to_owned();
        return Err(format!("`{} {}` failed: {last}", tool.program, arguments.join(" ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_figures_are_read() {
        assert_eq!(of_openssl("+H:8192\n+F:25:SM4-ECB:181266618.18\n"), Some(181_266_618.18));
        assert_eq!(of_openssl("error"), None);
        let line = "SM4 encrypt buffer size 8192 bytes: 2.000 MiB/sec 5.1 cycles/byte (1.0 ms)\n";
        assert_eq!(of_botan(line), Some(2_097_152.0));
        assert_eq!(of_botan("SM4 decrypt buffer size 8192 bytes: 2.000 MiB/sec"), None);
    }

    #[test]
    fn one_failure_is_the_reason() {
        assert_eq!(fastest(|| Ok(3.0)), Ok(3.0));
        assert_eq!(fastest(|| Err("why".to_owned())), Err("why".to_owned()));
    }
}
