//! The models of the ciphers, and where they are found by the names the library's registry
//! uses: [`block_cipher`] and [`keystream`]. A name that is missing here makes the library's
//! comparison tests fail, on purpose.

pub mod aes;
pub mod enocoro;
pub mod grain;
pub mod grain_aead;
pub mod hc128;
pub mod idea;
pub mod mickey;
pub mod rabbit;
pub mod rc2;
pub mod rc4;
pub mod rc5;
pub mod salsa20;
pub mod sm4;
pub mod snow3g;
pub mod snow_v;
pub mod sosemanuk;
pub mod trivium;
pub mod zuc;
pub mod zuc128;
pub mod zuc256;

use crate::modes::{bc, cbc, cfb, cfb1, ctr, ecb, ofb};
use crate::random::SplitMix64;

/// A block function under a key.
pub type BlockFunction = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// A block cipher under a key.
pub struct BlockModel {
    /// The length of a block in bytes.
    pub block: usize,
    /// Encrypts one block.
    pub encrypt: BlockFunction,
    /// Decrypts one block.
    pub decrypt: BlockFunction,
}

/// The block cipher of that name under a key, if there is a model of it.
///
/// # Panics
/// If the key's length does not fit the cipher.
#[must_use]
pub fn block_cipher(name: &str, key: &[u8]) -> Option<BlockModel> {
    match name {
        "sm4" => {
            let encrypt = sm4::round_keys(key.try_into().expect("a key of 16 bytes"));
            let mut decrypt = encrypt;
            decrypt.reverse();
            let under = |rk: [u32; 32]| -> BlockFunction {
                Box::new(move |b| sm4::crypt(&rk, b.try_into().expect("16 bytes")).to_vec())
            };
            Some(BlockModel { block: 16, encrypt: under(encrypt), decrypt: under(decrypt) })
        }
        "aes-128" | "aes-192" | "aes-256" => {
            let bits = 8 * key.len();
            assert_eq!(name, format!("aes-{bits}"), "a key of another length");
            let w = aes::key_expansion(key);
            let under = |crypt: fn(&[[u8; 4]], &[u8; 16]) -> [u8; 16]| -> BlockFunction {
                let w = w.clone();
                Box::new(move |b| crypt(&w, b.try_into().expect("16 bytes")).to_vec())
            };
            let (encrypt, decrypt) = (under(aes::cipher), under(aes::inv_cipher));
            Some(BlockModel { block: 16, encrypt, decrypt })
        }
        "idea" => {
            let encrypt = idea::encryption_keys(key.try_into().expect("a key of 16 bytes"));
            let decrypt = idea::decryption_keys(&encrypt);
            let under = |keys: idea::SubKeys| -> BlockFunction {
                Box::new(move |b| idea::crypt(&keys, b.try_into().expect("8 bytes")).to_vec())
            };
            Some(BlockModel { block: 8, encrypt: under(encrypt), decrypt: under(decrypt) })
        }
        "rc2" => Some(rc2_with_effective_bits(key, 8 * key.len())),
        "rc5" => Some(rc5_with_parameters(32, 12, key)),
        _ => None,
    }
}

/// RC2 under a key of which `bits` count.
///
/// # Panics
/// If there are not 1 to 128 bytes or 1 to 1024 bits.
#[must_use]
pub fn rc2_with_effective_bits(key: &[u8], bits: usize) -> BlockModel {
    let k = rc2::expand(key, bits);
    let under = |crypt: fn(&[u32; 64], &[u8; 8]) -> [u8; 8]| -> BlockFunction {
        Box::new(move |b| crypt(&k, b.try_into().expect("8 bytes")).to_vec())
    };
    BlockModel { block: 8, encrypt: under(rc2::encrypt), decrypt: under(rc2::decrypt) }
}

/// RC5 with words of `w` bits.
///
/// # Panics
/// If `w` is not 16, 32 or 64.
#[must_use]
pub fn rc5_with_parameters(w: u32, rounds: usize, key: &[u8]) -> BlockModel {
    let (encrypt, decrypt) = (rc5::Rc5::new(w, rounds, key), rc5::Rc5::new(w, rounds, key));
    BlockModel {
        block: encrypt.block(),
        encrypt: Box::new(move |b| encrypt.encrypt(b)),
        decrypt: Box::new(move |b| decrypt.decrypt(b)),
    }
}

/// A random IV of `len` bytes that the stream cipher of that name takes.
#[must_use]
pub fn random_iv(name: &str, random: &mut SplitMix64, len: usize) -> Vec<u8> {
    let mut iv = random.bytes(len);
    if (name, len) == ("zuc-256", 25) {
        iv[17..].iter_mut().for_each(|element| *element %= 64);
    }
    iv
}

