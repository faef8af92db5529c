//! Encrypted files: where bytes come from, where they go, and what is done on the way.

pub(crate) mod core_dumps;
pub(crate) mod doctor;
pub(crate) mod each;
pub(crate) mod fault;
pub(crate) mod frame;
pub(crate) mod identity;
pub(crate) mod key_text;
pub(crate) mod keys;
#[cfg(target_os = "linux")]
pub(crate) mod nameless;
pub(crate) mod names;
pub(crate) mod pipeline;
pub(crate) mod raw;
pub(crate) mod raw_key;
pub(crate) mod sink;
pub(crate) mod source;
pub(crate) mod stop;
pub(crate) mod target;
pub(crate) mod walk;
pub(crate) mod work;
