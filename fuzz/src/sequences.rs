//! Our provider and OpenSSL's own ones in one libcrypto: calls in any order on ciphers and MACs that both have,
//! which must answer the same, but for what `allowed.txt` lists. What is called and what is compared is in the
//! tests of the provider, `bindings/openssl/tests/sequences`; here the fuzzer's bytes say which calls.
//!
//! Our provider is a part of this program, so that it is watched like all else; libcrypto is the system's.
//!
//! # Why it is sound
//! libcrypto and our provider are called by the types of OpenSSL's headers, as the tests argue. One thread calls.
#![expect(unsafe_code, reason = "libcrypto has an interface of C; argued above")]
#![expect(dead_code, reason = "the tests' own")]

use std::env;
use std::sync::Once;

#[path = "../../bindings/openssl/tests/sequences/allowed.rs"]
mod allowed;
#[path = "../../bindings/openssl/tests/sequences/calls.rs"]
mod calls;
#[path = "../../bindings/openssl/tests/sequences/ciphers.rs"]
mod ciphers;
#[path = "../../bindings/openssl/tests/sequences/draw.rs"]
mod draw;
#[path = "../../bindings/openssl/tests/sequences/evp.rs"]
mod evp;
#[path = "../../bindings/openssl/tests/sequences/mac_calls.rs"]
mod mac_calls;
#[path = "../../bindings/openssl/tests/sequences/macs.rs"]
mod macs;
#[path = "../../bindings/openssl/tests/sequences/pair.rs"]
mod pair;
#[path = "../../bindings/openssl/tests/sequences/seek.rs"]
mod seek;
#[path = "../../bindings/openssl/tests/sequences/state.rs"]
mod state;

use allowed::{Rule, rules};
use ciphers::OfCipher;
use draw::Draw;
use evp::World;
use macs::OfMac;
use seek::Subject;

/// What sequences are made on.
struct Subjects {
    world: &'static World,
    ciphers: Vec<OfCipher<'static>>,
    macs: Vec<OfMac<'static>>,
    rules: Vec<Rule>,
}

thread_local! {
    // Library contexts are made once, and never given back.
    static SUBJECTS: Option<&'static Subjects> = subjects();
}

/// None where there is no libcrypto.
fn subjects() -> Option<&'static Subjects> {
    let name = env::var_os("CIPHERLANE_LIBCRYPTO").unwrap_or("libcrypto.so.3".into());
    // SAFETY: a libcrypto, which is never closed.
    let library = unsafe { libloading::Library::new(&name) }.ok()?;
    let world = World::new(library, &env::temp_dir(), "", |evp, context| {
        let init = openssl::OSSL_provider_init as *const ();
        // SAFETY: the name ends with a zero; the function is a provider's.
        let added = unsafe {
            let init = init.cast_mut().cast();
            (evp.OSSL_PROVIDER_add_builtin)(context, c"cipherlane".as_ptr(), init)
        };
        assert_eq!(added, 1, "the provider can't be added");
    });
    let world: &World = Box::leak(Box::new(world));
    let ciphers: Vec<_> =
        world.ciphers().into_iter().map(|cipher| OfCipher { world, cipher }).collect();
    let macs = macs::all(world);
    assert!(ciphers.len() > 25 && macs.len() > 6, "{} ciphers, {} MACs", ciphers.len(), macs.len());
    let rules = rules(include_str!("../../bindings/openssl/tests/sequences/allowed.txt"));
    Some(Box::leak(Box::new(Subjects { world, ciphers, macs, rules })))
}

/// What no rule allows of a sequence, in words.
fn difference(
    subject: &impl Subject,
    draw: &mut Draw<'_>,
    rules: &[Rule],
    openssl: &str,
) -> Option<String> {
    let calls = subject.draw(draw);
    let found = subject.run(&calls, false).difference?;
    let name = subject.name();
    let allowed = |rule: &Rule| rule.allows(openssl, name, found.call, found.kind, &found.facts);
    if rules.iter().any(allowed) {
        return None;
    }
    let lines = subject.run(&calls, true).lines.join("\n    ");
    let (facts, kind) = (found.facts.join(" "), found.kind.name());
    Some(format!(
        "{name}, OpenSSL {openssl}, facts: {facts}\n    {lines}\n{kind} at {}",
        found.call
    ))
}

/// One byte is for the cipher or MAC, the others are for calls.
fn found(all: &Subjects, data: &[u8], rules: &[Rule]) -> Option<String> {
    let mut draw = Draw { state: 1, given: data };
    let (openssl, at) = (&all.world.version, draw.below(all.ciphers.len() + all.macs.len()));
    match all.ciphers.get(at) {
        Some(cipher) => difference(cipher, &mut draw, rules, openssl),
        None => difference(&all.macs[at - all.ciphers.len()], &mut draw, rules, openssl),
    }
}

/// A sequence of calls, as these bytes say.
pub fn sequences(data: &[u8]) {
    let Some(all) = SUBJECTS.with(|all| *all) else {
        static SAID: Once = Once::new();
        SAID.call_once(|| {
            eprintln!("SKIP: OpenSSL's own providers (no libcrypto.so.3: apt-get install libssl3)");
        });
        return;
    };
    if let Some(found) = found(all, data, &all.rules) {
        panic!("{found}");
    }
}

#[cfg(test)]
mod tests {
    use super::{SUBJECTS, found};

    /// Without the list of what is allowed, differences are seen: of ciphers, of MACs, in verdicts and in bytes.
    #[test]
    fn differences_are_seen() {
        let Some(all) = SUBJECTS.with(|all| *all) else { return };
        let mut random = model::random::SplitMix64::new(1);
        let seen: Vec<String> =
            (0..20_000).filter_map(|i| found(all, &random.bytes(i % 150), &[])).collect();
        for kind in ["refuses at", "takes at", "bytes at"] {
            assert!(seen.iter().any(|it| it.contains(kind)), "{kind}: none of {}", seen.len());
        }
        let what = seen.iter().map(|it| it.split(',').next().unwrap_or_default());
        let what: std::collections::BTreeSet<_> = what.collect();
        assert!(what.len() > 10, "{what:?}");
    }
}
