//! The engines there are, whether each is present, and what brings it.

use std::path::Path;

use lab::LabError;
use lab::work::Engine;

use crate::botan::{self, Botan};
use crate::bouncycastle;
use crate::c::{self, FromC};
use crate::cipherlane::Cipherlane;
use crate::cryptopp::{self, CryptoPp};
use crate::gmsm;
use crate::i686;
use crate::ipp::{self, Ipp};
use crate::ipsec_mb::{self, IpsecMb};
use crate::java;
use crate::ladder_c;
use crate::ladder_java;
use crate::libgcrypt::{self, LibGcrypt};
use crate::libtomcrypt::{self, LibTomCrypt};
use crate::memory::{self, Memory};
use crate::openssl::{self, OpenSsl};
use crate::program::Program;
use crate::python;
use crate::rustcrypto::RustCrypto;

/// What is known of an engine.
#[derive(Clone, Debug)]
pub struct EngineInfo {
    /// Its name, e.g. `openssl`.
    pub name: String,
    /// Its name in prose.
    pub title: String,
    /// Whether it can be used now.
    pub present: bool,
    /// The version of the library; empty if absent.
    pub version: String,
    /// Where the library was loaded from; empty if absent.
    pub path: String,
    /// What it offers, as `ALGORITHM/OPERATION`.
    pub operations: Vec<String>,
    /// The command that brings it; empty if it is built in.
    pub how_to_get: String,
    /// Anything a reader must know.
    pub remark: String,
    /// Whether it takes part where no engine is named. The ladders don't: they show what an
    /// idea brings, not what a library does.
    pub usual: bool,
}

/// An engine that can serve.
pub(crate) enum Server {
    /// A library in this process.
    Linked(Box<dyn Engine>),
    /// A program of its own.
    Program(Program),
}

type Opened = Result<Server, LabError>;

/// One engine of the catalogue.
struct Entry {
    name: &'static str,
    title: &'static str,
    open: fn(Option<&Path>) -> Opened,
    how_to_get: &'static str,
    remark: &'static str,
    usual: bool,
}

