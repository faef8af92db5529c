//! Zeros in the registers that a call may change.
//!
//! # Why it is sound
//! Each template writes registers alone, and every register that it writes is named as an
//! output, so the compiler keeps nothing there. Those of vectors are named by functions that
//! have the feature of their width.

use core::arch::asm;
use core::sync::atomic::{AtomicU8, Ordering};

use super::detected;

/// Every register that a call may change of all that this CPU has, whatever the level: copies of
/// memory by the system's library go through the widest.
pub(crate) fn all() {
    /// 1 + what [`widest`] gave; 0 where nobody asked yet.
    static WIDEST: AtomicU8 = AtomicU8::new(0);
    // What interprets a program has none, and no templates.
    if cfg!(miri) {
        return;
    }
    let mut known = WIDEST.load(Ordering::Relaxed);
    if known == 0 {
        known = 1 + widest();
        WIDEST.store(known, Ordering::Relaxed);
    }
    match known - 1 {
        // SAFETY: `widest` saw both features.
        2 => unsafe { of512() },
        // SAFETY: `widest` saw the feature.
        1 => unsafe { of256() },
        _ => of_portable(),
    }
}

fn widest() -> u8 {
    if detected(&["avx512f", "avx512bw"]) { 2 } else { u8::from(detected(&["avx"])) }
}

/// What `portable` uses: general registers, and what the compiler has for vectors.
#[inline(always)]
pub(crate) fn of_portable() {
    #[cfg(target_feature = "sse2")]
    // SAFETY: SSE2 is part of what this program is compiled for.
    unsafe {
        of128();
    }
    #[cfg(not(target_feature = "sse2"))]
    general();
}

#[inline(always)]
fn general() {
    // SAFETY: see the head of the file.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "xor eax, eax", "xor ecx, ecx", "xor edx, edx", "xor esi, esi", "xor edi, edi",
            "xor r8d, r8d", "xor r9d, r9d", "xor r10d, r10d", "xor r11d, r11d",
            out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            options(nomem, nostack),
        );
    }
    // SAFETY: see the head of the file.
    #[cfg(target_arch = "x86")]
    unsafe {
        asm!(
            "xor eax, eax", "xor ecx, ecx", "xor edx, edx",
            out("eax") _, out("ecx") _, out("edx") _,
            options(nomem, nostack),
        );
    }
}

