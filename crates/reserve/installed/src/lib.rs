//! Makes [`reserve::Allocator`] the allocator of what depends on this crate. A program has one: who brings another
//! one leaves this crate out, by the feature `reserve` of the bindings.
//!
//! A crate of its own, and nothing else in it: in a static library it is an object of its own then, which a
//! linker leaves out where another static library made by Rust has brought its allocator. In an object with other
//! code the two would be one symbol that is defined twice.
#![forbid(unsafe_code)]

#[global_allocator]
static ALLOCATOR: reserve::Allocator = reserve::Allocator;
