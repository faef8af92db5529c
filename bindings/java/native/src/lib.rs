//! The native half of the provider for Java: the methods of `org.cipherlane.Native`.
//!
//! A method takes arrays, buffers and handles, and throws what the JCA expects. All calls of
//! JNI stand in `jvm`, which says why they are sound. From Java 22 on the calls on arrays come
//! to `foreign`, without JNI.
#![deny(unsafe_code)]

mod aead;
mod cipher;
mod dialect;
mod foreign;
mod handle;
mod jvm;
mod listing;
mod mac;
