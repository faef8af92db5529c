//! Every chore of the repository, as `cargo xtask VERB`.
#![forbid(unsafe_code)]

mod api;
mod at_rest;
mod bindings;
mod bochs;
mod check;
mod columns;
mod consumer;
mod counts;
mod crosscheck;
mod debian;
mod dist;
mod docs;
mod emulated;
mod equivalence;
mod files;
mod fuzz;
mod here;
mod lint;
mod machines;
mod msrv;
mod mutants;
mod objects;
mod outcome;
mod pages;
mod prove;
mod recipe;
mod sanitize;
mod size;
mod stage;
mod supply;
mod tuned;
mod workspace;

use std::process::ExitCode;

use outcome::Outcome;

struct Verb {
    name: &'static str,
    options: &'static [&'static str],
    about: &'static str,
    run: fn(&[String]) -> Outcome,
}

const VERBS: &[Verb] = &[
    Verb {
        name: "check",
        options: &["--sources", "--symbols"],
        about: "the rules of ARCHITECTURE.md, in the sources and in the machine code",
        run: check::run,
    },
    Verb {
        name: "floors",
        options: &["--write"],
        about: "docs/floors.svg against the imports of the library, or anew",
        run: check::drawing::run,
    },
    Verb {
        name: "size",
        options: &["--library", "--built"],
        about: "text bytes and clean build times against their budgets",
        run: size::run,
    },
    Verb {
        name: "counts",
        options: &["--short", "--write"],
        about: "what kernels ask of an instruction set, against docs/notes/counts.tsv",
        run: counts::run,
    },
    Verb {
        name: "tuned",
        options: tuned::OPTIONS,
        about: "where a lower level or a peer is faster here, and what is below its floor",
        run: tuned::run,
    },
    Verb {
        name: "machines",
        options: &["--write"],
        about: "docs/MACHINES.md and README's table against docs/machines, or anew",
        run: machines::run,
    },
    Verb {
        name: "lint",
        options: &[],
        about: "formatting, clippy, rustdoc, builds without std",
        run: lint::run,
    },
    Verb {
        name: "api",
        options: &["--write"],
        about: "the public interface of the library against docs/api, or anew",
        run: api::run,
    },
    Verb {
        name: "msrv",
        options: msrv::OPTIONS,
        about: "the library by the oldest compiler that is promised; --long: all that users build",
        run: msrv::run,
    },
    Verb {
        name: "dist",
        options: dist::OPTIONS,
        about: "what users install, made into target/dist; --try: installed and run; --twice; --list",
        run: dist::run,
    },
    Verb {
        name: "supply",
        options: &["--write", "--install"],
        about: "licences, a reason for every crate, bills of materials, two equal builds",
        run: supply::run,
    },
    Verb {
        name: "docs",
        options: &[],
        about: "builds the documentation and follows the links of the pages",
        run: docs::run,
    },
    Verb {
        name: "aarch64",
        options: &[],
        about: "the tests at the levels of AArch64, under QEMU",
        run: emulated::aarch64::run,
    },
    Verb {
        name: "sm4",
        options: &[],
        about: "the tests at level avx2-sm4, its instructions emulated",
        run: emulated::sm4::run,
    },
    Verb {
        name: "bochs",
        options: bochs::OPTIONS,
        about: "lanes and SM4's vectors on CPUs with SM4 instructions and AVX-512, in Bochs",
        run: bochs::run,
    },
    Verb {
        name: "wasm",
        options: &[],
        about: "the tests on WebAssembly with and without vectors, in Node.js",
        run: emulated::wasm::run,
    },
    Verb {
        name: "c",
        options: &[],
        about: "the library for C: built, installed, tested, its examples compiled and run",
        run: bindings::c::run,
    },
    Verb {
        name: "openssl",
        options: &["--seed=", "--calls="],
        about: "the provider: built, and tested in OpenSSL 3.0 and 4.0 and in Node.js",
        run: bindings::openssl::run,
    },
    Verb {
        name: "tls",
        options: bindings::tls::OPTIONS,
        about: "the provider under OpenSSL 4.0's TLS and DTLS; --time: the table of docs/TLS.md; not in CI",
        run: bindings::tls::run,
    },
    Verb {
        name: "python",
        options: &[],
        about: "the package for Python, installed and tested",
        run: bindings::python::run,
    },
    Verb {
        name: "java",
        options: &["--package", "--long"],
        about: "the provider for Java, packed and tested with -Xcheck:jni; --long: on more Javas",
        run: bindings::java::run,
    },
    Verb {
        name: "spark",
        options: &[],
        about: "the functions of Spark SQL in the jar, checked and timed; not in CI",
        run: bindings::spark::run,
    },
    Verb {
        name: "hadoop",
        options: &[],
        about: "encryption zones of a small HDFS with the provider for Java; not in CI",
        run: bindings::hadoop::run,
    },
    Verb {
        name: "flink",
        options: &[],
        about: "jobs of a small Flink with the functions of the jar, checked and timed; not in CI",
        run: bindings::flink::run,
    },
    Verb {
        name: "trino",
        options: &[],
        about: "queries of a small Trino with the jar as its plugin, checked and timed; not in CI",
        run: bindings::trino::run,
    },
    Verb {
        name: "columns",
        options: &["--long"],
        about: "the program for columns of tables, a workspace of its own, built and tested; not in CI",
        run: columns::run,
    },
    Verb {
        name: "web",
        options: bindings::web::OPTIONS,
        about: "the package for JavaScript and the page, built and tested in Node.js and a browser",
        run: bindings::web::run,
    },
    Verb {
        name: prove::in_bochs::VERB,
        options: prove::in_bochs::OPTIONS,
        about: "the traces at levels that this CPU lacks, in Bochs: of code without a verdict, or of --pairs=sm4@avx512,…",
        run: prove::in_bochs::run,
    },
    Verb {
        name: "prove-quick",
        options: &["--write", "--keep", "--only=", "--all"],
        about: "evidence in minutes: equal traces under different secrets, of code that no verdict is of or of all, guard pages",
        run: prove::quick,
    },
    Verb {
        name: "prove",
        options: &["--write", "--only="],
        about: "the same with more lengths, secrets and ways of calling, in hours",
        run: prove::full,
    },
    Verb {
        name: prove::machines::VERB,
        options: prove::machines::OPTIONS,
        about: "equal traces on AArch64, 32-bit x86 and RISC-V, emulated, and in WebAssembly; --only=aarch64",
        run: prove::machines::run,
    },
    Verb {
        name: "prove-seeds",
        options: prove::seeds::OPTIONS,
        about: "leaks in kernels of a copy: each is found and makes exactly its verdicts stale; --only=sm4",
        run: prove::seeds::run,
    },
    Verb {
        name: "prove-page",
        options: &["--kept"],
        about: "docs/PROOF.md anew, from the results of the last run of either; --kept: its tables of other runs",
        run: prove::page,
    },
    Verb {
        name: "evidence",
        options: prove::evidence::OPTIONS,
        about: "the commands of the table of docs/PROOF.md, one after the other: hours; --only=WORDS",
        run: prove::evidence::run,
    },
    Verb {
        name: "soak",
        options: prove::soak::OPTIONS,
        about: "all operations at all levels at random, for twenty minutes or --seconds=N; memory stays flat",
        run: prove::soak::run,
    },
    Verb {
        name: "times",
        options: prove::times::OPTIONS,
        about: "the t of a case in hundreds of processes: --case=sm4/ctr@avx2 --leaks=N --calls=N --processes=N",
        run: prove::times::run,
    },
    Verb {
        name: "threats",
        options: &["--write"],
        about: "docs/threats.svg against what it is drawn from, or anew",
        run: prove::threats::run,
    },
    Verb {
        name: "equivalence",
        options: equivalence::OPTIONS,
        about: "S-boxes, linear layers and products against the standards', all inputs of each; --all: all words",
        run: equivalence::run,
    },
    Verb {
        name: "fuzz",
        options: fuzz::OPTIONS,
        about: "every target of fuzz/ for a minute, an hour or as said, from its corpus on; --minimise",
        run: fuzz::run,
    },
    Verb {
        name: "mutants",
        options: mutants::OPTIONS,
        about: "changes to the sources, one at a time: whether the tests notice, a part of 40 of each scope",
        run: mutants::run,
    },
    Verb {
        name: "sanitize",
        options: &["--long", "--only="],
        about: "the tests of what is unsafe under Miri and the sanitizers; of threads too, if long",
        run: sanitize::run,
    },
    Verb {
        name: "consumer",
        options: &[],
        about: "a user's debug build must run within 2 times of the release speed",
        run: consumer::run,
    },
    Verb {
        name: "recipe",
        options: &["--short", "--only="],
        about: "the recipes of CONTRIBUTING.md on a copy: a cipher, a level, and what they touch",
        run: recipe::run,
    },
    Verb {
        name: "at-rest",
        options: at_rest::OPTIONS,
        about: "the recipes of docs/recipes for data at rest, each as its page stands, with what `dist` made",
        run: at_rest::run,
    },
    Verb {
        name: "files",
        options: files::OPTIONS,
        about: "encrypting a large file beside cat, openssl, age and gpg: seconds and memory",
        run: files::run,
    },
    Verb {
        name: "crosscheck",
        options: &[],
        about: "the laboratory's figures of libraries against their own benchmarks",
        run: crosscheck::run,
    },
    Verb {
        name: "pages",
        options: pages::OPTIONS,
        about: "the reports of studies in a browser, as on a desktop and a phone",
        run: pages::run,
    },
];

