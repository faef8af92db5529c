//! Model `message` on several threads: one buffer cut among them.

use cipherlane::aead::gcm::Gcm;
use cipherlane::modes::xts::{Gb17964, Ieee1619, Standard, XtsMode};
use cipherlane::parallel::Threads;
use cipherlane::registry::{New, NewBlock, Operation, Split};
use cipherlane::{BlockCipher, Level};
use lab::Cell;
use lab::work::{Keys, Message, Refusal, Run};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{io, refused};

type Cipher = Box<dyn BlockCipher>;

/// So many threads.
pub(crate) fn pool(threads: u32) -> Result<ThreadPool, Refusal> {
    ThreadPoolBuilder::new().num_threads(threads as usize).build().map_err(refused)
}

/// Whether an operation can be cut among threads.
pub(super) fn can(operation: &Operation) -> bool {
    operation.split != Split::Never || Whole::of(operation.name).is_some()
}

/// What is cut by itself, not block by block.
#[derive(Clone, Copy)]
enum Whole {
    Xts { decrypt: bool },
    XtsGb { decrypt: bool },
    GcmSeal,
    GcmOpen,
}

impl Whole {
    fn of(operation: &str) -> Option<Self> {
        Some(match operation {
            "xts-encrypt" => Self::Xts { decrypt: false },
            "xts-decrypt" => Self::Xts { decrypt: true },
            "xts-gb-encrypt" => Self::XtsGb { decrypt: false },
            "xts-gb-decrypt" => Self::XtsGb { decrypt: true },
            "gcm-seal" => Self::GcmSeal,
            "gcm-open" => Self::GcmOpen,
            _ => return None,
        })
    }
}

/// Gets the work of a cell ready and hands it to `run`.
pub(super) fn prepare(
    operation: &Operation,
    level: Level,
    cell: &Cell,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    let New::Block { new, .. } = operation.algorithm.new else {
        return Err("a keystream can't be cut among threads".into());
    };
    let size = usize::try_from(cell.size).unwrap_or(usize::MAX);
    let (name, data) = (operation.name, operation.data);
    if !data.allow(size) {
        return Err(format!("{name} takes messages of {data} bytes, not {size}").into());
    }
    let pool = pool(cell.threads)?;
    let threads = Threads::of(&pool);
    let each = Each { new, level, keys };
    match Whole::of(name) {
        Some(Whole::Xts { decrypt }) => xts::<Ieee1619>(&threads, &each, decrypt, run),
        Some(Whole::XtsGb { decrypt }) => xts::<Gb17964>(&threads, &each, decrypt, run),
        Some(Whole::GcmSeal) => {
            let ready = each.all(|key| Gcm::new((each.new)(key, level)?))?;
            run(&mut |message: Message<'_>| {
                let Message { slot, iv, aad, data, tag, .. } = message;
                let sealed = threads.gcm_seal(&ready[slot], iv, aad, io(data), tag);
                sealed.map_err(|_| "Threads::gcm_seal")
            });
            Ok(())
        }
        Some(Whole::GcmOpen) => {
            let ready = each.all(|key| Gcm::new((each.new)(key, level)?))?;
            run(&mut |message: Message<'_>| {
                let Message { slot, iv, aad, data, tag, .. } = message;
                let opened = threads.gcm_open(&ready[slot], iv, aad, io(data), tag);
                opened.map_err(|_| "Threads::gcm_open")
            });
            Ok(())
        }
        None => {
            if operation.block_mode().is_none() {
                return Err(format!("{name} can't be cut among threads").into());
            }
            let ready = each.all(|key| (each.new)(key, level))?;
            run(&mut |message: Message<'_>| {
                let Message { slot, iv, data, .. } = message;
                let done = threads.operation(operation, &*ready[slot], iv, io(data));
                done.map_err(|_| "Threads::operation")
            });
            Ok(())
        }
    }
}

/// The ready objects of a ring.
struct Each<'k> {
    new: NewBlock,
    level: Level,
    keys: &'k Keys,
}

impl Each<'_> {
    fn all<T>(
        &self,
        make: impl Fn(&[u8]) -> Result<T, cipherlane::Error>,
    ) -> Result<Vec<T>, Refusal> {
        self.keys.keys().map(make).collect::<Result<_, _>>().map_err(refused)
    }
}

fn xts<S: Standard>(
    threads: &Threads<'_>,
    each: &Each<'_>,
    decrypt: bool,
    run: Run<'_>,
) -> Result<(), Refusal> {
    let cipher = |key: &[u8]| (each.new)(key, each.level);
    let ready = each.all(|key| XtsMode::<Cipher, S>::from_key(key, cipher))?;
    run(&mut |message: Message<'_>| {
        let Message { slot, iv, data, .. } = message;
        let (xts, data) = (&ready[slot], io(data));
        let done = if decrypt {
            threads.xts_decrypt(xts, iv, data)
        } else {
            threads.xts_encrypt(xts, iv, data)
        };
        done.map_err(|_| "Threads::xts")
    });
    Ok(())
}
