//! `cargo xtask openssl`: the provider in OpenSSL 3.0 and 4.0, through their programs, through
//! EVP, and in Node.js.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::evp_test::{self, Tested};
use super::{Tally, cargo, fresh, has, openssl4, quiet, readme, sequences, target, write};
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

/// Ciphers whose output is compared with OpenSSL's own, with their key and IV lengths in bytes.
const CIPHERS: [(&str, usize, usize); 31] = [
    ("sm4-ecb", 16, 0),
    ("sm4-cbc", 16, 16),
    ("sm4-ctr", 16, 16),
    ("sm4-cfb", 16, 16),
    ("sm4-ofb", 16, 16),
    ("aes-128-ecb", 16, 0),
    ("aes-128-cbc", 16, 16),
    ("aes-192-cbc", 24, 16),
    ("aes-256-cbc", 32, 16),
    ("aes-128-ctr", 16, 16),
    ("aes-256-ctr", 32, 16),
    ("aes-128-cfb", 16, 16),
    ("aes-128-cfb8", 16, 16),
    ("aes-256-cfb", 32, 16),
    ("aes-128-ofb", 16, 16),
    ("idea-ecb", 16, 0),
    ("idea-cbc", 16, 8),
    ("idea-cfb", 16, 8),
    ("idea-ofb", 16, 8),
    ("rc2-ecb", 16, 0),
    ("rc2-cbc", 16, 8),
    ("rc2-40-cbc", 5, 8),
    ("rc2-64-cbc", 8, 8),
    ("rc2-cfb", 16, 8),
    ("rc2-ofb", 16, 8),
    ("rc4", 16, 0),
    ("rc4-40", 5, 0),
    ("rc5-ecb", 16, 0),
    ("rc5-cbc", 16, 8),
    ("rc5-cfb", 16, 8),
    ("rc5-ofb", 16, 8),
];

/// Names that the list of ciphers must show as ours.
const NAMES: [&str; 14] = [
    "SM4-ECB",
    "SM4-GCM",
    "SM4-CCM",
    "SM4-XTS",
    "AES-256-GCM",
    "AES-256-GCM-SIV",
    "SM4-GCM-SIV",
    "AES-128-XTS",
    "ZUC-128",
    "ZUC-256",
    "EEA3",
    "IDEA-CBC",
    "RC2-CBC",
    "RC5-CBC",
];

/// A program of OpenSSL, and the folders of this run.
struct Program {
    path: PathBuf,
    /// `3.0.19`.
    version: String,
    folder: PathBuf,
    /// Its libcrypto, if that is not the system's.
    library: Option<PathBuf>,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let options = sequences::Options::parse(arguments)?;
    let mut tally = Tally::default();
    let folder = workspace::scratch("openssl");
    fresh(&folder)?;
    tally.cargo_test("names, records of TLS, room for all", cargo("test", "openssl").arg("--lib"));
    let built = quiet(&mut cargo("build", "openssl")).and_then(|_| place(&folder));
    if !tally.check("cargo build", built) {
        return tally.end();
    }
    let mut programs = Vec::new();
    match Program::open("openssl".into(), None, &folder) {
        Ok(program) if !program.version.starts_with("1.") => {
            libcrypto(&mut tally, &folder, "libcrypto.so.3".as_ref(), &options);
            programs.push(program);
        }
        _ => skip("the provider in the system's OpenSSL", "apt-get install openssl"),
    }
    match openssl4::built() {
        Ok((program, library)) => {
            libcrypto(&mut tally, &folder, library.as_os_str(), &options);
            programs.push(Program::open(program, Some(library), &folder)?);
        }
        Err(error) => skip("the provider in OpenSSL 4.0", &error.to_string()),
    }
    for program in &programs {
        program.list(&mut tally);
        program.ciphers(&mut tally);
        tally.check(&program.named("enc with both providers"), program.both());
        program.macs(&mut tally);
        tally.check(&program.named("no RC4 without asking"), program.without_legacy());
        let configured = program.named("MACs, KRB5KDF and levels by the README's configuration");
        match program.configured() {
            // The program that is built here holds its libcrypto; a MAC over another provider's
            // cipher needs one that shows its functions, as every shared one does. The random
            // calls make such MACs in that of this version.
            Err(error) if error.contains("does not show its functions") => {
                skip(&configured, "this program holds its libcrypto; sequences try it");
            }
            verdict => {
                tally.check(&configured, verdict);
            }
        }
        program.speed(&mut tally);
        tally.check(&program.named("the example of the README"), program.page());
        evp_test::run(&mut tally, &program.tested());
    }
    node(&mut tally, &folder);
    tally.end()
}

