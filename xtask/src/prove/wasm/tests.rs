//! Small modules, rewritten and run in Node.js under two secrets: what tells them must be found, and what does not
//! must not.

use super::instrument::{Instrumented, instrument};
use super::watch::{possible, watching};
use crate::workspace;

const LOADS: [&str; 27] = [
    "i32.load",
    "i32.load8_s",
    "i32.load8_u",
    "i32.load16_s",
    "i32.load16_u",
    "i64.load",
    "i64.load8_s",
    "i64.load8_u",
    "i64.load16_s",
    "i64.load16_u",
    "i64.load32_s",
    "i64.load32_u",
    "f32.load",
    "f64.load",
    "v128.load",
    "v128.load8x8_s",
    "v128.load8x8_u",
    "v128.load16x4_s",
    "v128.load16x4_u",
    "v128.load32x2_s",
    "v128.load32x2_u",
    "v128.load8_splat",
    "v128.load16_splat",
    "v128.load32_splat",
    "v128.load64_splat",
    "v128.load32_zero",
    "v128.load64_zero",
];
const STORES: [&str; 10] = [
    "i32.store",
    "i32.store8",
    "i32.store16",
    "i64.store",
    "i64.store8",
    "i64.store16",
    "i64.store32",
    "f32.store",
    "f64.store",
    "v128.store",
];

/// Other bodies of functions that tell their parameter, 1 or 2.
const TELLING: [(&str, &str); 22] = [
    ("a branch on a bit", "(if (i32.and (local.get 0) (i32.const 1)) (then (call $work)))"),
    (
        "an early exit",
        "(block (loop (br_if 1 (i32.eqz (local.get 0)))
            (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br 0)))",
    ),
    ("br_table", "(block (block (br_table 0 1 0 (local.get 0))) (call $work))"),
    ("br_table to one place", "(block (br_table 0 0 0 (local.get 0)))"),
    ("call_indirect", "(call_indirect (local.get 0))"),
    ("i32.div_u", "(drop (i32.div_u (i32.const 251) (local.get 0)))"),
    ("i32.div_s", "(drop (i32.div_s (local.get 0) (i32.const 7)))"),
    ("i32.rem_u", "(drop (i32.rem_u (i32.const 251) (local.get 0)))"),
    ("i32.rem_s", "(drop (i32.rem_s (local.get 0) (i32.const 7)))"),
    ("i64.div_u", "(drop (i64.div_u (i64.const 251) (i64.extend_i32_u (local.get 0))))"),
    ("i64.div_s", "(drop (i64.div_s (i64.extend_i32_u (local.get 0)) (i64.const 7)))"),
    ("i64.rem_u", "(drop (i64.rem_u (i64.const 251) (i64.extend_i32_u (local.get 0))))"),
    (
        "i64.rem_s, in its high half",
        "(drop (i64.rem_s (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 40)) (i64.const 7)))",
    ),
    ("f32.div", "(drop (f32.div (f32.const 1) (f32.convert_i32_u (local.get 0))))"),
    ("f64.div", "(drop (f64.div (f64.convert_i32_u (local.get 0)) (f64.const 3)))"),
    ("f32.sqrt", "(drop (f32.sqrt (f32.convert_i32_u (local.get 0))))"),
    ("f64.sqrt", "(drop (f64.sqrt (f64.convert_i32_u (local.get 0))))"),
    ("memory.copy to", "(memory.copy (local.get 0) (i32.const 64) (i32.const 8))"),
    ("memory.copy from", "(memory.copy (i32.const 64) (local.get 0) (i32.const 8))"),
    ("memory.copy so much", "(memory.copy (i32.const 64) (i32.const 0) (local.get 0))"),
    ("memory.fill so much", "(memory.fill (i32.const 64) (i32.const 0) (local.get 0))"),
    ("memory.grow", "(drop (memory.grow (local.get 0)))"),
];

