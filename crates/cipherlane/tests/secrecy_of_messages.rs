//! `Debug` of what is about messages carries no secret, and no public type is forgotten here, in
//! `secrecy.rs` or, where it is a cipher's, in the file `tests.rs` of the cipher's folder.
#![cfg(all(feature = "sm4", feature = "aes", feature = "zuc", feature = "std"))]

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use cipherlane::aead::ccm::{Ccm, CcmStream};
use cipherlane::aead::gcm::{Gcm, GcmStream};
use cipherlane::aead::gcm_siv::GcmSiv;
use cipherlane::air::{self, Bearer, Count};
use cipherlane::batch::{Job, OneByOne, Packet};
use cipherlane::block::{Chain, ChainData, KeyedChain};
use cipherlane::mac::ghash::{Ghash, Polyval};
use cipherlane::mac::gmac::Gmac;
use cipherlane::modes::Direction;
use cipherlane::modes::ctr::Ctr;
use cipherlane::modes::hctr::Hctr;
use cipherlane::zuc::{Frame, FrameBatch, FramePacket};
use cipherlane::{BatchCipher, Error, Level, Mac, Sizes, Sm4};

/// The `Debug` forms of what `show` makes of a key, data and a tag.
fn silent(name: &str, show: impl Fn(&[u8], &mut [u8]) -> String) {
    let text = |byte: u8| {
        let mut data: Vec<u8> = (0..64).map(|i| byte.wrapping_mul(i) ^ byte).collect();
        show(&data.clone()[..16], &mut data)
    };
    let texts = [text(0x53), text(0xa7)];
    assert_eq!(texts[0], texts[1], "{name} prints something that depends on a secret");
    assert!(texts[0].contains(name), "{name} prints `{}`", texts[0]);
}

/// Plain and spread over lines.
fn both(it: &dyn Debug) -> String {
    format!("{it:?}{it:#?}")
}

#[test]
fn messages_print_lengths_alone() {
    silent("Packet", |key, data| {
        let (data, tag) = data.split_at_mut(32);
        let (aad, io) = data.split_at_mut(16);
        both(&Packet::aead(key, &[1; 12], aad, io.into(), tag))
    });
    silent("Job", |_, data| {
        let (data, tag) = data.split_at_mut(32);
        let (aad, io) = data.split_at_mut(16);
        both(&Job::aead(3, &[1; 12], aad, io.into(), tag))
    });
    silent("ChainData", |_, data| {
        let absorbed = both(&ChainData::Absorb(data));
        absorbed + &both(&ChainData::Encrypt(data.into()))
    });
    silent("Chain", |_, data| {
        let (value, data) = data.split_at_mut(16);
        both(&Chain { value, data: ChainData::Absorb(data) })
    });
    silent("KeyedChain", |_, data| {
        let (value, data) = data.split_at_mut(16);
        let chain = Chain { value, data: ChainData::Absorb(data) };
        both(&KeyedChain { key: 3, chain })
    });
    silent("FramePacket", |key, data| {
        let frame = Frame::new(Count(1), Bearer::new(2).unwrap(), air::Direction::Uplink);
        let mut packet = FramePacket::new(key, frame, data.into(), 512);
        let mut batch = FrameBatch::new().unwrap();
        batch.eia3(core::slice::from_mut(&mut packet)).unwrap();
        both(&packet) + &both(&batch)
    });
}

