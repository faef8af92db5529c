//! The first process of the emulated machine: runs the test programs and says on the serial port
//! how each ended. `cargo xtask bochs` compiles it by itself and reads what it says.
#![forbid(unsafe_code)]

use std::fs;
use std::process::Command;

fn main() {
    let levels = fs::read_to_string("/levels").unwrap_or_default();
    for program in ["/agree", "/self_test", "/vectors"] {
        let mut command = Command::new(program);
        command.args(["--test-threads=1", "--nocapture"]).env("CIPHERLANE_TEST_LEVELS", &levels);
        match command.status() {
            Ok(status) if status.success() => println!("== {program} passed"),
            Ok(status) => println!("== {program} failed: {status}"),
            Err(error) => println!("== {program} failed: {error}"),
        }
    }
    println!("== end");
    loop {
        std::thread::park();
    }
}