/// Puts the library where OpenSSL looks for the provider `cipherlane`.
fn place(folder: &Path) -> Result<(), String> {
    let from = target().join("release").join("libcipherlane_provider.so");
    let done = std::fs::copy(&from, folder.join("cipherlane.so"));
    done.map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// The tests through EVP in a libcrypto.
fn libcrypto(tally: &mut Tally, folder: &Path, library: &OsStr, options: &sequences::Options) {
    let mut test = cargo("test", "openssl");
    test.args(["--test", "evp"]).env("CIPHERLANE_LIBCRYPTO", library);
    let name = format!("EVP and pipelines in {}", library.to_string_lossy());
    match sequences::legacy_configuration(folder) {
        // For the tests alone: cargo has an OpenSSL of its own, which must not read it.
        Ok(file) => {
            test.arg("--config").arg(format!("env.OPENSSL_CONF={:?}", file.display().to_string()));
        }
        Err(error) => {
            tally.check(&name, Err(error));
            return;
        }
    }
    tally.cargo_test(&name, test.env("CIPHERLANE_PROVIDER", folder));
    sequences::run(tally, folder, library, options);
}

fn hex(bytes: usize) -> String {
    (0..bytes).map(|byte| format!("{:02x}", byte * 7 + 1)).collect()
}

impl Program {
    fn open(path: PathBuf, library: Option<PathBuf>, folder: &Path) -> Result<Self, String> {
        let said = quiet(Command::new(&path).arg("version"))?;
        let version = said.split_whitespace().nth(1).ok_or("no version")?.to_owned();
        Ok(Self { path, version, folder: folder.to_path_buf(), library })
    }

    fn tested(&self) -> Tested<'_> {
        let Self { path, version, folder, library } = self;
        Tested { program: path, version, library: library.as_deref(), folder }
    }

    fn named(&self, what: &str) -> String {
        format!("{what}, OpenSSL {}", self.version)
    }

    /// A command of the program with only our provider, or with OpenSSL's own.
    fn command(&self, verb: &str, ours: bool) -> Command {
        let mut command = Command::new(&self.path);
        command.arg(verb);
        if ours {
            command.arg("-provider-path").arg(&self.folder).args(["-provider", "cipherlane"]);
            command.env("OPENSSL_CONF", self.folder.join("legacy.cnf"));
        } else {
            command.args(["-provider", "default", "-provider", "legacy"]);
        }
        command
    }

    /// Ciphers of old are there only where the configuration asks, not by loading.
    fn without_legacy(&self) -> Result<(), String> {
        let list = |ours: &[&str]| {
            let mut command = self.command("list", true);
            quiet(command.env("OPENSSL_CONF", "/dev/null").args(ours))
        };
        let text = list(&["-cipher-algorithms"])?;
        let old = ["RC2", "RC4", "RC5", "IDEA"];
        let shown = |line: &&str| {
            line.ends_with("@ cipherlane") && old.iter().any(|name| line.contains(name))
        };
        match text.lines().find(shown) {
            Some(line) => Err(format!("without `legacy = yes` it lists `{line}`")),
            None if !text.contains("SM4-GCM") => Err(format!("no SM4-GCM in {text}")),
            None => Ok(()),
        }
    }

    /// What the configuration of the README leaves as it was, and what it says of a level.
    fn configured(&self) -> Result<(), String> {
        let text = readme::configuration(&self.folder.join("cipherlane.so"))?;
        let file = self.folder.join("readme.cnf");
        write(&file, &text)?;
        sequences::left_alone(&self.path, &self.folder, &file)?;
        sequences::wrong_level(&self.path, &self.folder, &file)
    }

    fn list(&self, tally: &mut Tally) {
        let list = |what: &str| quiet(self.command("list", true).arg(what));
        let all = list("-cipher-algorithms");
        for name in NAMES {
            let shown = all.clone().and_then(|text| {
                let mut lines =
                    text.lines().filter(|line| line.trim_end().ends_with("@ cipherlane"));
                let names = |line: &str| {
                    line.split([' ', ',', '{', '}']).any(|word| word.eq_ignore_ascii_case(name))
                };
                if lines.any(names) { Ok(()) } else { Err("not in the list".into()) }
            });
            tally.check(&self.named(&format!("list {name}")), shown);
        }
        let macs = list("-mac-algorithms").and_then(|text| {
            let missing =
                ["CMAC", "GMAC", "EIA3", "ZUC-256-MAC"].iter().find(|mac| !text.contains(**mac));
            missing.map_or(Ok(()), |mac| Err(format!("no {mac} in {text}")))
        });
        tally.check(&self.named("list MACs"), macs);
    }

    /// `enc` in either direction, by either provider.
    fn ciphers(&self, tally: &mut Tally) {
        let plain = self.folder.join("plain");
        let data: Vec<u8> = (0..100_003_u32).map(|i| (i * i / 7) as u8).collect();
        if let Err(error) = std::fs::write(&plain, &data) {
            tally.check("a file", Err(error.to_string()));
            return;
        }
        for (cipher, key, iv) in CIPHERS {
            let run = |ours: bool, decrypt: bool, from: &Path, to: &str| {
                let to = self.folder.join(to);
                let mut command = self.command("enc", ours);
                command.arg(format!("-{cipher}")).args(["-K", &hex(key)]);
                command.arg("-in").arg(from).arg("-out").arg(&to);
                if iv > 0 {
                    command.args(["-iv", &hex(iv)]);
                }
                if decrypt {
                    command.arg("-d");
                }
                quiet(&mut command)?;
                std::fs::read(&to).map_err(|error| error.to_string())
            };
            let other = run(false, false, &plain, "theirs");
            if let Err(why) = &other
                && why.contains("nknown")
            {
                skip(&self.named(&format!("{cipher} beside its own")), "this OpenSSL lacks it");
                continue;
            }
            let outcome = run(true, false, &plain, "ours").and_then(|ours| {
                if ours != other? {
                    return Err("encrypts otherwise".into());
                }
                let back = run(true, true, &self.folder.join("theirs"), "back")?;
                let forth = run(false, true, &self.folder.join("ours"), "forth")?;
                if back == data && forth == data {
                    Ok(())
                } else {
                    Err("decrypts otherwise".into())
                }
            });
            tally.check(&self.named(&format!("enc {cipher}")), outcome);
        }
    }

    /// Ours is taken where it is named first, and what it wrote is the default one's to read.
    fn both(&self) -> Result<(), String> {
        let (key, iv) = (hex(16), hex(16));
        let run = |ours: bool, arguments: &[&str]| {
            let mut command = Command::new(&self.path);
            command.arg("enc");
            if ours {
                command.arg("-provider-path").arg(&self.folder);
                command.args(["-provider", "cipherlane", "-provider", "default"]);
            }
            command.args(["-sm4-ctr", "-K", &key, "-iv", &iv]).args(arguments);
            quiet(command.current_dir(&self.folder))
        };
        for (seals, opens) in [(true, true), (true, false), (false, true)] {
            run(seals, &["-in", "plain", "-out", "sealed"])?;
            run(opens, &["-d", "-in", "sealed", "-out", "opened"])?;
            let [plain, opened] =
                ["plain", "opened"].map(|name| std::fs::read(self.folder.join(name)));
            if plain.map_err(|error| error.to_string())? != opened.unwrap_or_default() {
                return Err(format!("ours seals: {seals}, ours opens: {opens}: no round trip"));
            }
        }
        Ok(())
    }

    fn macs(&self, tally: &mut Tally) {
        let plain = self.folder.join("plain");
        let tag = |ours: bool, options: &[String], mac: &str| {
            let mut command = self.command("mac", ours);
            for option in options {
                command.args(["-macopt", option]);
            }
            let text = quiet(command.arg("-in").arg(&plain).arg(mac))?;
            Ok::<_, String>(text.trim().to_owned())
        };
        let key = format!("hexkey:{}", hex(16));
        let nonce = format!("hexiv:{}", hex(12));
        for (mac, cipher, iv) in [
            ("CMAC", "SM4-CBC", None),
            ("CMAC", "AES-128-CBC", None),
            ("GMAC", "AES-128-GCM", Some(nonce)),
        ] {
            let options: Vec<_> =
                [key.clone(), format!("cipher:{cipher}")].into_iter().chain(iv).collect();
            let outcome = tag(true, &options, mac).and_then(|ours| {
                let theirs = tag(false, &options, mac)?;
                if ours == theirs { Ok(()) } else { Err(format!("{ours}, not {theirs}")) }
            });
            tally.check(&self.named(&format!("mac {mac} over {cipher}")), outcome);
        }
        // The first test set of 128-EIA3: a bit of zero is not a byte, so an answer of ours.
        let zeros = [
            "hexkey:00000000000000000000000000000000".into(),
            format!("hexiv:{}", "00".repeat(16)),
        ];
        let twice = tag(true, &zeros, "EIA3").and_then(|first| {
            let other = tag(true, &[key.clone(), zeros[1].clone()], "EIA3")?;
            let fits = first.len() == 8 && first == tag(true, &zeros, "EIA3")? && first != other;
            if fits { Ok(()) } else { Err(format!("{first} and {other}")) }
        });
        tally.check(&self.named("mac EIA3"), twice);
    }

    /// That `speed` runs, and what it says.
    fn speed(&self, tally: &mut Tally) {
        // Before 3.5 `speed -aead` measured something else.
        let aead = !self.version.starts_with("3.0");
        let cipher = if aead { "sm4-gcm" } else { "sm4-ctr" };
        let speed = |ours: bool| {
            let mut command = Command::new(&self.path);
            command.args(["speed", "-provider", "default"]);
            if ours {
                command.arg("-provider-path").arg(&self.folder).args(["-provider", "cipherlane"]);
                command.args(["-propquery", "?provider=cipherlane"]);
            }
            command.args(["-evp", cipher, "-bytes", "16384", "-seconds", "1", "-mr"]);
            if aead {
                command.arg("-aead");
            }
            let text = quiet(&mut command)?;
            let line = text.lines().find(|line| line.starts_with("+F:")).unwrap_or_default();
            let value = line.rsplit(':').next().and_then(|value| value.parse::<f64>().ok());
            value.ok_or_else(|| format!("no figure in `{text}`"))
        };
        let outcome = speed(true).and_then(|ours| {
            let theirs = speed(false)?;
            println!(
                "   {cipher}, 16384 bytes: {:.0} MB/s, the default provider {:.0} MB/s",
                ours / 1e6,
                theirs / 1e6
            );
            if ours > theirs { Ok(()) } else { Err("slower than the default provider".into()) }
        });
        tally.check(&self.named(&format!("speed {cipher}")), outcome);
    }

    /// The lines of the page, with this program and this folder.
    fn page(&self) -> Result<(), String> {
        let page = workspace::read("bindings/openssl/README.md")?;
        let blocks = readme::blocks(&page, "sh");
        let example = blocks.last().ok_or("bindings/openssl/README.md has no example")?;
        let bin = self.folder.join(format!("bin-{}", self.version));
        fresh(&bin)?;
        let mut shell = Command::new("sh");
        shell.args(["-ec", example]).current_dir(&bin).env("MODULES", &self.folder);
        if self.path.is_absolute() {
            // The page says `openssl`: that is this one now.
            std::os::unix::fs::symlink(&self.path, bin.join("openssl"))
                .map_err(|error| error.to_string())?;
            let path = std::env::var("PATH").unwrap_or_default();
            shell.env("PATH", format!("{}:{path}", bin.display()));
        }
        let said = quiet(&mut shell)?;
        if said.trim() == "a secret message" { Ok(()) } else { Err(format!("it printed `{said}`")) }
    }
}

/// Node.js gains SM4-GCM by the page's configuration alone.
fn node(tally: &mut Tally, folder: &Path) {
    if !has("node") {
        skip("sm4-gcm in Node.js", "apt-get install nodejs");
        return;
    }
    let outcome = readme::configuration(&folder.join("cipherlane.so")).and_then(|text| {
        let file = folder.join("openssl.cnf");
        write(&file, &text)?;
        let script = workspace::root().join("bindings/openssl/tests/node.js");
        let mut node = Command::new("node");
        let said = quiet(node.arg(script).env("OPENSSL_CONF", &file))?;
        if said.trim().ends_with("ok") { Ok(()) } else { Err(said) }
    });
    tally.check("sm4-gcm in Node.js", outcome);
}
