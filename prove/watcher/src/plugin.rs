//! QEMU's interface of plugins, as far as this one uses it ("QEMU TCG Plugins", docs/devel/tcg-plugins of its
//! sources): a version, a function that installs, and functions of QEMU's program that are looked up by their names,
//! so that this file can also be linked and tested without QEMU.
//!
//! # Why it is sound
//! QEMU calls `qemu_plugin_install` once, with strings that live as long as the call, and the functions that are
//! registered there with handles that live as long as the call. The types below are those of the interface, which
//! has them unchanged since its first version; the handles are passed on as they came and never read. What is kept
//! lies behind a lock. A panic would end the process at the border.
#![expect(unsafe_code, reason = "an interface in C; argued above")]

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::watch::Watch;

/// What the program closes, as in `prove/src/watched.rs`.
const BEGIN: [i32; 2] = [-0x0c1f_0000, -0x0c1f_0001];
const END: i32 = -0x0c1f_0010;

/// The version of the interface. QEMU reads it before anything is called, and refuses what it does not have; later
/// ones are asked for by the environment.
#[unsafe(no_mangle)]
pub static mut qemu_plugin_version: c_int = 1;

/// Runs when the library is opened.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE: extern "C" fn() = ask_for_version;

extern "C" fn ask_for_version() {
    let asked = std::env::var("CIPHERLANE_WATCHER_VERSION").ok().and_then(|it| it.parse().ok());
    if let Some(version) = asked {
        // SAFETY: whoever opens the library waits for this function; nobody else knows of it yet.
        unsafe { qemu_plugin_version = version };
    }
}

type Id = u64;
type Block = *mut c_void;
type Instruction = *mut c_void;
type OnBlock = extern "C" fn(Id, Block);
type OnInstruction = extern "C" fn(c_uint, *mut c_void);
type OnAccess = extern "C" fn(c_uint, u32, u64, *mut c_void);
type OnCall = extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);

/// The functions of QEMU.
struct Qemu {
    on_block: unsafe extern "C" fn(Id, OnBlock),
    on_call: unsafe extern "C" fn(Id, OnCall),
    instructions: unsafe extern "C" fn(Block) -> usize,
    instruction: unsafe extern "C" fn(Block, usize) -> Instruction,
    address: unsafe extern "C" fn(Instruction) -> u64,
    on_instruction: unsafe extern "C" fn(Instruction, OnInstruction, c_int, *mut c_void),
    on_access: unsafe extern "C" fn(Instruction, OnAccess, c_int, c_int, *mut c_void),
}

/// No registers are read or written.
const NO_REGISTERS: c_int = 0;
const READS_AND_WRITES: c_int = 3;

static QEMU: OnceLock<Qemu> = OnceLock::new();
static OUT: OnceLock<PathBuf> = OnceLock::new();
static WATCH: Mutex<Option<Watch>> = Mutex::new(None);

impl Qemu {
    /// Looks the functions up in the program that opened this library.
    fn find() -> Option<Self> {
        fn find(name: &CStr) -> Option<*mut c_void> {
            // SAFETY: a string in C's form; the handle means the whole program.
            let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        }
        macro_rules! function {
            ($name:literal, $type:ty) => {
                // SAFETY: QEMU's function of this name has this type.
                unsafe { core::mem::transmute::<*mut c_void, $type>(find($name)?) }
            };
        }
        Some(Self {
            on_block: function!(
                c"qemu_plugin_register_vcpu_tb_trans_cb",
                unsafe extern "C" fn(Id, OnBlock)
            ),
            on_call: function!(
                c"qemu_plugin_register_vcpu_syscall_cb",
                unsafe extern "C" fn(Id, OnCall)
            ),
            instructions: function!(
                c"qemu_plugin_tb_n_insns",
                unsafe extern "C" fn(Block) -> usize
            ),
            instruction: function!(
                c"qemu_plugin_tb_get_insn",
                unsafe extern "C" fn(Block, usize) -> Instruction
            ),
            address: function!(c"qemu_plugin_insn_vaddr", unsafe extern "C" fn(Instruction) -> u64),
            on_instruction: function!(
                c"qemu_plugin_register_vcpu_insn_exec_cb",
                unsafe extern "C" fn(Instruction, OnInstruction, c_int, *mut c_void)
            ),
            on_access: function!(
                c"qemu_plugin_register_vcpu_mem_cb",
                unsafe extern "C" fn(Instruction, OnAccess, c_int, c_int, *mut c_void)
            ),
        })
    }
}

fn watch(work: impl FnOnce(&mut Watch)) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    work(watch.get_or_insert_default());
}

/// A block of code was translated: each of its instructions is to tell when it runs.
extern "C" fn translated(_: Id, block: Block) {
    let Some(qemu) = QEMU.get() else { return };
    // SAFETY: the handles are valid for this call.
    unsafe {
        for number in 0..(qemu.instructions)(block) {
            let instruction = (qemu.instruction)(block, number);
            // An address comes back as it was given: a pointer that nobody follows.
            let address = (qemu.address)(instruction) as usize as *mut c_void;
            (qemu.on_instruction)(instruction, runs, NO_REGISTERS, address);
            (qemu.on_access)(
                instruction,
                accesses,
                NO_REGISTERS,
                READS_AND_WRITES,
                core::ptr::null_mut(),
            );
        }
    }
}

extern "C" fn runs(_: c_uint, address: *mut c_void) {
    watch(|it| it.instruction(address.addr() as u64));
}

extern "C" fn accesses(_: c_uint, _: u32, address: u64, _: *mut c_void) {
    watch(|it| it.access(address));
}

/// A call of the system: those with our words begin and end a run.
extern "C" fn called(
    _: Id,
    _: c_uint,
    _: i64,
    first: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
) {
    let word = first as u32 as i32;
    if let Some(slot) = BEGIN.iter().position(|&it| it == word) {
        watch(|it| it.begin(slot == 0));
    } else if word == END {
        watch(|it| {
            if let (Some(ended), Some(out)) = (it.end(), OUT.get())
                && let Err(error) = std::fs::write(out, ended.to_string())
            {
                eprintln!("{}: {error}", out.display());
            }
        });
    }
}

/// Called by QEMU.
///
/// # Safety
/// `arguments` are `count` strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: Id,
    _: *const c_void,
    count: c_int,
    arguments: *const *const c_char,
) -> c_int {
    for number in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: the caller's contract.
        let argument = unsafe { CStr::from_ptr(*arguments.add(number)) };
        if let Some(path) = argument.to_string_lossy().strip_prefix("out=") {
            let _ = OUT.set(path.into());
        }
    }
    let Some(qemu) = Qemu::find() else {
        eprintln!("this QEMU lacks a function that the watcher needs");
        return 1;
    };
    if OUT.get().is_none() {
        eprintln!("the watcher needs out=FILE");
        return 1;
    }
    let qemu = QEMU.get_or_init(|| qemu);
    // SAFETY: functions of these types, which live as long as the program.
    unsafe {
        (qemu.on_block)(id, translated);
        (qemu.on_call)(id, called);
    }
    0
}
