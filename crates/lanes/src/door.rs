//! Tokens and doors: proof that a set of CPU features is there, and the one
//! function that switches them on.
//!
//! # Why the door is sound
//! [`door!`] writes the feature list of the detection and of the
//! `#[target_feature]` attribute from one list, so they can't drift apart. A
//! token's field is private to its file; its constructors are `detect` and, where
//! a level is part of others, one that takes a token of at least the same features,
//! which the compiler checks. So whoever holds a token has seen every feature detected
//! on this CPU.
//!
//! With the feature `clear-registers` a door leaves zeros in every register that a call may
//! change; how is said for each architecture in its `clear.rs`.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) use crate::aarch64::detected;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use crate::wasm32::detected;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use crate::x86::detected;

/// Makes a token, its detection and its door from one list of features.
macro_rules! door {
    ($(#[$doc:meta])* $Token:ident, clears $registers:ident: $($feature:tt)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $Token(());

        #[cfg(not(target_arch = "wasm32"))]
        impl $crate::implies::Token for $Token {
            const DETECTED: &'static [&'static str] = Self::FEATURES;
        }

        #[cfg(feature = "counting")]
        impl $crate::counting::Counting<$Token> {
            /// The door of the level itself.
            #[inline(always)]
            pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                self.0.enter(f)
            }
        }

        impl $Token {
            /// The CPU features this token is proof of.
            pub const FEATURES: &'static [&'static str] = &[$($feature),+];

            /// The token, if this CPU and system have every feature.
            #[must_use]
            pub fn detect() -> Option<Self> {
                $crate::door::detected(Self::FEATURES).then_some(Self(()))
            }

            /// The door: runs `f` with the features switched on.
            #[inline(always)]
            pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                $(#[target_feature(enable = $feature)])+
                fn door<R>(f: impl FnOnce() -> R) -> R {
                    let result = f();
                    #[cfg(feature = "clear-registers")]
                    $crate::clear::$registers();
                    result
                }
                #[cfg_attr(
                    target_arch = "wasm32",
                    expect(unused_unsafe, reason = "a WebAssembly module is checked as a whole")
                )]
                // SAFETY: `self` exists, so `detect` saw every feature that `door`
                // enables: both lists are the macro's one.
                unsafe { door(f) }
            }
        }
    };
}
pub(crate) use door;
