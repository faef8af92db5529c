//! The published vectors, through the C interface, at every level of this CPU.

mod through_c;

use std::ffi::CString;

use ciphers::Level;
use ciphers::registry::{self, Algorithm};
use through_c::{Call, Operation, operation};
use vectors::verify::{Plan, Resolved, made_iv};
use vectors::{Test, Verdict};

/// The longest message that is run, in bytes; the library's own runner takes the longer ones.
const LONGEST: usize = 1 << 20;

#[derive(Default)]
struct Counts {
    passed: usize,
    long: usize,
    /// Those of objects with tags of a length of their own.
    of_objects: usize,
}

#[test]
fn every_vector_through_c() {
    let files = vectors::all().expect("vector files");
    let plan = Plan::new(&[], &files);
    let mut counts = Counts::default();
    for level in Level::available() {
        for resolved in plan.resolved() {
            let name = format!("{} {} {}", resolved.file.name, resolved.mode, resolved.test.id);
            let level = CString::new(level.name()).expect("a name");
            run(&resolved, &level, &mut counts)
                .unwrap_or_else(|what| panic!("{name} at {level:?}: {what}"));
        }
    }
    println!("{} passed, {} too long", counts.passed, counts.long);
    assert!(counts.passed > 10_000, "only {} ran", counts.passed);
    let misuse = plan.resolved().filter(|it| it.test.object_tag_bytes.is_some()).count();
    assert_eq!(counts.of_objects, misuse * Level::available().count());
    assert!(misuse > 50, "only {misuse} tests of the tag's length");
}

type Outcome = Result<(), String>;

fn run(resolved: &Resolved<'_>, level: &CString, counts: &mut Counts) -> Outcome {
    let Resolved { group, test, algorithm, mode, .. } = *resolved;
    let call = Call::new(algorithm.name, level, test);
    let find = |name: &str| operation(algorithm.name, name);
    let two = |one: &str, other: &str| Some((find(one)?, find(other)?));
    // Keys given in the files with another order of bits are the runner's own concern.
    if group.bit_order.is_some() || test.procedure.is_some() || test.iterations.is_some() {
        return Ok(());
    }
    let [seal, open] = ["seal", "open"].map(|end| format!("{mode}-{end}"));
    let [forth, back] = ["encrypt", "decrypt"].map(|end| format!("{mode}-{end}"));
    if let Some((seal, open)) = two(&seal, &open).or_else(|| of_stream(algorithm, mode)) {
        sealed(&call, &seal, &open, test, counts)
    } else if let Some((forth, back)) = two(&forth, &back) {
        both(&call, &forth, &back, test, counts)
    } else {
        let found = find(mode).ok_or("no operation of that name")?;
        // Of 3GPP's numbers, where the test gives these.
        let made = registry::operation(algorithm, mode).and_then(|it| made_iv(&it, test));
        if found.is_mac() {
            mac(&call, &found, test, made, counts)
        } else {
            stream(&call, &found, test, made, counts)
        }
    }
}

/// The operations of an AEAD made of a stream cipher.
fn of_stream(of: &'static Algorithm, mode: &str) -> Option<(Operation, Operation)> {
    let seal = registry::operation(of, mode).filter(|it| it.kind == registry::Kind::Seal)?;
    Some((operation(of.name, seal.name)?, operation(of.name, seal.inverse?)?))
}

fn expect(what: &str, got: Result<Vec<u8>, i32>, expected: &[u8], counts: &mut Counts) -> Outcome {
    match got {
        Ok(got) if got == expected => {
            counts.passed += 1;
            Ok(())
        }
        Ok(_) => Err(format!("{what}: other bytes")),
        Err(status) => Err(format!("{what}: status {status}")),
    }
}

fn joined(parts: &[&Option<Vec<u8>>]) -> Vec<u8> {
    parts.iter().copied().flatten().flatten().copied().collect()
}

fn need<'t>(field: &'t Option<Vec<u8>>, name: &str) -> Result<&'t [u8], String> {
    field.as_deref().ok_or_else(|| format!("no field {name}"))
}

