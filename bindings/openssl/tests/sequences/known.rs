//! Sequences that once went apart, written down: each has betrayed somebody.

use super::calls::{Call, Data, Number};
use super::ciphers::OfCipher;
use super::evp::{World, world};
use super::seek::{Run, Subject};
use super::{mac_calls, macs};

const KEY: Data = Data::Seed(7);
const IV: Data = Data::Seed(8);

/// An init of a context that has its cipher.
fn again(key: Option<Data>, iv: Option<Data>, encrypt: i32) -> Call {
    Call::Init { cipher: false, key, iv, encrypt, extended: false }
}

fn first(key: Option<Data>, iv: Option<Data>, encrypt: i32) -> Call {
    Call::Init { cipher: true, key, iv, encrypt, extended: false }
}

fn update(length: usize) -> Call {
    Call::Update { length, over: false, data: Data::Seed(9) }
}

/// A piece in a buffer in which the output lags by what is held back.
fn over(length: usize) -> Call {
    Call::Update { length, over: true, data: Data::Seed(10) }
}

fn same(run: &Run) {
    assert!(run.difference.is_none(), "\n{}", run.lines.join("\n"));
    assert!(run.calls > 0, "nothing was called");
}

/// Makes the calls on the ciphers that fit; there must be some.
fn on(world: &World, fits: impl Fn(&str) -> bool, calls: &[Call]) {
    let mut count = 0;
    for cipher in world.ciphers().into_iter().filter(|cipher| fits(&cipher.name)) {
        let subject = OfCipher { world, cipher };
        let mut lines = vec![subject.name().to_owned()];
        let mut run = subject.run(calls, true);
        lines.append(&mut run.lines);
        run.lines = lines;
        same(&run);
        count += 1;
    }
    assert!(count > 0, "no cipher fits");
}

fn is_any(name: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| name.ends_with(end))
}

#[test]
fn xts_is_that_of_openssl_from_the_second_block_on() {
    let Some(world) = world() else { return };
    for length in [16, 17, 32, 48, 512, 4097] {
        let calls = |encrypt| [first(Some(KEY), Some(IV), encrypt), update(length)];
        on(world, |name| name.ends_with("XTS"), &calls(1));
        on(world, |name| name.ends_with("XTS"), &calls(0));
    }
}

#[test]
fn an_init_without_an_iv_lets_a_counter_go_on_and_starts_feedback_again() {
    let Some(world) = world() else { return };
    let modes = ["CTR", "CBC", "CFB", "CFB8", "OFB"];
    for key in [None, Some(KEY)] {
        let calls = [
            first(Some(KEY), Some(IV), 1),
            update(16),
            again(key, None, 1),
            update(16),
            Call::GetIv { updated: true },
            update(5),
            again(None, None, -1),
            update(32),
        ];
        on(world, |name| is_any(name, &modes), &calls);
    }
}

#[test]
fn in_one_buffer_the_output_may_lag_by_what_is_held_back() {
    let Some(world) = world() else { return };
    for encrypt in [0, 1] {
        for pieces in [[1, 47, 16], [15, 1, 32], [33, 0, 31]] {
            let mut calls = vec![first(Some(KEY), Some(IV), encrypt)];
            calls.extend(pieces.map(over));
            calls.push(Call::SetPadding(false));
            on(world, |name| is_any(name, &["CBC", "ECB", "CTR", "OFB"]), &calls);
        }
    }
}

#[test]
fn a_whole_iv_is_fixed_as_openssh_does() {
    let Some(world) = world() else { return };
    for encrypt in [1, 0] {
        let calls = [
            first(Some(KEY), None, encrypt),
            Call::IvFixed { length: -1, data: IV },
            Call::IvGen { length: 1 },
            Call::Aad { length: 4, data: Data::Seed(3) },
            update(32),
            Call::Final,
            Call::GetTag { length: 16 },
            Call::IvGen { length: 1 },
            Call::GetIv { updated: true },
            update(7),
        ];
        on(world, |name| name.ends_with("GCM"), &calls);
    }
}

#[test]
fn a_record_with_a_wrong_tag_stays_wrong() {
    let Some(world) = world() else { return };
    let calls = [
        first(Some(KEY), None, 0),
        Call::SetIvLength(12),
        Call::IvFixed { length: 4, data: IV },
        Call::Record { length: 100, data: Data::Seed(4) },
        Call::Final,
    ];
    on(world, |name| name.ends_with("GCM"), &calls);
}

#[test]
fn a_missing_iv_is_zeros_and_data_may_follow_the_end() {
    let Some(world) = world() else { return };
    // As Kerberos' derivation of keys does.
    let calls = [
        first(Some(KEY), None, 1),
        Call::SetPadding(false),
        update(32),
        Call::Final,
        update(16),
        again(None, None, 1),
        update(32),
        Call::Final,
        again(None, Some(IV), 1),
        update(16),
        Call::Get(Number::Num),
    ];
    let modes = ["ECB", "CBC", "CTR", "CFB", "OFB"];
    on(world, |name| is_any(name, &modes), &calls);
}

#[test]
fn gmac_ends_with_its_iv() {
    let Some(world) = world() else { return };
    let init = |cipher, key: bool, iv: bool| mac_calls::Call::Init {
        cipher,
        key: key.then_some((16, KEY)),
        iv: iv.then_some((12, IV)),
        before: false,
    };
    let data = || mac_calls::Call::Update { length: 16, data: Data::Seed(2) };
    let end = || mac_calls::Call::Final { room: 64 };
    let calls = [
        init(true, true, true),
        data(),
        end(),
        data(),
        end(),
        init(false, false, false),
        data(),
        end(),
        init(false, false, true),
        data(),
        end(),
    ];
    let subjects = macs::all(world);
    let mut gmacs = subjects.iter().filter(|it| it.name() == "GMAC/AES-128-GCM");
    same(&gmacs.next().expect("GMAC").run(&calls, true));
}

/// Bytes that the process has in memory.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    4096 * text.split(' ').nth(1).and_then(|it| it.parse::<usize>().ok()).expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn loading_and_unloading_leaves_nothing_behind() {
    let Some(world) = world() else { return };
    let load = |times| {
        for _ in 0..times {
            world.load_once();
        }
    };
    load(100);
    let before = resident();
    load(400);
    let more = resident().saturating_sub(before);
    assert!(more < 400 * 1024, "{more} bytes more after 400 times");
}
