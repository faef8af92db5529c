//! Keys and plaintexts stay out of core dumps, where the system lets a program say so.

/// Asks the system to write none of this process's memory to a core dump. Where it refuses, the
/// work goes on: a dump is its administrator's doing.
#[cfg(target_os = "linux")]
pub(crate) fn forbid() {
    use rustix::process::{DumpableBehavior, Resource, Rlimit};

    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(Resource::Core, none);
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// There is no way to ask.
#[cfg(not(target_os = "linux"))]
pub(crate) const fn forbid() {}
