//! The CPU's counter of core cycles, where the system lets a process read it: on Linux through
//! `perf_event_open(2)`, which on x86 counts unhalted cycles of the core and on ARM reads PMCCNTR.
//! Most virtual machines have none, and then a chain of additions must do.
//!
//! Safety: the system is handed one structure of ours, of the size that it states, which it reads
//! and does not keep; what it returns is a new file of this process, or an error.
#![expect(unsafe_code, reason = "a call of the system that the standard library does not have")]

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::FromRawFd as _;

/// Core cycles of the thread that opened it.
#[derive(Debug)]
pub struct Counter(File);

/// The first published form of `struct perf_event_attr`.
#[repr(C)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    bp_type: u32,
    config1: u64,
}

const HARDWARE: u32 = 0;
const CPU_CYCLES: u64 = 0;
/// Beside the count: the time for which it was wanted, and for which it ran.
const TIMES: u64 = 1 | 2;
const PINNED: u64 = 1 << 2;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

impl Counter {
    /// Opens it.
    ///
    /// # Errors
    /// Why the system refuses: no such counter, or not for this user.
    pub fn open() -> io::Result<Self> {
        // The kernel's share too where that is allowed: interrupts are among the ticks as well.
        let open = |flags| Self::with(PINNED | EXCLUDE_HYPERVISOR | flags);
        let mut counter = open(0).or_else(|_| open(EXCLUDE_KERNEL))?;
        // One that the system gave and never counts is no counter.
        match counter.cycles() {
            Some(_) => Ok(counter),
            None => Err(io::Error::other("the counter of core cycles does not run")),
        }
    }

    fn with(flags: u64) -> io::Result<Self> {
        let attributes = Attributes {
            kind: HARDWARE,
            size: size_of::<Attributes>() as u32,
            config: CPU_CYCLES,
            sample_period: 0,
            sample_type: 0,
            read_format: TIMES,
            flags,
            wakeup_events: 0,
            bp_type: 0,
            config1: 0,
        };
        let (this_thread, any_cpu, no_group): (libc::c_int, libc::c_int, libc::c_int) = (0, -1, -1);
        // SAFETY: the structure is valid, as long as it says, and outlives the call.
        let file = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                this_thread,
                any_cpu,
                no_group,
                CLOSE_ON_EXEC,
            )
        };
        let file = libc::c_int::try_from(file).map_err(io::Error::other)?;
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the system just made this file for us, and nobody else owns it.
        Ok(Self(unsafe { File::from_raw_fd(file) }))
    }

    /// Cycles since it was opened; none where the counter was lent to others meanwhile.
    pub fn cycles(&mut self) -> Option<u64> {
        let mut bytes = [0; 24];
        self.0.read_exact(&mut bytes).ok()?;
        let word = |at: usize| bytes[at..at + 8].try_into().map(u64::from_ne_bytes).ok();
        let (cycles, wanted, ran) = (word(0)?, word(8)?, word(16)?);
        (wanted == ran && cycles > 0).then_some(cycles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canary::chain;
    use crate::clock::Clock;

    #[test]
    fn it_counts_a_cycle_an_addition_or_says_why_it_can_not_be_had() {
        assert_eq!(size_of::<Attributes>(), 64);
        let mut counter = match Counter::open() {
            Ok(counter) => counter,
            Err(error) => return assert!(!error.to_string().is_empty()),
        };
        let clock = Clock::best();
        let rates = (0..50).filter_map(|_| {
            let (from, start) = (counter.cycles()?, clock.ticks());
            let ticks_a_cycle = chain(clock, clock.overhead());
            let ticks = clock.ticks() - start;
            let cycles = counter.cycles()? - from;
            Some(cycles as f64 / ticks as f64 * ticks_a_cycle)
        });
        let mut rates: Vec<f64> = rates.collect();
        rates.sort_by(f64::total_cmp);
        let middle = rates[rates.len() / 2];
        assert!((0.9..1.1).contains(&middle), "{middle} cycles an addition");
    }
}
