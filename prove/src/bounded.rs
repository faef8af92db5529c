//! What is small enough to be gone through whole: places that are overwritten, of many sizes and alignments, and
//! calls at every distance from the end that a standard sets.

mod ends;
mod whole;
