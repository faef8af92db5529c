//! Stepping through code, one instruction at a time, on the CPU itself.
//!
//! The trap flag makes the CPU stop before every instruction; the system tells this thread by a
//! signal, and the handler writes down what [`observe`](crate::observe) makes of the registers.
//! So every instruction that the CPU has can be watched, no other process and no right is
//! needed, and the code runs at its real addresses. About 170 000 steps a second.
//!
//! # Why it is sound
//! The handler runs on a stack of its own and touches one [`Trace`], through a pointer that is
//! set under a lock for as long as the exclusive borrow of it lasts; only the thread that set
//! its own trap flag gets the signal. It allocates nothing: room is made before, and it stops
//! stepping where that is used up. What it reads beside that is the frame that the system hands
//! it, of the size stated there, and the instruction about to be run, up to the end of its page,
//! or past it where the instruction itself lies across. Setting the trap flag changes no
//! register and no memory that the compiler knows of but the flags.
//!
//! The CPU stops at every element of a string instruction, and the stack is cleared by such, up
//! to 96 KiB at once. The handler runs these whole, by the same instruction with the registers of
//! its frame: it touches what the CPU was about to touch.
#![expect(unsafe_code, reason = "the trap flag and a signal's frame; argued above")]

mod recording;

use core::arch::asm;
use core::arch::x86_64::__cpuid_count;
use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use iced_x86::{Decoder, DecoderOptions};

pub use recording::Trace;

use crate::arena;
pub(crate) use crate::mapped::program;
use crate::observe::{Layout, State, observe};

/// Operands of divisions are read out of the registers.
pub(crate) const SEES_DIVISIONS: bool = true;

/// The most words that one instruction shows, and more.
const WORDS_A_STEP: usize = 64;

static RECORDER: AtomicPtr<Trace> = AtomicPtr::new(std::ptr::null_mut());
static STEPPING: Mutex<()> = Mutex::new(());
static LAYOUT: OnceLock<Layout> = OnceLock::new();

/// TF in the flags.
const TRAP: i64 = 0x100;
const PAGE: usize = 4096;
/// The longest instruction.
const LONGEST: usize = 15;
/// What the system writes at this place of the frame if vector registers follow, and how long.
const MAGIC_PLACE: usize = 464;
const MAGIC: u32 = 0x4650_5853;

/// Offsets that the CPU tells for XSAVE's components.
fn layout() -> &'static Layout {
    LAYOUT.get_or_init(|| {
        // The decoder's tables are made at its first use, and the handler must not allocate.
        let _ = Decoder::with_ip(64, &[0x90], 0, DecoderOptions::NONE).decode();
        let _ = program();
        let offset = |component| __cpuid_count(0xd, component).ebx as usize;
        Layout { ymm: offset(2), masks: offset(5), zmm: offset(6), high: offset(7) }
    })
}

extern "C" fn on_step(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system passes a frame of this type, which is ours until we return.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let registers = &mut context.uc_mcontext.gregs;
    // SAFETY: `trace` has set it, holds the exclusive borrow, and does not touch it meanwhile.
    let recorder = unsafe { RECORDER.load(Ordering::Relaxed).as_mut() };
    let (Some(recorder), Some(layout)) = (recorder, LAYOUT.get()) else {
        registers[libc::REG_EFL as usize] &= !TRAP;
        return;
    };
    // In the order of the numbers in machine code.
    let order = [
        libc::REG_RAX,
        libc::REG_RCX,
        libc::REG_RDX,
        libc::REG_RBX,
        libc::REG_RSP,
        libc::REG_RBP,
        libc::REG_RSI,
        libc::REG_RDI,
        libc::REG_R8,
        libc::REG_R9,
        libc::REG_R10,
        libc::REG_R11,
        libc::REG_R12,
        libc::REG_R13,
        libc::REG_R14,
        libc::REG_R15,
    ];
    let frame = context.uc_mcontext.fpregs.cast::<u8>().cast_const();
    let extended: &[u8] = if frame.is_null() {
        &[]
    } else {
        // SAFETY: the frame of the vector registers has at least the 512 bytes of FXSAVE, and
        // where the magic number stands, as many as the word behind it says.
        unsafe {
            let magic = frame.add(MAGIC_PLACE).cast::<u32>().read_unaligned();
            let told = frame.add(MAGIC_PLACE + 4).cast::<u32>().read_unaligned() as usize;
            core::slice::from_raw_parts(frame, if magic == MAGIC { told } else { 512 })
        }
    };
    loop {
        let room = recorder.words.capacity() - recorder.words.len();
        if room < WORDS_A_STEP || recorder.starts.len() == recorder.starts.capacity() {
            recorder.full = true;
            registers[libc::REG_EFL as usize] &= !TRAP;
            return;
        }
        let general = order.map(|register| registers[register as usize].cast_unsigned());
        let instruction = registers[libc::REG_RIP as usize].cast_unsigned();
        let code = code_at(instruction);
        let start = recorder.words.len() as u32;
        recorder.starts.push(start);
        let state = State { general, instruction, extended, layout };
        let widest = observe(code, &state, |word| recorder.words.push(word));
        // Copies of the system's library use the widest registers whatever the level.
        if program().contains(&instruction) {
            recorder.widest = recorder.widest.max(widest);
        }
        // The CPU stops behind the instruction that it runs next, so that one is seen here, too.
        if !run_repeated(code, registers) {
            return;
        }
        recorder.words.push(general[1]);
    }
}