/// Bodies that touch the same, and go the same way, whatever their parameter.
const SILENT: [(&str, &str); 6] = [
    ("arithmetic", "(i32.store (i32.const 8) (i32.mul (local.get 0) (i32.const 77)))"),
    ("a value that is filled in", "(memory.fill (i32.const 64) (local.get 0) (i32.const 16))"),
    (
        "the sign of a condition",
        "(if (local.get 0) (then (call $work))) (block (br_if 0 (local.get 0)))",
    ),
    (
        "lanes",
        "(v128.store (i32.const 16) (i8x16.swizzle (i8x16.splat (local.get 0)) (i8x16.splat (local.get 0))))",
    ),
    (
        "select",
        "(i32.store (i32.const 8) (select (i32.const 3) (i32.const 4) (i32.and (local.get 0) (i32.const 1))))",
    ),
    (
        "the same loop",
        "(local $i i32) (loop (i32.store8 (local.get $i) (local.get 0))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if 0 (i32.lt_u (local.get $i) (i32.const 40))))",
    ),
];

/// Ends with the number of a body that did not part, or did; with the place at which it did.
const MISSED: &str = "(if (i32.lt_s (call $step) (i32.const 0)) (then (call $exit (i32.const N))))";
const FOUND: &str = "(if (i32.ge_s (call $step) (i32.const 0)) (then (call $exit (i32.const N))))";
const PLACE: &str = "(call $exit (call $place))";

/// A module that runs each of these bodies, from number 1 on, under two secrets, and may end then.
fn module(bodies: &[&str], end: &str) -> Vec<u8> {
    let mut text = String::from(
        r#"(module
            (import "cipherlane_prove" "begin" (func $begin (param i32)))
            (import "cipherlane_prove" "end" (func $end (result i32)))
            (import "cipherlane_prove" "parting_step" (func $step (result i32)))
            (import "cipherlane_prove" "parting_place" (func $place (result i32)))
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (memory (export "memory") 1)
            (global $worked (mut i32) (i32.const 0))
            (table 3 funcref) (elem (i32.const 0) func $work $work $more)
            (func $work (global.set $worked (i32.add (global.get $worked) (i32.const 1))))
            (func $more (call $work) (call $work))"#,
    );
    let mut start = String::new();
    for (number, body) in (1..).zip(bodies) {
        text += &format!("(func $body{number} (param i32) {body})\n");
        for (slot, secret) in [(0, 1), (1, 2)] {
            start += &format!("(call $begin (i32.const {slot}))");
            start += &format!("(call $body{number} (i32.const {secret})) (drop (call $end))");
        }
        start += &end.replace('N', &number.to_string());
    }
    wat::parse_str(text + &format!("(func (export \"_start\") {start}))")).unwrap()
}

/// With what exit status a rewritten module ends, and what else its host says.
fn ran(name: &str, rewritten: &Instrumented) -> (i32, String) {
    let folder = workspace::scratch("prove-wasm-tests");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(format!("{name}.wasm"));
    std::fs::write(&program, &rewritten.module).unwrap();
    let output = watching(&program).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("selected by secrets:"), "{name}: {said}");
    (output.status.code().unwrap(), said.trim().to_owned())
}

/// The number of the body at which a module ended, from 0 on.
fn ended(name: &str, bodies: &[&str], end: &str) -> Option<usize> {
    let status = ran(name, &instrument(&module(bodies, end)).unwrap()).0;
    (status as usize).checked_sub(1)
}

#[test]
fn every_load_and_store_at_a_secret_address_is_found() {
    if !possible() {
        return;
    }
    let mut bodies: Vec<String> =
        LOADS.iter().map(|it| format!("(drop ({it} (local.get 0)))")).collect();
    for store in STORES {
        let kind = store.split('.').next().unwrap();
        let lanes = if kind == "v128" { "i64x2 0 0" } else { "0" };
        bodies.push(format!("({store} offset=8 (local.get 0) ({kind}.const {lanes}))"));
    }
    for bits in [8, 16, 32, 64] {
        let both = "(local.get 0) (v128.const i64x2 0 0)";
        bodies.push(format!("(drop (v128.load{bits}_lane 0 {both}))"));
        bodies.push(format!("(v128.store{bits}_lane 0 {both})"));
    }
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let missed = ended("memory", &bodies, MISSED);
    assert_eq!(missed.map(|it| bodies[it]), None);
}

