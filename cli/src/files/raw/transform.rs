//! One message of any cipher in pieces, its tag, if it has one, behind it.

use super::sectors::Sectors;
use super::stealing::Stealing;
use crate::files::frame;
use cipherlane::modes::{Direction, Padding};
use cipherlane::registry::{self, Constructor, KEYSTREAM, Operation};
use hmac::{Hmac, KeyInit as _, Mac as _};
use objects::{AeadStream, Context, Failure, Spec};
use sm3::Sm3;
use zeroize::Zeroizing;

/// What the name of a cipher on the command line means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) algorithm: &'static str,
    pub(crate) form: Form,
    /// Key and IV lengths in bytes that a passphrase gives.
    pub(crate) key: usize,
    pub(crate) iv: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An operation of the registry; for the other direction, its inverse.
    Plain(String),
    /// An operation under the first 16 bytes of the key, and HMAC-SM3 of associated data and what
    /// it gives under the rest (GmSSL); not of the IV.
    Sm3Hmac(String),
    /// An AEAD, its tag behind the message.
    Aead(String),
    /// An operation that takes the message as a whole, such as that of XTS: it is held until its end.
    Message(&'static str),
    /// CBC with ciphertext stealing under blocks of so many bytes, which takes it as a whole, too.
    Stealing(usize),
}

/// How the mode of [`Form::Stealing`] is called.
const STEALING: &str = "cbc-cts";

/// What follows an operation's name where HMAC-SM3 is added.
const SM3_HMAC: &str = "-sm3-hmac";

impl Name {
    /// Reads a name such as `nea3`, `sm4-cbc`, `aes-128-gcm`, `zuc-128` or `sm4-ctr-sm3-hmac`.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        if let Some(it) = frame::named(name).filter(|it| it.kind == registry::Kind::Cipher) {
            let form = Form::Plain(it.name.to_owned());
            return Some(Self {
                algorithm: it.algorithm.name,
                form,
                key: it.key.min,
                iv: it.usual_iv,
            });
        }
        let algorithm = registry::ALGORITHMS.iter().find(|it| {
            name.strip_prefix(it.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })?;
        let mode = name[algorithm.name.len()..].trim_start_matches('-');
        let key = algorithm.key.min.max(16.min(algorithm.key.max));
        let made = |form, key, iv| Some(Self { algorithm: algorithm.name, form, key, iv });
        let found = |name: &str| registry::operation(algorithm, name);
        if mode.is_empty() {
            return made(Form::Plain(KEYSTREAM.to_owned()), key, found(KEYSTREAM)?.iv.min);
        }
        let block = algorithm.block()?;
        if mode == STEALING {
            return made(Form::Stealing(block), key, found("cbc-encrypt")?.usual_iv);
        }
        let (mode, hmac) = match mode.strip_suffix(SM3_HMAC) {
            Some(mode) => (mode, true),
            None => (mode, false),
        };
        let names = [format!("{mode}-seal"), format!("{mode}-encrypt"), mode.to_owned()];
        let operation = names.iter().find_map(|name| found(name))?;
        let (name, iv) = (operation.name.to_owned(), operation.usual_iv);
        let of_mode = operation.mode() == mode;
        match operation.new {
            Constructor::Mode(_) if hmac => made(Form::Sm3Hmac(name), 48, iv),
            Constructor::Mode(_) => made(Form::Plain(name), key, iv),
            _ if hmac || !of_mode => None,
            Constructor::Message(_) => made(Form::Message(operation.name), operation.key.min, iv),
            Constructor::Aead { .. } if operation.in_pieces() => {
                made(Form::Aead(mode.to_owned()), key, iv)
            }
            _ => None,
        }
    }

    /// Bytes behind the message.
    pub(crate) const fn tag(&self) -> usize {
        match self.form {
            Form::Plain(_) | Form::Message(_) | Form::Stealing(_) => 0,
            Form::Sm3Hmac(_) => 32,
            Form::Aead(_) => 16,
        }
    }

    /// The length of a block in bytes, of modes that fill the last one up; else none.
    pub(crate) fn padded(&self) -> Option<usize> {
        let (Form::Plain(operation) | Form::Sm3Hmac(operation)) = &self.form else { return None };
        let operation = self.operation(operation)?;
        operation.algorithm.block().filter(|_| operation.whole_blocks())
    }

    /// The operation of a keystream or a mode without a tag.
    pub(crate) fn plain(&self) -> Option<Operation> {
        let Form::Plain(name) = &self.form else { return None };
        self.operation(name)
    }

    /// Whether a disk has it: what takes whole sectors under an IV of a block.
    pub(crate) fn of_sectors(&self) -> bool {
        match &self.form {
            Form::Plain(name) => name == "cbc-encrypt" && self.iv == 16,
            Form::Message(name) => ["xts-encrypt", "xts-gb-encrypt"].contains(name),
            Form::Stealing(block) => *block == 16,
            Form::Sm3Hmac(_) | Form::Aead(_) => false,
        }
    }

    fn operation(&self, name: &str) -> Option<Operation> {
        registry::operation(registry::algorithm(self.algorithm)?, name)
    }

    /// The names of modes that are put together here.
    pub(crate) fn stealing() -> Vec<String> {
        let names = registry::ALGORITHMS.iter().map(|it| format!("{}-{STEALING}", it.name));
        names.filter(|name| Self::parse(name).is_some()).collect()
    }

    /// Every name that the registry has, for messages.
    pub(crate) fn all() -> Vec<String> {
        let mut names = Vec::new();
        for algorithm in registry::ALGORITHMS {
            let encrypts = |it: &Operation| it.direction() == Direction::Encrypt;
            names.extend(registry::operations(algorithm).filter(encrypts).map(
                |it| match it.name {
                    KEYSTREAM => algorithm.name.to_owned(),
                    _ => format!("{}-{}", algorithm.name, it.mode()),
                },
            ));
        }
        names.extend(frame::names("nea"));
        names.retain(|name| Self::parse(name).is_some());
        names
    }
}

