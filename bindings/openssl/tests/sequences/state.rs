//! What is known of both contexts before a call: what the list of allowed differences may ask for,
//! which calls OpenSSL's own providers do not survive, and what was sealed.

use super::calls::{Call, Data};
use super::evp::Cipher;
use super::pair::Answer;

/// A message that was sealed, to be opened by [`Call::Open`].
#[derive(Clone, Default)]
struct Sealed {
    aad: Vec<u8>,
    text: Vec<u8>,
    tag: Vec<u8>,
}

pub struct State<'c> {
    cipher: &'c Cipher,
    /// Whether the context has a cipher, a key, an IV.
    begun: bool,
    keyed: bool,
    iv: bool,
    encrypt: bool,
    /// Since the last init: data came, `final` was called.
    data: bool,
    aad: bool,
    ended: bool,
    /// A call failed on both sides, and no init with everything came after it.
    failed: bool,
    /// A direction was changed without a key.
    turned: bool,
    /// An init without an IV came after data under the IV before.
    stale: bool,
    /// An init came after the first.
    again: bool,
    /// A record of TLS came.
    record: bool,
    /// A length was set after the key.
    late: bool,
    /// Parts of an IV were set or counted, and an init came after that.
    counted: bool,
    recounted: bool,
    /// CCM: a length was told or taken, and an init came after that.
    sized: bool,
    resized: bool,
    padding: bool,
    /// Bytes that are held back, while that is known.
    held: Option<usize>,
    /// The bytes of the IV are not the same: they were drawn by each provider.
    drawn: bool,
    key_given: Option<Data>,
    iv_given: Option<Data>,
    now: Sealed,
}

impl<'c> State<'c> {
    pub fn new(cipher: &'c Cipher) -> Self {
        Self {
            cipher,
            begun: false,
            keyed: false,
            iv: false,
            encrypt: true,
            data: false,
            aad: false,
            ended: false,
            failed: false,
            turned: false,
            stale: false,
            again: false,
            record: false,
            late: false,
            counted: false,
            recounted: false,
            sized: false,
            resized: false,
            padding: true,
            held: Some(0),
            drawn: false,
            key_given: None,
            iv_given: None,
            now: Sealed::default(),
        }
    }

    /// How far the output lags in a call over one buffer.
    pub const fn held(&self) -> Option<usize> {
        self.held
    }

    /// Whether bytes do not count: without an IV, GCM draws one to seal under.
    pub const fn is_drawn(&self) -> bool {
        self.drawn || self.cipher.mode == 6 && self.encrypt && !self.iv
    }

