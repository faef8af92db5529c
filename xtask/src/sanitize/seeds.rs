//! Checks of the checkers: programs with faults that each must find.

/// A program with a fault, and what a tool that is told to find it must say.
pub(super) struct Seed {
    pub(super) tool: &'static str,
    /// Of the toolchain, beside the compiler.
    pub(super) component: &'static str,
    pub(super) source: &'static str,
    /// For the compiler; none for Miri, which interprets.
    pub(super) sanitizer: Option<&'static str>,
    pub(super) says: &'static str,
}

/// A byte behind a buffer, where only the running program knows that it is behind.
const BEHIND: &str = r#"fn main() {
    let bytes = vec![1_u8; 4];
    let place = std::env::args().count() + 3;
    println!("{}", unsafe { *bytes.as_ptr().add(place) });
}
"#;

/// Two threads that write to one place. They wait for each other, without an order between them:
/// of a thread that has ended, ThreadSanitizer may have forgotten what it wrote.
const RACE: &str = r#"use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static mut PLACE: u64 = 0;
static THERE: AtomicU32 = AtomicU32::new(0);
fn meet(all: u32) {
    THERE.fetch_add(1, Relaxed);
    while THERE.load(Relaxed) < all {
        std::thread::yield_now();
    }
}
fn main() {
    let write = || {
        meet(2);
        for i in 0..1000 { unsafe { (&raw mut PLACE).write_volatile(i) } }
        meet(4);
    };
    let other = std::thread::spawn(write);
    write();
    other.join().unwrap();
}
"#;

pub(super) const SEEDS: [Seed; 3] = [
    Seed {
        tool: "Miri",
        component: "miri",
        source: BEHIND,
        sanitizer: None,
        says: "Undefined Behavior",
    },
    Seed {
        tool: "AddressSanitizer",
        component: "rust-std",
        source: BEHIND,
        sanitizer: Some("-Zsanitizer=address"),
        says: "heap-buffer-overflow",
    },
    Seed {
        tool: "ThreadSanitizer",
        component: "rust-std",
        source: RACE,
        sanitizer: Some("-Zsanitizer=thread"),
        says: "data race",
    },
];
