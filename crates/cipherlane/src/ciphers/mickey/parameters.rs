//! What distinguishes MICKEY 2.0 and MICKEY-128 2.0: lengths, places and sequences, as
//! sections 3.1 to 3.3 of the papers give them. Stage `i` is bit `i mod 64` of word `i / 64`.

/// A register or a sequence.
pub(super) type Stages = [u64; 3];

/// One of the two ciphers, to the kernels.
pub(super) trait Parameters {
    /// The key's length in bytes.
    const KEY: usize;
    /// Stages of each register, and clocks of the preclocking.
    const STAGES: usize;
    /// The control bit of R is the sum of this stage of S and stage `LATE` of R.
    const S_OF_R: usize;
    /// The control bit of S is the sum of this stage of R and stage `LATE` of S.
    const R_OF_S: usize;
    /// See [`S_OF_R`](Self::S_OF_R).
    const LATE: usize;
    /// The stage of S that is mixed into R while keys are loaded.
    const MIXED: usize;
    /// The taps of R.
    const R_TAPS: Stages;
    /// COMP0; 0 in the first and the last stage.
    const COMP0: Stages;
    /// COMP1; 0 in the first and the last stage.
    const COMP1: Stages;
    /// FB0.
    const FB0: Stages;
    /// FB1.
    const FB1: Stages;
}

/// MICKEY 2.0.
#[derive(Clone, Copy)]
pub(super) enum P100 {}

impl Parameters for P100 {
    const KEY: usize = 10;
    const STAGES: usize = 100;
    const S_OF_R: usize = 34;
    const R_OF_S: usize = 33;
    const LATE: usize = 67;
    const MIXED: usize = 50;
    const R_TAPS: Stages = [0xb554_6660_1279_327b, 0x0000_0003_df87_818f, 0];
    const COMP0: Stages = [0x7942_a809_6aa9_7a30, 0x0000_0006_057e_bfea, 0];
    const COMP1: Stages = [0xe3a2_1d63_dd62_9e9a, 0x0000_0001_91c2_3dd7, 0];
    const FB0: Stages = [0xaf4a_9381_9ffa_7faf, 0x0000_0001_9cec_5802, 0];
    const FB1: Stages = [0x4911_b063_4c8c_b877, 0x0000_0008_40fb_c52b, 0];
}

/// MICKEY-128 2.0.
#[derive(Clone, Copy)]
pub(super) enum P160 {}

impl Parameters for P160 {
    const KEY: usize = 16;
    const STAGES: usize = 160;
    const S_OF_R: usize = 54;
    const R_OF_S: usize = 53;
    const LATE: usize = 106;
    const MIXED: usize = 80;
    const R_TAPS: Stages = [0xf3ec_4c59_4211_4d31, 0x803b_be32_9c67_9626, 0x0000_0000_3752_53af];
    const COMP0: Stages = [0x7926_0955_5dd6_f25e, 0x37af_d931_7900_7062, 0x0000_0000_0fbe_06be];
    const COMP1: Stages = [0xfeb6_3c98_7d19_1f30, 0x6660_e345_7c00_c3e0, 0x0000_0000_7ff4_5bb5];
    const FB0: Stages = [0x0e2f_a322_c43c_1faf, 0xd454_4b91_66e5_4d81, 0x0000_0000_8363_0bc1];
    const FB1: Stages = [0x7079_8c90_9bf4_77ab, 0x6c4b_7ee7_6f9a_18b6, 0x0000_0000_11a7_80ef];
}

/// Whether stage `i` of a sequence is 1.
pub(super) const fn bit(stages: &Stages, i: usize) -> bool {
    stages[i / 64] >> (i % 64) & 1 == 1
}

/// All stages but the first and the last, to which the products of S don't go.
pub(super) const fn inner<P: Parameters>() -> Stages {
    let mut stages = [0; 3];
    let mut i = 1;
    while i < P::STAGES - 1 {
        stages[i / 64] |= 1 << (i % 64);
        i += 1;
    }
    stages
}
