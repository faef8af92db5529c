//! Counter mode that begins anywhere, as files that are read in places need it. It authenticates
//! nothing.
use cipherlane::modes::ctr::Ctr;
use cipherlane::{Error, Sm4, StreamCipher, StreamSeek};

fn main() -> Result<(), Error> {
    let sm4 = Sm4::new(&[7; 16])?;
    let mut file = vec![b'x'; 10_000];
    Ctr::new(&sm4, &[1; 16])?.apply(&mut file)?;
    let place = &mut file[7_000..7_010];
    let mut ctr = Ctr::new(&sm4, &[1; 16])?;
    ctr.seek(7_000)?;
    ctr.apply(place)?;
    assert_eq!(place, b"xxxxxxxxxx");
    Ok(())
}
