//! What a program may call on a cipher's context, and how such calls are drawn.

use std::ffi::CStr;
use std::fmt;

use super::draw::{Draw, fill};
use super::evp::Cipher;

/// Bytes: those of a seed, or given ones.
#[derive(Clone, Debug)]
pub enum Data {
    Seed(u64),
    Bytes(Vec<u8>),
}

impl Data {
    pub fn write(&self, place: &mut [u8]) {
        match self {
            Self::Seed(seed) => fill(*seed, place),
            Self::Bytes(bytes) => {
                let count = bytes.len().min(place.len());
                place[..count].copy_from_slice(&bytes[..count]);
            }
        }
    }

    pub fn bytes(&self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.write(&mut bytes);
        bytes
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed(0) => f.write_str("5a 5a …"),
            Self::Seed(seed) => write!(f, "bytes #{seed}"),
            Self::Bytes(_) => f.write_str("what was sealed before"),
        }
    }
}

/// What can be asked of a context and is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    KeyLength,
    IvLength,
    TagLength,
    Num,
    KeyBits,
    Rounds,
    Padding,
    TlsPad,
}

#[derive(Clone, Debug)]
pub enum Call {
    Init {
        cipher: bool,
        key: Option<Data>,
        iv: Option<Data>,
        encrypt: i32,
        extended: bool,
    },
    /// `over`: in one buffer, where the output lags by the bytes that are held back.
    Update {
        length: usize,
        over: bool,
        data: Data,
    },
    Aad {
        length: usize,
        data: Data,
    },
    Announce {
        length: usize,
    },
    /// `EVP_Cipher`.
    Whole {
        length: usize,
        data: Data,
    },
    Final,
    Copy {
        use_copy: bool,
    },
    Dup,
    Reset,
    SetPadding(bool),
    SetKeyLength(usize),
    SetIvLength(usize),
    /// CCM: bytes of the length field.
    SetL(usize),
    SetTag {
        length: usize,
        data: Option<Data>,
    },
    GetTag {
        length: usize,
    },
    IvFixed {
        length: i32,
        data: Data,
    },
    IvGen {
        length: usize,
    },
    IvInv {
        length: usize,
        data: Data,
    },
    /// The header of a record of TLS 1.2, and the record.
    Record {
        length: usize,
        data: Data,
    },
    SetNum(u32),
    SetKeyBits(u32),
    SetRounds(u32),
    SetSpeed(bool),
    SetStandard(&'static CStr),
    Get(Number),
    GetIv {
        updated: bool,
    },
    /// Opens what was sealed before, by five calls or so.
    Open {
        forged: bool,
    },
}

impl Call {
    /// As the list of allowed differences names it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Init { .. } => "init",
            Self::Update { .. } => "update",
            Self::Aad { .. } => "aad",
            Self::Announce { .. } => "announce",
            Self::Whole { .. } => "cipher",
            Self::Final => "final",
            Self::Copy { .. } => "copy",
            Self::Dup => "dup",
            Self::Reset => "reset",
            Self::SetPadding(_) => "set-padding",
            Self::SetKeyLength(_) => "set-keylen",
            Self::SetIvLength(_) => "set-ivlen",
            Self::SetL(_) => "set-l",
            Self::SetTag { .. } => "set-tag",
            Self::GetTag { .. } => "get-tag",
            Self::IvFixed { .. } => "iv-fixed",
            Self::IvGen { .. } => "iv-gen",
            Self::IvInv { .. } => "iv-inv",
            Self::Record { .. } => "record",
            Self::SetNum(_) => "set-num",
            Self::SetKeyBits(_) => "set-keybits",
            Self::SetRounds(_) => "set-rounds",
            Self::SetSpeed(_) => "set-speed",
            Self::SetStandard(_) => "set-standard",
            Self::Get(number) => match number {
                Number::KeyLength => "get-keylen",
                Number::IvLength => "get-ivlen",
                Number::TagLength => "get-taglen",
                Number::Num => "get-num",
                Number::KeyBits => "get-keybits",
                Number::Rounds => "get-rounds",
                Number::Padding => "get-padding",
                Number::TlsPad => "get-tlspad",
            },
            Self::GetIv { updated: true } => "get-updated-iv",
            Self::GetIv { updated: false } => "get-iv",
            Self::Open { .. } => "open",
        }
    }

    /// Simpler calls that may show the same.
    pub fn simpler(&self) -> Vec<Self> {
        let lengths = |now: usize| {
            [0, 1, 15, 16, 17, 32, now / 2, now.saturating_sub(1)]
                .into_iter()
                .filter(move |new| *new < now)
        };
        match self {
            Self::Update { length, over, data } => lengths(*length)
                .map(|length| Self::Update { length, over: *over, data: data.clone() })
                .chain(over.then(|| Self::Update {
                    length: *length,
                    over: false,
                    data: data.clone(),
                }))
                .collect(),
            Self::Aad { length, data } => {
                lengths(*length).map(|length| Self::Aad { length, data: data.clone() }).collect()
            }
            Self::Whole { length, data } => {
                lengths(*length).map(|length| Self::Whole { length, data: data.clone() }).collect()
            }
            Self::Init { cipher, key, iv, encrypt, extended: false } => vec![Self::Init {
                cipher: *cipher,
                key: key.clone(),
                iv: iv.clone(),
                encrypt: *encrypt,
                extended: true,
            }],
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_null =
            |data: &Option<Data>| data.as_ref().map_or("NULL".into(), ToString::to_string);
        match self {
            Self::Init { cipher, key, iv, encrypt, extended } => write!(
                f,
                "EVP_CipherInit_ex{}(cipher {}, key {}, iv {}, enc {encrypt})",
                if *extended { "2" } else { "" },
                if *cipher { "given" } else { "NULL" },
                or_null(key),
                or_null(iv),
            ),
            Self::Update { length, over, data } => write!(
                f,
                "EVP_CipherUpdate({length} bytes: {data}{})",
                if *over { ", in one buffer" } else { "" }
            ),
            Self::Aad { length, data } => {
                write!(f, "EVP_CipherUpdate(out NULL, {length} bytes: {data})")
            }
            Self::Announce { length } => write!(f, "EVP_CipherUpdate(NULL, NULL, {length})"),
            Self::Whole { length, data } => write!(f, "EVP_Cipher({length} bytes: {data})"),
            Self::Final => f.write_str("EVP_CipherFinal_ex"),
            Self::Copy { use_copy } => write!(
                f,
                "EVP_CIPHER_CTX_copy, going on with the {}",
                if *use_copy { "copy" } else { "first" }
            ),
            Self::Dup => f.write_str("EVP_CIPHER_CTX_dup, going on with the copy"),
            Self::Reset => f.write_str("EVP_CIPHER_CTX_reset"),
            Self::SetPadding(on) => write!(f, "EVP_CIPHER_CTX_set_padding({on})"),
            Self::SetKeyLength(length) => write!(f, "EVP_CIPHER_CTX_set_key_length({length})"),
            Self::SetIvLength(length) => write!(f, "ctrl AEAD_SET_IVLEN({length})"),
            Self::SetL(length) => write!(f, "ctrl CCM_SET_L({length})"),
            Self::SetTag { length, data } => {
                write!(f, "ctrl AEAD_SET_TAG({length}, {})", or_null(data))
            }
            Self::GetTag { length } => write!(f, "ctrl AEAD_GET_TAG({length})"),
            Self::IvFixed { length, data } => {
                write!(f, "ctrl AEAD_SET_IV_FIXED({length}, {data})")
            }
            Self::IvGen { length } => write!(f, "ctrl GCM_IV_GEN({length})"),
            Self::IvInv { length, data } => write!(f, "ctrl GCM_SET_IV_INV({length}, {data})"),
            Self::Record { length, data } => {
                write!(f, "ctrl AEAD_TLS1_AAD and EVP_CipherUpdate in place({length}, {data})")
            }
            Self::SetNum(number) => write!(f, "set num {number}"),
            Self::SetKeyBits(number) => write!(f, "ctrl SET_RC2_KEY_BITS({number})"),
            Self::SetRounds(number) => write!(f, "ctrl SET_RC5_ROUNDS({number})"),
            Self::SetSpeed(on) => write!(f, "ctrl SET_SPEED({on})"),
            Self::SetStandard(name) => write!(f, "set xts_standard {name:?}"),
            Self::Get(number) => write!(f, "get {number:?}"),
            Self::GetIv { updated } => {
                write!(f, "get {}", if *updated { "updated-iv" } else { "iv" })
            }
            Self::Open { forged } => write!(
                f,
                "opening what was sealed before{}",
                if *forged { ", the tag forged" } else { "" }
            ),
        }
    }
}

