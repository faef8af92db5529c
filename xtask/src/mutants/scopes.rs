//! Which files are changed, and which tests are to notice.

/// Files that share a package and tests.
pub(super) struct Scope {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    /// Folders and files below the package's `src`.
    pub(super) files: &'static [&'static str],
    /// Those among them that are not changed: what is not compiled here, or runs on other CPUs.
    pub(super) without: &'static [&'static str],
    /// What the package is built with: a cipher alone is built in seconds, at all levels.
    pub(super) features: &'static str,
    /// What it is built with where something lived on, if that is more.
    pub(super) wider: &'static str,
    /// Tests of the package that run.
    pub(super) tests: &'static [&'static str],
    /// Those besides that run where something lived on: the more there are, the longer it takes to
    /// build them all.
    pub(super) more: &'static [&'static str],
}

pub(super) const LIBRARY: &str = "cipherlane";
pub(super) const PROVIDER: &str = "cipherlane-openssl";

const fn cipher(name: &'static str, files: &'static [&'static str], more: &'static str) -> Scope {
    Scope {
        name,
        package: LIBRARY,
        files,
        without: &[],
        features: if more.is_empty() { name } else { more },
        wider: "",
        tests: &[
            "batches",
            "chains",
            "counter_wrap",
            "every_byte",
            "levels_agree",
            "model",
            "seek",
            "self_test",
            "vectors",
        ],
        more: &[],
    }
}

/// A room of what ciphers of blocks are put to. First come the tests that know it best, without those
/// that take seconds, as the published vectors do; then what all rooms have.
const fn room(
    name: &'static str,
    files: &'static [&'static str],
    features: &'static str,
    tests: &'static [&'static str],
) -> Scope {
    Scope {
        name,
        package: LIBRARY,
        files,
        without: &[],
        features,
        wider: "sm4,aes,idea,zuc,snow3g,snow-v,parallel,getrandom,self-test",
        tests,
        more: &[
            "aes_pdus",
            "air",
            "counter_wrap",
            "faults_of_others",
            "first_use",
            "galois",
            "misuse",
            "misuse_whole",
            "model",
            "modes",
            "one_use",
            "padding",
            "parallel",
            "rekey",
            "secrecy",
            "secrecy_of_messages",
            "seek",
            "self_test",
            "split_calls",
            "split_macs",
            "streamed_aeads",
            "vectors",
            "zuc",
        ],
    }
}

