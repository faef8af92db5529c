//! What the designers print of the state after the initialisation.

use super::*;

#[test]
fn state_and_buffer_after_the_initialisation() {
    let files = vectors::embedded().unwrap();
    let file = files.iter().find(|file| file.algorithm == "enocoro128v2").unwrap();
    let mut tests = 0;
    for test in file.groups.iter().flat_map(|group| &group.tests) {
        let (key, iv) = (test.key.as_ref().unwrap(), test.iv.as_ref().unwrap());
        let buffer = test.buffer_after_init.as_ref().unwrap();
        let expected = [buffer.as_slice(), test.state_after_init.as_ref().unwrap()].concat();
        for level in Level::available() {
            let cipher = Enocoro128v2::with_level(key, iv, level).unwrap();
            assert_eq!(cipher.state()[..], expected, "{}, {level}", test.id);
        }
        tests += 1;
    }
    assert!(tests > 0, "no test has a state");
}
