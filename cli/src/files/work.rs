//! How much work a file may ask for before anything of it is known to be true.

use std::path::Path;

use container::Kdf;

use crate::failure::{Exit, Failure};

/// The most work that a header may ask for
#[derive(Debug, clap::Args)]
pub(crate) struct WorkArgs {
    /// How many times the work of `encrypt` a file may ask for to make its key of a passphrase
    #[arg(long, value_name = "N", default_value = "16")]
    max_work: String,
}

impl WorkArgs {
    /// The number.
    ///
    /// # Errors
    /// What is none.
    pub(crate) fn most(&self) -> Result<u64, Failure> {
        self.max_work.trim().parse().ok().filter(|most| *most > 0).ok_or_else(|| {
            let error = format!("--max-work is `{}`", self.max_work);
            Failure::usage(error, "allowed: 1 to 683, which is the most that a file can ask for")
        })
    }
}

/// Refuses a header that asks for more: anybody can write one.
///
/// # Errors
/// If so.
pub(crate) fn check(path: &Path, kdf: Kdf, most: u64) -> Result<(), Failure> {
    let work = of(kdf);
    if work <= most {
        return Ok(());
    }
    let error = format!(
        "{} asks for {work} times the work of `encrypt` to make its key of the passphrase, and \
         its header may be anybody's",
        path.display()
    );
    let help = format!("if you know who made it, give --max-work {work}");
    Err(Failure::new(Exit::Failed, error, help))
}

/// The work of a KDF in units of what `encrypt` asks for, rounded up.
fn of(kdf: Kdf) -> u64 {
    match (kdf, Kdf::ARGON2ID, Kdf::PBKDF2_SM3) {
        (
            Kdf::Argon2id { memory_kib, passes, .. },
            Kdf::Argon2id { memory_kib: m, passes: p, .. },
            _,
        ) => (u64::from(memory_kib) * u64::from(passes)).div_ceil(u64::from(m) * u64::from(p)),
        (Kdf::Pbkdf2Sm3 { iterations }, _, Kdf::Pbkdf2Sm3 { iterations: usual }) => {
            u64::from(iterations).div_ceil(usual.into())
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_measured_by_what_encrypt_asks_for() {
        assert_eq!([Kdf::Key, Kdf::ARGON2ID, Kdf::PBKDF2_SM3].map(of), [0, 1, 1]);
        assert_eq!(of(Kdf::Argon2id { memory_kib: 2 << 20, passes: 64, lanes: 1 }), 683);
        assert_eq!(of(Kdf::Pbkdf2Sm3 { iterations: 100_000_000 }), 167);
        assert_eq!(of(Kdf::Pbkdf2Sm3 { iterations: 1000 }), 1);
    }
}