pub(super) const SCOPES: [Scope; 25] = [
    cipher("sm4", &["ciphers/sm4", "tweaks"], ""),
    cipher("aes", &["ciphers/aes"], ""),
    Scope {
        name: "zuc",
        package: LIBRARY,
        files: &["ciphers/zuc"],
        without: &[],
        features: "zuc",
        wider: "",
        tests: &[
            "batches",
            "model",
            "self_test",
            "vectors",
            "zuc",
            "zuc_batches",
            "zuc_batches_model",
        ],
        more: &[],
    },
    cipher("mickey", &["ciphers/mickey"], ""),
    cipher("trivium", &["ciphers/trivium"], ""),
    cipher("grain", &["ciphers/grain"], ""),
    cipher("enocoro", &["ciphers/enocoro"], ""),
    cipher("hc128", &["ciphers/hc128"], ""),
    cipher("rabbit", &["ciphers/rabbit"], ""),
    cipher("salsa20", &["ciphers/salsa20"], ""),
    cipher("sosemanuk", &["ciphers/sosemanuk"], ""),
    cipher("snow-v", &["ciphers/snow_v", "air256"], ""),
    cipher("snow3g", &["ciphers/snow3g"], ""),
    cipher("rc4", &["ciphers/rc4"], ""),
    cipher("idea", &["ciphers/idea", "block"], ""),
    cipher("rc2 and rc5", &["ciphers/rc2", "ciphers/rc5"], "rc2,rc5"),
    cipher("keystream", &["keystream"], "trivium,salsa20,rabbit,grain,mickey,enocoro"),
    room(
        "modes",
        &["modes"],
        // A block of either length, and the modes that 3GPP has with AES alone.
        "sm4,aes,idea",
        &[
            "aes_pdus",
            "galois",
            "misuse",
            "modes",
            "padding",
            "secrecy",
            "seek",
            "self_test",
            "split_calls",
        ],
    ),
    room(
        "mac",
        &["mac", "ghash", "ct.rs"],
        // One cipher: a changed line of GHASH compiles all kernels anew, which are one file a level. NIA2, which
        // is not compiled then, waits for `--again`.
        "sm4",
        &["galois", "misuse", "modes", "one_use", "secrecy", "self_test", "split_macs"],
    ),
    room(
        "aead",
        &["aead"],
        "sm4,aes,zuc",
        &[
            "aes_pdus",
            "galois",
            "misuse",
            "modes",
            "one_use",
            "rekey",
            "secrecy",
            "self_test",
            "streamed_aeads",
        ],
    ),
    Scope {
        name: "batches",
        package: LIBRARY,
        files: &["batch", "traits/batch.rs"],
        without: &[],
        // A block of either length, and streams; with the others each kind of batch.
        features: "sm4,idea,rabbit",
        wider: "sm4,idea,zuc,aes,rabbit",
        tests: &["batches"],
        more: &[
            "zuc_batches",
            "aes_pdus",
            "misuse",
            "misuse_whole",
            "model",
            "modes",
            "one_use",
            "rekey",
            "secrecy_of_messages",
            "self_test",
            "vectors",
            "zuc_batches_model",
        ],
    },
    Scope {
        name: "container",
        package: "cipherlane-container",
        files: &[""],
        without: &[],
        features: "",
        wider: "",
        tests: &["files", "pieces", "published"],
        more: &[],
    },
    Scope {
        name: "objects",
        package: "cipherlane-objects",
        files: &[""],
        without: &[],
        features: "",
        wider: "",
        tests: &["calls", "objects"],
        more: &[],
    },
    Scope {
        name: "lanes",
        package: "cipherlane-lanes",
        files: &[""],
        // A CPU with VAES and without GFNI, as a Zen 3, runs what is left; the program that counts
        // operations is none of the library.
        without: &[
            "aarch64",
            "wasm32",
            "counting.rs",
            "counting",
            "x86/avx2_gfni.rs",
            "x86/avx2_sm4.rs",
            "x86/avx512.rs",
            "x86/sm4_emulated.rs",
            "x86/xmm_evex.rs",
            "x86/xmm_gfni.rs",
            "x86/xmm_sm4.rs",
        ],
        features: "",
        wider: "",
        tests: &["agree", "bounds", "capped"],
        more: &[],
    },
    Scope {
        name: "provider",
        package: PROVIDER,
        files: &[""],
        // What plays OpenSSL's part for the fuzzer is a feature.
        without: &["fuzzed.rs"],
        features: "",
        wider: "",
        tests: &["evp", "sequences"],
        more: &[],
    },
];

/// What scopes leave out, for a reader.
pub(crate) fn left_out() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    SCOPES.iter().map(|scope| (scope.name, scope.without)).filter(|(_, files)| !files.is_empty())
}

impl Scope {
    /// The package's folder.
    pub(super) fn folder(&self) -> String {
        if let Some(folder) = self.own_root() {
            return folder.to_owned();
        }
        format!("crates/{}", self.package.strip_prefix("cipherlane-").unwrap_or(self.package))
    }