/// General registers and those of 128 bits.
#[cfg(any(target_feature = "sse2", feature = "clear-registers"))]
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn of128() {
    // SAFETY: see the head of the file.
    unsafe {
        asm!(
            "pxor xmm0, xmm0", "pxor xmm1, xmm1", "pxor xmm2, xmm2", "pxor xmm3, xmm3",
            "pxor xmm4, xmm4", "pxor xmm5, xmm5", "pxor xmm6, xmm6", "pxor xmm7, xmm7",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    // SAFETY: see the head of the file.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "pxor xmm8, xmm8", "pxor xmm9, xmm9", "pxor xmm10, xmm10", "pxor xmm11, xmm11",
            "pxor xmm12, xmm12", "pxor xmm13, xmm13", "pxor xmm14, xmm14", "pxor xmm15, xmm15",
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    general();
}

/// General registers and those of 256 bits.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn of256() {
    // SAFETY: see the head of the file; VZEROALL writes the registers 0 to 15, as many as
    // there are without AVX-512.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "vzeroall",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nomem, nostack, preserves_flags),
        );
        #[cfg(target_arch = "x86")]
        asm!(
            "vzeroall",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    general();
}

/// General registers, masks and those of 512 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn of512() {
    // SAFETY: see the head of the file.
    unsafe {
        asm!(
            "kxorq k0, k0, k0", "kxorq k1, k1, k1", "kxorq k2, k2, k2", "kxorq k3, k3, k3",
            "kxorq k4, k4, k4", "kxorq k5, k5, k5", "kxorq k6, k6, k6", "kxorq k7, k7, k7",
            out("k0") _, out("k1") _, out("k2") _, out("k3") _,
            out("k4") _, out("k5") _, out("k6") _, out("k7") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    // SAFETY: see the head of the file.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "vpxorq zmm16, zmm16, zmm16", "vpxorq zmm17, zmm17, zmm17",
            "vpxorq zmm18, zmm18, zmm18", "vpxorq zmm19, zmm19, zmm19",
            "vpxorq zmm20, zmm20, zmm20", "vpxorq zmm21, zmm21, zmm21",
            "vpxorq zmm22, zmm22, zmm22", "vpxorq zmm23, zmm23, zmm23",
            "vpxorq zmm24, zmm24, zmm24", "vpxorq zmm25, zmm25, zmm25",
            "vpxorq zmm26, zmm26, zmm26", "vpxorq zmm27, zmm27, zmm27",
            "vpxorq zmm28, zmm28, zmm28", "vpxorq zmm29, zmm29, zmm29",
            "vpxorq zmm30, zmm30, zmm30", "vpxorq zmm31, zmm31, zmm31",
            out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
            out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _,
            out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
            out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    of256();
}

#[cfg(test)]
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;
    #[cfg(feature = "clear-registers")]
    use crate::{Aesni, Avx2, Avx2Gfni, Avx2Sm4, Avx2Vaes, Avx512, Level, Portable};

    /// What a kernel might have left.
    const SECRET: u64 = 0x5ec2_e75e_c2e7_5ec3;

    /// The secret in every register of 128 bits and every general one that a call may change.
    #[inline(always)]
    fn fill() {
        // SAFETY: see the head of the file.
        unsafe {
            asm!(
                "movq xmm0, rax", "punpcklqdq xmm0, xmm0",
                "movdqa xmm1, xmm0", "movdqa xmm2, xmm0", "movdqa xmm3, xmm0",
                "movdqa xmm4, xmm0", "movdqa xmm5, xmm0", "movdqa xmm6, xmm0",
                "movdqa xmm7, xmm0", "movdqa xmm8, xmm0", "movdqa xmm9, xmm0",
                "movdqa xmm10, xmm0", "movdqa xmm11, xmm0", "movdqa xmm12, xmm0",
                "movdqa xmm13, xmm0", "movdqa xmm14, xmm0", "movdqa xmm15, xmm0",
                "mov rcx, rax", "mov rdx, rax", "mov rsi, rax", "mov r8, rax", "mov r9, rax",
                "mov r10, rax", "mov r11, rax",
                inout("rax") SECRET => _, out("rcx") _, out("rdx") _, out("rsi") _,
                out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack),
            );
        }
    }

    /// The secret in the upper half of two registers of 256 bits.
    ///
    /// # Safety
    /// There is AVX2. It is no feature of the function, at whose end the compiler would clear the
    /// upper halves.
    #[inline(always)]
    unsafe fn fill_wide() {
        // SAFETY: see the head of the file; the caller says that the instructions are there.
        unsafe {
            asm!(
                "vmovq xmm3, {0}", "vpbroadcastq ymm3, xmm3", "vmovdqa ymm14, ymm3",
                in(reg) SECRET, out("xmm3") _, out("xmm14") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }

    /// The secret in two registers that only AVX-512 has.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn fill_widest() {
        // SAFETY: see the head of the file.
        unsafe {
            asm!(
                "vpbroadcastq zmm16, {0}", "vmovdqa64 zmm31, zmm16", "kmovq k5, {0}",
                in(reg) SECRET, out("zmm16") _, out("zmm31") _, out("k5") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }

    /// The secret in all of them.
    #[inline(always)]
    fn fill_all(wide: bool, widest: bool) {
        fill();
        // First, as a call: what it ends with may clear upper halves.
        if widest {
            // SAFETY: the caller saw AVX-512 F and BW.
            unsafe { fill_widest() };
        }
        if wide {
            // SAFETY: the caller saw AVX2.
            unsafe { fill_wide() };
        }
    }

    /// How many words of what a call may have left are the secret: of all registers, and of those
    /// parts that only longer ones have. The words are zeros, before and after: to clear them here
    /// would be a call that clears the upper halves, too.
    #[inline(always)]
    fn found(words: &mut [u64; 64], wide: bool, widest: bool) -> (usize, usize) {
        // SAFETY: 32 words are written from vectors and 7 from general registers; `words` has
        // 64. RDI is not looked at, as it holds the address.
        unsafe {
            asm!(
                "movdqu [rdi], xmm0", "movdqu [rdi + 16], xmm1", "movdqu [rdi + 32], xmm2",
                "movdqu [rdi + 48], xmm3", "movdqu [rdi + 64], xmm4", "movdqu [rdi + 80], xmm5",
                "movdqu [rdi + 96], xmm6", "movdqu [rdi + 112], xmm7",
                "movdqu [rdi + 128], xmm8", "movdqu [rdi + 144], xmm9",
                "movdqu [rdi + 160], xmm10", "movdqu [rdi + 176], xmm11",
                "movdqu [rdi + 192], xmm12", "movdqu [rdi + 208], xmm13",
                "movdqu [rdi + 224], xmm14", "movdqu [rdi + 240], xmm15",
                "mov [rdi + 256], rcx", "mov [rdi + 264], rdx", "mov [rdi + 272], rsi",
                "mov [rdi + 280], r8", "mov [rdi + 288], r9", "mov [rdi + 296], r10",
                "mov [rdi + 304], r11",
                in("rdi") words.as_mut_ptr(),
                options(nostack, preserves_flags),
            );
            if wide {
                asm!(
                    "vextracti128 [rdi], ymm3, 1", "vextracti128 [rdi + 16], ymm14, 1",
                    in("rdi") words[40..].as_mut_ptr(), options(nostack, preserves_flags),
                );
            }
            if widest {
                asm!(
                    "vextracti64x2 [rdi], zmm16, 3", "vextracti64x2 [rdi + 16], zmm31, 3",
                    "kmovq [rdi + 32], k5",
                    in("rdi") words[48..].as_mut_ptr(), options(nostack, preserves_flags),
                );
            }
        }
        let secrets = |words: &[u64]| words.iter().filter(|&&word| word == SECRET).count();
        let counts = (secrets(words), secrets(&words[40..]));
        words.fill(0);
        counts
    }

    #[test]
    fn what_is_left_is_found() {
        let mut words = [0; 64];
        fill();
        assert!(found(&mut words, false, false).0 > 20);
    }

    #[test]
    fn the_end_of_an_object_leaves_nothing() {
        let mut words = [0; 64];
        let (wide, widest) = (detected(&["avx2"]), detected(&["avx512f", "avx512bw", "avx512dq"]));
        // The second time it is known what there is.
        for time in ["first", "second"] {
            fill_all(wide, widest);
            let (left, of_long) = found(&mut words, wide, widest);
            assert!(left > 20 && of_long == 4 * usize::from(wide) + 5 * usize::from(widest));
            fill_all(wide, widest);
            all();
            assert_eq!(found(&mut words, wide, widest), (0, 0), "{time} time");
        }
    }

    #[cfg(feature = "clear-registers")]
    #[test]
    fn no_door_leaves_anything() {
        let mut words = [0; 64];
        Portable.enter(fill);
        assert_eq!(found(&mut words, false, false).0, 0, "portable");
        if let Some(it) = Aesni::detect() {
            it.enter(fill);
            assert_eq!(found(&mut words, false, false).0, 0, "{it:?}");
        }
        if let Some(it) = Avx2::detect() {
            // SAFETY: the token is proof of AVX2.
            it.enter(|| unsafe { (fill(), fill_wide()) }.0);
            assert_eq!(found(&mut words, true, false).0, 0, "{it:?}");
        }
        if let Some(it) = Avx2Vaes::detect() {
            // SAFETY: the token is proof of AVX2.
            it.enter(|| unsafe { (fill(), fill_wide()) }.0);
            assert_eq!(found(&mut words, true, false).0, 0, "{it:?}");
        }
        if let Some(it) = Avx2Gfni::detect() {
            // SAFETY: the token is proof of AVX2.
            it.enter(|| unsafe { (fill(), fill_wide()) }.0);
            assert_eq!(found(&mut words, true, false).0, 0, "{it:?}");
        }
        if let Some(it) = Avx2Sm4::detect() {
            // SAFETY: the token is proof of AVX2.
            it.enter(|| unsafe { (fill(), fill_wide()) }.0);
            assert_eq!(found(&mut words, true, false).0, 0, "{it:?}");
        }
        if let Some(it) = Avx512::detect() {
            // SAFETY: the token is proof of AVX2 and AVX-512 F and BW.
            it.enter(|| unsafe { (fill(), fill_widest(), fill_wide()) }.0);
            assert_eq!(found(&mut words, true, true).0, 0, "{it:?}");
        }
    }

    #[cfg(feature = "clear-registers")]
    #[test]
    fn results_pass_through_a_door() {
        for level in Level::available() {
            let add = |a: u64, b: f64| (a + 1, b + 1.0, [a; 9]);
            let result = crate::dispatch!(level, isa => {
                let _ = isa;
                add(41, 0.5)
            });
            assert_eq!(result, (42, 1.5, [41; 9]), "{level}");
        }
    }
}
