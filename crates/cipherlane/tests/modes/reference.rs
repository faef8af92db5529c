//! Block ciphers to try modes, MACs and AEADs on: the registry's at every level, and
//! other people's AES (128-bit blocks) and IDEA (64-bit blocks) behind the trait,
//! block by block, so that a mode is tried on more than the ciphers that are built.

use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use cipherlane::block::{Chain, ChainData};
use cipherlane::registry::{ALGORITHMS, New};
use cipherlane::{BlockCipher, InOut, Level};
use model::random::SplitMix64;

/// A cipher of the RustCrypto traits.
struct Reference<C>(C);

fn xor(block: &mut [u8], mask: Option<&[u8]>) {
    block.iter_mut().zip(mask.unwrap_or(&[])).for_each(|(byte, mask)| *byte ^= mask);
}

impl<C: BlockCipherEncrypt + BlockCipherDecrypt + Send + Sync> Reference<C> {
    fn each(
        &self,
        mut io: InOut<'_>,
        pre: Option<&[u8]>,
        post: Option<&[u8]>,
        crypt: impl Fn(&mut [u8]),
    ) {
        let size = C::block_size();
        assert_eq!(io.len() % size, 0);
        for at in (0..io.len()).step_by(size) {
            let mut block = io.input()[at..at + size].to_vec();
            xor(&mut block, pre.map(|pre| &pre[at..at + size]));
            crypt(&mut block);
            xor(&mut block, post.map(|post| &post[at..at + size]));
            io.output()[at..at + size].copy_from_slice(&block);
        }
    }
}

impl<C: BlockCipherEncrypt + BlockCipherDecrypt + Send + Sync> BlockCipher for Reference<C> {
    fn block_size(&self) -> usize {
        C::block_size()
    }
    fn level(&self) -> Level {
        Level::best()
    }
    fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.each(io, pre, post, |block| {
            self.0.encrypt_block(block.try_into().expect("a block"));
        });
    }
    fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.each(io, pre, post, |block| {
            self.0.decrypt_block(block.try_into().expect("a block"));
        });
    }
    fn ctr(&self, mut io: InOut<'_>, counter: &mut [u8]) {
        for at in (0..io.len()).step_by(counter.len()) {
            let mut block = counter.to_vec();
            self.encrypt_block(&mut block);
            let n = counter.len().min(io.len() - at);
            io.part(at, n).xor(&block[..n]);
            model::modes::ctr::increment(counter);
        }
    }
    fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
        for chain in chains {
            let size = chain.value.len();
            for at in (0..chain.data.len()).step_by(size) {
                let input = match &chain.data {
                    ChainData::Encrypt(io) => io.input(),
                    ChainData::Absorb(data) => data,
                };
                xor(chain.value, Some(&input[at..at + size]));
                self.encrypt_block(chain.value);
                if let ChainData::Encrypt(io) = &mut chain.data {
                    io.output()[at..at + size].copy_from_slice(chain.value);
                }
            }
        }
    }
}

fn reference<C>(key: &[u8]) -> Box<dyn BlockCipher>
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + Send + Sync + 'static,
{
    Box::new(Reference(C::new_from_slice(key).expect("a key")))
}

/// What makes one from a key of the right length.
type NewReference = fn(&[u8]) -> Box<dyn BlockCipher>;

/// What makes a cipher from a key.
pub(crate) type New1 = Box<dyn Fn(&[u8]) -> Result<Box<dyn BlockCipher>, cipherlane::Error>>;

/// A cipher at a level, to be made from a key.
pub(crate) struct Candidate {
    /// Its name in the registry, or that of the reference.
    pub(crate) algorithm: &'static str,
    /// Where it comes from, for messages.
    pub(crate) name: String,
    /// The block length in bytes.
    pub(crate) block: usize,
    /// The key length in bytes.
    pub(crate) key: usize,
    /// Makes it.
    pub(crate) new: New1,
}

/// Every cipher to try, those of the registry at every level.
pub(crate) fn candidates() -> Vec<Candidate> {
    let mut all = Vec::new();
    for algorithm in ALGORITHMS {
        let New::Block { block, new, .. } = algorithm.new else { continue };
        for level in Level::available() {
            all.push(Candidate {
                algorithm: algorithm.name,
                name: format!("{}, {level}", algorithm.name),
                block,
                key: algorithm.key.max,
                new: Box::new(move |key| new(key, level)),
            });
        }
    }
    let references: [(_, _, _, NewReference); 4] = [
        ("aes-128", 16, 16, reference::<aes::Aes128>),
        ("aes-192", 16, 24, reference::<aes::Aes192>),
        ("aes-256", 16, 32, reference::<aes::Aes256>),
        ("idea", 8, 16, reference::<idea::Idea>),
    ];
    for (algorithm, block, key, new) in references {
        all.push(Candidate {
            algorithm,
            name: format!("{algorithm} of RustCrypto"),
            block,
            key,
            new: Box::new(move |bytes| {
                let allowed = cipherlane::Sizes::exactly(key);
                let wrong = cipherlane::Error::Length { field: "key", got: bytes.len(), allowed };
                if bytes.len() == key { Ok(new(bytes)) } else { Err(wrong) }
            }),
        });
    }
    all
}

impl Candidate {
    /// A random key and the cipher under it.
    pub(crate) fn random(&self, random: &mut SplitMix64) -> (Vec<u8>, Box<dyn BlockCipher>) {
        let key = random.bytes(self.key);
        let cipher = (self.new)(&key).unwrap();
        (key, cipher)
    }
}

/// The ciphers that take a test of the vector file of that algorithm (`"sm4…"` or
/// `"aes…"`) with a key of that length.
pub(crate) fn for_vectors(file: &str, key: usize) -> Vec<Candidate> {
    let mut all = candidates();
    all.retain(|candidate| candidate.algorithm.starts_with(&file[..3]) && candidate.key == key);
    all
}