    /// The root that it has for itself, being no member of the repository's workspace.
    pub(super) fn own_root(&self) -> Option<&'static str> {
        (self.package == PROVIDER).then_some("bindings/openssl")
    }

    /// A file or mutant as cargo-mutants calls it, from the root that it is run in.
    pub(super) fn inside_root<'n>(&self, name: &'n str) -> &'n str {
        let inside = self.own_root().and_then(|root| name.strip_prefix(root)?.strip_prefix('/'));
        inside.unwrap_or(name)
    }

    pub(super) fn has(&self, mutant: &str) -> bool {
        let source = format!("{}/src/", self.folder());
        let inside = |file: &&str| {
            let rest = mutant.strip_prefix(&source).and_then(|rest| rest.strip_prefix(*file));
            rest.is_some_and(|rest| file.is_empty() || rest.starts_with(['/', ':']))
        };
        self.files.iter().any(inside) && !self.without.iter().any(inside)
    }

    fn globs(&self, files: &[&str]) -> Vec<String> {
        let source = format!("{}/src/", self.folder());
        let source = self.inside_root(&source);
        let glob = |file: &&str| match (file.is_empty(), file.ends_with(".rs")) {
            (true, _) => format!("{source}**/*.rs"),
            (_, true) => format!("{source}{file}"),
            _ => format!("{source}{file}/**/*.rs"),
        };
        files.iter().map(glob).collect()
    }

    /// Patterns of its files, each with the option that says whether they are changed.
    pub(super) fn patterns(&self) -> impl Iterator<Item = (&'static str, String)> {
        let (files, without) = (self.globs(self.files), self.globs(self.without));
        let files = files.into_iter().map(|glob| ("--file", glob));
        files.chain(without.into_iter().map(|glob| ("--exclude", glob)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn files_are_named_from_the_root_they_are_in() {
        let scope = |name| SCOPES.iter().find(|scope| scope.name == name).unwrap();
        assert_eq!(scope("provider").inside_root("bindings/openssl/src/a.rs:1"), "src/a.rs:1");
        assert_eq!(
            scope("objects").inside_root("crates/objects/src/a.rs"),
            "crates/objects/src/a.rs"
        );
        let patterns: Vec<_> = scope("provider").patterns().collect();
        let expected = [("--file", "src/**/*.rs"), ("--exclude", "src/fuzzed.rs")];
        assert_eq!(patterns, expected.map(|(option, glob)| (option, glob.to_owned())));
    }

    #[test]
    fn scopes_have_files_and_tests() {
        for scope in &SCOPES {
            let folder = workspace::root().join(scope.folder()).join("src");
            for file in scope.files.iter().chain(scope.without) {
                assert!(folder.join(file).exists(), "{} {file}", scope.name);
            }
            for test in scope.tests.iter().chain(scope.more) {
                let folder = workspace::root().join(scope.folder()).join("tests");
                let one = folder.join(format!("{test}.rs")).exists();
                assert!(one || folder.join(test).is_dir(), "{} {test}", scope.name);
            }
        }
        let has = |mutant: &str| {
            let all = SCOPES.iter().filter(|scope| scope.has(mutant));
            all.map(|scope| scope.name).collect::<Vec<_>>()
        };
        assert_eq!(has("crates/cipherlane/src/ciphers/aes/key.rs:1:1: replace x"), ["aes"]);
        assert_eq!(
            has("crates/cipherlane/src/keystream/lane_rows.rs:1:1: replace x"),
            ["keystream"]
        );
        assert_eq!(has("crates/cipherlane/src/traits/batch.rs:1:1: replace x"), ["batches"]);
        assert_eq!(has("crates/container/src/key.rs:1:1: replace x"), ["container"]);
        assert_eq!(has("crates/objects/src/mac.rs:1:1: replace x"), ["objects"]);
        assert_eq!(has("crates/lanes/src/x86/avx2.rs:1:1: replace x"), ["lanes"]);
        assert!(has("crates/lanes/src/x86/avx512.rs:1:1: replace x").is_empty());
        assert_eq!(has("bindings/openssl/src/names.rs:1:1: replace x"), ["provider"]);
        assert!(has("crates/lanes/src/aarch64/quad.rs:1:1: replace x").is_empty());
    }
}
