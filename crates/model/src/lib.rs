//! Slow, clause-by-clause transcriptions of the standards; shares no code with the library.
