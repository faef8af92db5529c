//! Random sequences of calls on our provider and OpenSSL's own, and what the configuration of the
//! README must leave as it was.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use super::{Tally, cargo, quiet, write};

/// What the command line may say of the sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    seed: Option<u64>,
    calls: Option<u64>,
}

impl Options {
    /// `--seed=1 --calls=100000000`.
    pub(super) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        for argument in arguments {
            let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
            let place = match name {
                "--seed" => &mut options.seed,
                "--calls" => &mut options.calls,
                _ => return Err(format!("{argument}: known are --seed=N and --calls=N")),
            };
            let number = value.replace('_', "").parse();
            *place = Some(number.map_err(|_| format!("{argument}: {value:?} is no number"))?);
        }
        Ok(options)
    }
}

/// The sequences in a libcrypto; what they found is printed in any case.
pub(super) fn run(tally: &mut Tally, folder: &Path, library: &OsStr, options: &Options) {
    let mut test = cargo("test", "openssl");
    test.args(["--test", "sequences"]).env("CIPHERLANE_LIBCRYPTO", library);
    test.env("CIPHERLANE_PROVIDER", folder);
    for (name, value) in [("CIPHERLANE_SEED", options.seed), ("CIPHERLANE_CALLS", options.calls)] {
        if let Some(value) = value {
            test.env(name, value.to_string());
        }
    }
    let name = format!("random calls on both providers in {}", library.to_string_lossy());
    let said = quiet(test.args(["--", "--nocapture", "--test-threads=1"]));
    let (Ok(text) | Err(text)) = &said;
    for line in text.lines().filter(|line| line.contains("sequences: ")) {
        println!("   {}", line.trim_start());
    }
    // Without a word of a count nothing was compared.
    let counted = said.and_then(|text| {
        if text.matches(", 0 unexplained").count() == 2 { Ok(()) } else { Err(text) }
    });
    tally.check(&name, counted);
}

/// A configuration that loads the provider with its ciphers of old.
pub(super) fn legacy_configuration(folder: &Path) -> Result<std::path::PathBuf, String> {
    let file = folder.join("legacy.cnf");
    let module = folder.join("cipherlane.so");
    let text = format!(
        "openssl_conf = all\n[all]\nproviders = list\n[list]\ncipherlane = ours\n[ours]\n\
         module = {}\nactivate = 1\nlegacy = yes\n",
        module.display()
    );
    write(&file, &text)?;
    Ok(file)
}

/// Commands that name what the provider has no part in, or only one of two parts.
const LEFT_ALONE: [&[&str]; 7] = [
    &[
        "mac",
        "-cipher",
        "DES-EDE3-CBC",
        "-macopt",
        "hexkey:0123456789abcdeffedcba98765432100011223344556677",
        "CMAC",
    ],
    &[
        "mac",
        "-cipher",
        "CAMELLIA-128-CBC",
        "-macopt",
        "hexkey:0123456789abcdeffedcba9876543210",
        "CMAC",
    ],
    &[
        "mac",
        "-cipher",
        "ARIA-256-CBC",
        "-macopt",
        "hexkey:0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210",
        "CMAC",
    ],
    &[
        "mac",
        "-cipher",
        "ARIA-128-GCM",
        "-macopt",
        "hexkey:0123456789abcdeffedcba9876543210",
        "-macopt",
        "hexiv:00112233445566778899aabb",
        "GMAC",
    ],
    &[
        "mac",
        "-cipher",
        "AES-128-CBC",
        "-macopt",
        "hexkey:0123456789abcdeffedcba9876543210",
        "CMAC",
    ],
    &[
        "kdf",
        "-keylen",
        "16",
        "-kdfopt",
        "cipher:AES-128-CBC",
        "-kdfopt",
        "hexkey:0123456789abcdeffedcba9876543210",
        "-kdfopt",
        "hexconstant:0000000155",
        "KRB5KDF",
    ],
    &[
        "kdf",
        "-keylen",
        "32",
        "-kdfopt",
        "cipher:AES-256-CBC",
        "-kdfopt",
        "hexkey:0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210",
        "-kdfopt",
        "hexconstant:6b65726265726f737b9b5b2b93132b93",
        "KRB5KDF",
    ],
];

/// By the configuration of the README programs get what they got without it.
pub(super) fn left_alone(
    program: &Path,
    folder: &Path,
    configuration: &Path,
) -> Result<(), String> {
    let plain = folder.join("plain");
    for arguments in LEFT_ALONE {
        let run = |configured: bool| {
            let mut command = Command::new(program);
            command.args(arguments.split_last().map_or(&[][..], |it| it.1));
            if arguments[0] == "mac" {
                command.arg("-in").arg(&plain);
            }
            command.args(arguments.last());
            let nothing = folder.join("no.cnf");
            command.env("OPENSSL_CONF", if configured { configuration } else { &nothing });
            quiet(&mut command)
        };
        write(&folder.join("no.cnf"), "")?;
        let (with, without) = (run(true), run(false)?);
        if with.as_ref() != Ok(&without) {
            return Err(format!("{}: {with:?}, not {without:?}", arguments.join(" ")));
        }
    }
    Ok(())
}

/// A level that can't be had is said, by the configuration and by the command line.
pub(super) fn wrong_level(
    program: &Path,
    folder: &Path,
    configuration: &Path,
) -> Result<(), String> {
    let list = |name: &str, by_file: bool| {
        let mut command = Command::new(program);
        command.args(["list", "-providers"]).env("CIPHERLANE_LEVEL", name);
        if by_file {
            command.env("OPENSSL_CONF", configuration);
        } else {
            command.arg("-provider-path").arg(folder).args(["-provider", "cipherlane"]);
        }
        let output = command.output().map_err(|error| error.to_string())?;
        Ok::<_, String>(String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for by_file in [true, false] {
        let said = list("foo", by_file)?;
        if !said.lines().any(|it| it.starts_with("cipherlane: ") && it.contains("foo")) {
            return Err(format!("CIPHERLANE_LEVEL=foo, by a file {by_file}: it said `{said}`"));
        }
        let said = list("portable", by_file)?;
        if said.contains("cipherlane: ") {
            return Err(format!("CIPHERLANE_LEVEL=portable: it said `{said}`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_others_refused() {
        let parse = |text: &str| {
            Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        let options = parse("--seed=7 --calls=100_000_000").unwrap();
        assert_eq!((options.seed, options.calls), (Some(7), Some(100_000_000)));
        assert!(parse("").is_ok_and(|it| it.seed.is_none()));
        assert!(parse("--seed=x").unwrap_err().contains("no number"));
        assert!(parse("--speed=1").unwrap_err().contains("--calls"));
    }
}
