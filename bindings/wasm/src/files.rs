//! Files in the format of the program (`docs/FORMAT.md`), in pieces and in bounded memory.

use container::{DEFAULT_CHUNK_BITS, HEADER, Header, Kdf, MasterKey, Opening, Sealing, Suite};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

use crate::buffer::{Buffer, array, secret};
use crate::failures::{Outcome, error, raise_end, raise_file};
use crate::listing::{Entry, random};

/// The most memory in KiB for a passphrase: what an engine gives a module is 4 GiB at most,
/// and on phones less. The program reads files with more.
const MOST_KIB: u32 = 1 << 20;

/// 256 bits from the browser's generator.
///
/// # Errors
/// Where there is no generator.
#[wasm_bindgen(js_name = randomKey)]
pub fn random_key() -> Outcome<Uint8Array> {
    let mut key = Zeroizing::new([0; 32]);
    random(&mut *key)?;
    Ok(array(&*key))
}

/// The names of the suites, the usual one first.
#[wasm_bindgen]
#[must_use]
pub fn suites() -> Vec<String> {
    Suite::ALL.into_iter().map(|suite| suite.name().to_owned()).collect()
}

/// What the first bytes of a file say, unverified.
///
/// # Errors
/// What is no such file.
#[wasm_bindgen]
pub fn inspect(head: &[u8]) -> Outcome<JsValue> {
    let read = Header::read(&head[..head.len().min(HEADER)]).map_err(raise_file)?;
    let header = read.claimed();
    let entry = Entry::new().with("suite", header.suite().name());
    let entry = entry.with("chunk", header.chunk() as f64).with("header", HEADER as f64);
    let kdf = match header.kdf() {
        Kdf::Key => Entry::new().with("name", "key"),
        Kdf::Argon2id { memory_kib, passes, lanes } => Entry::new()
            .with("name", "argon2id")
            .with("memory", memory_kib)
            .with("passes", passes)
            .with("lanes", lanes),
        Kdf::Pbkdf2Sm3 { iterations } => {
            Entry::new().with("name", "pbkdf2-sm3").with("iterations", iterations)
        }
    };
    Ok(entry.with("kdf", kdf.done()).done())
}

/// A key or a passphrase, as it was given. Wiped on drop.
struct Secret {
    key: Option<Zeroizing<Vec<u8>>>,
    passphrase: Option<Zeroizing<String>>,
}

impl Secret {
    fn new(key: Option<Vec<u8>>, passphrase: Option<String>) -> Self {
        Self { key: key.map(secret), passphrase: passphrase.map(Zeroizing::new) }
    }

    /// The master key of a file whose key was made so.
    fn master(&self, kdf: Kdf, salt: &[u8; 32]) -> Outcome<MasterKey> {
        match (&self.key, &self.passphrase, kdf) {
            (Some(key), None, Kdf::Key) => {
                let bytes = <[u8; 32]>::try_from(key.as_slice()).map(Zeroizing::new);
                let text = || format!("the key has {} bytes; allowed: 32", key.len());
                Ok(MasterKey::from_bytes(*bytes.map_err(|_| error("key", &text()))?))
            }
            (Some(_), None, _) => {
                Err(raise_file(container::Error::KeyKind { made: "a passphrase" }))
            }
            (None, Some(passphrase), _) if passphrase.is_empty() => {
                Err(error("key", "the passphrase is empty; allowed: at least a byte"))
            }
            (None, Some(passphrase), kdf) => {
                bounded(kdf)?;
                MasterKey::from_passphrase(passphrase.as_bytes(), kdf, salt).map_err(raise_file)
            }
            _ => Err(error("value", "give either a key or a passphrase")),
        }
    }
}

/// Memory that can't be had would stop the whole module, so it is tried first.
fn bounded(kdf: Kdf) -> Outcome<()> {
    let Kdf::Argon2id { memory_kib, .. } = kdf else { return Ok(()) };
    let free = memory_kib <= MOST_KIB && {
        let mut room = Vec::<u8>::new();
        room.try_reserve_exact((memory_kib as usize + 64) << 10).is_ok()
    };
    let text = format!(
        "the passphrase needs {memory_kib} KiB of memory, which are not to be had \
                        here; open the file with the program"
    );
    if free { Ok(()) } else { Err(error("memory", &text)) }
}

/// Writes a file.
#[wasm_bindgen]
pub struct FileSealing {
    sealing: Option<Sealing>,
    /// What the file begins with, until it is taken.
    head: Vec<u8>,
    input: Buffer,
}

