//! What a faulty release does is seen, and what it does right.

use cipherlane::StreamCipher as _;
use cipherlane::zuc::{Frame, Zuc128};

use super::*;

#[test]
fn what_is_measured_is_right_where_the_one_buffer_function_is_not() {
    let Ok(engine) = IpsecMb::open(None) else {
        println!("SKIP: {}", PEER.how_to_get);
        return;
    };
    let frame = Frame::from_numbers(3_478_155_851, 0, 0).expect("in range");
    let key: Vec<u8> = (0..16).collect();
    let mut expected = [0; 64];
    let mut cipher = Zuc128::new(&key, &frame.eea3_iv()).expect("lengths");
    cipher.keystream(&mut expected).expect("keystream");
    let [job, one] = engine.two_ways().expect("done");
    assert_eq!(job, expected);
    assert_eq!(one != expected, engine.one_buffer_is_wrong());
    let told = engine.describe().known_wrong;
    let told = told.iter().any(|it| it.operation == "eea3-one-buffer");
    assert_eq!(told, engine.one_buffer_is_wrong());
    let iv = frame.eea3_iv();
    // Batches of every size take the same packet.
    for packets in [1, 2, 4, 15, 16, 17, 33] {
        let mut buffers = vec![[0; 64]; packets];
        let mut prepared = Prepared::new(OPERATIONS[1].2, packets);
        for data in &mut buffers {
            let mut message = Message {
                slot: 0,
                key: &key,
                iv: &iv,
                aad: &[],
                data: Data::InPlace(data),
                tag: &mut [],
            };
            prepared.add(&mut message);
        }
        prepared.apply(&engine.functions).expect("done");
        assert!(buffers.iter().all(|data| *data == expected), "{packets}");
    }
}

#[test]
fn a_packet_that_is_too_long_is_refused() {
    let check_length = |bytes, aad| check_length(OPERATIONS[0].2, bytes, aad);
    assert!(check_length(8188, 0).is_ok() && check_length(1, 8187).is_ok());
    let snow = OPERATIONS.iter().find(|it| it.0 == "snow3g").expect("it has it").2;
    assert!(super::check_length(snow, 8189, 0).is_ok());
    assert!(super::check_length(snow, LONGEST_SNOW3G, 1).is_err());
    for (bytes, aad) in [(0, 0), (8189, 0), (8000, 189)] {
        let refusal = check_length(bytes, aad).expect_err("refused").to_string();
        assert!(refusal.contains("1 to 8188 bytes"), "{refusal}");
    }
}
