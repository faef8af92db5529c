//! Many messages in one call, each with its own key, IV and length, side by side in registers.
use cipherlane::batch::Packet;
use cipherlane::zuc::{Key128, ZucBatch};
use cipherlane::{BatchCipher, Error};

fn main() -> Result<(), Error> {
    let keys: Vec<[u8; 16]> = (0..100).map(|i| [i; 16]).collect();
    let mut data: Vec<Vec<u8>> = (0..100).map(|i| vec![0; 40 + i]).collect();
    let pairs = keys.iter().zip(&mut data);
    let mut packets: Vec<Packet<'_>> =
        pairs.map(|(key, data)| Packet::new(key, &[1; 16], data.as_mut_slice().into())).collect();
    ZucBatch::<Key128>::new()?.apply(&mut packets)?;
    assert!(packets.iter().all(|packet| !packet.failed));
    assert!(data.iter().all(|it| it.iter().any(|&byte| byte != 0)));
    Ok(())
}