/// A length of a piece of data.
fn length(draw: &mut Draw<'_>, block: usize) -> usize {
    match draw.below(16) {
        0 => 0,
        1..=5 => draw.below(70),
        6..=8 => block * draw.below(9),
        9..=11 => 16 * draw.below(20),
        12 => draw.below(600),
        13 => 512 + 16 * draw.below(40),
        14 => 1 + draw.below(17),
        _ => draw.below(2000),
    }
}

fn seed(draw: &mut Draw<'_>) -> Data {
    Data::Seed(1 + (draw.next() >> 44))
}

fn init(draw: &mut Draw<'_>, first: bool) -> Call {
    let whole = draw.below(8) != 0;
    let given =
        |draw: &mut Draw<'_>, often: bool| (often || draw.below(2) == 0).then(|| seed(draw));
    let (key, iv) = if first {
        (given(draw, whole), given(draw, whole))
    } else {
        (given(draw, false), given(draw, false))
    };
    // Equal halves, which XTS refuses.
    let key = if draw.one_in(40) { key.map(|_| Data::Seed(0)) } else { key };
    let encrypt = if draw.one_in(6) { -1 } else { draw.below(2) as i32 };
    Call::Init { cipher: first || draw.one_in(5), key, iv, encrypt, extended: draw.one_in(2) }
}

