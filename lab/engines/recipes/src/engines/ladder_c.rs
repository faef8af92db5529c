//! The ladder in C: one library for each level of optimisation, from the same files; of a machine
//! that is emulated, and of this one with 32 bits, a program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str;

use crate::{Recipe, RecipeError, Tool, Workshop, same_code};

/// What the rungs stand in, which is always optimised: only they are in question.
const FRAME: &[(&str, &str)] = &[
    ("families.c", include_str!("../../../ladder-c/families.c")),
    ("rung.h", include_str!("../../../ladder-c/rung.h")),
];

/// The program around them for a machine that no process here is of, optimised too.
const EMULATED: &[(&str, &str)] = &[("once.c", include_str!("../../../ladder-c/once.c"))];

/// The files of the ciphers, compiled as the engine's name says.
const CIPHERS: &[(&str, &str)] = &[
    ("ctr.c", include_str!("../../../ladder-c/ctr.c")),
    ("enocoro.c", include_str!("../../../ladder-c/enocoro.c")),
    ("grain.c", include_str!("../../../ladder-c/grain.c")),
    ("hc128.c", include_str!("../../../ladder-c/hc128.c")),
    ("idea.c", include_str!("../../../ladder-c/idea.c")),
    ("idea_rung.inc", include_str!("../../../ladder-c/idea_rung.inc")),
    ("mickey.c", include_str!("../../../ladder-c/mickey.c")),
    ("older.h", include_str!("../../../ladder-c/older.h")),
    ("older_begin.inc", include_str!("../../../ladder-c/older_begin.inc")),
    ("older_end.inc", include_str!("../../../ladder-c/older_end.inc")),
    ("rabbit.c", include_str!("../../../ladder-c/rabbit.c")),
    ("rc2.c", include_str!("../../../ladder-c/rc2.c")),
    ("rc2_rung.inc", include_str!("../../../ladder-c/rc2_rung.inc")),
    ("rc4.c", include_str!("../../../ladder-c/rc4.c")),
    ("rc4_rung.inc", include_str!("../../../ladder-c/rc4_rung.inc")),
    ("rc5.c", include_str!("../../../ladder-c/rc5.c")),
    ("rc5_rung.inc", include_str!("../../../ladder-c/rc5_rung.inc")),
    ("salsa20.c", include_str!("../../../ladder-c/salsa20.c")),
    ("sm4.h", include_str!("../../../ladder-c/sm4.h")),
    ("sm4_bit_slice.c", include_str!("../../../ladder-c/sm4_bit_slice.c")),
    ("sm4_bit_slice.inc", include_str!("../../../ladder-c/sm4_bit_slice.inc")),
    ("sm4_block.c", include_str!("../../../ladder-c/sm4_block.c")),
    ("sm4_circuit.inc", include_str!("../../../ladder-c/sm4_circuit.inc")),
    ("sm4_gather.c", include_str!("../../../ladder-c/sm4_gather.c")),
    ("sm4_key.c", include_str!("../../../ladder-c/sm4_key.c")),
    ("sm4_rung.inc", include_str!("../../../ladder-c/sm4_rung.inc")),
    ("sm4_tables.c", include_str!("../../../ladder-c/sm4_tables.c")),
    ("sosemanuk.c", include_str!("../../../ladder-c/sosemanuk.c")),
    ("stream.h", include_str!("../../../ladder-c/stream.h")),
    ("trivium.c", include_str!("../../../ladder-c/trivium.c")),
    ("zuc.c", include_str!("../../../ladder-c/zuc.c")),
    ("zuc.h", include_str!("../../../ladder-c/zuc.h")),
    ("zuc_mac.c", include_str!("../../../ladder-c/zuc_mac.c")),
    ("zuc_mac_rung.inc", include_str!("../../../ladder-c/zuc_mac_rung.inc")),
];

/// What is compiled for gprof, beside the engine that is not optimised.
const PROFILED: &[(&str, &str)] =
    &[("sm4_profile.c", include_str!("../../../ladder-c/sm4_profile.c"))];

/// The program that gprof is asked about.
const PROFILE: &str = "sm4-profile";

/// The library that the engines open.
const LIBRARY: &str = "libladder-c.so";

/// The program that the engine of such a machine starts.
const PROGRAM: &str = "ladder-c-once";

/// How programs are linked.
const STATIC: &str = "-static";

