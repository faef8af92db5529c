//! The feature `self-test`: an algorithm gives its published answer at a level before its first
//! object there.
//!
//! Each cipher's folder has an [`Answer`]; whoever makes an object asks [`admit`] for it first. The
//! first object of the cipher at a level waits until the answer has come, which takes
//! microseconds; a wrong one condemns the level: this and every later object of the process, of
//! whatever cipher, is refused there.

#[cfg(all(not(feature = "self-test"), feature = "alloc"))]
pub(crate) use without_test::permit;
#[cfg(not(feature = "self-test"))]
pub(crate) use without_test::{Answer, admit};

#[cfg(feature = "self-test")]
pub(crate) use with_test::{Answer, admit, condemn, permit};

/// The answer of a cipher's folder, `ANSWER`, from the function that asks for it at a level.
macro_rules! answer {
    ($test:expr) => {
        /// What must come out before the first object at a level.
        #[cfg(feature = "self-test")]
        pub(crate) static ANSWER: crate::first_use::Answer = crate::first_use::Answer::new($test);
        /// No answer is asked for.
        #[cfg(not(feature = "self-test"))]
        pub(crate) static ANSWER: crate::first_use::Answer = crate::first_use::Answer;
    };
}
pub(crate) use answer;

#[cfg(not(feature = "self-test"))]
#[expect(clippy::unnecessary_wraps, reason = "the signatures of the variants that can fail")]
mod without_test {
    use lanes::Level;

    use crate::error::Error;

    /// No answer is asked for.
    pub(crate) struct Answer;

    /// Whether objects may be made at a level: always.
    #[inline(always)]
    pub(crate) const fn admit(_: Level, _: &Answer) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the level is not condemned: never.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) const fn permit(_: Level) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(feature = "self-test")]
mod with_test {
    use core::cell::Cell;
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::sync::OnceLock;

    use lanes::Level;

    use crate::error::Error;

    static CONDEMNED: Condemned = Condemned([const { AtomicBool::new(false) }; Level::COUNT]);

    std::thread_local! {
        /// The test makes objects, too.
        static TESTING: Cell<bool> = const { Cell::new(false) };
    }

    /// What must come out before the first object at a level, and what came of it: the first
    /// thread at a level asks, others wait.
    pub(crate) struct Answer {
        test: fn(Level) -> Result<(), Error>,
        verdicts: [OnceLock<Result<(), Error>>; Level::COUNT],
    }

    impl Answer {
        /// By this function, which asks at a level.
        pub(crate) const fn new(test: fn(Level) -> Result<(), Error>) -> Self {
            Self { test, verdicts: [const { OnceLock::new() }; Level::COUNT] }
        }

        /// The verdict at a level, of a test that is run if there is none yet.
        fn verdict(&self, level: Level, condemned: &Condemned) -> Result<(), Error> {
            if TESTING.get() {
                return Ok(());
            }
            condemned.permit(level)?;
            *self.verdicts[level.rank()].get_or_init(|| {
                let guard = Guard::begin(level, condemned);
                let verdict = (self.test)(level);
                guard.end(verdict)
            })
        }
    }

    /// The levels at which nothing is made any more.
    struct Condemned([AtomicBool; Level::COUNT]);

    impl Condemned {
        fn permit(&self, level: Level) -> Result<(), Error> {
            if self.0[level.rank()].load(Ordering::Relaxed) {
                return Err(Error::SelfTest { algorithm: "condemned", operation: level.name() });
            }
            Ok(())
        }

        fn condemn(&self, level: Level) {
            self.0[level.rank()].store(true, Ordering::Relaxed);
        }
    }

