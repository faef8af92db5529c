//! The rules of the machine code, read from symbols.
//!
//! Rust names every function that is left out of line. A kernel that is inlined
//! into its door as it should leaves no name behind, so each name that has a
//! level in it and is no door is a slip. `.cargo/config.toml` asks for the mangling
//! that keeps generic arguments in names; as machine code is made only in the
//! ciphers' folders, all of it is in the library's own archive. The program is
//! looked at as it is delivered.

mod expected;

use std::collections::BTreeSet;

use expected::Expected;

use super::{Finding, ROOMS, source::Source};
use crate::objects::{Function, functions_in};
use crate::outcome::Outcome;
use crate::{prove, size};

/// Levels that differ from the one below by instructions for some rooms: these alone have doors there,
/// and all others run what they have below.
const FOR_SOME: &[(&str, &[&str])] = &[
    (
        "lanes::x86::avx2_vaes",
        &[
            "ciphers::aes",
            "ciphers::sm4",
            "ciphers::snow3g",
            "ciphers::snow_v",
            "ciphers::zuc",
            "ghash",
        ],
    ),
    ("lanes::x86::avx2_sm4", &["ciphers::sm4"]),
];

/// Levels that differ from another by nothing that ciphers of numbers and bits use: none of these has
/// doors there.
const NOT_PLAIN: &[&str] = &["lanes::x86::avx2_gfni"];

/// Whether the name is an intrinsic of the standard library. The questions to
/// the CPU, asked once, are not meant.
fn is_intrinsic(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    name.contains("core_arch::")
        && !["__cpuid", "_xgetbv"].iter().any(|asked| last.contains(asked))
        && !last.starts_with("fmt")
}

/// Whether an intrinsic in the program is for others to judge: their functions over registers, and
/// instructions that every CPU of the architecture has, out of line where they aren't optimised.
/// Ours are all in the library, where none may be out of line.
fn is_of_others(name: &str) -> bool {
    let plain = name.starts_with("core::core_arch::");
    !plain || ["::x86::sse::", "::x86::sse2::"].iter().any(|base| name.contains(base))
}

/// Whether a door may call it: memory, what ends the program, and what of ours
/// is out of line on purpose.
fn may_be_called(name: &str, expected: &Expected) -> bool {
    let path = name.trim_start_matches(['<', '&']);
    let ours = ["cipherlane::", "lanes::"].iter().any(|start| path.starts_with(start));
    !ours || name.rsplit("::").next().is_some_and(|last| expected.aside.contains(last))
}

/// The rule that a name breaks, and how.
fn breach(name: &str, expected: &Expected) -> Option<(&'static str, &'static str)> {
    if is_intrinsic(name) {
        Some(("symbol-intrinsic", "an intrinsic out of line"))
    } else if expected.is_kernel(name) {
        Some(("symbol-kernel", "a function generic over a level out of line"))
    } else {
        None
    }
}

/// Which functions can run. An archive also holds copies that everybody has
/// inlined and the linker will drop.
fn alive(functions: &[Function], expected: &Expected) -> Vec<bool> {
    let mut alive = vec![false; functions.len()];
    let roots = functions
        .iter()
        .enumerate()
        .filter(|(_, function)| function.by_data > 0 || breach(&function.name, expected).is_none());
    let mut next: Vec<usize> = roots.map(|(i, _)| i).collect();
    while let Some(i) = next.pop() {
        if !std::mem::replace(&mut alive[i], true) {
            next.extend(&functions[i].refers);
        }
    }
    alive
}

fn judge(file: &str, functions: &[Function], alive: &[bool], expected: &Expected) -> Vec<Finding> {
    let mut findings = BTreeSet::new();
    for (function, _) in functions.iter().zip(alive).filter(|(_, alive)| **alive) {
        let mut add = |rule, what: String| {
            findings.insert(Finding { place: format!("{file}: {}", function.name), rule, what });
        };
        if let Some((rule, what)) = breach(&function.name, expected) {
            add(rule, what.into());
        }
        // At the portable level there are no features to lose.
        if expected.door(&function.name).is_some_and(|(level, _)| is_of_this_machine(level)) {
            let calls = function.refers.iter().map(|&to| functions[to].name.as_str());
            for call in
                calls.filter(|name| !may_be_called(name, expected) && *name != function.name)
            {
                add("symbol-call", format!("inside the door, a call of `{call}`"));
            }
        }
    }
    findings.into_iter().collect()
}