fn usage() -> String {
    let mut text = String::from("usage: cargo xtask VERB [OPTION…]\n\n");
    for verb in VERBS {
        let name = format!("{} {}", verb.name, verb.options.join(" | "));
        text += &format!("  {name:<30} {}\n", verb.about);
    }
    text + "\nexample: cargo xtask check --sources"
}

fn run() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, options)) = arguments.split_first() else { return Err(usage()) };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        println!("{}", usage());
        return Ok(());
    }
    let verb = VERBS
        .iter()
        .find(|verb| verb.name == name)
        .ok_or_else(|| format!("unknown verb `{name}`\n{}", usage()))?;
    if options.iter().any(|option| ["--help", "-h"].contains(&option.as_str())) {
        let options = verb.options.iter().map(|option| format!(" [{option}]"));
        println!("usage: cargo xtask {name}{}\n\n{}", options.collect::<String>(), verb.about);
        return Ok(());
    }
    // An option that ends with `=` has a value.
    let known = |option: &&String| {
        let takes = |known: &str| known.ends_with('=') && option.starts_with(known);
        verb.options.contains(&option.as_str()) || verb.options.iter().any(|known| takes(known))
    };
    if let Some(option) = options.iter().find(|option| !known(option)) {
        return Err(format!("unknown option `{option}` of `{name}`\n{}", usage()));
    }
    (verb.run)(options)
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
