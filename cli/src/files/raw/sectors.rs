//! Sectors of a disk, each of which is a message under an IV that is its number: dm-crypt and LUKS
//! (`plain64`), and the data units of fscrypt.

use cipherlane::Error;

use crate::failure::Failure;

/// What dm-crypt counts in, whatever its sectors are (`SECTOR_SHIFT`).
const UNIT: usize = 512;

/// The longest sector here: dm-crypt has 4096 at most, fscrypt's data units a page, which is 65536 bytes
/// on some machines.
const MOST: usize = 65536;

/// Which sectors the data is.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sectors")]
pub(crate) struct SectorArgs {
    /// The data is sectors of dm-crypt, LUKS or fscrypt, whose numbers are their IVs (plain64); the first
    /// has number N, which counts 512 bytes each, as dm-crypt's offset of IVs does
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = [
            "iv", "iv_text", "iv_in_front", "count", "padding", "no_padding", "kdf", "hash", "iterations",
            "salt", "no_salt", "dialect", "weak",
        ]
    )]
    sector: Option<String>,
    /// The length of a sector in bytes: a power of two, 512 to 65536
    #[arg(long, value_name = "BYTES", default_value = "512", requires = "sector")]
    sector_size: String,
    /// Numbers count whole sectors, not 512 bytes each: iv_large_sectors of dm-crypt, and fscrypt
    #[arg(long, requires = "sector")]
    iv_large_sectors: bool,
}

impl SectorArgs {
    /// Whether they were given.
    pub(crate) const fn is_given(&self) -> bool {
        self.sector.is_some()
    }

    /// The sectors that they mean, if they were given.
    ///
    /// # Errors
    /// A size that no sector has, and a number that is none or does not begin such a sector.
    pub(crate) fn sectors(&self) -> Result<Option<Sectors>, Failure> {
        let Some(sector) = &self.sector else { return Ok(None) };
        let size = self
            .sector_size
            .parse()
            .ok()
            .filter(|size: &usize| size.is_power_of_two() && (UNIT..=MOST).contains(size));
        let size = size.ok_or_else(|| {
            let error = format!("--sector-size is `{}`", self.sector_size);
            Failure::usage(error, format!("allowed: a power of two, {UNIT} to {MOST}"))
        })?;
        let units = (size / UNIT) as u64;
        let first = sector.parse().ok().filter(|first: &u64| first.is_multiple_of(units));
        let first = first.ok_or_else(|| {
            let allowed = match units {
                1 => "allowed: 0 to 18446744073709551615".to_owned(),
                _ => format!(
                    "allowed: multiples of {units}, as a sector of {size} bytes has {units} of 512"
                ),
            };
            Failure::usage(format!("--sector is `{sector}`"), allowed)
        })?;
        let whole = self.iv_large_sectors;
        Ok(Some(Sectors { next: Some(first), size, whole, passed: 0 }))
    }
}

/// Sectors one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sectors {
    /// Where the next one begins, in 512 bytes each; none behind the last that 64 bits can number.
    next: Option<u64>,
    size: usize,
    /// Whether their IVs count whole sectors.
    whole: bool,
    /// Bytes of those before.
    passed: u64,
}

impl Sectors {
    /// Bytes of one.
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// In 512 bytes.
    const fn units(&self) -> u64 {
        (self.size / UNIT) as u64
    }

    /// Whether so many more bytes are sectors from the next one on.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] for what is no whole number of them, [`Error::Limit`] for more than have
    /// numbers.
    pub(crate) fn fit(&self, bytes: u64) -> Result<(), Error> {
        let size = self.size as u64;
        if !bytes.is_multiple_of(size) {
            let got = usize::try_from(self.passed.saturating_add(bytes)).unwrap_or(usize::MAX);
            return Err(Error::PartialBlock { got, block: self.size });
        }
        // The first unit of the last sector has a number; the others of it then have one, too.
        let more = (bytes / size).saturating_sub(1).checked_mul(self.units());
        let last = self.next.zip(more).and_then(|(next, more)| next.checked_add(more));
        if bytes == 0 || last.is_some() { Ok(()) } else { Err(NO_NUMBER) }
    }

