//! The entries of the catalogue: one for each built-in engine.

use std::path::Path;

use lab::LabError;
use lab::work::Engine;

use super::{Opened, Server};
use crate::botan::{self, Botan};
use crate::bouncycastle;
use crate::c::{self, FromC};
use crate::cipherlane::Cipherlane;
use crate::gmsm;
use crate::i686;
use crate::ipp::{self, Ipp};
use crate::ipsec_mb::{self, IpsecMb};
use crate::java;
use crate::ladder_c::{self, Emulated, Ladder};
use crate::ladder_java;
use crate::libgcrypt::{self, LibGcrypt};
use crate::libtomcrypt::{self, LibTomCrypt};
use crate::memory::{self, Memory};
use crate::openssl::{self, OpenSsl};
use crate::python;
use crate::rustcrypto::RustCrypto;
use crate::shim::{self, Shim};

/// One engine of the catalogue.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) open: fn(Option<&Path>) -> Opened,
    pub(super) how_to_get: &'static str,
    pub(super) remark: &'static str,
    pub(super) usual: bool,
}

/// The built-in engines, in the order of the tables.
pub(super) static ENTRIES: &[Entry] = &[
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
        name: openssl::TONGSUO.engine,
        title: "Tongsuo",
        open: |lib| OpenSsl::open(openssl::TONGSUO, lib).map(boxed),
        how_to_get: openssl::TONGSUO.how_to_get,
        remark: "libcrypto of Tongsuo, formerly BabaSSL, built here, through EVP",
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
        remark: "Intel's Multi-Buffer Crypto for IPsec as Debian builds it, through a C interface of \
                 this project: ZUC, and most modes of SM4 and AES",
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
        name: shim::CRYPTOPP.peer.engine,
        title: shim::CRYPTOPP.title,
        open: |lib| Shim::open(shim::CRYPTOPP, lib).map(boxed),
        how_to_get: shim::CRYPTOPP.peer.how_to_get,
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
        name: shim::NETTLE.peer.engine,
        title: shim::NETTLE.title,
        open: |lib| Shim::open(shim::NETTLE, lib).map(boxed),
        how_to_get: shim::NETTLE.peer.how_to_get,
        remark: "the library of GnuTLS, built here for any CPU and choosing by this one's, through a C \
                 interface of this project",
        usual: true,
    },
    Entry {
        name: shim::GMSSL.peer.engine,
        title: shim::GMSSL.title,
        open: |lib| Shim::open(shim::GMSSL, lib).map(boxed),
        how_to_get: shim::GMSSL.peer.how_to_get,
        remark: "its SM4, built here with its AES-NI and AVX, through a C interface of this project; \
                 the newest version that a registry has",
        usual: true,
    },
    Entry {
        name: shim::WOLFSSL.peer.engine,
        title: shim::WOLFSSL.title,
        open: |lib| Shim::open(shim::WOLFSSL, lib).map(boxed),
        how_to_get: shim::WOLFSSL.peer.how_to_get,
        remark: "its AES, built here with its assembly, through a C interface of this project; its SM4 \
                 is not in the sources that a registry has",
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
        remark: "modes through a C interface of this project, which copies nothing; the rest through \
                 its own",
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
        |lib| Ladder::open(&ladder_c::PEERS[0], lib).map(boxed),
        ladder_c::PEERS[0].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[1].engine,
        "Ladder in C, gcc -O1",
        |lib| Ladder::open(&ladder_c::PEERS[1], lib).map(boxed),
        ladder_c::PEERS[1].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[2].engine,
        "Ladder in C, gcc -O2",
        |lib| Ladder::open(&ladder_c::PEERS[2], lib).map(boxed),
        ladder_c::PEERS[2].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[3].engine,
        "Ladder in C, gcc -O3",
        |lib| Ladder::open(&ladder_c::PEERS[3], lib).map(boxed),
        ladder_c::PEERS[3].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[4].engine,
        "Ladder in C, clang -O0",
        |lib| Ladder::open(&ladder_c::PEERS[4], lib).map(boxed),
        ladder_c::PEERS[4].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[5].engine,
        "Ladder in C, clang -O1",
        |lib| Ladder::open(&ladder_c::PEERS[5], lib).map(boxed),
        ladder_c::PEERS[5].how_to_get,
    ),
    ladder(
        ladder_c::PEERS[6].engine,
        "Ladder in C, clang -O2",
        |lib| Ladder::open(&ladder_c::PEERS[6], lib).map(boxed),
        ladder_c::PEERS[6].how_to_get,
    ),
    ladder(
        ladder_c::M32[0].engine,
        "Ladder in C, gcc -m32 -O2",
        |lib| Emulated::open(ladder_c::M32[0], lib).map(boxed),
        ladder_c::M32[0].how_to_get,
    ),
    ladder(
        ladder_c::M32[1].engine,
        "Ladder in C, clang -m32 -O2",
        |lib| Emulated::open(ladder_c::M32[1], lib).map(boxed),
        ladder_c::M32[1].how_to_get,
    ),
    ladder(
        ladder_c::S390X.engine,
        "Ladder in C, big-endian, emulated",
        |lib| Emulated::open(ladder_c::S390X, lib).map(boxed),
        ladder_c::S390X.how_to_get,
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
