//! The machine code of this program by symbols: which cipher's it is.
//!
//! A kernel is compiled once for each level, as the closure that a level's `enter` takes: its
//! symbol names the level, and among the generic arguments the closure, whose path leads to the cipher.

use std::collections::BTreeMap;
use std::path::Path;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};

/// What is known of the program's code.
#[derive(Debug)]
pub(super) struct Symbols {
    pub(super) kernels: Vec<Kernel>,
    /// Bytes of named constants by folder.
    pub(super) tables: BTreeMap<String, u64>,
}

/// One function.
#[derive(Debug)]
pub(super) struct Kernel {
    /// The folder of the cipher whose code it is.
    pub(super) folder: String,
    /// The level that it is compiled for; none where it is for all.
    pub(super) level: Option<String>,
    pub(super) bytes: u64,
    /// The bytes by which it lowers the stack pointer.
    pub(super) frame: Option<u64>,
}

impl Symbols {
    /// Reads the program's file.
    pub(super) fn read(program: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(program).map_err(|error| error.to_string())?;
        let file = object::File::parse(&*bytes).map_err(|error| error.to_string())?;
        let mut symbols = Self { kernels: Vec::new(), tables: BTreeMap::new() };
        for symbol in file.symbols().filter(|symbol| symbol.size() > 0) {
            let Ok(name) = symbol.name() else { continue };
            let name = format!("{:#}", rustc_demangle::demangle(name));
            let section = symbol.section_index().and_then(|it| file.section_by_index(it).ok());
            let constant = section.as_ref().is_some_and(|section| {
                matches!(section.kind(), SectionKind::ReadOnlyData | SectionKind::ReadOnlyString)
            });
            if constant {
                if let Some(folder) = of_name(&name) {
                    *symbols.tables.entry(folder).or_default() += symbol.size();
                }
                continue;
            }
            if symbol.kind() != SymbolKind::Text {
                continue;
            }
            let level = level_of(&name);
            let Some(folder) = of_name(&name) else { continue };
            let code = section.and_then(|it| {
                it.data_range(symbol.address(), symbol.size()).ok().flatten().map(<[u8]>::to_vec)
            });
            let (bytes, frame) = (symbol.size(), code.as_deref().and_then(frame));
            symbols.kernels.push(Kernel { folder, level, bytes, frame });
        }
        if symbols.kernels.iter().all(|kernel| kernel.level.is_none()) {
            return Err(
                "the symbols of this program have no generic arguments, which name the cipher \
                        of a kernel; build it in the repository, by its .cargo/config.toml"
                    .to_owned(),
            );
        }
        Ok(symbols)
    }
}

/// The level of a kernel's symbol, as `lanes::x86::avx2_gfni::Avx2Gfni::enter::door` has it.
fn level_of(name: &str) -> Option<String> {
    let path = name.strip_prefix('<').unwrap_or(name).strip_prefix("lanes::")?;
    if !path.contains("::enter::") {
        return None;
    }
    let modules: Vec<&str> = path.split("::").collect();
    let place = modules.iter().position(|it| it.starts_with(char::is_uppercase))?;
    Some(modules.get(place.checked_sub(1)?)?.replace('_', "-"))
}

/// The cipher's folder in a name such as `cipherlane::ciphers::zuc::sbox::bit_sliced`.
fn of_name(name: &str) -> Option<String> {
    let (_, rest) = name.split_once("cipherlane::ciphers::")?;
    let (folder, _) = rest.split_once("::")?;
    let plain = !folder.is_empty() && folder.bytes().all(|b| b.is_ascii_alphanumeric());
    plain.then(|| folder.to_owned())
}

/// The bytes by which a function of x86-64 lowers the stack pointer at its beginning: what it
/// pushes, and `sub rsp`. A frame of more than a page is lowered page by page, each touched by a
/// store: so many pages are written out one after the other, more are a loop to a place in `r11`.
fn frame(code: &[u8]) -> Option<u64> {
    /// So many bytes are looked through: pushes and alignment come first.
    const BEGIN: usize = 64;
    if cfg!(not(target_arch = "x86_64")) {
        return None;
    }
    let head = &code[..code.len().min(BEGIN)];
    let at = head.windows(3).position(|it| matches!(it, [0x48, 0x81 | 0x83, 0xec]))?;
    let pushes = head[..at].iter().filter(|byte| matches!(byte, 0x50..=0x57)).count() as u64;
    let mut lowered = 0;
    let mut rest = &code[at..];
    while let Some((bytes, behind)) = lowering(rest) {
        (lowered, rest) = (lowered + bytes, behind);
        // mov qword ptr [rsp], 0
        match rest.strip_prefix(&[0x48, 0xc7, 0x04, 0x24, 0, 0, 0, 0]) {
            Some(behind) => rest = behind,
            None => break,
        }
        // cmp rsp, r11; jne: what was lowered is one turn of a loop.
        if let Some([0x75, _, behind @ ..]) = rest.strip_prefix(&[0x4c, 0x39, 0xdc]) {
            (lowered, rest) = (bound(&code[..at])?, behind);
        }
    }
    Some(lowered + 8 * pushes)
}

