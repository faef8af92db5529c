//! The objects of ciphers of small blocks, written once.
//!
//! A cipher's folder gives the expanded key with its rounds
//! ([`TileCipher`](super::tile_cipher::TileCipher)), what it knows of levels
//! ([`Formulation`](super::formulation::Formulation)), and of the object the constructors,
//! `takes`, which says whether a key may replace another, and `expand`, which takes it.
//!
//! These are macros because machine code is made in functions without type parameters, in the
//! cipher's folder.

/// The object: `keys`, which start as an `empty` place, and counters as wide as a block, `number`.
///
/// `passes` says how many of so many bytes are done next, and at which level; `inverse` is a method
/// of the object that is called before anything is decrypted.
macro_rules! tile_cipher_object {
    (
        $(#[$meta:meta])*
        $name:ident, keys: $keys:ty, number: $number:ty, passes: $next:path
        $(, inverse: $inverse:ident)?
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            level: lanes::Level,
            trace: crate::secret::Trace,
            /// Overwritten with what no key has filled, which holds what the stack held there.
            keys: lanes::wipe::Whole<crate::secret::Secret<$keys>>,
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let level = self.level.name();
                f.debug_struct(stringify!($name)).field("level", &level).finish_non_exhaustive()
            }
        }

        const _: () = {
            use lanes::wipe::Whole;
            use lanes::{InOut, Level, dispatch_plain};

            use crate::block::{formulation, serial};
            use crate::error::Error;
            use crate::first_use::admit;
            use crate::secret::{Secret, Trace};
            use crate::traits::block::{BlockCipher, Chain, WholeMode};

            const BLOCK: usize = size_of::<$number>();
            const SHORT: usize = formulation::SHORT * BLOCK;

            impl $name {
                /// A place for a key, in which it is expanded: moved, it would leave a
                /// copy behind.
                #[inline(always)]
                fn unset(level: Level, keys: $keys) -> Result<Self, Error> {
                    admit(level, &ANSWER)?;
                    let trace = Trace::of(level, STACK);
                    Ok(Self { level, trace, keys: Whole::new(Secret(keys)) })
                }

                fn blocks(
                    &self,
                    back: bool,
                    mut io: InOut<'_>,
                    pre: Option<&[u8]>,
                    post: Option<&[u8]>,
                ) {
                    assert_eq!(io.len() % BLOCK, 0, "whole blocks");
                    assert!(pre.is_none_or(|pre| pre.len() == io.len()), "as much `pre` as data");
                    assert!(
                        post.is_none_or(|post| post.len() == io.len()),
                        "as much `post` as data"
                    );
                    $(if back {
                        self.$inverse();
                    })?
                    if io.len() <= SHORT {
                        // Outside the door: there the compiler would put words that wait for each
                        // other into one register.
                        return serial::short(&self.keys.0, back, io, pre, post);
                    }
                    // By reference, as in every cipher: moved into the door by value, the pair
                    // would be stored and loaded again in other pieces.
                    let (keys, io) = (&self.keys.0, &mut io);
                    let mut offset = 0;
                    while offset < io.len() {
                        let (len, level) = $next(self.level, io.len() - offset);
                        let part = &mut io.part(offset, len);
                        let [pre, post] =
                            [pre, post].map(|data| data.map(|data| &data[offset..offset + len]));
                        if back {
                            dispatch_plain!(level, isa => {
                                formulation::blocks::<_, _, true>(isa, keys, part.reborrow(), pre, post);
                            });
                        } else {
                            dispatch_plain!(level, isa => {
                                formulation::blocks::<_, _, false>(isa, keys, part.reborrow(), pre, post);
                            });
                        }
                        offset += len;
                    }
                }
            }

            impl BlockCipher for $name {
                fn block_size(&self) -> usize {
                    BLOCK
                }

                fn level(&self) -> Level {
                    self.level
                }

                fn rekey(&mut self, key: &[u8]) -> bool {
                    let takes = self.takes(key.len()) && admit(self.level, &ANSWER).is_ok();
                    if takes {
                        self.expand(key);
                    }
                    takes
                }

                fn leave_trace(&mut self) {
                    self.trace.leave();
                }

                fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                    self.blocks(false, io, pre, post);
                }

                fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                    self.blocks(true, io, pre, post);
                }

                fn whole(&self, mode: WholeMode, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
                    $(if matches!(mode, WholeMode::EcbDecrypt | WholeMode::CbcDecrypt) {
                        self.$inverse();
                    })?
                    serial::whole(&self.keys.0, mode, io, value, SHORT)
                }

                fn ctr(&self, mut io: InOut<'_>, counter: &mut [u8]) {
                    let counter: &mut [u8; BLOCK] =
                        counter.try_into().expect("a counter of one block");
                    let mut value = u128::from(<$number>::from_be_bytes(*counter));
                    let keys = &self.keys.0;
                    if io.len() <= SHORT {
                        serial::ctr(keys, io, &mut value);
                    } else {
                        let mut offset = 0;
                        while offset < io.len() {
                            let (len, level) = $next(self.level, io.len() - offset);
                            let (part, value) = (&mut io.part(offset, len), &mut value);
                            dispatch_plain!(level, isa => {
                                formulation::ctr(isa, keys, part.reborrow(), value);
                            });
                            offset += len;
                        }
                    }
                    *counter = (value as $number).to_be_bytes();
                }

                fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
                    for chain in chains.iter() {
                        assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
                        assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
                    }
                    if let [only] = chains {
                        return serial::one_chain(&self.keys.0, only, 0);
                    }
                    self.run_chains(chains);
                }
            }
        };
    };
}

