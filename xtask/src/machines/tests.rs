//! Pages made of records that were made by hand, in a checkout of their own.

use std::fs;

use super::*;

/// A record of a machine as the laboratory writes it.
fn record(cpu: &str, ours: f64) -> String {
    let figure = |operation: &str, model: &str, size: u64, best: &str| {
        format!(
            "{{\"operation\":\"{operation}\",\"model\":\"{model}\",\"size\":{size},\"messages\":1,\
             \"keys\":\"ready\",\"threads\":1,\"nonce_bytes\":16,\"aad_bytes\":0,\"tag_bytes\":0,\
             \"placement\":\"in-place\",\"per\":\"byte\",\
             \"ours\":{{\"engine\":\"cipherlane\",\"level\":\"avx512\",\"figure\":{ours},\
             \"q1\":{ours},\"q3\":{ours}}},\"peers\":[{best}"
        )
    };
    let peers = "{\"engine\":\"ipp\",\"level\":\"-\",\"figure\":0.86,\"q1\":0.85,\"q3\":0.87,\
                 \"flags\":[\"canary\"]},\
                 {\"engine\":\"botan\",\"level\":\"-\",\"figure\":1.5,\"q1\":1.4,\"q3\":1.6}],\
                 \"best\":{\"engine\":\"ipp\",\"ratio\":1.62,\"low\":1.6,\"high\":1.64,\
                 \"verdict\":\"ahead\"}}";
    let behind = "{\"engine\":\"gmsm\",\"level\":\"-\",\"figure\":0.5,\"q1\":0.5,\"q3\":0.5}],\
                  \"best\":{\"engine\":\"gmsm\",\"ratio\":0.91,\"low\":0.9,\"high\":0.92,\
                  \"verdict\":\"behind\"}}";
    let figures = [
        figure("sm4/ctr", "message", 8192, peers),
        figure("sm4/ctr", "init", 0, "]}"),
        figure("zuc-128/eea3", "packet", 1500, behind),
    ];
    format!(
        "{{\"schema\":\"cipherlane-machine/1\",\"created\":\"2026-11-25T21:00:00Z\",\
         \"commit\":\"0123456789ab\",\"microcode\":\"0xa1\",\
         \"machine\":{{\"cpu\":\"{cpu}\",\"levels\":[\"portable\",\"avx512\"],\
         \"default_level\":\"avx512\",\"cores\":2,\"tsc_hz\":2.6e9,\"core_per_tsc\":1.42,\
         \"kernel\":\"Linux 6.1\"}},\
         \"engines\":[{{\"name\":\"ipp\",\"version\":\"2.3.0\",\"build\":\"\"}},\
         {{\"name\":\"openssl\",\"version\":\"3.0\",\"build\":\"\",\"outdated\":\"of 2021\"}}],\
         \"run\":{{}},\"unit\":\"core cycles\",\"figures\":[{}]}}",
        figures.join(",")
    )
}

const PLAIN: &str = "# Title\n\n<!-- machines: made by `cargo xtask machines --write` -->\nold\n\
                     <!-- machines: end -->\n\nThe rest.\n";

/// A checkout with these files in docs/machines, in a folder that is gone at the end.
struct Checkout(std::path::PathBuf);

impl Checkout {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join(FOLDER)).unwrap();
        for (file, text) in files {
            let file = root.join(FOLDER).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        fs::write(root.join(README), PLAIN).unwrap();
        Self(root)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn pages_have_a_column_a_machine_and_are_checked_against_the_records() {
    let (a, b) = (record("CPU A", 0.53), record("CPU | <B>", 12.34));
    let files = [
        ("a/bench.json", a.as_str()),
        ("b/bench.json", &b),
        ("b/floor.json", "{}"),
        ("c/tuned.txt", "cpu: CPU C\n"),
        ("reasons.tsv", ""),
    ];
    let checkout = Checkout::new("machines", &files);
    assert!(check(&checkout.0).unwrap_err().contains("cargo xtask machines --write"));
    write(&checkout.0).unwrap();
    check(&checkout.0).unwrap();
    let page = checkout.text(PAGE);
    for expected in [
        "| operation | CPU A | CPU \\| &lt;B> |\n|---|---|---|\n",
        "0123456789ab, 2026-11-25, `avx512`",
        "| ctr message 8 KiB | **0.53**; ipp 0.86~, botan 1.50; 1.62 (1.60 to 1.64) | **12.3**;",
        "| ctr init | **0.53** | **12.3** |",
        "0.91 (0.90 to 0.92) behind",
        "### zuc-128",
        "- microcode: 0xa1",
        "openssl 3.0 (old: of 2021)",
        "2.600 GHz counter, 1.420 core cycles a tick",
        "[floor.json](machines/b/floor.json)",
        "## CPU C\n\nNo record of `bench`; it has [tuned.txt](machines/c/tuned.txt).",
    ] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    let readme = checkout.text(README);
    for expected in [
        "# Title\n\n<!-- machines:",
        "\nThe rest.\n",
        "| sm4/ctr, 8 KiB | **0.53**; ipp 0.86~; 1.62 (1.60 to 1.64) |",
        "| zuc-128/eea3, 1500 B, a new key each | **0.53**; gmsm 0.50; 0.91 (0.90 to 0.92) behind |",
        "[docs/MACHINES.md](docs/MACHINES.md)",
    ] {
        assert!(readme.contains(expected), "{expected}\n{readme}");
    }
    assert!(!readme.contains("old\n"), "{readme}");
    // Either file that was changed by hand is found.
    fs::write(checkout.0.join(PAGE), page.replace("0.53", "0.35")).unwrap();
    assert!(check(&checkout.0).unwrap_err().contains(PAGE));
    write(&checkout.0).unwrap();
    fs::write(checkout.0.join(README), readme.replace("0.53", "0.35")).unwrap();
    assert!(check(&checkout.0).unwrap_err().contains(README));
    // What stands outside of the marks is nobody's business.
    fs::write(checkout.0.join(README), readme.replace("The rest", "More")).unwrap();
    check(&checkout.0).unwrap();
    assert!(!checkout.0.join("README.md.new").exists());
}

#[test]
fn without_records_the_pages_say_so() {
    let checkout = Checkout::new("no-machines", &[("c/tuned.txt", "")]);
    write(&checkout.0).unwrap();
    assert!(checkout.text(PAGE).contains("No machine has figures"));
    assert!(checkout.text(README).contains("No machine is recorded yet"));
}

#[test]
fn records_and_marks_that_are_wrong_are_named() {
    let sound = record("CPU", 1.0);
    for (text, expected) in [
        ("{", "bench.json: EOF"),
        ("{}", "schema is `absent`; allowed: `cipherlane-machine/1`"),
        (&sound.replace("\"cpu\"", "\"gpu\""), "`cpu` is null; allowed: words"),
        (&sound.replace("\"low\":1.6", "\"low\":-1"), "figures[0]: `low` is -1; allowed:"),
        (&sound.replace("\"size\":0", "\"size\":\"x\""), "figures[1]: `size` is \"x\""),
    ] {
        let checkout = Checkout::new("wrong-machine", &[("a/bench.json", text)]);
        let error = check(&checkout.0).unwrap_err();
        assert!(error.contains(expected) && error.contains("record that machine anew"), "{error}");
    }
    for page in ["# No marks", &PLAIN.replace("end -->", "fin -->"), &PLAIN.repeat(2)] {
        assert!(readme::replaced(page, &[]).unwrap_err().contains("README.md: not one"), "{page}");
    }
}