#[test]
fn aeads_macs_and_hashes_print_no_secret() {
    let sm4 = |key: &[u8]| Sm4::new(key).unwrap();
    silent("Gcm", |key, _| both(&Gcm::new(sm4(key)).unwrap()));
    silent("GcmStream", |key, _| {
        let gcm = Gcm::new(sm4(key)).unwrap();
        let mut stream = GcmStream::<_>::new(gcm, Direction::Encrypt, &[1; 12]).unwrap();
        cipherlane::aead::AeadStream::aad(&mut stream, &key[..5]).unwrap();
        both(&stream)
    });
    silent("CcmStream", |key, _| {
        let ccm = Ccm::new(sm4(key)).unwrap();
        both(&CcmStream::<_>::new(ccm, Direction::Encrypt, &[1; 12]).unwrap())
    });
    #[cfg(feature = "getrandom")]
    silent("Sealer", |key, _| {
        both(&cipherlane::aead::sealer::Sealer::new(Gcm::new(sm4(key)).unwrap()).unwrap())
    });
    silent("GcmSiv", |key, _| both(&GcmSiv::new(key, Sm4::new).unwrap()));
    silent("Gmac", |key, data| {
        let mut gmac = Gmac::new(sm4(key), &[1; 12]).unwrap();
        gmac.update(&data[..5]).unwrap();
        both(&gmac)
    });
    silent("Hctr", |key, data| both(&Hctr::new(sm4(key), &data[..16]).unwrap()));
    silent("Ghash", |key, data| {
        let mut hash = Ghash::new(key).unwrap();
        hash.update(&data[..5]);
        both(&hash)
    });
    silent("Polyval", |key, _| both(&Polyval::new(key).unwrap()));
}

/// A batch that has processed a message prints what one does that has not.
fn silent_batch<B: BatchCipher + Debug>(name: &str, sizes: [usize; 3], make: impl Fn() -> B) {
    let [key_len, iv_len, tag_len] = sizes;
    silent(name, |key, data| {
        let mut batch = make();
        let (mut aad, mut tag) = ([key[0]; 9], vec![0; tag_len]);
        let key: Vec<u8> = key.iter().copied().cycle().take(key_len).collect();
        // A MAC has no data, and what is neither AEAD nor MAC no associated data.
        let io = if name.contains("Mac") || name.contains("Nia6") { &mut [][..] } else { data };
        let aad = if tag_len == 0 { &mut [][..] } else { &mut aad[..] };
        let iv = vec![1; iv_len];
        let packet = Packet::aead(&key, &iv, aad, io.into(), &mut tag);
        batch.apply(&mut [packet]).unwrap();
        both(&batch)
    });
}

#[test]
fn batches_print_no_secret() {
    use cipherlane::zuc::{
        Key128, Nca6Batch, Nia6Batch, Order, ZucBatch, ZucBothBatch, ZucMacBatch,
    };
    silent_batch("ZucBatch", [16, 16, 0], || ZucBatch::<Key128>::new().unwrap());
    silent_batch("ZucMacBatch", [16, 16, 4], || ZucMacBatch::<Key128>::new().unwrap());
    silent_batch("ZucBothBatch", [32, 32, 4], || {
        ZucBothBatch::<Key128>::seal(Order::EncryptThenMac).unwrap()
    });
    silent_batch("Nia6Batch", [32, 16, 16], || Nia6Batch::new().unwrap());
    silent_batch("Nca6Batch", [32, 16, 16], || Nca6Batch::seal().unwrap());
    let sixteen = Sizes::exactly(16);
    let start = |key: &[u8], iv: &[u8]| -> Result<_, Error> { Ctr::new(Sm4::new(key)?, iv) };
    silent_batch("OneByOne", [16, 16, 0], || OneByOne::new(sixteen, sixteen, start));
    use cipherlane::aes::AesKeys;
    use cipherlane::sm4::Sm4Keys;
    let level = Level::best();
    silent("AesKeys", |key, _| both(&AesKeys::with_level(&[key, key], level).unwrap()));
    silent("Sm4Keys", |key, _| both(&Sm4Keys::with_level(&[key, key], level).unwrap()));
}

#[cfg(all(
    feature = "rabbit",
    feature = "rc4",
    feature = "salsa20",
    feature = "sosemanuk",
    feature = "hc128"
))]
#[test]
fn batches_of_the_studies_print_no_secret() {
    use cipherlane::hc128::{Hc128Batch, OfHc128};
    use cipherlane::rabbit::RabbitBatch;
    use cipherlane::rc4::Rc4Batch;
    use cipherlane::salsa20::Salsa20Batch;
    use cipherlane::sosemanuk::SosemanukBatch;
    silent_batch("RabbitBatch", [16, 8, 0], || RabbitBatch::new().unwrap());
    silent_batch("Rc4Batch", [16, 0, 0], Rc4Batch::new);
    silent_batch("Salsa20Batch", [32, 8, 0], || Salsa20Batch::<20>::new().unwrap());
    silent_batch("SosemanukBatch", [16, 16, 0], || SosemanukBatch::new().unwrap());
    silent("HC-128", |_, _| both(&Hc128Batch::new().unwrap()) + "HC-128");
    let _: Option<OfHc128> = None;
}

