/* What the rungs of the ciphers of 1999 share. Each cipher is one file NAME_rung.inc, which is
 * included once a rung; what a rung does not say is as in the rung "optimised":
 *
 *   RUNG        the rung's name as an identifier; always said
 *   WORD        the type of variables and tables
 *   UNROLLED    1: rounds (bytes, in RC4) are written out; 0: in a loop
 *   WORD_ORDER  how words are read and written
 *   MANY        1: the whole key schedule in variables; 0: in memory
 *   DIVISION    how what could be a mask or a shift is computed
 *   MULTIPLY    how IDEA multiplies modulo 2^16 + 1
 *
 * The parameters are the preprocessor's, so that nothing is left of them even in code that is
 * not optimised. */
#ifndef LADDER_OLDER_H
#define LADDER_OLDER_H

#include <stddef.h>
#include <stdint.h>

#include "rung.h"

/* WORD_ORDER. Through memory is the study's form for a machine of the other order: the bytes of a
 * variable are stored one by one, in reverse. */
#define BY_SHIFTS 1
#define NATIVE 2
#define THROUGH_MEMORY 3

/* DIVISION. What divides at run time, no compiler can make a cheaper instruction of. */
#define NONE 0
#define BY_A_CONSTANT 1
#define AT_RUN_TIME 2

/* MULTIPLY. */
#define WITH_ONE_BRANCH 1
#define WITHOUT_BRANCHES 2
#define WITH_BRANCHES 3
#define IN_A_FUNCTION 4

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* A call, whatever the compiler thinks of it. */
#if defined(__GNUC__)
#define NEVER_INLINE static __attribute__((noinline))
typedef uint16_t __attribute__((may_alias, aligned(1))) loose16;
typedef uint32_t __attribute__((may_alias, aligned(1))) loose32;
#else
#error "the ladder is for gcc and clang"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_LITTLE 1
#else
#define HOST_LITTLE 0
#endif

#define SWAP16(x, little) ((little) == HOST_LITTLE ? (x) : __builtin_bswap16(x))
#define SWAP32(x, little) ((little) == HOST_LITTLE ? (x) : __builtin_bswap32(x))

/* The place, in a variable of so many bytes, of a byte of the data. */
#define PLACE(i, size, little) ((little) == HOST_LITTLE ? (i) : (size) - 1 - (i))

/* Values that the compiler must take for unknown. */
static inline uint32_t unknown(uint32_t value) {
    volatile uint32_t kept = value;
    return kept;
}

/* X for each number. */
#define UP_TO_26(X)                                                                                \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)          \
    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25)
#define UP_TO_52(X)                                                                                \
    UP_TO_26(X)                                                                                    \
    X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40)      \
    X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(48) X(49) X(50) X(51)
#define UP_TO_64(X)                                                                                \
    UP_TO_52(X)                                                                                    \
    X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62) X(63)

#endif
