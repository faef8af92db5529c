//! The first process of the emulated machine: runs the test program and says on the serial port
//! how it ended. `cargo xtask bochs` compiles it by itself and reads what it says.
#![forbid(unsafe_code)]

use std::fs;
use std::process::Command;

fn main() {
    let levels = fs::read_to_string("/levels").unwrap_or_default();
    let mut test = Command::new("/test");
    test.args(["--test-threads=1", "--nocapture"]).env("CIPHERLANE_TEST_LEVELS", levels);
    match test.status() {
        Ok(status) if status.success() => println!("== passed"),
        Ok(status) => println!("== failed: {status}"),
        Err(error) => println!("== failed: {error}"),
    }
    println!("== end");
    loop {
        std::thread::park();
    }
}