/// A mode on data: all at once under a ready key, in pieces, and as one call.
fn both(
    call: &Call<'_>,
    forth: &Operation,
    back: &Operation,
    test: &Test,
    counts: &mut Counts,
) -> Outcome {
    let key = joined(&[&test.key, &test.hash_key]);
    let iv = test.tweak.as_ref().or(test.iv.as_ref());
    let mut iv = iv.cloned().unwrap_or_default();
    if forth.name.starts_with("xts") {
        iv.resize(16, 0);
    }
    let ciphertext = need(&test.ciphertext, "ciphertext")?;
    if test.verdict() == Verdict::Invalid {
        let refused = call.message(back, &key, &iv, ciphertext).is_err();
        counts.passed += usize::from(refused);
        return if refused { Ok(()) } else { Err("accepted".into()) };
    }
    let plaintext = need(&test.plaintext, "plaintext")?;
    if test.bits.is_some_and(|bits| bits % 8 != 0) {
        return Ok(());
    }
    for (operation, input, output) in
        [(forth, plaintext, ciphertext), (back, ciphertext, plaintext)]
    {
        let whole = call.message(operation, &key, &iv, input);
        // IEEE 1619's first example has equal keys, which are refused.
        if whole == Err(cipherlane::status::Status::EqualKeys as i32) {
            continue;
        }
        expect("whole", whole, output, counts)?;
        let pieces = call.pieces(operation, &key, &iv, input);
        expect("in pieces", pieces, output, counts)?;
        expect(
            "batch",
            call.batch(operation, &key, &iv, &[], input, &[]).map(|it| it.0),
            output,
            counts,
        )?;
    }
    Ok(())
}

fn sealed(
    call: &Call<'_>,
    seal: &Operation,
    open: &Operation,
    test: &Test,
    counts: &mut Counts,
) -> Outcome {
    let key = joined(&[&test.hash_key, &test.key, &test.key2]);
    let (nonce, tag) = (need(&test.iv, "iv")?, need(&test.tag, "tag")?);
    let aad = test.aad.as_deref().unwrap_or_default();
    let ciphertext = need(&test.ciphertext, "ciphertext")?;
    let opened = call.open(open, &key, nonce, aad, ciphertext, tag);
    counts.of_objects += usize::from(test.object_tag_bytes.is_some());
    let batch = call.batch(open, &key, nonce, aad, ciphertext, tag).map(|it| it.0);
    // What is no AEAD has batches alone.
    let alone = call.no_aead(seal, &key);
    let opened = if alone { batch.clone() } else { opened };
    if batch != opened {
        return Err(format!("a batch: {batch:?}; one message: {opened:?}"));
    }
    if test.verdict() != Verdict::Valid {
        counts.passed += usize::from(opened.is_err());
        return if opened.is_err() { Ok(()) } else { Err("accepted".into()) };
    }
    // Tests of the tag alone tell no plaintext: what comes out must give the same again.
    let plaintext = match (&test.plaintext, &opened) {
        (None, Ok(opened)) if test.object_tag_bytes.is_some() => &opened.clone(),
        (plaintext, _) => need(plaintext, "plaintext")?,
    };
    expect("open", opened, plaintext, counts)?;
    let both = [ciphertext, tag].concat();
    if !alone {
        let sealed = call.seal(seal, &key, nonce, aad, plaintext, tag.len());
        expect("seal", sealed, &both, counts)?;
    }
    if let Some(streamed) = call.seal_in_pieces(seal, &key, nonce, aad, plaintext, tag.len()) {
        expect("seal in pieces", streamed, &both, counts)?;
    }
    let batch = call.batch(seal, &key, nonce, aad, plaintext, &vec![0; tag.len()]);
    expect("batch", batch.map(|(data, tag)| [data, tag].concat()), &both, counts)?;
    let mut wrong = tag.to_vec();
    wrong[0] ^= 1;
    let refused = Err(cipherlane::status::Status::Authentication as i32);
    let one = call.open(open, &key, nonce, aad, ciphertext, &wrong);
    let many = call.batch(open, &key, nonce, aad, ciphertext, &wrong).map(|it| it.0);
    let right = (alone || one == refused) && many == refused;
    if right { Ok(()) } else { Err(format!("a changed tag: {one:?}, {many:?} in a batch")) }
}