/// What a sector is encrypted by.
enum Sector {
    Mode(Context),
    Stealing(Stealing),
}

enum Work {
    Plain(Context),
    Message(Context, Zeroizing<Vec<u8>>),
    Stealing(Stealing, Vec<u8>, Zeroizing<Vec<u8>>),
    /// Sectors, and what is less than one.
    Sectors(Sectors, Sector, Zeroizing<Vec<u8>>),
    Sm3Hmac(Context, Box<Hmac<Sm3>>),
    Aead(AeadStream),
}

/// A message that is being encrypted or decrypted.
pub(crate) struct Transform {
    work: Work,
    direction: Direction,
    tag: usize,
    /// Decrypting, what may be the tag.
    tail: Vec<u8>,
}

impl Transform {
    /// Begins one. `length` is the message's in bytes, for modes that need it.
    ///
    /// # Errors
    /// What the library says of key and IV.
    pub(crate) fn new(
        name: &Name,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        aad: &[u8],
        padding: Padding,
        length: Option<u64>,
    ) -> Result<Self, Failure> {
        let context = |operation: &str, key| {
            let inverse = name.operation(operation).and_then(|it| it.inverse).unwrap_or(operation);
            let decrypts = direction == Direction::Decrypt;
            let spec = Spec {
                iv,
                ..Spec::new(name.algorithm, if decrypts { inverse } else { operation }, key)
            };
            let padding = if name.padded().is_some() { padding } else { Padding::None };
            Context::new(&Spec { padding, ..spec })
        };
        let work = match &name.form {
            Form::Plain(operation) => Work::Plain(context(operation, key)?),
            Form::Message(operation) => {
                // XTS would tell the length of one of its two keys.
                let allowed = name.operation(operation).map(|it| it.key);
                if let Some(allowed) = allowed.filter(|it| !it.allow(key.len())) {
                    let (field, got) = ("key", key.len());
                    return Err(cipherlane::Error::Length { field, got, allowed }.into());
                }
                Work::Message(context(operation, key)?, Zeroizing::default())
            }
            Form::Stealing(block) => {
                let mode = Stealing::new(name.algorithm, *block, direction, key)?;
                Work::Stealing(mode, iv.to_vec(), Zeroizing::default())
            }
            Form::Sm3Hmac(operation) => {
                let (got, allowed) = (key.len(), cipherlane::Sizes::exactly(name.key));
                let field = "key";
                let short = cipherlane::Error::Length { field, got, allowed };
                let (cipher, mac) = key.split_at_checked(16).ok_or(short)?;
                if !allowed.allow(got) {
                    return Err(short.into());
                }
                let mut mac = Hmac::new_from_slice(mac).expect("HMAC takes any key");
                mac.update(aad);
                Work::Sm3Hmac(context(operation, cipher)?, Box::new(mac))
            }
            Form::Aead(mode) => {
                let mut sealing = AeadStream::new(name.algorithm, mode, key, direction, iv, None)?;
                let length = length.unwrap_or(0);
                sealing.announce(aad.len() as u64, length, name.tag())?;
                sealing.aad(aad)?;
                Work::Aead(sealing)
            }
        };
        let tag = if direction == Direction::Decrypt { name.tag() } else { 0 };
        Ok(Self { work, direction, tag, tail: Vec::new() })
    }

