//! The paths under which users find things, wherever the files lie: a re-export that is lost does
//! not compile here.
#![cfg(all(feature = "sm4", feature = "aes", feature = "zuc", feature = "alloc"))]
#![expect(unused_imports, reason = "that the names are there is what is tested")]
#![expect(deprecated, reason = "former names stay")]

use cipherlane::aead::ccm::Ccm;
use cipherlane::aead::gcm::{Gcm, GcmStream};
use cipherlane::aead::gcm_siv::GcmSiv;
use cipherlane::aead::gxm::Gxm;
use cipherlane::aead::mur::Mur;
use cipherlane::aead::{Aead as _, AeadStream};
use cipherlane::aes::{AES_128, AES_192, AES_256, AesKeys};
use cipherlane::air::{Bearer, Count, PduCipher};
use cipherlane::batch::{BatchCipher as _, Job, OneByOne, Packet, ReadyBatch};
use cipherlane::block::in_step::{IN_STEP, InStep};
use cipherlane::block::keys::{KeySet, NewKeys, Separate};
use cipherlane::block::lockstep::{LOCKSTEP, Lockstep};
use cipherlane::block::{BlockCipher as _, Chain, ChainData, Feedback, KeyedChain, WholeMode};
use cipherlane::mac::ghash::{BLOCK, Ghash, Polyval, UniversalHash};
use cipherlane::mac::{DynMac, Mac as _};
use cipherlane::modes::{BlockMode, Buffered, Direction, MessageMode, Padding};
use cipherlane::registry::{
    ALGORITHMS, AeadStreaming, Algorithm, Allowed, Constructor, KEYSTREAM, Kind, KnownAnswer,
    Limits, Mode, New, NewAead, NewAeadStream, NewBatch, NewBlock, NewMac, NewMessage,
    NewPduCipher, NewShared, NewStream, NewWithParameters, Operation, PARAMETERS, Parameter,
    ParameterEntry, Parameters, Share, Split, Started, Timing, self_test,
};
use cipherlane::sm4::{ALGORITHM, Sm4 as OfModule, Sm4Keys};
use cipherlane::stream::{StreamCipher as _, StreamSeek as _};
use cipherlane::zuc::{Eea3, Zuc128};
use cipherlane::{
    Aead, Aes, Aes128, Aes192, Aes256, BatchCipher, BlockCipher, Error, InOut, Level, LevelError,
    Mac, Sizes, Sm4, StreamCipher, StreamSeek, clear_stack,
};

/// What a user calls an object's type does not say where its file lies.
#[test]
fn the_same_thing_is_under_both_its_names() {
    let new: fn(&[u8]) -> Result<Sm4, Error> = OfModule::new;
    assert!(new(&[0; 16]).is_ok());
    let hash: fn(&[u8]) -> Result<Ghash, Error> = UniversalHash::<true>::new;
    assert!(hash(&[1; 16]).is_ok());
}