/// How far `sub rsp` at the beginning of these bytes lowers it, and the bytes behind.
fn lowering(code: &[u8]) -> Option<(u64, &[u8])> {
    match code {
        [0x48, 0x83, 0xec, bytes, rest @ ..] => Some((u64::from(*bytes), rest)),
        [0x48, 0x81, 0xec, rest @ ..] => {
            let (bytes, rest) = rest.split_first_chunk()?;
            Some((u64::from(u32::from_le_bytes(*bytes)), rest))
        }
        _ => None,
    }
}

/// How far below `rsp` the place lies that is put into `r11` at the end of these bytes: by
/// `sub r11` after a copy, or by `lea r11, [rsp - …]`.
fn bound(code: &[u8]) -> Option<u64> {
    let (before, number) = code.split_last_chunk::<4>()?;
    let number = i32::from_le_bytes(*number);
    if before.ends_with(&[0x49, 0x81, 0xeb]) {
        return u64::try_from(number).ok();
    }
    let below = before.ends_with(&[0x4c, 0x8d, 0x9c, 0x24]).then(|| number.checked_neg())??;
    u64::try_from(below).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_cipher_and_the_level() {
        assert_eq!(of_name("cipherlane::ciphers::zuc::sbox::bit_sliced").as_deref(), Some("zuc"));
        assert_eq!(of_name("<cipherlane::ciphers::sm4::Sm4 as x>::y").as_deref(), Some("sm4"));
        assert_eq!(of_name("cipherlane::modes::ctr::start"), None);
        let door = "<lanes::x86::avx2_gfni::Avx2Gfni>::enter::door::<(), \
                    <cipherlane::ciphers::sm4::Sm4>::run::{closure#7}>";
        assert_eq!(of_name(door).as_deref(), Some("sm4"));
        assert_eq!(level_of(door).as_deref(), Some("avx2-gfni"));
        let level = level_of("lanes::x86::avx2_gfni::Avx2Gfni::enter::door");
        assert_eq!(level.as_deref(), Some("avx2-gfni"));
        let level = level_of("lanes::portable::Portable::enter::door");
        assert_eq!(level.as_deref(), Some("portable"));
        assert_eq!(level_of("lanes::portable::Portable::load"), None);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_frame_is_what_is_pushed_and_subtracted() {
        // push rbp; push rbx; sub rsp, 0x28
        assert_eq!(frame(&[0x55, 0x53, 0x48, 0x83, 0xec, 0x28]), Some(56));
        // sub rsp, 0x1000
        assert_eq!(frame(&[0x48, 0x81, 0xec, 0x00, 0x10, 0x00, 0x00]), Some(0x1000));
        assert_eq!(frame(&[0xc3]), None);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_pages_of_a_large_frame_are_summed() {
        const PAGE: [u8; 7] = [0x48, 0x81, 0xec, 0x00, 0x10, 0x00, 0x00];
        const TOUCH: [u8; 8] = [0x48, 0xc7, 0x04, 0x24, 0, 0, 0, 0];
        // push rbp; two pages, one by one; sub rsp, 0x988
        let tail = [0x48, 0x81, 0xec, 0x88, 0x09, 0x00, 0x00];
        let written_out = [&[0x55][..], &PAGE, &TOUCH, &PAGE, &TOUCH, &tail].concat();
        assert_eq!(frame(&written_out), Some(8 + 2 * 0x1000 + 0x988));
        // mov r11, rsp; sub r11, 0x4000; a loop of pages; sub rsp, 0x40
        let turn = [&PAGE[..], &TOUCH, &[0x4c, 0x39, 0xdc, 0x75, 0xec]].concat();
        let copied = [0x49, 0x89, 0xe3, 0x49, 0x81, 0xeb, 0x00, 0x40, 0x00, 0x00];
        let short = [0x48, 0x83, 0xec, 0x40];
        assert_eq!(frame(&[&copied[..], &turn, &short].concat()), Some(0x4000 + 0x40));
        // lea r11, [rsp - 0x4000]
        let below = [0x4c, 0x8d, 0x9c, 0x24, 0x00, 0xc0, 0xff, 0xff];
        assert_eq!(frame(&[&below[..], &turn, &[0xc3]].concat()), Some(0x4000));
        // A loop to a place that is not known says nothing.
        assert_eq!(frame(&turn), None);
    }
}