    /// Begins sectors, each of them a message; without padding. `length` is that of all, if it is known.
    ///
    /// # Errors
    /// What the library says of the key, and [`Sectors::fit`] of the length.
    pub(crate) fn of_sectors(
        name: &Name,
        direction: Direction,
        key: &[u8],
        sectors: Sectors,
        length: Option<u64>,
    ) -> Result<Self, Failure> {
        let whole = Self::new(name, direction, key, &[0; 16], &[], Padding::None, None)?;
        let sector = match whole.work {
            Work::Plain(context) | Work::Message(context, _) => Sector::Mode(context),
            Work::Stealing(mode, ..) => Sector::Stealing(mode),
            Work::Sectors(..) | Work::Sm3Hmac(..) | Work::Aead(_) => unreachable!("of_sectors"),
        };
        length.map_or(Ok(()), |length| sectors.fit(length))?;
        let work = Work::Sectors(sectors, sector, Zeroizing::default());
        Ok(Self { work, direction, tag: 0, tail: Vec::new() })
    }

    /// Takes a piece and gives what is ready.
    ///
    /// # Errors
    /// What the library says.
    pub(crate) fn piece(&mut self, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure> {
        if self.tag == 0 {
            return self.update(bytes);
        }
        self.tail.extend_from_slice(bytes);
        let ready = self.tail.len().saturating_sub(self.tag);
        let ready: Vec<u8> = self.tail.drain(..ready).collect();
        self.update(&ready)
    }

    fn update(&mut self, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let encrypts = self.direction == Direction::Encrypt;
        match &mut self.work {
            Work::Plain(context) => update(context, bytes),
            Work::Sectors(sectors, sector, held) => {
                held.extend_from_slice(bytes);
                let whole = held.len() / sectors.size() * sectors.size();
                let rest = held.split_off(whole);
                let mut out = std::mem::replace(held, Zeroizing::new(rest));
                by_sector(sectors, sector, &mut out)?;
                Ok(out)
            }
            Work::Message(_, held) | Work::Stealing(_, _, held) => {
                held.extend_from_slice(bytes);
                Ok(Zeroizing::default())
            }
            Work::Sm3Hmac(context, mac) => {
                if !encrypts {
                    mac.update(bytes);
                }
                let out = update(context, bytes)?;
                if encrypts {
                    mac.update(&out);
                }
                Ok(out)
            }
            Work::Aead(sealing) => {
                let mut out = Zeroizing::new(bytes.to_vec());
                sealing.update(out.as_mut_slice().into())?;
                Ok(out)
            }
        }
    }

    /// Ends the message: the last bytes with the tag, or the tag checked.
    ///
    /// # Errors
    /// What the library says; a wrong tag or padding.
    pub(crate) fn finish(mut self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let wrong = cipherlane::Error::Authentication;
        if self.tail.len() < self.tag {
            return Err(wrong.into());
        }
        let encrypts = self.direction == Direction::Encrypt;
        match &mut self.work {
            Work::Plain(context) => finish(context),
            Work::Stealing(mode, iv, held) => {
                mode.message(iv, held)?;
                Ok(std::mem::take(held))
            }
            Work::Sectors(sectors, _, held) if !held.is_empty() => {
                Ok(sectors.fit(held.len() as u64).map(|()| Zeroizing::default())?)
            }
            Work::Sectors(..) => Ok(Zeroizing::default()),
            Work::Message(context, held) => {
                context.update_in_place(held)?;
                Ok(std::mem::take(held))
            }
            Work::Sm3Hmac(context, mac) => {
                if !encrypts {
                    mac.clone().verify_slice(&self.tail).map_err(|_| wrong)?;
                }
                let mut out = finish(context)?;
                if encrypts {
                    mac.update(&out);
                    out.extend_from_slice(&mac.clone().finalize().into_bytes());
                }
                Ok(out)
            }
            Work::Aead(sealing) if encrypts => {
                let mut tag = Zeroizing::new(vec![0; 16]);
                sealing.finish(&mut tag)?;
                Ok(tag)
            }
            Work::Aead(sealing) => {
                sealing.verify(&self.tail)?;
                Ok(Zeroizing::default())
            }
        }
    }
}

/// Whole sectors, one after another.
fn by_sector(
    sectors: &mut Sectors,
    sector: &mut Sector,
    data: &mut Zeroizing<Vec<u8>>,
) -> Result<(), Failure> {
    for data in data.chunks_exact_mut(sectors.size()) {
        let iv = sectors.iv()?;
        match sector {
            Sector::Mode(context) => context.message(&iv, data.into())?,
            Sector::Stealing(mode) => {
                let mut message = Zeroizing::new(data.to_vec());
                mode.message(&iv, &mut message)?;
                data.copy_from_slice(&message);
            }
        }
    }
    Ok(())
}

fn update(context: &mut Context, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let mut out = Zeroizing::new(vec![0; context.update_len(bytes.len())]);
    let written = context.update(bytes, &mut out)?;
    out.truncate(written);
    Ok(out)
}

fn finish(context: &mut Context) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let mut out = Zeroizing::new(vec![0; context.finish_len()]);
    let written = context.finish(&mut out)?;
    out.truncate(written);
    Ok(out)
}