/// The built-in engines, in the order of the tables.
static ENTRIES: &[Entry] = &[
    Entry {
        name: "cipherlane",
        title: "Cipherlane",
        open: |lib| no_library("cipherlane", lib).map(|()| boxed(Cipherlane)),
        how_to_get: "",
        remark: "the library of this program, at every level of this CPU",
        usual: true,
    },
    Entry {
        name: "rustcrypto",
        title: "RustCrypto",
        open: |lib| no_library("rustcrypto", lib).map(|()| boxed(RustCrypto)),
        how_to_get: "",
        remark: "its crates for SM4, AES and their modes, and the crate zuc, built with this \
                 program; sm4 reads tables by secret indices",
        usual: true,
    },
    Entry {
        name: openssl::SYSTEM.engine,
        title: "OpenSSL",
        open: |lib| OpenSsl::open(openssl::SYSTEM, lib).map(boxed),
        how_to_get: openssl::SYSTEM.how_to_get,
        remark: "the system's libcrypto, through EVP; its SM4 is not promised to be constant-time",
        usual: true,
    },
    Entry {
        name: openssl::BUILT.engine,
        title: "OpenSSL 4.0",
        open: |lib| OpenSsl::open(openssl::BUILT, lib).map(boxed),
        how_to_get: openssl::BUILT.how_to_get,
        remark: "libcrypto 4.0 built here, through EVP; its SM4 is not promised to be \
                 constant-time",
        usual: true,
    },
    Entry {
        name: openssl::PROVIDER.engine,
        title: "Cipherlane in OpenSSL",
        open: |lib| OpenSsl::open_provider(lib).map(boxed),
        how_to_get: openssl::PROVIDER.how_to_get,
        remark: "this project's provider in OpenSSL 4.0 if it was built, else in the system's",
        usual: false,
    },
    Entry {
        name: c::PEER.engine,
        title: "Cipherlane from C",
        open: |lib| FromC::open(lib).map(boxed),
        how_to_get: c::PEER.how_to_get,
        remark: "this project's library through its C interface",
        usual: false,
    },
    Entry {
        name: ipp::PEER.engine,
        title: "Intel CPL",
        open: |lib| Ipp::open(lib).map(boxed),
        how_to_get: ipp::PEER.how_to_get,
        remark: "Intel's Cryptography Primitives Library, formerly IPP Cryptography",
        usual: true,
    },
    Entry {
        name: ipsec_mb::PEER.engine,
        title: "Intel ipsec-mb",
        open: |lib| IpsecMb::open(lib).map(boxed),
        how_to_get: ipsec_mb::PEER.how_to_get,
        remark: "Intel's Multi-Buffer Crypto for IPsec as Debian 12 builds it, through a C \
                 interface of this project; ZUC only",
        usual: true,
    },
    Entry {
        name: gmsm::PEER.engine,
        title: "gmsm",
        open: |lib| gmsm::PEER.find(lib).map(Server::Program),
        how_to_get: gmsm::PEER.how_to_get,
        remark: "the Go module of emmansun, in a process of its own and on the wall clock",
        usual: true,
    },
    Entry {
        name: cryptopp::PEER.engine,
        title: "Crypto++",
        open: |lib| CryptoPp::open(lib).map(boxed),
        how_to_get: cryptopp::PEER.how_to_get,
        remark: "Crypto++ as Debian 12 builds it, through a C interface of this project",
        usual: true,
    },
    Entry {
        name: libgcrypt::PEER.engine,
        title: "libgcrypt",
        open: |lib| LibGcrypt::open(lib).map(boxed),
        how_to_get: libgcrypt::PEER.how_to_get,
        remark: "the library of GnuPG, through its C interface",
        usual: true,
    },
    Entry {
        name: libtomcrypt::PEER.engine,
        title: "LibTomCrypt",
        open: |lib| LibTomCrypt::open(lib).map(boxed),
        how_to_get: libtomcrypt::PEER.how_to_get,
        remark: "as Debian 12 builds it, for RC2, RC5 and RC4: that version has no other of the \
                 older stream ciphers",
        usual: true,
    },
    Entry {
        name: botan::PEER.engine,
        title: "Botan",
        open: |lib| Botan::open(lib).map(boxed),
        how_to_get: botan::PEER.how_to_get,
        remark: "through its C interface, which copies the data of a mode twice",
        usual: true,
    },
    Entry {
        name: bouncycastle::PEER.engine,
        title: "Bouncy Castle",
        open: |lib| bouncycastle::PEER.find(lib).map(Server::Program),
        how_to_get: bouncycastle::PEER.how_to_get,
        remark: "its lightweight interface for Java, in a process of its own and on the wall clock",
        usual: true,
    },
    Entry {
        name: java::PEER.engine,
        title: "Cipherlane for Java",
        open: |lib| java::PEER.find(lib).map(Server::Program),
        how_to_get: java::PEER.how_to_get,
        remark: "this project's provider, through the JCA, in a process of its own and on the wall \
                 clock",
        usual: false,
    },
    Entry {
        name: python::OURS.engine,
        title: "Cipherlane for Python",
        open: |lib| python::OURS.find(lib).map(Server::Program),
        how_to_get: python::OURS.how_to_get,
        remark: "this project's package, in a process of its own and on the wall clock",
        usual: false,
    },
    Entry {
        name: python::THEIRS.engine,
        title: "cryptography",
        open: |lib| python::THEIRS.find(lib).map(Server::Program),
        how_to_get: python::THEIRS.how_to_get,
        remark: "pyca's package for Python with its own OpenSSL, in a process of its own and on the \
                 wall clock",
        usual: false,
    },
    Entry {
        name: memory::NAME,
        title: "Memory",
        open: |lib| no_library(memory::NAME, lib).map(|()| boxed(Memory)),
        how_to_get: "",
        remark: "a copy of the message: what any cipher costs at least",
        usual: false,
    },
    Entry {
        name: i686::PEER.engine,
        title: "Cipherlane, 32-bit build",
        open: |lib| i686::PEER.find(lib).map(Server::Program),
        how_to_get: i686::PEER.how_to_get,
        remark: "the library of this program compiled for i686, for the study on such a platform",
        usual: false,
    },
    ladder(
        ladder_c::PEERS[0].engine,
        "Ladder in C, gcc -O0",
        |lib| ladder_c::PEERS[0].find(lib).map(Server::Program),
        ladder_c::PEERS[0].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[1].engine,
        "Ladder in C, gcc -O1",
        |lib| ladder_c::PEERS[1].find(lib).map(Server::Program),
        ladder_c::PEERS[1].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[2].engine,
        "Ladder in C, gcc -O2",
        |lib| ladder_c::PEERS[2].find(lib).map(Server::Program),
        ladder_c::PEERS[2].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[3].engine,
        "Ladder in C, gcc -O3",
        |lib| ladder_c::PEERS[3].find(lib).map(Server::Program),
        ladder_c::PEERS[3].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[4].engine,
        "Ladder in C, clang -O2",
        |lib| ladder_c::PEERS[4].find(lib).map(Server::Program),
        ladder_c::PEERS[4].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[5].engine,
        "Ladder in C, big-endian, emulated",
        |lib| ladder_c::PEERS[5].find(lib).map(Server::Program),
        ladder_c::PEERS[5].how_to_get,
    ),
    ladder(
        ladder_java::COMPILED.engine,
        "Ladder in Java",
        |lib| ladder_java::COMPILED.find(lib).map(Server::Program),
        ladder_java::COMPILED.how_to_get,
    ),
    ladder(
        ladder_java::INTERPRETED.engine,
        "Ladder in Java, interpreter",
        |lib| ladder_java::INTERPRETED.find(lib).map(Server::Program),
        ladder_java::INTERPRETED.how_to_get,
    ),
];

