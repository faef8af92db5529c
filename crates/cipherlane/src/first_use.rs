//! The feature `self-test`: a level is tested before its first use.
//!
//! Whoever makes an object asks [`admit`] first. The first object at a level waits until all
//! algorithms have given [their known answers](crate::self_test) there, which takes milliseconds;
//! if one answer is wrong, this and every later object of the process is refused at that level.

/// Whether objects may be made at a level.
///
/// # Errors
/// [`Error::SelfTest`](crate::error::Error::SelfTest) where its self-test found a wrong answer.
#[cfg(not(feature = "self-test"))]
#[inline(always)]
#[expect(clippy::unnecessary_wraps, reason = "the signature of the variant that can fail")]
pub(crate) const fn admit(_: lanes::Level) -> Result<(), crate::error::Error> {
    Ok(())
}

#[cfg(feature = "self-test")]
pub(crate) use with_test::{admit, condemn};

#[cfg(feature = "self-test")]
mod with_test {
    use core::cell::Cell;
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::sync::OnceLock;

    use crate::error::Error;
    use crate::self_test;
    use lanes::Level;

    /// What came of a level's test; the first thread at a level runs it, others wait.
    static VERDICTS: [OnceLock<Result<(), Error>>; Level::COUNT] =
        [const { OnceLock::new() }; Level::COUNT];
    static CONDEMNED: [AtomicBool; Level::COUNT] = [const { AtomicBool::new(false) }; Level::COUNT];

    std::thread_local! {
        /// The test makes objects, too.
        static TESTING: Cell<bool> = const { Cell::new(false) };
    }

    /// While it lives, this thread's objects are made untested. Dropped in a panic, too: else the
    /// thread would skip the test of every level from then on.
    struct Testing(());

    impl Testing {
        fn begin() -> Self {
            TESTING.set(true);
            Self(())
        }
    }

    impl Drop for Testing {
        fn drop(&mut self) {
            TESTING.set(false);
        }
    }

    pub(crate) fn admit(level: Level) -> Result<(), Error> {
        if CONDEMNED[level.rank()].load(Ordering::Relaxed) {
            return Err(Error::SelfTest { algorithm: "condemned", operation: level.name() });
        }
        once(&VERDICTS[level.rank()], || self_test::all(level).map(drop))?;
        // Objects of a level use the halved one where their lanes are enough.
        level.halved().map_or(Ok(()), admit)
    }

    /// The verdict, of a test that is run if there is none yet.
    fn once(
        verdict: &OnceLock<Result<(), Error>>,
        test: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        if TESTING.get() {
            return Ok(());
        }
        *verdict.get_or_init(|| {
            let _testing = Testing::begin();
            test()
        })
    }

    pub(crate) fn condemn(level: Level) {
        CONDEMNED[level.rank()].store(true, Ordering::Relaxed);
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const WRONG: Error = Error::SelfTest { algorithm: "sm4", operation: "ctr" };

        #[test]
        fn a_test_runs_once_and_its_verdict_stays() {
            let verdict = OnceLock::new();
            let mut runs = 0;
            for _ in 0..3 {
                let run = || {
                    runs += 1;
                    Err(WRONG)
                };
                assert_eq!(once(&verdict, run), Err(WRONG));
            }
            assert_eq!(runs, 1);
        }

        #[test]
        fn a_test_that_panics_is_run_again() {
            let verdict = OnceLock::new();
            let panics = || once(&verdict, || panic!("a test that fails in another way"));
            assert!(std::panic::catch_unwind(core::panic::AssertUnwindSafe(panics)).is_err());
            assert_eq!(once(&verdict, || Err(WRONG)), Err(WRONG));
        }

        #[test]
        fn what_the_test_makes_is_not_tested() {
            let (verdict, inner) = (OnceLock::new(), OnceLock::new());
            let test = || once(&inner, || Err(WRONG));
            assert_eq!(once(&verdict, test), Ok(()));
            assert_eq!(inner.get(), None);
            assert_eq!(once(&inner, || Err(WRONG)), Err(WRONG));
        }
    }
}
