//! Sectors of a disk by XTS, each of which is read by itself. It authenticates nothing.
use cipherlane::modes::xts::Xts;
use cipherlane::{Error, Sm4};

fn main() -> Result<(), Error> {
    let key: Vec<u8> = (0..32).collect();
    let xts = Xts::from_key(&key, Sm4::new)?;
    let mut disk = vec![0; 8 * 512];
    xts.encrypt_sectors(1000, 512, disk.as_mut_slice().into())?;
    let sector = &mut disk[3 * 512..4 * 512];
    xts.decrypt(&1003_u128.to_le_bytes(), sector.into())?;
    assert_eq!(sector, [0; 512]);
    Ok(())
}
