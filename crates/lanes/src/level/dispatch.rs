//! The macros that run an expression at a level: the only `match`es on levels.

/// Runs one expression under the instruction set a [`Level`](crate::Level) names.
///
/// The only `match` on levels, but for [`dispatch_aes!`](crate::dispatch_aes),
/// [`dispatch_sm4!`](crate::dispatch_sm4) and [`dispatch_plain!`](crate::dispatch_plain). It stands in
/// non-generic functions of a cipher's folder, so that machine code is made there and nowhere
/// else. A level that differs by instructions for some ciphers goes through the door of the level below
/// it.
#[macro_export]
macro_rules! dispatch {
    ($level:expr, $isa:ident => $body:expr) => {
        $crate::levels!([$crate::dispatch_over] $level, $isa => $body;)
    };
}

/// [`dispatch!`](crate::dispatch), given the table.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_over {
    ($level:expr, $isa:ident => $body:expr; $(
        $Architecture:ident if $built:meta { $(
            $(#[$doc:meta])* $file:ident::$Token:ident = $name:literal if $all:meta
            $(, halves to $Half:ident)?
            $(, plainly $Plain:ident)?
            $(, $(#[$one_doc:meta])* with $one_file:ident::$One:ident = $one_name:literal)?;
        )* }
    )*) => {
        match $level { $($(
            #[cfg(all($built, $all))]
            $crate::Level::$Token($isa) $(| $crate::Level::$One($isa, _))? => $isa.enter(
                #[inline(always)]
                || $body,
            ),
        )*)* }
    };
}

/// [`dispatch!`](crate::dispatch) for a cipher that computes with numbers and bits alone: levels that
/// add maps of bytes, products without carries and rounds of AES to another run what that one runs,
/// and no machine code is made for them.
#[macro_export]
macro_rules! dispatch_plain {
    ($level:expr, $isa:ident => $body:expr) => {
        $crate::levels!([$crate::dispatch_plain_over] $level, $isa => $body;)
    };
}

/// [`dispatch_plain!`](crate::dispatch_plain), given the table.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_plain_over {
    ($level:expr, $isa:ident => $body:expr; $(
        $Architecture:ident if $built:meta { $(
            $(#[$doc:meta])* $file:ident::$Token:ident = $name:literal if $all:meta
            $(, halves to $Half:ident)?
            $(, plainly $Plain:ident)?
            $(, $(#[$one_doc:meta])* with $one_file:ident::$One:ident = $one_name:literal)?;
        )* }
    )*) => {
        match $crate::Level::plain($level) { $($(
            #[cfg(all($built, $all))]
            $crate::Level::$Token($isa) $(| $crate::Level::$One($isa, _))? => {
                $crate::plain_arm!([$($Plain)?] $isa => $body)
            }
        )*)* }
    };
}

/// What a level does of which [`Level::plain`](crate::Level::plain) has taken those that are plainly another.
#[doc(hidden)]
#[macro_export]
macro_rules! plain_arm {
    ([] $isa:ident => $body:expr) => {
        $isa.enter(
            #[inline(always)]
            || $body,
        )
    };
    ([$Plain:ident] $isa:ident => $body:expr) => {{
        let _ = $isa;
        unreachable!(concat!("this level is plainly ", stringify!($Plain)))
    }};
}

/// [`dispatch!`](crate::dispatch) in the folders of ciphers and hashes that live on rounds of AES or on
/// products without carries, with a door for every level that has these on whole registers.
#[macro_export]
macro_rules! dispatch_aes {
    ($level:expr, $isa:ident => $body:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::Level::Avx2Vaes(_, $isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            level => $crate::dispatch!(level, $isa => $body),
        }
    };
}

/// [`dispatch_aes!`](crate::dispatch_aes) in the folder of SM4, with a door for every level that has its
/// instructions.
#[macro_export]
macro_rules! dispatch_sm4 {
    ($level:expr, $isa:ident => $body:expr) => {
        match $level {
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            $crate::Level::Avx2Sm4(_, $isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ))]
            $crate::Level::NeonSm4(_, $isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            level => $crate::dispatch_aes!(level, $isa => $body),
        }
    };
}