/// Doors that the sources promise and the machine code lacks, and those that others than were meant
/// have at a level.
fn missing_doors(file: &str, functions: &[Function], expected: &Expected) -> Vec<Finding> {
    let doors: Vec<_> = functions.iter().filter_map(|f| expected.door(&f.name)).collect();
    let mut findings = Vec::new();
    let with_door = |level: &&String| {
        is_of_this_machine(level) && !expected.without_door.contains(level.as_str())
    };
    for level in expected.levels.iter().filter(with_door) {
        let only = FOR_SOME.iter().find(|(of, _)| of == level).map(|(_, rooms)| *rooms);
        let mut add = |what: String| {
            findings.push(Finding { place: format!("{file}: {level}"), rule: "symbol-door", what });
        };
        let of_level = || doors.iter().filter(|(of, _)| of == level);
        let not_plain = NOT_PLAIN.contains(&level.as_str());
        let meant = |room: &&String| only.is_none_or(|only| only.contains(&room.as_str()));
        for room in expected.rooms.iter().filter(meant) {
            let inside = format!("cipherlane::{room}::");
            let has = of_level().any(|(_, closure)| closure.contains(&inside));
            match not_plain && expected.plain.contains(room) {
                false if !has => add(format!("`{room}` has no door at this level")),
                true if has => add(format!("`{room}` has a door, for all its `dispatch_plain!`")),
                _ => {}
            }
        }
        if let Some(only) = only {
            let inside = |closure: &str| {
                only.iter().any(|room| closure.contains(&format!("cipherlane::{room}::")))
            };
            for (_, closure) in of_level().filter(|(_, closure)| !inside(closure)) {
                add(format!("a door that is not of `{}`: `{closure}`", only.join("`, `")));
            }
        }
    }
    findings
}

/// The portable level needs no door, another architecture's levels are not built.
fn is_of_this_machine(level: &str) -> bool {
    let architecture = match std::env::consts::ARCH {
        "x86" | "x86_64" => "::x86::",
        "aarch64" => "::aarch64::",
        "wasm32" => "::wasm32::",
        _ => return false,
    };
    format!("{level}::").contains(architecture)
}

fn report(findings: &[Finding], file: &str, functions: usize) -> usize {
    println!("   {file}: {functions} functions, {} breaches", findings.len());
    for finding in findings {
        println!("      {finding}");
    }
    findings.len()
}

