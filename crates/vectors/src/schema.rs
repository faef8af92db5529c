//! The types of a vector file. `data/README.md` tells what each field means.

use std::collections::BTreeMap;

use crate::fields::Fields;
use crate::verdict::{Segment, Verdict};

/// One file of vectors for one algorithm.
#[derive(Clone, Debug)]
pub struct VectorFile {
    /// The file's name.
    pub name: String,
    /// The algorithm as the file names it, e.g. `"zuc128"`.
    pub algorithm: String,
    /// Conventions, in words.
    pub notes: String,
    /// Tests by mode and source.
    pub groups: Vec<Group>,
    /// Whether the file is the one that `SHA256SUMS` beside it lists.
    pub integrity: Integrity,
}

/// The comparison of a file with its line in `SHA256SUMS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integrity {
    /// There is no such line.
    Unlisted,
    /// The digests agree.
    Intact,
    /// They do not: the file has been changed.
    Changed {
        /// The digest listed, in hex.
        listed: String,
        /// The file's digest, in hex.
        actual: String,
    },
}

/// Declares a struct of optional fields together with its reader, so that a
/// field stands in one line. The word before the type is the method of [`Fields`].
macro_rules! optional_fields {
    (
        $(#[$meta:meta])* $name:ident {
            $(needed $(#[$nmeta:meta])* $nfield:ident: $nreader:ident $ntype:ty,)*
            ; $($(#[$fmeta:meta])* $field:ident: $reader:ident $type:ty,)*
        } + { $($(#[$xmeta:meta])* $extra:ident: $xtype:ty,)* }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$nmeta])* pub $nfield: $ntype,)*
            $($(#[$fmeta])* pub $field: Option<$type>,)*
            $($(#[$xmeta])* pub $extra: $xtype,)*
        }

        impl $name {
            pub(crate) fn read(fields: &Fields<'_>) -> Result<Self, String> {
                Ok(Self {
                    $($nfield: Fields::needed(
                        stringify!($nfield), fields.$nreader(stringify!($nfield)))?,)*
                    $($field: fields.$reader(stringify!($field))?,)*
                    $($extra: Default::default(),)*
                })
            }
        }
    };
}

optional_fields! {
    /// Tests of one mode from one source.
    #[derive(Clone, Debug)]
    Group {
        needed
        /// The mode, e.g. `"cbc"`, `"keystream"`, `"mac32-iv184"`.
        mode: text String,
        needed
        /// The document that the numbers are from.
        source: text String,
        ;
        /// The public repository or package they were read in.
        read_in: text String,
        /// Independent implementations that reproduced every test.
        verified_with: texts Vec<String>,
        /// Whether, or for which tests, two sources gave the same numbers.
        two_sources_agree: remark String,
        /// Anything else to know.
        note: text String,
        /// Rounds of the cipher.
        rounds: number u64,
        /// Rounds of the initialisation.
        init_rounds: number u64,
        /// The length of the IV in bits.
        iv_bits: number u64,
        /// The length of the tag in bits.
        tag_bits: number u64,
        /// The order of the bits in a byte.
        bit_order: text String,
    } + {
        /// The tests.
        tests: Vec<Test>,
    }
}

optional_fields! {
    /// One test. A field is `None` where it does not apply; an empty string is `Some`.
    #[derive(Clone, Debug)]
    Test {
        needed
        /// Unique within the algorithm.
        id: text String,
        ;
        /// The key.
        key: hex Vec<u8>,
        /// The second key of a MAC.
        key2: hex Vec<u8>,
        /// The key that sub-keys are derived from.
        master_key: hex Vec<u8>,
        /// The key of a polynomial hash.
        hash_key: hex Vec<u8>,
        /// The IV or nonce; for CTR the first counter block.
        iv: hex Vec<u8>,
        /// ZUC-256 (2018): the IV as 25 bytes, one 6-bit value in each of the last eight.
        iv_unpacked: hex Vec<u8>,
        /// ZUC: the IV as 16 bytes, in place of count, bearer and direction.
        iv16: hex Vec<u8>,
        /// The tweak.
        tweak: hex Vec<u8>,
        /// Associated data.
        aad: hex Vec<u8>,
        /// The plaintext.
        plaintext: hex Vec<u8>,
        /// The ciphertext.
        ciphertext: hex Vec<u8>,
        /// The tag, possibly cut short.
        tag: hex Vec<u8>,
        /// The input of a MAC or hash.
        message: hex Vec<u8>,
        /// The output of a hash.
        digest: hex Vec<u8>,
        /// Pieces of the keystream.
        keystream: segments Vec<Segment>,
        /// The sum of all 64-byte blocks of the first `xor_digest_length` keystream bytes.
        xor_digest: hex Vec<u8>,
        /// See `xor_digest`.
        xor_digest_length: number u64,
        /// The message's length in bits, first bit the most significant of byte 0.
        bits: number u64,
        /// 3GPP COUNT, 32 bits in hex.
        count: hex Vec<u8>,
        /// 3GPP BEARER.
        bearer: number u64,
        /// 3GPP DIRECTION.
        direction: number u64,
        /// UIA2: FRESH, 32 bits in hex.
        fresh: hex Vec<u8>,
        /// How often to encrypt, output fed back as input; for PBKDF2 the iteration count.
        iterations: number u64,
        /// The block encrypted that many times.
        ciphertext_iterated: iterated BTreeMap<u64, Vec<u8>>,
        /// A procedure in words.
        procedure: text String,
        /// RC2: the effective key length in bits.
        effective_key_bits: number u64,
        /// Rounds of the cipher.
        rounds: number u64,
        /// RC5: the length of a word in bits.
        word_bits: number u64,
        /// ChaCha20: the first block counter.
        counter: number u64,
        /// SNOW-V and SNOW-Vi: the blocks that the rounds of the initialisation give, in order.
        init_keystream: hex Vec<u8>,
        /// Enocoro: the state after the initialisation.
        state_after_init: hex Vec<u8>,
        /// Enocoro: the buffer after the initialisation.
        buffer_after_init: hex Vec<u8>,
        /// Whether the test is to be accepted; absent means valid.
        result: verdict Verdict,
        /// What the test is about.
        flags: texts Vec<String>,
        /// The length of the tag in bits.
        tag_bits: number u64,
        /// The length in bytes of the tags that the object is made for, where the test is about
        /// a tag of another length.
        object_tag_bytes: number u64,
        /// Key derivation: the password.
        password: hex Vec<u8>,
        /// Key derivation: the salt.
        salt: hex Vec<u8>,
        /// Key derivation: the input key material.
        ikm: hex Vec<u8>,
        /// Key derivation: the context.
        info: hex Vec<u8>,
        /// Key derivation: the length of the output in bytes.
        length: number u64,
        /// Key derivation: the output.
        okm: hex Vec<u8>,
        /// HKDF: the output of the extraction.
        prk: hex Vec<u8>,
        /// Encrypted files: the cipher's name.
        cipher: text String,
        /// Encrypted files: the key derivation.
        kdf: text String,
        /// Encrypted files: the hash of the key derivation.
        md: text String,
        /// Encrypted files: where the salt comes from.
        salt_mode: text String,
        /// Encrypted files: whether the output starts with a header.
        header: flag bool,
        /// Encrypted files: whether padding is off.
        nopad: flag bool,
        /// Encrypted files: how base64 lines are broken.
        base64: text String,
        /// Encrypted files: the command's options.
        options: text String,
        /// Encrypted files: the whole input.
        input: hex Vec<u8>,
        /// Encrypted files: the whole output.
        output: hex Vec<u8>,
        /// Further independent places where the same numbers were seen.
        also_in: texts Vec<String>,
    } + {}
}

impl Test {
    /// The length in bytes of the tags that the object is made for.
    #[must_use]
    pub fn object_tag(&self) -> usize {
        let own = || self.tag.as_ref().map_or(0, Vec::len);
        self.object_tag_bytes.map_or_else(own, |bytes| bytes as usize)
    }

    /// Whether the test is to be accepted.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.result.unwrap_or_default()
    }
}
