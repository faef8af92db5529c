//! The constructors that all batches of stream ciphers have, with their documentation: those that do
//! one thing have `new`, those that seal or open have `seal` and `open`, and both have `with_level`.

/// `new` and `with_level` of a batch: its type, the type's parameters in brackets, if there are any, and
/// how it is made at a level.
#[cfg(any(
    feature = "snow-v",
    feature = "_lane_rows",
    all(feature = "alloc", feature = "_generators")
))]
macro_rules! at_level {
    ($batch:ty $(, [$($parameters:tt)+])?, $level:ident => $made:expr) => {
        impl$(<$($parameters)+>)? $batch {
            /// A batch at the level [`Level::detect`] gives.
            ///
            /// # Errors
            /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
            pub fn new() -> Result<Self, Error> {
                Ok(Self::with_level(Level::detect()?))
            }

            /// A batch at a given level.
            #[must_use]
            pub fn with_level($level: Level) -> Self {
                $made
            }
        }
    };
}
#[cfg(any(
    feature = "snow-v",
    feature = "_lane_rows",
    all(feature = "alloc", feature = "_generators")
))]
pub(crate) use at_level;

/// `seal`, `open` and `with_level` of a batch: as [`at_level`], with whether it opens, and behind that
/// what else it is made for, if there is anything.
#[cfg(any(
    feature = "snow-v",
    feature = "snow3g",
    feature = "zuc",
    all(feature = "alloc", feature = "grain")
))]
macro_rules! each_way {
    (
        $batch:ty $(, [$($parameters:tt)+])?, $open:ident, $level:ident
        $(, $more:ident: $kind:ty)? => $made:expr
    ) => {
        impl$(<$($parameters)+>)? $batch {
            /// Encryption, at the level [`Level::detect`] gives.
            ///
            /// # Errors
            /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
            pub fn seal($($more: $kind)?) -> Result<Self, Error> {
                Ok(Self::with_level($($more,)? false, Level::detect()?))
            }

            /// Decryption, at the level [`Level::detect`] gives.
            ///
            /// # Errors
            /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
            pub fn open($($more: $kind)?) -> Result<Self, Error> {
                Ok(Self::with_level($($more,)? true, Level::detect()?))
            }

            /// Decryption if `open`, else encryption, at a given level.
            #[must_use]
            pub fn with_level($($more: $kind,)? $open: bool, $level: Level) -> Self {
                $made
            }
        }
    };
}
#[cfg(any(
    feature = "snow-v",
    feature = "snow3g",
    feature = "zuc",
    all(feature = "alloc", feature = "grain")
))]
pub(crate) use each_way;