#[test]
fn ways_and_divisions_by_a_secret_are_found() {
    if !possible() {
        return;
    }
    let missed = ended("telling", &TELLING.map(|it| it.1), MISSED);
    assert_eq!(missed.map(|it| TELLING[it].0), None);
}

#[test]
fn what_does_not_tell_is_not_found() {
    if !possible() {
        return;
    }
    let found = ended("silent", &SILENT.map(|it| it.1), FOUND);
    assert_eq!(found.map(|it| SILENT[it].0), None);
}

#[test]
fn a_place_is_told_by_its_function_and_instruction() {
    if !possible() {
        return;
    }
    let bodies = ["(drop (i32.load (i32.const 8)))  (drop (i64.load8_u (local.get 0)))"];
    let rewritten = instrument(&module(&bodies, PLACE)).unwrap();
    let (place, _) = ran("place", &rewritten);
    let place = rewritten.place(place as usize).unwrap();
    assert!(place.starts_with("i64_load8_u at 0x") && place.ends_with(" in body1"), "{place}");
    assert_eq!(rewritten.place(1000), None);
}

#[test]
fn what_a_secret_selects_is_told_and_parts_nothing() {
    if !possible() {
        return;
    }
    let body = |what: &str| format!("(drop (select (i32.const 3) (i32.const 4) {what}))");
    let bodies = [body("(i32.const 1)"), body("(i32.and (local.get 0) (i32.const 1))")];
    let rewritten = instrument(&module(&bodies.each_ref().map(String::as_str), FOUND)).unwrap();
    let (status, said) = ran("select", &rewritten);
    assert_eq!(status, 0);
    let place = said.rsplit(' ').next().unwrap().parse().unwrap();
    assert_eq!(rewritten.of(place).unwrap().0, "body2");
}

#[test]
fn a_rewritten_module_computes_what_it_did() {
    if !possible() {
        return;
    }
    // Each instruction that tells has its operands back, in their order.
    let body = "(local $sum i64)
        (i64.store offset=8 (i32.const 16) (i64.div_u (i64.const 1000) (i64.const 7)))
        (memory.copy (i32.const 40) (i32.const 24) (i32.const 8))
        (memory.fill (i32.const 41) (i32.const 0) (i32.const 7))
        (v128.store8_lane 3 (i32.const 41) (v128.const i8x16 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0))
        (local.set $sum (i64.rem_u (i64.load (i32.const 40)) (i64.const 300)))
        (local.set $sum (i64.add (local.get $sum)
            (select (i64.const 5) (i64.const 9) (i64.eqz (local.get $sum)))))
        (f64.store (i32.const 0) (f64.div (f64.const 9) (f64.const 2)))
        (block $other (block $one (block $zero
            (br_table $zero $one $other (i32.const 1))) unreachable)
            (local.set $sum (i64.add (local.get $sum) (i64.const 20))))
        (call $exit (i32.add (i32.wrap_i64 (local.get $sum))
            (i32.trunc_sat_f64_u (f64.mul (f64.load (i32.const 0)) (f64.const 2)))))";
    // 142 + 256, of that the remainder by 300, 9, 20 and 9.
    assert_eq!(ran("computes", &instrument(&module(&[body], "")).unwrap()).0, 98 + 9 + 20 + 9);
}

#[test]
fn what_nobody_has_thought_about_is_refused() {
    for (body, name) in [
        ("(drop (i32.atomic.load (local.get 0)))", "i32_atomic_load"),
        ("(return_call $body1 (local.get 0))", "return_call"),
        ("(drop (table.get 0 (local.get 0)))", "table_get"),
        ("(drop (f32x4.div (f32x4.splat (f32.const 1)) (f32x4.splat (f32.const 1))))", "f32x4_div"),
        (
            "(drop (i8x16.relaxed_swizzle (i8x16.splat (local.get 0)) (i8x16.splat (local.get 0))))",
            "i8x16_relaxed_swizzle",
        ),
    ] {
        let error = instrument(&module(&[body], "")).unwrap_err();
        assert!(error.contains(&format!("the instruction {name} shows")), "{error}");
    }
    let wide = wat::parse_str("(module (memory i64 1))").unwrap();
    assert!(instrument(&wide).unwrap_err().contains("64 bits"));
    assert!(instrument(b"\0asm\x01").is_err());
}
