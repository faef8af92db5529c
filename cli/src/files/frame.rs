//! COUNT, BEARER and DIRECTION: a packet of LTE or 5G in place of an IV.

use cipherlane::air::Frame;
use cipherlane::registry::{self, Operation};

use crate::failure::{Failure, print_note};

/// The numbers of a packet.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FrameArgs {
    /// COUNT of a packet of LTE or 5G, of 32 bits, also as 0x…; with --bearer and --direction it
    /// makes the IV of the algorithms of 3GPP
    #[arg(long, value_name = "N", conflicts_with = "iv", requires_all = ["bearer", "packet_direction"])]
    count: Option<String>,
    /// BEARER, 0 to 31: in PDCP the radio bearer's identity less 1
    #[arg(long, value_name = "N", requires = "count")]
    bearer: Option<String>,
    /// DIRECTION: uplink (0) or downlink (1)
    #[arg(
        id = "packet_direction",
        long = "direction",
        value_name = "uplink|downlink",
        requires = "count"
    )]
    direction: Option<String>,
}

impl FrameArgs {
    /// Whether they were given.
    pub(crate) const fn is_given(&self) -> bool {
        self.count.is_some()
    }

    /// The IV that the operation `called` so makes of them, if they were given.
    ///
    /// # Errors
    /// Numbers out of range, and an operation that is none of 3GPP.
    pub(crate) fn iv(
        &self,
        operation: &Operation,
        called: &str,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let (Some(count), Some(bearer), Some(direction)) =
            (&self.count, &self.bearer, &self.direction)
        else {
            return Ok(None);
        };
        let count = number("--count", count, u32::MAX.into())?;
        let bearer = number("--bearer", bearer, 31)?;
        let direction = match direction.as_str() {
            "uplink" | "0" => 0,
            "downlink" | "1" => 1,
            other => {
                let error = format!("--direction is `{other}`");
                return Err(Failure::usage(error, "allowed: uplink, downlink, 0, 1"));
            }
        };
        let refused = |error: cipherlane::Error| {
            Failure::usage(error.to_string(), "see `cipherlane list` for lengths")
        };
        let bearer = u8::try_from(bearer).unwrap_or(u8::MAX);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let frame = Frame::from_numbers(count, bearer, direction).map_err(refused)?;
        let Some(iv) = operation.air_iv(frame) else {
            let error = format!("--count with {called}, which is no algorithm of 3GPP");
            let help = "give --iv HEX, or take nea1 to nea6, nia1 to nia6";
            return Err(Failure::usage(error, help));
        };
        if operation.assumes_air_iv() {
            print_note(&format!(
                "where COUNT, BEARER and DIRECTION stand in the IV of {called} is assumed from \
                 published test data: compare with the specification, or give --iv"
            ));
        }
        Ok(Some(iv.map_err(refused)?.to_vec()))
    }
}

/// A number in decimal digits, or in hexadecimal ones behind 0x.
fn number(option: &str, text: &str, most: u64) -> Result<u64, Failure> {
    let read = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    read.ok().filter(|number| *number <= most).ok_or_else(|| {
        Failure::usage(format!("{option} is `{text}`"), format!("allowed: 0 to {most}"))
    })
}

/// The names of 3GPP's encryption, or of its integrity, in its order.
pub(crate) fn names(family: &str) -> impl Iterator<Item = String> {
    (1..=6).map(move |number| format!("{family}{number}"))
}

/// The operation that 3GPP calls so: `nea1` to `nea6`, `nia1` to `nia6`.
pub(crate) fn named(name: &str) -> Option<Operation> {
    // The registry has those of ZUC-128 by their older names.
    let own = match name {
        "nea3" => "eea3",
        "nia3" => "eia3",
        name if ["nea", "nia"].iter().any(|family| names(family).any(|it| it == name)) => name,
        _ => return None,
    };
    let mut all = registry::ALGORITHMS.iter().flat_map(registry::operations);
    all.find(|it| it.name == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(count: &str, bearer: &str, direction: &str) -> FrameArgs {
        let [count, bearer, direction] = [count, bearer, direction].map(|it| Some(it.to_owned()));
        FrameArgs { count, bearer, direction }
    }

    #[test]
    fn every_algorithm_of_3gpp_has_its_name_and_an_iv_of_its_length() {
        for name in names("nea").chain(names("nia")) {
            let operation = named(&name).expect(&name);
            let iv = args("0xffffffff", "31", "downlink").iv(&operation, &name).expect(&name);
            let iv = iv.expect("given");
            assert!(operation.iv.allow(iv.len()), "{name}: {}", iv.len());
            assert_eq!(FrameArgs::default().iv(&operation, &name).expect("none"), None);
            assert_eq!(operation.assumes_air_iv(), name.ends_with(['4', '5', '6']), "{name}");
        }
        assert!(["nea0", "nea7", "nea", "ctr", "nca4"].iter().all(|name| named(name).is_none()));
        // TS 35.223, 128-EEA3 test set 1.
        let eea3 = named("nea3").expect("known");
        let iv = args("0x66035492", "15", "0").iv(&eea3, "nea3").expect("right").expect("given");
        assert_eq!(iv[..5], [0x66, 0x03, 0x54, 0x92, 0x78]);
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        let eea3 = named("nea3").expect("known");
        for (count, bearer, direction, expected) in [
            ("4294967296", "0", "0", "--count is `4294967296`"),
            ("x", "0", "0", "--count is `x`"),
            ("0", "32", "0", "--bearer is `32`"),
            ("0", "0", "up", "--direction is `up`"),
        ] {
            let refused = args(count, bearer, direction).iv(&eea3, "nea3").expect_err(expected);
            assert!(format!("{refused:?}").contains(expected), "{refused:?}");
        }
        let ctr = registry::algorithm("sm4").and_then(|it| registry::operation(it, "ctr"));
        let refused = args("0", "0", "0").iv(&ctr.expect("registered"), "sm4-ctr");
        assert!(format!("{refused:?}").contains("no algorithm of 3GPP"), "{refused:?}");
    }
}
