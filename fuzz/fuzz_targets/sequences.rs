#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| cases::sequences(data));