/// This file: how the others are compiled.
const RECIPE: &[(&str, &str)] = &[("ladder_c.rs", include_str!("ladder_c.rs"))];

/// How one of the engines is compiled.
struct Compilation {
    engine: &'static str,
    compiler: &'static [Tool],
    makes: &'static [&'static str],
    optimisation: &'static str,
}

const GCC: &[Tool] = &[Tool::GCC];
const CLANG: &[Tool] = &[Tool::CLANG];
/// Compilers for this machine as one of 32 bits, with seven registers for variables.
const GCC_M32: &[Tool] = &[Tool::GCC_M32];
const CLANG_M32: &[Tool] = &[Tool::CLANG, Tool::CLANG_M32];
/// A compiler for a machine of the other byte order, and what runs that machine's programs.
const BIG_ENDIAN: &[Tool] = &[Tool::GCC_S390X, Tool::QEMU_S390X];

const COMPILATIONS: [Compilation; 10] = [
    opened("ladder-c-O0", GCC, "-O0"),
    opened("ladder-c-O1", GCC, "-O1"),
    opened("ladder-c-O2", GCC, "-O2"),
    opened("ladder-c-O3", GCC, "-O3"),
    opened("ladder-c-clang-O0", CLANG, "-O0"),
    opened("ladder-c-clang-O1", CLANG, "-O1"),
    opened("ladder-c-clang-O2", CLANG, "-O2"),
    started("ladder-c-m32-O2", GCC_M32),
    started("ladder-c-clang-m32-O2", CLANG_M32),
    started("ladder-c-s390x", BIG_ENDIAN),
];

/// An engine of this machine: a library.
const fn opened(
    engine: &'static str,
    compiler: &'static [Tool],
    optimisation: &'static str,
) -> Compilation {
    Compilation { engine, compiler, makes: &[LIBRARY, same_code::FILE], optimisation }
}

/// An engine of another machine, or of this one as one of 32 bits: a program, as no process here
/// could open its library.
const fn started(engine: &'static str, compiler: &'static [Tool]) -> Compilation {
    Compilation { engine, compiler, makes: &[PROGRAM, same_code::FILE], optimisation: "-O2" }
}

pub(super) static RECIPES: [Recipe; 10] = [
    recipe(&COMPILATIONS[0]),
    recipe(&COMPILATIONS[1]),
    recipe(&COMPILATIONS[2]),
    recipe(&COMPILATIONS[3]),
    recipe(&COMPILATIONS[4]),
    recipe(&COMPILATIONS[5]),
    recipe(&COMPILATIONS[6]),
    recipe(&COMPILATIONS[7]),
    recipe(&COMPILATIONS[8]),
    recipe(&COMPILATIONS[9]),
];

const fn recipe(compilation: &Compilation) -> Recipe {
    Recipe {
        engine: compilation.engine,
        version: VERSION,
        source: "lab/engines/ladder-c of this project",
        takes: "a few seconds",
        needs: compilation.compiler,
        libraries: compilation.makes,
        make,
    }
}

/// A version that changes with the files: an engine built from others is not taken for it.
const VERSION: &str = {
    const TEXT: [u8; 18] =
        version(fnv(fnv(fnv(fnv(fnv(START, RECIPE), FRAME), EMULATED), CIPHERS), PROFILED));
    match str::from_utf8(&TEXT) {
        Ok(text) => text,
        Err(_) => panic!("hexadecimal digits are text"),
    }
};

/// Where the hash begins.
pub(super) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of Fowler, Noll and Vo over names and texts, 64 bits.
pub(super) const fn fnv(mut hash: u64, files: &[(&str, &str)]) -> u64 {
    let mut file = 0;
    while file < files.len() {
        let parts = [files[file].0.as_bytes(), files[file].1.as_bytes()];
        let mut part = 0;
        while part < 2 {
            let mut i = 0;
            while i < parts[part].len() {
                hash = (hash ^ parts[part][i] as u64).wrapping_mul(0x0100_0000_01b3);
                i += 1;
            }
            part += 1;
        }
        file += 1;
    }
    hash
}