    /// While it lives, this thread's objects are made untested. Dropped before the verdict, in a
    /// panic, it condemns the level: what fails in another way fails, too.
    struct Guard<'c> {
        level: Level,
        condemned: &'c Condemned,
        right: bool,
    }

    impl<'c> Guard<'c> {
        fn begin(level: Level, condemned: &'c Condemned) -> Self {
            TESTING.set(true);
            Self { level, condemned, right: false }
        }

        fn end(mut self, verdict: Result<(), Error>) -> Result<(), Error> {
            self.right = verdict.is_ok();
            verdict
        }
    }

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            TESTING.set(false);
            if !self.right {
                self.condemned.condemn(self.level);
            }
        }
    }

    /// Whether a cipher's objects may be made at a level.
    ///
    /// # Errors
    /// [`Error::SelfTest`] where its answer is wrong, or the level is condemned.
    pub(crate) fn admit(level: Level, answer: &Answer) -> Result<(), Error> {
        answer.verdict(level, &CONDEMNED)?;
        // Objects of a level use the one with shorter registers where their lanes are enough.
        level.halved().or(level.plain().parted()).map_or(Ok(()), |half| admit(half, answer))
    }

    /// Whether the level is not condemned: for what holds ciphers and asks them later.
    pub(crate) fn permit(level: Level) -> Result<(), Error> {
        CONDEMNED.permit(level)?;
        level.halved().or(level.plain().parted()).map_or(Ok(()), permit)
    }

    pub(crate) fn condemn(level: Level) {
        CONDEMNED.condemn(level);
    }

    #[cfg(test)]
    mod tests {
        use core::sync::atomic::AtomicUsize;

        use super::*;

        const WRONG: Error = Error::SelfTest { algorithm: "sm4", operation: "ctr" };

        const fn none() -> Condemned {
            Condemned([const { AtomicBool::new(false) }; Level::COUNT])
        }

        fn refused(level: Level) -> Error {
            Error::SelfTest { algorithm: "condemned", operation: level.name() }
        }

        #[test]
        fn a_test_runs_once_and_a_right_answer_stays() {
            static RUNS: AtomicUsize = AtomicUsize::new(0);
            let (level, condemned) = (Level::portable(), none());
            let answer = Answer::new(|_| {
                RUNS.fetch_add(1, Ordering::Relaxed);
                Ok(())
            });
            for _ in 0..3 {
                assert_eq!(answer.verdict(level, &condemned), Ok(()));
            }
            assert_eq!(RUNS.load(Ordering::Relaxed), 1);
            assert_eq!(condemned.permit(level), Ok(()));
        }

        #[test]
        fn a_wrong_answer_condemns_the_level_for_all() {
            let (level, condemned) = (Level::portable(), none());
            let (wrong, right) = (Answer::new(|_| Err(WRONG)), Answer::new(|_| Ok(())));
            assert_eq!(right.verdict(level, &condemned), Ok(()));
            assert_eq!(wrong.verdict(level, &condemned), Err(WRONG));
            for answer in [&wrong, &right] {
                assert_eq!(answer.verdict(level, &condemned), Err(refused(level)));
            }
            let others = Level::available().filter(|it| *it != level);
            others.for_each(|level| assert_eq!(right.verdict(level, &condemned), Ok(())));
        }

        #[test]
        fn a_test_that_panics_condemns_its_level() {
            let (level, condemned) = (Level::portable(), none());
            let panics = Answer::new(|_| panic!("a test that fails in another way"));
            let run = || panics.verdict(level, &condemned);
            assert!(std::panic::catch_unwind(core::panic::AssertUnwindSafe(run)).is_err());
            assert_eq!(panics.verdict(level, &condemned), Err(refused(level)));
            assert!(!TESTING.get());
        }

        #[test]
        fn what_the_test_makes_is_not_tested() {
            static INNER: Answer = Answer::new(|_| Err(WRONG));
            static CONDEMNED: Condemned = none();
            let level = Level::portable();
            let outer = Answer::new(|level| INNER.verdict(level, &CONDEMNED));
            assert_eq!(outer.verdict(level, &CONDEMNED), Ok(()));
            assert_eq!(INNER.verdicts[level.rank()].get(), None);
            assert_eq!(INNER.verdict(level, &CONDEMNED), Err(WRONG));
        }
    }
}