    /// The IV of the next sector: its number in 64 bits, little-endian, and zeros. dm-crypt's numbers would
    /// wrap, and sectors share IVs; no disk has so many.
    ///
    /// # Errors
    /// [`Error::Limit`] behind the last number.
    pub(crate) fn iv(&mut self) -> Result<[u8; 16], Error> {
        let at = self.next.ok_or(NO_NUMBER)?;
        self.next = at.checked_add(self.units());
        self.passed = self.passed.saturating_add(self.size as u64);
        let number = if self.whole { at / self.units() } else { at };
        Ok(u128::from(number).to_le_bytes())
    }
}

/// More sectors than numbers.
const NO_NUMBER: Error = Error::Limit { what: "sector numbers of 64 bits", limit: u64::MAX };

#[cfg(test)]
mod tests {
    use super::*;

    fn args(sector: &str, size: &str, large: bool) -> SectorArgs {
        let (sector, sector_size) = (Some(sector.to_owned()), size.to_owned());
        SectorArgs { sector, sector_size, iv_large_sectors: large }
    }

    #[test]
    fn numbers_count_512_bytes_unless_sectors_are_counted() {
        for (size, large, numbers) in [
            ("512", false, [1000, 1001, 1002]),
            ("4096", false, [1000, 1008, 1016]),
            ("512", true, [1000, 1001, 1002]),
            ("4096", true, [125, 126, 127]),
        ] {
            let mut sectors = args("1000", size, large).sectors().expect(size).expect("given");
            assert_eq!(sectors.size().to_string(), size);
            for number in numbers {
                assert_eq!(sectors.iv(), Ok(u128::to_le_bytes(number)), "{size} {large}");
            }
        }
        assert_eq!(SectorArgs::default().sectors().expect("none"), None);
    }

    #[test]
    fn what_is_no_sector_is_refused_by_name() {
        for (sector, size, expected) in [
            ("x", "512", "--sector is `x`"),
            ("-1", "512", "--sector is `-1`"),
            ("18446744073709551616", "512", "allowed: 0 to 18446744073709551615"),
            ("7", "4096", "multiples of 8"),
            ("0", "256", "--sector-size is `256`"),
            ("0", "513", "--sector-size is `513`"),
            ("0", "131072", "512 to 65536"),
            ("0", "", "--sector-size is ``"),
        ] {
            let refused = args(sector, size, false).sectors().expect_err(expected);
            assert!(format!("{refused:?}").contains(expected), "{refused:?}");
        }
    }

    #[test]
    fn numbers_end_and_do_not_wrap() {
        for (last, size, large, number) in [
            ("18446744073709551615", "512", false, u64::MAX),
            ("18446744073709551608", "4096", false, u64::MAX - 7),
            ("18446744073709551608", "4096", true, u64::MAX >> 3),
            ("18446744073709551488", "65536", false, u64::MAX - 127),
        ] {
            let mut sectors = args(last, size, large).sectors().expect(last).expect("given");
            let one = sectors.size() as u64;
            assert_eq!(sectors.fit(0), Ok(()));
            assert_eq!(sectors.fit(one), Ok(()), "{last}");
            for more in [2 * one, 3 * one, u64::MAX / one * one] {
                assert_eq!(sectors.fit(more), Err(NO_NUMBER), "{last}, {more} bytes");
            }
            assert_eq!(sectors.iv(), Ok(u128::from(number).to_le_bytes()));
            for _ in 0..3 {
                assert_eq!(sectors.iv(), Err(NO_NUMBER), "{last}");
            }
            assert_eq!(sectors.fit(one), Err(NO_NUMBER), "{last}");
        }
        let sectors = args("0", "512", false).sectors().expect("0").expect("given");
        // Bytes have 64 bits, too, so that from the first sector on all of them have numbers.
        assert_eq!(sectors.fit(u64::MAX - 511), Ok(()));
        for bytes in [1, 511, 513, u64::MAX] {
            assert!(matches!(sectors.fit(bytes), Err(Error::PartialBlock { block: 512, .. })));
        }
    }
}
