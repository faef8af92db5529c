//! Taking padding off: whether it is valid and how long the message is may show, what a wrong
//! padding has wrong may not.

use cipherlane::modes::{BlockMode, Buffered, Padding};
use cipherlane::registry::{ALGORITHMS, Mode, New, NewBlock, Started, operation, operations};
use cipherlane::{Error, Level};
use model::random::SplitMix64;

use crate::share::claims;
use crate::traces::Subject;

const BLOCKS: usize = 3;
/// Bytes of padding where it is valid.
const PADDED: usize = 5;

/// Decryption of a padded message.
#[derive(Clone, Debug)]
pub struct Unpadding {
    algorithm: &'static str,
    new: NewBlock,
    encrypt: Mode,
    decrypt: Mode,
    name: &'static str,
    level: Level,
    padding: Padding,
    valid: bool,
    key: Vec<u8>,
    iv: Vec<u8>,
    block: usize,
    data: Vec<u8>,
    output: Vec<u8>,
}

impl Unpadding {
    /// Of the first mode of the first cipher that claims constant time and takes whole blocks;
    /// none in a build without one.
    #[must_use]
    pub fn new(level: Level, padding: Padding, valid: bool) -> Option<Self> {
        ALGORITHMS.iter().filter(|it| claims(it)).find_map(|algorithm| {
            let New::Block { new, block, .. } = algorithm.new else { return None };
            let encrypt = operations(algorithm).find(|it| it.whole_blocks() && it.iv.max > 0)?;
            let decrypt = operation(algorithm, encrypt.inverse?)?;
            let data = vec![0; BLOCKS * block];
            Some(Self {
                algorithm: algorithm.name,
                new,
                encrypt: encrypt.block_mode()?,
                decrypt: decrypt.block_mode()?,
                name: decrypt.name,
                level,
                padding,
                valid,
                key: vec![0; algorithm.key.max],
                iv: vec![7; encrypt.iv.max],
                block,
                output: data.clone(),
                data,
            })
        })
    }

    /// `ALGORITHM/OPERATION, unpadding`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}, unpadding", self.algorithm, self.name)
    }

    /// The key and the message.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(crate) fn secrets(&self) -> [&[u8]; 2] {
        [&self.key, &self.data]
    }

    /// The key and the message, to be changed.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(crate) fn secrets_mut(&mut self) -> [&mut [u8]; 2] {
        [&mut self.key, &mut self.data]
    }

    /// The last bytes of the message.
    fn end(&self, secret: usize) -> [u8; PADDED] {
        let n = PADDED as u8;
        let too_many = self.block as u8 + 1;
        match (self.padding, self.valid) {
            (Padding::Iso7816, true) => [0x80, 0, 0, 0, 0],
            (Padding::Iso7816, false) => {
                [[0x81, 0, 0, 0, 0], [1, 2, 3, 4, 5], [0x80, 0, 0, 0, 1], [0, 0, 0x7f, 0, 0]]
                    [secret % 4]
            }
            (_, true) => [n; PADDED],
            (_, false) => {
                [[n, n, n, n, 0], [n, n, n, n, too_many], [1, n, n, n, n], [n, n, n, 1, n]]
                    [secret % 4]
            }
        }
    }
}

impl Subject for Unpadding {
    fn fill(&mut self, secret: usize) -> Result<(), String> {
        let mut random = SplitMix64::new(secret as u64);
        for field in [&mut self.key, &mut self.data] {
            let bytes = random.bytes(field.len());
            field.copy_from_slice(&bytes);
        }
        let end = self.end(secret);
        let at = self.data.len() - PADDED;
        self.data[at..].copy_from_slice(&end);
        let mut run = || {
            let cipher = (self.new)(&self.key, Level::portable())?;
            (self.encrypt.message)(&*cipher, &self.iv, self.data.as_mut_slice().into())
        };
        run().map_err(|error| error.to_string())
    }

    fn once(&mut self) -> Result<(), String> {
        let Self { padding, iv, data, output, .. } = self;
        let mut run = || {
            let cipher = (self.new)(&self.key, self.level)?;
            let Started::Blocks(mode) = (self.decrypt.start)(&*cipher, iv)? else {
                return Err(Error::State("a mode of whole blocks"));
            };
            let mode: Box<dyn BlockMode + '_> = mode;
            let mut mode = Buffered::new(mode, *padding);
            let written = mode.update(data, output)?;
            Ok(written + mode.finish(&mut output[written..])?)
        };
        let expected = data.len() - PADDED;
        match run() {
            Ok(written) if self.valid && written == expected => Ok(()),
            Err(Error::Padding) if !self.valid => Ok(()),
            other => Err(format!("{other:?}")),
        }
    }
}