/// A sequence of calls on contexts of this cipher.
pub fn sequence(cipher: &Cipher, draw: &mut Draw<'_>) -> Vec<Call> {
    let count = 2 + draw.below(14);
    let mut calls = Vec::with_capacity(count + 1);
    if cipher.is_aead() && draw.one_in(3) {
        // Lengths are set between two halves of an init.
        let encrypt = draw.below(2) as i32;
        calls.push(Call::Init { cipher: true, key: None, iv: None, encrypt, extended: true });
        calls.push(call(cipher, draw));
    }
    let first = init(draw, calls.is_empty());
    calls.push(first);
    calls.extend((0..count).map(|_| call(cipher, draw)));
    calls
}

fn call(cipher: &Cipher, draw: &mut Draw<'_>) -> Call {
    let block = cipher.block.max(8);
    let data = seed(draw);
    match draw.below(32) {
        0..=3 => init(draw, false),
        4..=10 => Call::Update { length: length(draw, block), over: draw.one_in(3), data },
        11..=13 => Call::Final,
        14 => Call::Copy { use_copy: draw.one_in(2) },
        15 if draw.one_in(2) => Call::Dup,
        15 if draw.one_in(4) => Call::Reset,
        16 if draw.one_in(2) => Call::SetPadding(draw.one_in(2)),
        17 => Call::GetIv { updated: draw.below(4) != 0 },
        18 => {
            use Number::*;
            Call::Get(
                draw.of(&[KeyLength, IvLength, TagLength, Num, KeyBits, Rounds, Padding, TlsPad]),
            )
        }
        19 => Call::Open { forged: draw.one_in(3) },
        20 => settings(cipher, draw),
        21 => Call::Whole { length: block * draw.below(12), data },
        _ if cipher.is_aead() => of_aead(draw, data),
        22 => settings(cipher, draw),
        _ => Call::Update { length: length(draw, block), over: draw.one_in(3), data },
    }
}

fn settings(cipher: &Cipher, draw: &mut Draw<'_>) -> Call {
    match draw.below(5) {
        0 => Call::SetKeyLength(draw.of(&[0, 1, 5, 8, 16, 24, 32, 33, 64, cipher.key])),
        1 => Call::SetNum(draw.below(17) as u32),
        2 => Call::SetKeyBits(draw.of(&[0, 1, 40, 63, 64, 128, 1024, 1025])),
        3 => Call::SetRounds(draw.of(&[0, 8, 12, 16, 13, 255])),
        _ => Call::SetStandard(draw.of(&[c"GB", c"IEEE", c"x"])),
    }
}

fn of_aead(draw: &mut Draw<'_>, data: Data) -> Call {
    let tag = if draw.below(3) == 0 { draw.below(18) } else { 16 };
    match draw.below(20) {
        0..=3 => Call::Aad { length: length(draw, 16), data },
        4..=6 => Call::GetTag { length: tag },
        7..=9 => Call::SetTag { length: tag, data: (draw.below(3) != 0).then_some(data) },
        10 | 11 => {
            Call::SetIvLength(draw.of(&[0, 1, 7, 8, 11, 12, 12, 12, 13, 14, 16, 17, 64, 128, 129]))
        }
        12 => Call::SetL(draw.below(10)),
        13 => Call::IvFixed { length: draw.of(&[-1, -1, 0, 3, 4, 4, 4, 5, 8, 9, 12]), data },
        14 => Call::IvGen { length: draw.of(&[-1_i32 as u32 as usize, 0, 1, 8, 8, 8, 12, 16]) },
        15 => Call::IvInv { length: draw.of(&[1, 8, 8, 8, 12]), data },
        16 | 17 => Call::Record { length: draw.below(200), data },
        18 => Call::Announce { length: length(draw, 16) },
        _ => Call::SetSpeed(draw.one_in(2)),
    }
}