/// `1-` and the hash in hexadecimal.
pub(super) const fn version(hash: u64) -> [u8; 18] {
    let mut text = [b'-'; 18];
    text[0] = b'1';
    let mut i = 0;
    while i < 16 {
        text[2 + i] = b"0123456789abcdef"[(hash >> (60 - 4 * i)) as usize & 15];
        i += 1;
    }
    text
}

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let Some(how) = COMPILATIONS.iter().find(|it| it.engine == shop.engine()) else {
        unreachable!("a recipe is made for each compilation")
    };
    let compiler = how.compiler[0].program;
    // What makes it a compiler of another machine, where its name does not.
    let machine: Vec<&str> = how.compiler.iter().flat_map(|tool| tool.flags).copied().collect();
    let machine: Vec<&str> = machine.into_iter().filter(|flag| *flag != STATIC).collect();
    let flags: Vec<&str> = machine.iter().copied().chain([how.optimisation]).collect();
    let flags = flags.join(" ");
    let sources = shop.work().join("ladder-c");
    fs::create_dir(&sources).map_err(RecipeError::io("make the folder", &sources))?;
    for (name, text) in [FRAME, EMULATED, CIPHERS, PROFILED].into_iter().flatten() {
        let path = sources.join(name);
        fs::write(&path, text).map_err(RecipeError::io("write", &path))?;
    }
    let program = how.makes[0] == PROGRAM;
    let around = if program { EMULATED } else { &[] };
    let frame: Vec<&str> = FRAME.iter().chain(around).map(|(name, _)| *name).collect();
    let ciphers: Vec<&str> = CIPHERS.iter().map(|(name, _)| *name).collect();
    let steps = [("the table", &frame, "-O2"), ("the rungs", &ciphers, how.optimisation)];
    for (what, files, optimisation) in steps {
        let mut compile = Command::new(compiler);
        compile.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", optimisation, "-c"]);
        compile.args(&machine);
        // A function for each rung, even if two are the same, and each in a section of its own,
        // so that they can be compared.
        compile.args(["-ffunction-sections", "-fno-lto"]);
        if compiler != Tool::CLANG.program {
            compile.arg("-fno-ipa-icf");
        }
        if !program {
            // With what a library shows hidden, its code is that of a program.
            compile.args(["-fPIC", "-fvisibility=hidden"]);
        }
        for (name, value) in
            [("VERSION", VERSION), ("COMPILER", compiler), ("FLAGS", flags.as_str())]
        {
            compile.arg(format!("-DLADDER_{name}=\"{value}\""));
        }
        compile.args(files.iter().filter(|name| name.ends_with(".c"))).current_dir(&sources);
        shop.run(&format!("compiling {what} with {compiler} {optimisation}"), &mut compile)?;
    }
    let made = how.makes[0];
    let mut link = Command::new(compiler);
    // The emulator finds no libraries of its machine here.
    link.arg(if program { STATIC } else { "-shared" }).args(&machine);
    link.args(["-o", made]).current_dir(&sources).args(objects(&frame)).args(objects(&ciphers));
    shop.run("linking them", &mut link)?;
    shop.keep(&sources.join(made), made)?;
    shop.step("comparing the rungs' machine code");
    let rungs: Vec<PathBuf> = objects(&ciphers).map(|name| sources.join(name)).collect();
    let same = sources.join(same_code::FILE);
    same_code::compare(&rungs, &same)?;
    shop.keep(&same, same_code::FILE)?;
    if how.engine == "ladder-c-O0" { profile(shop, compiler, &sources) } else { Ok(()) }
}

/// Compiles the program for gprof. Where the compiler can't, the engine is there without it.
fn profile(shop: &mut Workshop<'_>, compiler: &str, sources: &Path) -> Result<(), RecipeError> {
    let mut compile = Command::new(compiler);
    // gprof finds no symbols in a program that may lie anywhere.
    compile.args(["-std=c11", "-D_GNU_SOURCE", "-O0", "-pg", "-no-pie", "-o", PROFILE]);
    compile.args(["sm4_profile.c", "sm4_key.c", "sm4_tables.c"]).current_dir(sources);
    match shop.run("compiling the program for gprof", &mut compile) {
        Ok(()) => shop.keep(&sources.join(PROFILE), PROFILE),
        Err(_) => Ok(()),
    }
}

/// The names of the objects that are compiled from files.
fn objects(files: &[&str]) -> impl Iterator<Item = String> {
    files.iter().filter_map(|name| Some(format!("{}.o", name.strip_suffix(".c")?)))
}