/// Of an object with blocks of 8 bytes, keys side by side: `usual` is the place of a key of a set,
/// `lengths` are those of keys, `pieces` of two blocks make up an expanded key, and `short` says whether
/// there is a kernel for lanes in 16-byte registers.
macro_rules! tile_cipher_set {
    (
        $name:ident, keys: $keys:ty, usual: $usual:expr, lengths: $lengths:expr, pieces: $pieces:expr,
        short: $short:expr
        $(, inverse: $inverse:ident)?
    ) => {
        const _: () = {
            use lanes::{Level, dispatch_plain};

            use crate::block::chains::with_number;
            use crate::block::formulation;
            use crate::block::passes::in_passes;
            use crate::traits::block::{Chain, KeyedChain};

            impl $name {
                fn run_chains(&self, chains: &mut [Chain<'_>]) {
                    with_number(chains, |chains| {
                        run_chains(self.level, core::slice::from_ref(self), chains);
                    });
                }
            }

            /// Runs chains, each under its key of a set.
            fn run_chains(level: Level, keys: &[$name], chains: &mut [KeyedChain<'_>]) {
                in_passes(level, $short, chains, |level, chains| {
                    dispatch_plain!(level, isa => {
                        formulation::chains::<_, _, _, { $pieces }>(isa, keys, chains);
                    });
                });
            }

            impl crate::block::tile_cipher::Under for $name {
                type Keys = $keys;

                #[inline(always)]
                fn keys(&self) -> &$keys {
                    &self.keys.0
                }
            }

            #[cfg(feature = "alloc")]
            impl crate::block::lane_key_set::InLanes for $name {
                const KEY: crate::sizes::Sizes = $lengths;

                const STACK: crate::secret::Depth = STACK;

                const SHORT: bool = $short;

                fn admit(level: Level) -> Result<(), crate::error::Error> {
                    crate::first_use::admit(level, &ANSWER)
                }

                fn trace(&mut self) -> &mut crate::secret::Trace {
                    &mut self.trace
                }

                fn empty(level: Level) -> Self {
                    let keys = lanes::wipe::Whole::new(crate::secret::Secret($usual));
                    Self { level, trace: crate::secret::Trace::none(), keys }
                }

                fn set(&mut self, key: &[u8]) {
                    self.expand(key);
                }

                fn lanes(level: Level) -> usize {
                    dispatch_plain!(level, isa => formulation::lanes::<_, $keys>(isa))
                }

                fn single_from(level: Level) -> usize {
                    dispatch_plain!(level, isa => formulation::single_from::<_, $keys>(isa))
                }

                fn chains(level: Level, keys: &[Self], chains: &mut [KeyedChain<'_>]) {
                    run_chains(level, keys, chains);
                }

                fn each(
                    level: Level,
                    back: bool,
                    keys: &[Self],
                    numbers: &[usize],
                    blocks: &mut [[u8; 8]],
                ) {
                    $(if back {
                        numbers.iter().for_each(|&number| keys[number].$inverse());
                    })?
                    if back {
                        dispatch_plain!(level, isa => {
                            formulation::each::<_, _, true, { $pieces }>(isa, keys, numbers, blocks);
                        });
                    } else {
                        dispatch_plain!(level, isa => {
                            formulation::each::<_, _, false, { $pieces }>(isa, keys, numbers, blocks);
                        });
                    }
                }
            }
        };
    };
}

pub(crate) use {tile_cipher_object, tile_cipher_set};
