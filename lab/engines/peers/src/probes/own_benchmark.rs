//! What libraries say of themselves: their own benchmarks, which know nothing of this one.

use std::path::Path;
use std::process::Command;

use lab::record::Fact;
use recipes::Tool;

/// The message length in bytes.
const SIZE: &str = "8192";

/// Runs of each; the fastest counts, as the fastest pass does here.
const RUNS: u32 = 3;

/// What brings the program of OpenSSL.
const OPENSSL: Tool = Tool::named("openssl", "`apt-get install openssl` brings it");

/// SM4 in ECB on 8192 bytes in 10^9 bytes a second, `own-benchmark/ENGINE/sm4/ecb-encrypt`; the
/// reason where a library has no benchmark here.
#[must_use]
pub fn own_benchmark() -> Vec<Fact> {
    let found = [
        ("openssl", fastest(openssl)),
        ("botan", fastest(botan)),
        // It takes seconds, and repeats by itself.
        ("libgcrypt", libgcrypt()),
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
    let program = Tool::named("botan", "it is of use where it is of the engine's version, 3.13.0");
    let version = said(program, &["version"])?;
    let wanted = recipes::recipe("botan").map_or("", |recipe| recipe.version);
    // What follows is the number of our interface to it.
    let wanted = wanted.split('+').next().unwrap_or_default();
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

/// Bytes a second by `bench-slope`, which is built with the engine's library.
fn libgcrypt() -> Result<f64, String> {
    let library = recipes::library("libgcrypt")
        .ok_or("`cipherlane engines build libgcrypt` builds its benchmark besides")?;
    let mut program = Command::new(library.with_file_name("bench-slope"));
    let text = printed(program.args(["--csv", "--repetitions", "16", "cipher", "sm4"]))?;
    of_libgcrypt(&text).ok_or_else(|| "`bench-slope` printed no figure".to_owned())
}

/// The figure in a line such as `cipher,SM4,ECB enc,,,0.381,ns/B,2501,MiB/s,,c/B`.
fn of_libgcrypt(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("cipher,SM4,ECB enc,"))?;
    let fields: Vec<&str> = line.split(',').collect();
    let unit = fields.iter().position(|field| *field == "ns/B")?;
    let nanoseconds: f64 = fields.get(unit.checked_sub(1)?)?.parse().ok()?;
    (nanoseconds > 0.0).then(|| 1e9 / nanoseconds)
}

fn said(tool: Tool, arguments: &[&str]) -> Result<String, String> {
    if !tool.is_there() {
        return Err(format!("the program `{}` is not on the PATH; {}", tool.program, tool.remedy));
    }
    printed(Command::new(tool.program).args(arguments))
}

fn printed(command: &mut Command) -> Result<String, String> {
    let output = command.output();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let program = program.to_string_lossy();
    let output = output.map_err(|error| format!("`{program}` can't be started: {error}"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let last = words.lines().last().unwrap_or("it said nothing").to_owned();
        let arguments: Vec<_> = command.get_args().map(|it| it.to_string_lossy()).collect();
        return Err(format!("`{program} {}` failed: {last}", arguments.join(" ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_read() {
        assert_eq!(of_openssl("+H:8192\n+F:25:SM4-ECB:181266618.18\n"), Some(181_266_618.18));
        assert_eq!(of_openssl("error"), None);
        let line = "SM4 encrypt buffer size 8192 bytes: 2.000 MiB/sec 5.1 cycles/byte (1.0 ms)\n";
        assert_eq!(of_botan(line), Some(2_097_152.0));
        let line = "cipher,SM4,ECB dec,,,9,ns/B\ncipher,SM4,ECB enc,,,0.500,ns/B,1907,MiB/s,,c/B";
        assert_eq!(of_libgcrypt(line), Some(2e9));
        assert_eq!(of_libgcrypt("cipher,SM4,ECB enc,,,,"), None);
        assert_eq!(of_botan("SM4 decrypt buffer size 8192 bytes: 2.000 MiB/sec"), None);
    }

    #[test]
    fn one_failure_is_the_reason() {
        assert_eq!(fastest(|| Ok(3.0)), Ok(3.0));
        assert_eq!(fastest(|| Err("why".to_owned())), Err("why".to_owned()));
    }
}