/// Public types that hold no key, no data and nothing that depends on them: names, sizes, entries
/// of the registry, and the markers of parameters that exist as types alone.
const HOLD_NOTHING_SECRET: &[&str] = &[
    "Passes",
    "Few",
    "AeadStreaming",
    "Algorithm",
    "Allowed",
    "Kind",
    "Bearer",
    "Constructor",
    "Count",
    "Direction",
    "Error",
    "WholeMode",
    "Frame",
    "Iv",
    "Lockstep",
    "Key128",
    "Key256Of2018",
    "Key256Of2021",
    "Key256Of2023",
    "KnownAnswer",
    "Limits",
    "Low32",
    "Mode",
    "New",
    "Operation",
    "Order",
    "Padding",
    "Parameter",
    "ParameterEntry",
    "Parameters",
    "Purpose",
    "Sizes",
    "Split",
    "Threads",
    "Timing",
    "Variant",
];

/// Types that users can't make, or that are tried under another name. `Separate` are boxes of
/// ciphers, counted; `GcmMessage` and `CcmMessage` show a length, `GcmMessages` a count; `Started` and `DynMac`
/// have no `Debug`.
const UNDER_ANOTHER_NAME: &[(&str, &str)] = &[
    ("CtrMode", "Ctr"),
    ("XtsMode", "Xts"),
    ("UniversalHash", "Ghash"),
    ("Zuc", "Zuc128"),
    ("ZucMac", "Zuc128Mac"),
    ("Nea", "Nea6"),
    ("Nia", "Nia6"),
    ("Nca", "Nca6"),
    ("Snow", "SnowV"),
    ("Keystream", "Trivium"),
    ("KeystreamBatch", "Trivium"),
    ("FrameBatch", "FramePacket"),
    ("Separate", "Sm4Keys"),
    ("GcmMessage", "Gcm"),
    ("GcmMessages", "Gcm"),
    ("CcmMessage", "Ccm"),
    ("Started", "Ctr"),
    ("Batches", "Packet"),
    // In modules that are not public.
    ("InLanes", "Rabbit"),
    ("Lanes", "ZucBatch"),
];

/// The names behind `pub struct` and `pub enum`, tests left out, and types that hold nothing; and
/// the tests of ciphers' folders.
fn public_types(folder: &Path, names: &mut Vec<String>, tests: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            public_types(&path, names, tests);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            if path.ends_with("tests.rs") {
                *tests += &text;
                continue;
            }
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for line in code.lines().map(str::trim_start) {
                if line.ends_with(" {}") || line.ends_with(';') && !line.contains('(') {
                    continue;
                }
                let rest = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum "));
                let name = |rest: &str| {
                    rest.split(|c: char| !c.is_alphanumeric()).next().map(str::to_owned)
                };
                names.extend(rest.and_then(name).filter(|it| !it.is_empty()));
            }
        }
    }
}

#[test]
fn no_public_type_is_forgotten() {
    let (mut names, mut tests) = (Vec::new(), String::new());
    public_types(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names, &mut tests);
    assert!(names.len() > 60, "{names:?}");
    // What `secrecy.rs` and the tests above try, in quotes as they name it.
    let tried = [include_str!("secrecy.rs"), include_str!("secrecy_of_messages.rs")].concat();
    let tried = tried.split("/// Public types that hold no key").collect::<String>() + &tests;
    let is_tried = |name: &str| {
        [format!("\"{name}\""), format!("::{name}\"")].iter().any(|it| tried.contains(it.as_str()))
            || tried.contains(&format!("(\"{name}"))
    };
    for name in names {
        let other = UNDER_ANOTHER_NAME.iter().find(|(it, _)| *it == name).map(|it| it.1);
        let known =
            HOLD_NOTHING_SECRET.contains(&name.as_str()) || is_tried(other.unwrap_or(&name));
        assert!(known, "`Debug` of `{name}` is not tried with secrets: add it to a test above");
    }
}