/// The first `bytes` keystream bytes of the stream cipher of that name, if
/// there is a model of it.
///
/// # Panics
/// If the key's or the IV's length does not fit the cipher.
#[must_use]
pub fn keystream(name: &str, key: &[u8], iv: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let version = match name {
        "zuc-128" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = iv.try_into().expect("an IV of 16 bytes");
            return Some(zuc128::keystream(key, iv, bytes));
        }
        "mickey2" => {
            return Some(mickey::keystream(&mickey::MICKEY_2, key, iv, 8 * iv.len(), bytes));
        }
        "mickey-128" => {
            return Some(mickey::keystream(&mickey::MICKEY_128_2, key, iv, 8 * iv.len(), bytes));
        }
        "trivium" => return Some(trivium::keystream(key, iv, 8 * iv.len(), bytes)),
        "grain-v1" => {
            let key = key.try_into().expect("a key of 10 bytes");
            let iv = iv.try_into().expect("an IV of 8 bytes");
            return Some(grain::keystream_v1(key, iv, bytes));
        }
        "grain-128" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = iv.try_into().expect("an IV of 12 bytes");
            return Some(grain::keystream_128(key, iv, bytes));
        }
        "enocoro-128" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = iv.try_into().expect("an IV of 8 bytes");
            return Some(enocoro::keystream(key, iv, bytes));
        }
        "grain-128aead" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = iv.try_into().expect("a nonce of 12 bytes");
            return Some(grain_aead::preoutput(key, iv, bytes));
        }
        "hc-128" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = iv.try_into().expect("an IV of 16 bytes");
            return Some(hc128::keystream(key, iv, bytes));
        }
        "rabbit" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = match iv.len() {
                0 => None,
                _ => Some(iv.try_into().expect("an IV of 8 bytes")),
            };
            return Some(rabbit::keystream(key, iv, bytes));
        }
        "salsa20-8" | "salsa20-12" | "salsa20-20" => {
            let rounds = name["salsa20-".len()..].parse().expect("a number");
            let nonce = iv.try_into().expect("a nonce of 8 bytes");
            return Some(salsa20::keystream(rounds, key, nonce, bytes));
        }
        "snow3g" => {
            let key = key.try_into().expect("a key of 16 bytes");
            let iv = iv.try_into().expect("an IV of 16 bytes");
            return Some(snow3g::keystream(key, iv, bytes));
        }
        "snow-v" | "snow-vi" | "snow-5g" => {
            let variant = match name {
                "snow-v" => &snow_v::SNOW_V,
                "snow-vi" => &snow_v::SNOW_VI,
                _ => &snow_v::SNOW_5G,
            };
            let key = key.try_into().expect("a key of 32 bytes");
            let iv = iv.try_into().expect("an IV of 16 bytes");
            return Some(snow_v::keystream(variant, key, iv, bytes));
        }
        "sosemanuk" => return Some(sosemanuk::keystream(key, iv, bytes)),
        "rc4" => return Some(rc4::keystream(key, bytes)),
        "zuc-256" => zuc256::Version::Y2018,
        "zuc-256-2021" => zuc256::Version::Y2021,
        "zuc-256-2023" => zuc256::Version::Y2023,
        _ => return None,
    };
    let key = key.try_into().expect("a key of 32 bytes");
    Some(zuc256::keystream(version, key, iv, bytes))
}

/// Runs the mode operation of that name over a block cipher, if there is a model of it.
///
/// # Panics
/// If the IV or the data does not fit the mode.
#[must_use]
pub fn operation(name: &str, cipher: &BlockModel, iv: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let BlockModel { block, encrypt, decrypt } = cipher;
    Some(match name {
        "ecb-encrypt" => ecb::crypt(encrypt, *block, data),
        "ecb-decrypt" => ecb::crypt(decrypt, *block, data),
        "cbc-encrypt" => cbc::encrypt(encrypt, iv, data),
        "cbc-decrypt" => cbc::decrypt(decrypt, iv, data),
        "ctr" | "nea2" => ctr::crypt(encrypt, iv, data),
        "ctr32" => ctr::crypt32(encrypt, iv, data),
        "cfb-encrypt" => cfb::encrypt(encrypt, iv, *block, data),
        "cfb-decrypt" => cfb::decrypt(encrypt, iv, *block, data),
        "nea5" => ctr::crypt(encrypt, &[&iv[..12], &[0; 4]].concat(), data),
        "cfb1-encrypt" => cfb1::encrypt(encrypt, iv, data),
        "cfb1-decrypt" => cfb1::decrypt(encrypt, iv, data),
        "cfb8-encrypt" => cfb::encrypt(encrypt, iv, 1, data),
        "cfb8-decrypt" => cfb::decrypt(encrypt, iv, 1, data),
        "ofb" => ofb::crypt(encrypt, iv, data),
        "bc-encrypt" => bc::encrypt(encrypt, iv, data),
        "bc-decrypt" => bc::decrypt(decrypt, iv, data),
        _ => return None,
    })
}
