//! The provider through a program `openssl`: what it lists, and its output beside the program's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::evp_test::Tested;
use super::super::{Tally, fresh, memory, quiet, readme, sequences, write};
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
pub(super) struct Program {
    path: PathBuf,
    /// `3.0.19`.
    pub(super) version: String,
    folder: PathBuf,
    /// Its libcrypto, if that is not the system's.
    library: Option<PathBuf>,
}

fn hex(bytes: usize) -> String {
    (0..bytes).map(|byte| format!("{:02x}", byte * 7 + 1)).collect()
}

impl Program {
    pub(super) fn open(
        path: PathBuf,
        library: Option<PathBuf>,
        folder: &Path,
    ) -> Result<Self, String> {
        let said = quiet(Command::new(&path).arg("version"))?;
        let version = said.split_whitespace().nth(1).ok_or("no version")?.to_owned();
        Ok(Self { path, version, folder: folder.to_path_buf(), library })
    }

    pub(super) fn tested(&self) -> Tested<'_> {
        let Self { path, version, folder, library } = self;
        Tested { program: path, version, library: library.as_deref(), folder }
    }

    pub(super) fn named(&self, what: &str) -> String {
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
    pub(super) fn without_legacy(&self) -> Result<(), String> {
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
    pub(super) fn configured(&self) -> Result<(), String> {
        let text = readme::configuration(&self.folder.join("cipherlane.so"))?;
        let file = self.folder.join("readme.cnf");
        write(&file, &text)?;
        sequences::left_alone(&self.path, &self.folder, &file)?;
        sequences::wrong_level(&self.path, &self.folder, &file)
    }

    pub(super) fn list(&self, tally: &mut Tally) {
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
    pub(super) fn ciphers(&self, tally: &mut Tally) {
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
    pub(super) fn both(&self) -> Result<(), String> {
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

    pub(super) fn macs(&self, tally: &mut Tally) {
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

    /// A cipher and a MAC with allocations of the provider's that fail, one after the other; of the MAC's some,
    /// as most are of loading the provider. OpenSSL's own are left: at some of them its program ends by a signal
    /// before it has loaded anything, and without any memory it prints errors without end.
    pub(super) fn no_memory(&self) -> Outcome {
        let shim = memory::shim(&self.folder)?;
        let (key, iv) = (hex(16), hex(16));
        let in_hex = |name: &str, value: &str| format!("{name}:{value}");
        let (mac_key, mac_iv) = (in_hex("hexkey", &key), in_hex("hexiv", &hex(12)));
        let enc = ["-sm4-cbc", "-K", &key, "-iv", &iv, "-in", "legacy.cnf"];
        let mac = ["-macopt", &mac_key, "-macopt", &mac_iv, "-macopt", "cipher:AES-128-GCM"];
        let mac = mac.into_iter().chain(["-in", "legacy.cnf", "GMAC"]);
        for (verb, arguments, most) in
            [("enc", enc.to_vec(), usize::MAX), ("mac", mac.collect(), 100)]
        {
            let program = || {
                let mut command = self.command(verb, true);
                command.args(&arguments).current_dir(&self.folder);
                command
            };
            let ends = memory::of_ours(program, &shim, "cipherlane.so", most);
            println!("   {verb}: {}", ends.map_err(|error| format!("{verb}: {error}"))?);
        }
        Ok(())
    }

    /// That `speed` runs, and what it says.
    pub(super) fn speed(&self, tally: &mut Tally) {
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
    pub(super) fn page(&self) -> Result<(), String> {
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