    /// What can be asked for by a line of the list.
    pub fn facts(&self) -> Vec<&'static str> {
        [
            (self.encrypt, "encrypts"),
            (!self.encrypt, "decrypts"),
            (self.keyed, "key"),
            (!self.keyed, "no-key"),
            (self.iv, "iv"),
            (!self.iv, "no-iv"),
            (self.data, "data"),
            (!self.data, "no-data"),
            (self.aad, "aad"),
            (self.ended, "ended"),
            (!self.ended, "not-ended"),
            (self.failed, "failed"),
            (self.turned, "turned"),
            (self.stale, "stale"),
            (self.again, "again"),
            (self.record, "record"),
            (self.late, "late"),
            (self.recounted, "recounted"),
            (self.resized, "resized"),
            (!self.padding, "unpadded"),
            (self.held.is_some_and(|held| held > 0), "held"),
            (self.drawn, "drawn"),
        ]
        .into_iter()
        .filter_map(|(holds, name)| holds.then_some(name))
        .collect()
    }

    /// Whether OpenSSL's own code is defined for the call: some of what EVP does not catch makes
    /// it read memory that is not there, and what it would answer is nobody's rule.
    pub fn is_defined(&self, call: &Call) -> bool {
        let aead = self.cipher.is_aead();
        match call {
            Call::Init { cipher, .. } => *cipher || self.begun,
            _ if !self.begun => false,
            // OpenSSL 4.0 takes that for no length at all.
            Call::SetKeyLength(0) => false,
            // Null pointers are for AEADs; a length without bytes for CCM.
            Call::Aad { length, .. } => aead && *length > 0,
            Call::Announce { .. } => self.cipher.mode == 7,
            // Goes straight to the cipher, which does not look whether it has a key.
            Call::Whole { length, .. } => {
                self.keyed
                    && *length > 0
                    && length.is_multiple_of(self.cipher.block)
                    && self.held == Some(0)
                    && !self.failed
            }
            // A copy of XTS without keys calls through null.
            Call::Copy { .. } | Call::Dup => self.keyed || self.cipher.mode != 0x10001,
            // GCM-SIV reads a tag that is not there.
            Call::SetTag { data: None, .. } => self.cipher.mode != 0x10005,
            Call::Record { .. } => matches!(self.cipher.mode, 6 | 7),
            _ => true,
        }
    }

    /// The calls that open what was sealed.
    pub fn opening(&self, forged: bool) -> Vec<Call> {
        let (Some(key), true) = (&self.key_given, self.encrypt && self.begun) else {
            return Vec::new();
        };
        let init = |key: Option<&Data>, iv: Option<&Data>| Call::Init {
            cipher: false,
            key: key.cloned(),
            iv: iv.cloned(),
            encrypt: 0,
            extended: true,
        };
        let Sealed { aad, text, mut tag } = self.now.clone();
        if forged && let Some(byte) = tag.first_mut() {
            *byte ^= 4;
        }
        let mut calls = Vec::new();
        if self.cipher.is_aead() {
            calls.push(init(None, None));
            if !tag.is_empty() {
                calls.push(Call::SetTag { length: tag.len(), data: Some(Data::Bytes(tag)) });
            }
        }
        calls.push(init(Some(key), self.iv_given.as_ref()));
        if self.cipher.mode == 7 {
            calls.push(Call::Announce { length: text.len() });
        }
        if !aad.is_empty() {
            calls.push(Call::Aad { length: aad.len(), data: Data::Bytes(aad) });
        }
        calls.push(Call::Update { length: text.len(), over: true, data: Data::Bytes(text) });
        calls.push(Call::Final);
        calls
    }

    /// Takes note of a call to which both have given this answer.
    pub fn note(&mut self, call: &Call, answer: &Answer) {
        self.counted |=
            matches!(call, Call::IvFixed { .. } | Call::IvGen { .. } | Call::IvInv { .. });
        self.sized |= matches!(
            call,
            Call::Announce { .. } | Call::Update { .. } | Call::Whole { .. } | Call::Final
        );
        if !answer.done {
            self.failed = true;
            if !matches!(call, Call::Get(_) | Call::GetIv { .. } | Call::GetTag { .. }) {
                self.held = None;
            }
        }
        match call {
            Call::Init { cipher, key, iv, encrypt, .. } => {
                self.init(*cipher, key.as_ref(), iv.as_ref(), *encrypt, answer.done);
            }
            Call::Update { length, .. } if answer.done => {
                self.drawn = self.is_drawn();
                // Of some modes nothing is a message, too.
                self.data |= *length > 0 || matches!(self.cipher.mode, 7 | 0x10005);
                let written = usize::try_from(answer.value).unwrap_or(0);
                self.held = self.held.and_then(|held| (held + length).checked_sub(written));
                self.now.text.extend_from_slice(&answer.bytes);
            }
            Call::Record { .. } => (self.data, self.record) = (true, true),
            Call::Update { .. } => self.data = true,
            Call::Aad { length, data } if answer.done => {
                self.drawn = self.is_drawn();
                self.aad = true;
                self.now.aad.extend(data.bytes(*length));
            }
            Call::Whole { .. } => {
                (self.data, self.drawn) = (true, self.is_drawn());
            }
            Call::GetIv { .. } => self.drawn = self.is_drawn(),
            Call::Final => {
                self.drawn = self.is_drawn();
                self.ended = true;
                self.now.text.extend_from_slice(&answer.bytes);
                if answer.done {
                    self.held = Some(0);
                }
            }
            Call::GetTag { .. } if answer.done => self.now.tag.clone_from(&answer.bytes),
            Call::SetPadding(on) => self.padding = *on,
            Call::Reset => *self = Self::new(self.cipher),
            Call::IvFixed { length, .. } if answer.done => {
                self.drawn |= *length != -1;
                self.iv = true;
                self.iv_given = None;
            }
            Call::SetIvLength(_) | Call::SetL(_) if answer.done => {
                (self.iv, self.late) = (false, self.keyed);
            }
            Call::SetTag { .. } if answer.done => self.late |= self.keyed,
            _ => {}
        }
    }

    fn init(
        &mut self,
        cipher: bool,
        key: Option<&Data>,
        iv: Option<&Data>,
        encrypt: i32,
        done: bool,
    ) {
        if cipher {
            // It is a new context then.
            let encrypt = self.encrypt && self.begun;
            *self = Self { encrypt, ..Self::new(self.cipher) };
        }
        let encrypt = if encrypt < 0 { self.encrypt } else { encrypt > 0 };
        self.turned = (self.turned || encrypt != self.encrypt) && key.is_none() && self.keyed;
        self.again |= !cipher;
        self.recounted = iv.is_none() && (self.recounted || self.counted);
        self.counted &= iv.is_none();
        self.resized |= self.sized && self.cipher.mode == 7;
        self.stale = iv.is_none() && (self.stale || self.data || self.aad || self.ended);
        (self.encrypt, self.begun) = (encrypt, self.begun || cipher);
        (self.data, self.aad, self.ended) = (false, false, false);
        self.now = Sealed::default();
        if !done {
            self.held = None;
            return;
        }
        self.held = Some(0);
        if let Some(key) = key {
            self.keyed = true;
            self.late = false;
            self.key_given = Some(key.clone());
        }
        if let Some(iv) = iv {
            (self.iv, self.drawn) = (true, false);
            self.iv_given = Some(iv.clone());
        }
        if key.is_some() && iv.is_some() {
            self.failed = false;
        }
    }
}