/// Runs a move or store of a string as a whole and leaves the registers as it does: the count
/// must be shown beside the address. False, with nothing done, for every other instruction.
fn run_repeated(code: &[u8], registers: &mut [libc::greg_t; 23]) -> bool {
    /// The CPU goes down in memory.
    const DOWN: i64 = 0x400;
    if registers[libc::REG_EFL as usize] & DOWN != 0 {
        return false;
    }
    let [rcx, rdi, rsi] = [libc::REG_RCX, libc::REG_RDI, libc::REG_RSI].map(|it| it as usize);
    let (mut count, mut to, mut from) = (registers[rcx], registers[rdi], registers[rsi]);
    let value = registers[libc::REG_RAX as usize];
    macro_rules! run {
        ($instruction:literal) => {
            // SAFETY: see the head of the file. The handler is entered with the direction up.
            unsafe {
                asm!(
                    $instruction, inout("rcx") count, inout("rdi") to, inout("rsi") from,
                    in("rax") value, options(nostack, preserves_flags),
                );
            }
        };
    }
    let len = match code {
        [0xf3, 0xaa, ..] => {
            run!("rep stosb");
            2
        }
        [0xf3, 0x48, 0xab, ..] => {
            run!("rep stosq");
            3
        }
        [0xf3, 0xa4, ..] => {
            run!("rep movsb");
            2
        }
        [0xf3, 0x48, 0xa5, ..] => {
            run!("rep movsq");
            3
        }
        _ => return false,
    };
    (registers[rcx], registers[rdi], registers[rsi]) = (count, to, from);
    registers[libc::REG_RIP as usize] += len;
    true
}

/// The bytes of the instruction that the CPU is about to run.
fn code_at<'a>(address: u64) -> &'a [u8] {
    let place = std::ptr::with_exposed_provenance::<u8>(address as usize);
    let on_page = PAGE - address as usize % PAGE;
    // SAFETY: the CPU is about to run what stands there, so this page is there; reading ends
    // with it.
    let code = unsafe { core::slice::from_raw_parts(place, on_page.min(LONGEST)) };
    let whole = on_page >= LONGEST
        || !Decoder::with_ip(64, code, address, DecoderOptions::NONE).decode().is_invalid();
    if whole {
        return code;
    }
    // SAFETY: the instruction goes on past its page, so the next one is there too.
    unsafe { core::slice::from_raw_parts(place, LONGEST) }
}

/// The handler and its stack; what was there before comes back when it is dropped.
struct Handler {
    action: libc::sigaction,
    stack: libc::stack_t,
    _room: Vec<u8>,
}

impl Handler {
    fn install() -> io::Result<Self> {
        let mut room = vec![0_u8; 1 << 17];
        let stack =
            libc::stack_t { ss_sp: room.as_mut_ptr().cast(), ss_flags: 0, ss_size: room.len() };
        let mut old_stack = MaybeUninit::uninit();
        let mut old_action = MaybeUninit::uninit();
        // SAFETY: the stack outlives its use, which ends in `drop`; a zeroed action is a valid
        // one, and the handler has the type that SA_SIGINFO asks for.
        unsafe {
            if libc::sigaltstack(&raw const stack, old_stack.as_mut_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let handler: extern "C" fn(_, _, _) = on_step;
            action.sa_sigaction = handler as usize;
            if libc::sigaction(libc::SIGTRAP, &raw const action, old_action.as_mut_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(Self {
                action: old_action.assume_init(),
                stack: old_stack.assume_init(),
                _room: room,
            })
        }
    }
}

impl Drop for Handler {
    fn drop(&mut self) {
        // SAFETY: these are what the system gave us before.
        unsafe {
            libc::sigaction(libc::SIGTRAP, &raw const self.action, std::ptr::null_mut());
            libc::sigaltstack(&raw const self.stack, std::ptr::null_mut());
        }
    }
}

/// The trap flag of this thread, cleared when it is dropped, panic or not.
struct Flag;

impl Flag {
    #[inline(always)]
    fn set() -> Self {
        // SAFETY: the flags are put back but for the trap flag, for which there is a handler.
        unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
        Self
    }
}

impl Drop for Flag {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { asm!("pushfq", "and qword ptr [rsp], -257", "popfq") };
    }
}

/// Whether this machine can step at all.
///
/// # Errors
/// As [`trace`].
pub fn possible() -> io::Result<()> {
    trace(&mut Trace::first(10_000), &mut || ())
}

/// Steps through `work` and writes down in `trace` what an observer of addresses sees.
///
/// All that `work` allocates it must drop before it returns.
///
/// # Errors
/// If the system refuses the handler, or the trap flag has no effect, as in some emulators.
#[inline(never)]
pub fn trace(trace: &mut Trace, work: &mut dyn FnMut()) -> io::Result<()> {
    let lock = STEPPING.lock().unwrap_or_else(PoisonError::into_inner);
    layout();
    let handler = Handler::install()?;
    trace.clear();
    RECORDER.store(trace, Ordering::Release);
    let arena = arena::start();
    let flag = Flag::set();
    work();
    drop(flag);
    drop(arena);
    RECORDER.store(std::ptr::null_mut(), Ordering::Release);
    drop(handler);
    drop(lock);
    if trace.steps() == 0 {
        return Err(io::Error::other("the trap flag has no effect on this machine"));
    }
    Ok(())
}

/// For tests: whether this machine can't step; says so past the harness, which hides what
/// passing tests print.
#[cfg(test)]
pub(crate) fn skipped() -> bool {
    use std::io::Write as _;

    let Err(why) = possible() else { return false };
    let line = format!("SKIP: tests of traces: {why} (run them on Linux on x86-64)");
    writeln!(io::stderr(), "{line}").is_ok()
}

#[cfg(test)]
mod tests;