pub(super) fn check() -> Outcome {
    let expected = Expected::read(&Source::read_all(ROOMS)?);
    if expected.levels.is_empty() || expected.rooms.is_empty() {
        return Err("no level or no cipher with `dispatch!` in the sources".into());
    }
    let folder = size::delivered()?;
    let library = functions_in(&folder.join("libcipherlane.rlib"))?;
    let mut findings = judge("libcipherlane", &library, &alive(&library, &expected), &expected);
    findings.extend(missing_doors("libcipherlane", &library, &expected));
    let mut count = report(&findings, "libcipherlane", library.len());

    let program = format!("cipherlane{}", std::env::consts::EXE_SUFFIX);
    let delivered = functions_in(&folder.join(&program))?;
    let judged = |it: &Function| !(is_intrinsic(&it.name) && is_of_others(&it.name));
    let judged: Vec<bool> = delivered.iter().map(judged).collect();
    let findings = judge(&program, &delivered, &judged, &expected);
    count += report(&findings, &program, delivered.len());
    count += prove::verdicts_of(&prove::build()?)?;
    if count == 0 { Ok(()) } else { Err(format!("{count} breaches in the machine code")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> Expected {
        let levels = ["lanes::x86::avx2", "lanes::x86::avx2_gfni", "lanes::portable"];
        let rooms = ["ciphers::sm4".to_string()].into();
        let aside = ["rare".to_string()].into();
        let levels = levels.map(String::from).to_vec();
        Expected { levels, without_door: BTreeSet::new(), rooms, plain: BTreeSet::new(), aside }
    }

    fn function(name: &str) -> Function {
        Function { name: name.into(), refers: BTreeSet::new(), by_data: 0, code: 0, data: 0 }
    }

    fn rules(name: &str) -> Vec<&'static str> {
        let found = judge("x", &[function(name)], &[true], &expected());
        found.iter().map(|finding| finding.rule).collect()
    }

    const DOOR: &str = "<lanes::x86::avx2::Avx2>::enter::door::<(), \
                        <cipherlane::ciphers::sm4::Sm4 as cipherlane::traits::block::BlockCipher>::ctr::{closure#1}>";

    #[test]
    fn doors_and_methods_of_tokens_pass() {
        for name in [
            DOOR,
            "lanes::x86::avx2::Avx2::enter::door",
            "<lanes::x86::avx2::Avx2 as core::fmt::Debug>::fmt",
            "<lanes::x86::avx2::Avx2>::detect",
            "lanes::x86::avx2::Avx2::detect",
            "core::core_arch::x86::cpuid::__cpuid_count",
            "<cipherlane::ciphers::sm4::Sm4>::new",
            "memcpy",
        ] {
            assert_eq!(rules(name), [""; 0], "{name}");
        }
    }

    #[test]
    fn what_is_out_of_line_is_found() {
        for (name, rule) in [
            ("core::core_arch::x86::avx2::_mm256_xor_si256", "symbol-intrinsic"),
            (
                "cipherlane::ciphers::sm4::rounds::sub_bytes::<lanes::x86::avx2::Avx2>",
                "symbol-kernel",
            ),
            (
                "cipherlane::ciphers::sm4::rounds::go::<lanes::x86::avx2::Avx2>::{closure#0}",
                "symbol-kernel",
            ),
            ("<lanes::x86::avx2::Avx2 as lanes::isa::registers::Registers>::xor", "symbol-kernel"),
            (
                "<lanes::portable::Portable as lanes::isa::registers::Registers>::shuffle8",
                "symbol-kernel",
            ),
            ("<[lanes::x86::avx2::V; 4]>::map::<lanes::x86::avx2::V, f>", "symbol-kernel"),
            ("<core::array::Drain<lanes::x86::avx2::V>>::next", "symbol-kernel"),
        ] {
            assert_eq!(rules(name), [rule], "{name}");
        }
    }

    #[test]
    fn what_others_leave_out_of_line_is_theirs() {
        for (name, others) in [
            ("core::core_arch::x86::avx2::_mm256_xor_si256", false),
            ("core::core_arch::x86::sse2::_mm_xor_si128", true),
            ("<[core::core_arch::x86::__m128i; 11]>::map::<aes::load, f>", true),
        ] {
            assert!(is_intrinsic(name));
            assert_eq!(is_of_others(name), others, "{name}");
        }
        // A kernel is ours wherever it is.
        assert_eq!(rules("<[lanes::x86::avx2::V; 4]>::map::<f>"), ["symbol-kernel"]);
    }

    #[test]
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn a_call_of_ours_inside_a_door_is_found() {
        let door = Function { refers: [1, 2, 3].into(), ..function(DOOR) };
        let helper = function("cipherlane::ciphers::sm4::rounds::helper");
        let all =
            [door, helper, function("memcpy"), function("cipherlane::ciphers::sm4::rounds::rare")];
        let found = judge("x", &all, &[true; 4], &expected());
        assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["symbol-call"]);
    }

    #[test]
    fn copies_that_nobody_calls_are_not_alive() {
        let kernel = "cipherlane::ciphers::sm4::rounds::run::<lanes::x86::avx2::Avx2>";
        let mut all = [function(DOOR), function(kernel), function("_mm_core_arch::_mm_x")];
        assert_eq!(alive(&all, &expected()), [true, false, false]);
        all[1].refers.insert(2);
        assert_eq!(alive(&all, &expected()), [true, false, false]);
        all[0].refers.insert(1);
        assert_eq!(alive(&all, &expected()), [true, true, true]);
    }

    #[test]
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn a_missing_door_is_found() {
        let found = missing_doors("x", &[function(DOOR)], &expected());
        assert_eq!(found.len(), 1);
        assert!(found[0].place.ends_with("lanes::x86::avx2_gfni"), "{}", found[0]);
    }

    #[test]
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn a_level_for_one_cipher_has_doors_of_that_one_and_of_no_other() {
        let level = "lanes::x86::avx2_sm4";
        let rooms = ["ciphers::sm4".to_string(), "ciphers::aes".to_string()].into();
        let expected = Expected { levels: vec![level.into()], rooms, ..expected() };
        let door = |room: &str| {
            let closure =
                format!("::enter::door::<(), cipherlane::ciphers::{room}::f::{{closure#0}}>");
            function(&format!("<lanes::x86::avx2_sm4::Avx2Sm4>{closure}"))
        };
        let whats = |functions: &[Function]| -> Vec<String> {
            missing_doors("x", functions, &expected).into_iter().map(|it| it.what).collect()
        };
        assert_eq!(whats(&[door("sm4")]), [""; 0]);
        assert_eq!(whats(&[]), ["`ciphers::sm4` has no door at this level"]);
        let both = whats(&[door("sm4"), door("aes")]);
        assert!(
            both.len() == 1 && both[0].starts_with("a door that is not of `ciphers::sm4`"),
            "{both:?}"
        );
        assert_eq!(whats(&[door("aes")]).len(), 2);
    }

    #[test]
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn a_level_for_some_rooms_has_doors_of_all_of_them() {
        let level = "lanes::x86::avx2_vaes";
        let rooms = ["ciphers::aes", "ghash", "ciphers::idea"].map(String::from).into();
        let expected = Expected { levels: vec![level.into()], rooms, ..expected() };
        let door = |room: &str| {
            let closure = format!("::enter::door::<(), cipherlane::{room}::f::{{closure#0}}>");
            function(&format!("<lanes::x86::avx2_vaes::Avx2Vaes>{closure}"))
        };
        let whats = |rooms: &[&str]| -> Vec<String> {
            let doors: Vec<Function> = rooms.iter().map(|room| door(room)).collect();
            missing_doors("x", &doors, &expected).into_iter().map(|it| it.what).collect()
        };
        assert_eq!(
            whats(&[
                "ciphers::aes",
                "ciphers::sm4",
                "ciphers::snow3g",
                "ciphers::snow_v",
                "ciphers::zuc",
                "ghash",
            ]),
            [""; 0]
        );
        assert_eq!(whats(&["ciphers::aes"]), ["`ghash` has no door at this level"]);
        let three = whats(&["ciphers::aes", "ghash", "ciphers::idea"]);
        assert!(three.len() == 1 && three[0].starts_with("a door that is not of"), "{three:?}");
    }

    #[test]
    fn a_plain_room_has_no_door_at_a_level_that_is_plainly_another() {
        let rooms = ["ciphers::sm4".to_string(), "ciphers::idea".to_string()];
        let plain = ["ciphers::idea".to_string()].into();
        let levels = ["lanes::x86::avx2", "lanes::x86::avx2_gfni"].map(String::from).to_vec();
        let expected = Expected { levels, rooms: rooms.into(), plain, ..expected() };
        let door = |level: &str, room: &str| {
            function(&format!(
                "<lanes::x86::{level}>::enter::door::<(), cipherlane::ciphers::{room}::f>"
            ))
        };
        let all = [
            door("avx2::Avx2", "sm4"),
            door("avx2::Avx2", "idea"),
            door("avx2_gfni::Avx2Gfni", "sm4"),
            door("avx2_gfni::Avx2Gfni", "idea"),
        ];
        let whats = |functions: &[Function]| -> Vec<String> {
            missing_doors("x", functions, &expected).into_iter().map(|it| it.what).collect()
        };
        assert_eq!(whats(&all[..3]), [""; 0]);
        assert_eq!(whats(&all), ["`ciphers::idea` has a door, for all its `dispatch_plain!`"]);
        assert_eq!(whats(&all[1..3]), ["`ciphers::sm4` has no door at this level"]);
    }

    #[test]
    fn only_narrow_registers_need_no_door() {
        let read = |name: &str, makes: &str| {
            let text = format!("{makes}! {{ X }}\nimpl Registers for X {{}}");
            let path = format!("crates/lanes/src/x86/{name}.rs");
            Expected::read(&[Source::parse(&path, &text).unwrap()])
        };
        assert!(read("avx2", "door").without_door.is_empty());
        assert!(read("forgotten", "other").without_door.is_empty());
        let narrow = read("xmm_gfni", "narrow_token");
        assert_eq!(narrow.levels, ["lanes::x86::xmm_gfni"]);
        assert!(narrow.without_door.contains("lanes::x86::xmm_gfni"));
        let expected = Expected { rooms: ["ciphers::sm4".to_string()].into(), ..narrow };
        assert!(missing_doors("x", &[], &expected).is_empty());
    }
}
