//! The operations that loops do, under the names of `lanes::counting`.

macro_rules! operations {
    ($($name:ident)+) => {
        /// A lane operation, or several whose cost is one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(non_camel_case_types, reason = "named as the operations are")]
        #[expect(missing_docs, reason = "the methods of `lanes` say what they do")]
        #[repr(u8)]
        pub enum Operation { $($name),+ }

        impl Operation {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),+ }
            }
        }
    };
}
operations! {
    load load_part load_blocks store store_part store_blocks splat low64
    xor xor3 and or select join16
    add8 less8 shr8 add16 sub16 mullo16 mulhi16 less16 equal16 min_u16 sub_saturated16 shr16 sign16
    rol16 rol16_by lookup16 pick32
    add32 sub32 max_i32 add64 mul_low_halves sub64
    rol32_by rol64_by rol32 rol32_by_bytes rol32_lowest shl32 shr32 across16 shld32
    shl64 shr64 rol64
    shuffle8 unpack swap64 align8 lookup8 transpose_groups xor_groups clmul
    aes_sub_bytes affine8 affine_inverse8
    aes_round aes_inverse_mix_columns
}

impl Operation {
    /// The operation of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }

    /// How often it is done in a turn: twice on each of eight registers, or as often on fewer.
    #[must_use]
    pub const fn per_turn(self) -> u64 {
        match self {
            // On four registers at once.
            Self::transpose_groups => 2,
            _ => 16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_operations() {
        for &operation in Operation::ALL {
            assert_eq!(Operation::by_name(operation.name()), Some(operation));
        }
        assert_eq!(Operation::by_name("xor4"), None);
    }
}