#[wasm_bindgen]
impl FileSealing {
    /// With a key of 32 bytes or a passphrase, of which the key is made by `"argon2id"` (the
    /// usual) or `"pbkdf2-sm3"`. The salt is drawn from the browser's generator.
    ///
    /// # Errors
    /// Names that nothing has, no key or two.
    #[wasm_bindgen(constructor)]
    pub fn new(
        key: Option<Vec<u8>>,
        passphrase: Option<String>,
        suite: Option<String>,
        kdf: Option<String>,
        chunk_bits: Option<u8>,
    ) -> Outcome<Self> {
        let suite = match suite {
            None => Suite::Sm4Gcm,
            Some(name) => {
                let found = Suite::ALL.into_iter().find(|suite| suite.name() == name);
                found.ok_or_else(|| error("unknown", &format!("no suite is called `{name}`")))?
            }
        };
        let secret = Secret::new(key, passphrase);
        let kdf = match (kdf.as_deref(), &secret.passphrase) {
            (None, None) => Kdf::Key,
            (None | Some("argon2id"), Some(_)) => Kdf::ARGON2ID,
            (Some("pbkdf2-sm3"), Some(_)) => Kdf::PBKDF2_SM3,
            (Some(_), None) => return Err(error("value", "a KDF goes with a passphrase")),
            (Some(name), _) => {
                let text = format!("no KDF is called `{name}`; known: argon2id, pbkdf2-sm3");
                return Err(error("unknown", &text));
            }
        };
        let mut salt = [0; 32];
        random(&mut salt)?;
        let header = Header::new(suite, chunk_bits.unwrap_or(DEFAULT_CHUNK_BITS), kdf, salt);
        let header = header.map_err(raise_file)?;
        let key = secret.master(kdf, &salt)?;
        let (head, sealing) = Sealing::new(&header, &key).map_err(raise_file)?;
        Ok(Self { sealing: Some(sealing), head, input: Buffer::default() })
    }

    /// Takes data and returns what is ready of the file.
    ///
    /// # Errors
    /// After the end, and past the most chunks.
    pub fn update(&mut self, data: &Uint8Array) -> Outcome<Uint8Array> {
        let sealing = self.sealing.as_mut().ok_or_else(ended)?;
        let mut out = std::mem::take(&mut self.head);
        sealing.update(self.input.fill(data), &mut out).map_err(raise_file)?;
        Ok(array(&out))
    }

    /// Ends the file and returns what is left of it.
    ///
    /// # Errors
    /// A second end.
    pub fn finish(&mut self) -> Outcome<Uint8Array> {
        let sealing = self.sealing.take().ok_or_else(ended)?;
        let mut out = std::mem::take(&mut self.head);
        sealing.finish(&mut out).map_err(raise_file)?;
        Ok(array(&out))
    }
}

fn ended() -> JsValue {
    error("state", "the file is finished")
}

/// Reads a file.
#[wasm_bindgen]
pub struct FileOpening {
    /// Until the header is there.
    secret: Option<Secret>,
    head: Vec<u8>,
    opening: Option<Opening>,
    input: Buffer,
}

#[wasm_bindgen]
impl FileOpening {
    /// With the key or the passphrase of the file.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(key: Option<Vec<u8>>, passphrase: Option<String>) -> Self {
        let secret = Some(Secret::new(key, passphrase));
        Self { secret, head: Vec::new(), opening: None, input: Buffer::default() }
    }

    /// Takes what follows in the file and returns the plaintext of whole chunks. Only `finish`
    /// tells that it is all of the file.
    ///
    /// # Errors
    /// Another key, and a file that was changed.
    pub fn update(&mut self, data: &Uint8Array) -> Outcome<Uint8Array> {
        let mut file: &[u8] = self.input.fill(data);
        if self.opening.is_none() {
            let (head, rest) = file.split_at(file.len().min(HEADER - self.head.len()));
            self.head.extend_from_slice(head);
            file = rest;
            if self.head.len() == HEADER {
                let secret = self.secret.take().ok_or_else(ended)?;
                let header = Header::read(&self.head).map_err(raise_file)?;
                let (kdf, salt) = (header.claimed().kdf(), header.claimed().salt());
                let key = secret.master(kdf, salt)?;
                self.opening = Some(Opening::new(header, &key).map_err(raise_file)?);
            }
        }
        let Some(opening) = &mut self.opening else { return Ok(array(&[])) };
        // With all its room from the start: a vector that grows leaves plaintext behind.
        let mut out = Zeroizing::new(Vec::with_capacity(file.len() + opening.header().chunk()));
        opening.update(file, &mut out).map_err(raise_file)?;
        Ok(array(&out))
    }

    /// Ends the file and returns the plaintext of the last chunk.
    ///
    /// # Errors
    /// A file that was changed or cut off.
    pub fn finish(&mut self) -> Outcome<Uint8Array> {
        let Some(opening) = self.opening.take() else {
            // What is there tells whether it is a file at all.
            Header::read(&self.head).map_err(raise_file)?;
            return Err(ended());
        };
        let mut out = Zeroizing::new(Vec::with_capacity(opening.header().chunk()));
        opening.finish(&mut out).map_err(raise_end)?;
        Ok(array(&out))
    }
}
