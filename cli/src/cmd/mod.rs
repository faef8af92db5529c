//! One file a verb.

pub(crate) mod bench;
pub(crate) mod columns;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decrypt;
pub(crate) mod dialects;
pub(crate) mod doctor;
pub(crate) mod encrypt;
pub(crate) mod engine;
pub(crate) mod engines;
pub(crate) mod floor;
pub(crate) mod inspect;
pub(crate) mod keygen;
pub(crate) mod list;
pub(crate) mod mac;
pub(crate) mod man;
pub(crate) mod raw;
pub(crate) mod report;
pub(crate) mod self_test;
pub(crate) mod study;
pub(crate) mod verify;
