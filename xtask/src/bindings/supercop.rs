//! What `bindings/supercop/export.sh` writes, compiled as SUPERCOP would and held against published
//! keystreams.

use std::path::Path;
use std::process::Command;

use super::{Tally, WARNINGS, fresh, quiet, write};
use crate::workspace;

/// A primitive with a key, a nonce and the keystream that a standard prints for them.
struct Known {
    primitive: &'static str,
    key: &'static str,
    nonce: &'static str,
    keystream: &'static str,
}

const KNOWN: [Known; 3] = [
    Known {
        primitive: "sm4ctr",
        // The first block of the keystream is the example A.1 of GB/T 32907-2016.
        key: "0123456789abcdeffedcba9876543210",
        nonce: "0123456789abcdeffedcba9876543210",
        keystream: "681edf34d206965e86b3e94f536e4246",
    },
    Known {
        primitive: "zuc128",
        // GB/T 33133.1-2016, annex B, and ETSI/SAGE's document 3: all zero.
        key: "00000000000000000000000000000000",
        nonce: "00000000000000000000000000000000",
        keystream: "27bede74018082da",
    },
    Known {
        primitive: "zuc256",
        // The ZUC-256 Stream Cipher, section 3: all zero.
        key: "0000000000000000000000000000000000000000000000000000000000000000",
        nonce: "00000000000000000000000000000000000000000000000000",
        keystream: "58d03ad62e032ce2dafc683a39bdcb03",
    },
];

/// What SUPERCOP writes for an implementation: its names and lengths.
const HEADER: &str = "#include \"api.h\"\n\
                      #define crypto_stream_KEYBYTES CRYPTO_KEYBYTES\n\
                      #define crypto_stream_NONCEBYTES CRYPTO_NONCEBYTES\n\
                      int crypto_stream(unsigned char *, unsigned long long, const unsigned char *,\n\
                      \x20                 const unsigned char *);\n\
                      int crypto_stream_xor(unsigned char *, const unsigned char *, unsigned long long,\n\
                      \x20                     const unsigned char *, const unsigned char *);\n";

pub(super) fn run(tally: &mut Tally, prefix: &Path) {
    let tree = workspace::scratch("c").join("supercop");
    let script = workspace::root().join("bindings").join("supercop").join("export.sh");
    let export = || {
        fresh(&tree)?;
        quiet(Command::new("sh").arg(&script).arg(&tree)).map(drop)
    };
    if !tally.check("SUPERCOP: export", export()) {
        return;
    }
    for known in KNOWN {
        tally.check(&format!("SUPERCOP: {}", known.primitive), one(&tree, prefix, &known));
    }
}

fn one(tree: &Path, prefix: &Path, known: &Known) -> Result<(), String> {
    let folder = tree.join("crypto_stream").join(known.primitive).join("cipherlane");
    write(&folder.join("crypto_stream.h"), HEADER)?;
    let program = folder.join("check");
    let mut compile = Command::new("gcc");
    compile.args(WARNINGS).args(["-std=c11", "-O2", "-I"]).arg(&folder);
    compile.arg("-I").arg(prefix.join("include")).arg(folder.join("stream.c"));
    compile.arg(workspace::root().join("bindings").join("supercop").join("check.c"));
    compile.arg("-L").arg(prefix.join("lib")).arg("-lcipherlane").arg("-o").arg(&program);
    quiet(&mut compile)?;
    let mut check = Command::new(&program);
    check.args([known.key, known.nonce, known.keystream]);
    let said = quiet(check.env("LD_LIBRARY_PATH", prefix.join("lib")))?;
    if said.trim() == "done" { Ok(()) } else { Err(format!("it printed `{}`", said.trim())) }
}