/// An entry of the ladder, which is asked for by name only.
const fn ladder(
    name: &'static str,
    title: &'static str,
    open: fn(Option<&Path>) -> Opened,
    how_to_get: &'static str,
) -> Entry {
    let remark = "ways of writing a cipher, one beside the other, for the studies; each is a level";
    Entry { name, title, open, how_to_get, remark, usual: false }
}

fn boxed(engine: impl Engine + 'static) -> Server {
    Server::Linked(Box::new(engine))
}

/// Refuses `--lib` for an engine that is built in.
fn no_library(engine: &'static str, lib: Option<&Path>) -> Result<(), LabError> {
    match lib {
        None => Ok(()),
        Some(path) => Err(LabError::Value {
            field: "lib",
            value: path.display().to_string(),
            allowed: format!("nothing: the engine `{engine}` is built in"),
        }),
    }
}

/// Opens an engine.
pub(crate) fn open(name: &str, lib: Option<&Path>) -> Opened {
    match ENTRIES.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.open)(lib),
        None => Err(LabError::EngineMissing {
            engine: name.to_owned(),
            how_to_get: format!(
                "`cipherlane engines` lists all, e.g. {}",
                usual().collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}

/// The names of all engines, present or not, in the order of the tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// Those of them that take part where none is named.
pub fn usual() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter(|entry| entry.usual).map(|entry| entry.name)
}

/// What brings the engine of that name: empty if it is built in, `None` if there is none.
#[must_use]
pub fn how_to_get(name: &str) -> Option<&'static str> {
    ENTRIES.iter().find(|entry| entry.name == name).map(|entry| entry.how_to_get)
}

/// All engines, present or not. `program` is the program that serves them, for the path
/// of those that are built into it.
#[must_use]
pub fn catalogue(program: &Path) -> Vec<EngineInfo> {
    ENTRIES.iter().map(|entry| info(entry, program)).collect()
}

fn info(entry: &Entry, program: &Path) -> EngineInfo {
    let mut info = EngineInfo {
        name: entry.name.to_owned(),
        title: entry.title.to_owned(),
        present: false,
        version: String::new(),
        path: String::new(),
        operations: Vec::new(),
        how_to_get: entry.how_to_get.to_owned(),
        remark: entry.remark.to_owned(),
        usual: entry.usual,
    };
    let described = (entry.open)(None).and_then(|server| match server {
        Server::Linked(engine) => Ok(engine.describe()),
        Server::Program(program) => program.describe(),
    });
    match described {
        Ok(description) => {
            let built_in = entry.how_to_get.is_empty();
            let name =
                |offer: &lab::reply::Offer| format!("{}/{}", offer.algorithm, offer.operation);
            info.present = true;
            info.version = description.version;
            info.path = if built_in { program.display().to_string() } else { description.path };
            info.operations = description.offers.iter().map(name).collect();
        }
        Err(error) => info.remark = format!("{}; {error}", info.remark),
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_engines_are_always_present() {
        let all = catalogue(Path::new("program"));
        for name in ["cipherlane", "rustcrypto"] {
            let info = all.iter().find(|info| info.name == name).expect(name);
            assert!(info.present && info.how_to_get.is_empty(), "{info:?}");
            assert!(info.operations.iter().any(|operation| operation == "sm4/ctr"), "{info:?}");
            assert_eq!(info.path, "program");
            assert!(info.version.contains('.'), "{info:?}");
        }
    }

    #[test]
    fn what_has_a_recipe_names_the_command() {
        for recipe in recipes::RECIPES {
            let how = how_to_get(recipe.engine).expect(recipe.engine);
            let command = format!("`cipherlane engines build {}`", recipe.engine);
            assert!(how.contains(&command), "{how}");
        }
        assert_eq!((how_to_get("cipherlane"), how_to_get("nonesuch")), (Some(""), None));
    }

    #[test]
    fn an_absent_engine_names_what_brings_it() {
        let error = open("openssl", Some(Path::new("/no/such/library.so"))).err().expect("absent");
        assert!(error.to_string().contains("/no/such/library.so"), "{error}");
        assert!(error.to_string().contains("apt-get install"), "{error}");
        let error = open("openssl4", Some(Path::new("/no/such.so"))).err().expect("absent");
        assert!(error.to_string().contains("`cipherlane engines build openssl4`"), "{error}");
        let error = open("nonesuch", None).err().expect("unknown").to_string();
        assert!(error.contains("cipherlane, rustcrypto, openssl, openssl4"), "{error}");
        let error = open("rustcrypto", Some(Path::new("x.so"))).err().expect("built in");
        assert!(error.to_string().contains("built in"), "{error}");
    }
}