fn mac(
    call: &Call<'_>,
    operation: &Operation,
    test: &Test,
    made: Option<Vec<u8>>,
    counts: &mut Counts,
) -> Outcome {
    let key = joined(&[&test.key, &test.key2]);
    let given = [&test.iv, &test.iv16, &test.iv_unpacked].into_iter().flatten().next().cloned();
    let iv = given.or(made).unwrap_or_default();
    let (message, tag) = (need(&test.message, "message")?, need(&test.tag, "tag")?);
    let bits = test.bits.unwrap_or(8 * message.len() as u64);
    if test.object_tag_bytes.is_some() {
        let taken = call.verify(operation, [&key, &iv, message, tag], test.object_tag());
        counts.of_objects += 1;
        let right = taken.is_ok() == (test.verdict() == Verdict::Valid);
        counts.passed += usize::from(right);
        return if right { Ok(()) } else { Err(format!("a tag of another length: {taken:?}")) };
    }
    let made = call.mac(operation, &key, &iv, message, bits, tag.len());
    if test.verdict() != Verdict::Valid {
        let refused = made.is_err_and(|_| true)
            || call.mac(operation, &key, &iv, message, bits, tag.len()).is_ok_and(|it| it != tag);
        counts.passed += usize::from(refused);
        return if refused { Ok(()) } else { Err("accepted".into()) };
    }
    if made == Err(cipherlane::status::Status::Limit as i32) {
        // The library's runner lifts the limit, which C can't.
        counts.long += 1;
        return Ok(());
    }
    expect("tag", made, tag, counts)
}

fn stream(
    call: &Call<'_>,
    operation: &Operation,
    test: &Test,
    made: Option<Vec<u8>>,
    counts: &mut Counts,
) -> Outcome {
    let key = need(&test.key, "key")?;
    let given = [&test.iv, &test.iv_unpacked].into_iter().flatten();
    let given = given.filter(|iv| operation.takes_iv(iv.len())).next().cloned();
    let iv = given.or(made).unwrap_or_default();
    if test.verdict() == Verdict::Invalid {
        let iv = test.iv.clone().unwrap_or_default();
        let refused = call.message(operation, key, &iv, &[]).is_err();
        counts.passed += usize::from(refused);
        return if refused { Ok(()) } else { Err("accepted".into()) };
    }
    let limit = Err(cipherlane::status::Status::Limit as i32);
    if let (Some(plaintext), Some(ciphertext)) = (&test.plaintext, &test.ciphertext) {
        let (mut input, mut output) = (plaintext.clone(), ciphertext.clone());
        // Bits behind the end are nobody's.
        if let Some(bits) = test.bits {
            input.truncate(bits as usize / 8);
            output.truncate(bits as usize / 8);
        }
        let whole = call.message(operation, key, &iv, &input);
        if whole != limit {
            expect("whole", whole, &output, counts)?;
            expect("in pieces", call.pieces(operation, key, &iv, &input), &output, counts)?;
        }
    }
    for segment in test.keystream.iter().flatten() {
        let end = segment.end() as usize;
        if end > LONGEST {
            counts.long += 1;
            continue;
        }
        let zeros = vec![0; end];
        let (whole, pieces) =
            (call.message(operation, key, &iv, &zeros), call.pieces(operation, key, &iv, &zeros));
        if whole == limit {
            counts.long += 1;
            continue;
        }
        let tail = |bytes: Vec<u8>| bytes[segment.offset as usize..].to_vec();
        expect("keystream", whole.map(tail), &segment.bytes, counts)?;
        expect("keystream in pieces", pieces.map(tail), &segment.bytes, counts)?;
    }
    Ok(())
}
