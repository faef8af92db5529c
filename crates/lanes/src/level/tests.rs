//! What is asked of levels, at those of this CPU.

use super::*;
use std::string::ToString;

#[test]
fn names_lead_back_to_their_levels() {
    for level in Level::available() {
        assert_eq!(Level::by_name(level.name()), Ok(level));
        assert_eq!(level.to_string(), level.name());
    }
}

#[cfg(cipherlane_emulated_sm4)]
#[test]
fn the_level_with_emulated_instructions_is_there_where_the_one_below_is() {
    assert_eq!(Level::by_name("avx2-sm4").is_ok(), Level::by_name("avx2-gfni").is_ok());
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let error = Level::by_name("avx9000").unwrap_err().to_string();
    let known: std::vec::Vec<_> = Level::names().collect();
    assert_eq!(error, std::format!("unknown level `avx9000`; known: {}", known.join(", ")));
    assert!(error.contains("known: portable, "), "{error}");
}

#[test]
fn a_level_that_this_cpu_lacks_is_refused_by_name() {
    // There always is one: no CPU has two architectures.
    let absent = LEVELS.iter().filter(|entry| (entry.detect)().is_none());
    let absent: std::vec::Vec<_> = absent.map(|entry| entry.name).collect();
    assert!(!absent.is_empty());
    for name in absent {
        let error = Level::by_name(name).unwrap_err();
        assert_eq!(error, LevelError::Absent(name));
        let begin = std::format!("this CPU lacks level `{name}`; it has: portable");
        assert!(error.to_string().starts_with(&begin), "{error}");
        assert!(Level::available().all(|level| level.name() != name));
    }
}

#[test]
fn a_cap_is_the_highest_level_at_or_below_it_of_its_architecture() {
    for (cap, entry) in LEVELS.iter().enumerate() {
        let capped = Level::capped(cap);
        assert!(capped.rank() <= cap, "{}", entry.name);
        match (entry.detect)() {
            Some(level) => assert_eq!(capped, level),
            None => assert!(
                [Architecture::Any, entry.architecture]
                    .contains(&LEVELS[capped.rank()].architecture),
                "{} caps at {capped}",
                entry.name
            ),
        }
    }
}

#[test]
fn the_halved_level_has_half_the_bytes_and_is_lower() {
    for level in Level::available() {
        let Some(half) = level.halved() else { continue };
        assert_eq!(2 * half.register_bytes(), level.register_bytes());
        assert!(half.rank() < level.rank() && half.halved().is_none());
        assert_eq!(Level::by_name(half.name()), Ok(half));
    }
}

#[test]
fn a_level_that_parts_registers_names_one_that_does_not() {
    for level in Level::available() {
        let parts = level.parted().map(|parts| (parts.name(), parts.register_bytes()));
        let expected =
            (level.name() == "avx2" && !cfg!(cipherlane_few_levels)).then_some(("aesni", 16));
        assert_eq!(parts, expected, "{level}");
        assert!(level.halved().is_none() || level.parted().is_none());
    }
}

#[test]
fn registers_have_the_bytes_that_the_level_tells() {
    #[inline(always)]
    fn bytes<I: crate::Isa>(_: I) -> usize {
        I::BYTES
    }
    for level in Level::available() {
        assert_eq!(level.register_bytes(), crate::dispatch!(level, isa => bytes(isa)), "{level}");
    }
    assert_eq!(Level::portable().register_bytes(), 16);
}

#[test]
fn a_few_lanes_of_a_plain_kernel_take_the_shortest_registers() {
    for level in Level::available() {
        for count in 0..=64 {
            let taken = level.fitting_plainly(count, Level::register_bytes);
            let fitting = level.fitting(count, Level::register_bytes);
            let short = count <= 16 && fitting.name().starts_with("avx2");
            let expected =
                if short && !cfg!(cipherlane_few_levels) { "aesni" } else { fitting.name() };
            assert_eq!(taken.name(), expected, "{count} lanes at {level}");
        }
    }
}

#[test]
fn what_works_in_halves_is_split_into_the_halved_level() {
    for level in Level::available() {
        assert!(level.split().is_none() || level.split() == level.halved(), "{level}");
    }
}

#[test]
fn a_few_lanes_take_the_halved_level_and_more_do_not() {
    for level in Level::available() {
        for count in 0..=64 {
            let taken = level.fitting(count, Level::register_bytes);
            let half = level.halved().filter(|half| count <= half.register_bytes());
            assert_eq!(taken, half.unwrap_or(level), "{count} lanes at {level}");
        }
    }
}
