//! Sequences of calls on MACs.

use std::ffi::{CStr, CString};
use std::ptr;

use super::calls::Data;
use super::draw::Draw;
use super::evp::{Evp, Handle, Param, World};
use super::mac_calls::Call;
use super::pair::Answer;
use super::seek::{Difference, Run, Subject, compare, line, trace};

/// A MAC over a cipher.
pub struct OfMac<'w> {
    world: &'w World,
    name: String,
    cipher: &'static CStr,
    takes_iv: bool,
    key: usize,
    ours: Handle,
    theirs: Handle,
}

/// CMAC and GMAC over our ciphers, and over some that are only OpenSSL's.
const OVER: [(&str, &CStr, usize); 15] = [
    ("CMAC", c"AES-128-CBC", 16),
    ("CMAC", c"AES-192-CBC", 24),
    ("CMAC", c"AES-256-CBC", 32),
    ("CMAC", c"SM4-CBC", 16),
    ("CMAC", c"RC2-CBC", 16),
    ("CMAC", c"IDEA-CBC", 16),
    ("CMAC", c"DES-EDE3-CBC", 24),
    ("CMAC", c"CAMELLIA-128-CBC", 16),
    ("CMAC", c"ARIA-256-CBC", 32),
    ("GMAC", c"AES-128-GCM", 16),
    ("GMAC", c"AES-192-GCM", 24),
    ("GMAC", c"AES-256-GCM", 32),
    ("GMAC", c"SM4-GCM", 16),
    ("GMAC", c"ARIA-128-GCM", 16),
    ("GMAC", c"ARIA-256-GCM", 32),
];

/// Those of which OpenSSL has the cipher.
pub fn all(world: &World) -> Vec<OfMac<'_>> {
    let fetch = |context, name: &str, query: &CStr| {
        let name = CString::new(name).expect("no zero");
        // Safety: texts end with zeros.
        unsafe { (world.evp.EVP_MAC_fetch)(context, name.as_ptr(), query.as_ptr()) }
    };
    OVER.into_iter()
        .filter(|(_, cipher, _)| !world.fetch(world.theirs, cipher, c"").is_null())
        .map(|(mac, cipher, key)| OfMac {
            world,
            name: format!("{mac}/{}", cipher.to_string_lossy()),
            cipher,
            takes_iv: mac == "GMAC",
            key,
            ours: fetch(world.ours, mac, c"provider=cipherlane"),
            theirs: fetch(world.theirs, mac, c""),
        })
        .collect()
}

struct Context<'e> {
    evp: &'e Evp,
    raw: Handle,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // Safety: the context is this object's own.
        unsafe { (self.evp.EVP_MAC_CTX_free)(self.raw) }
    }
}

fn verdict(done: bool) -> Answer {
    Answer { done, ..Answer::default() }
}

impl Context<'_> {
    fn call(&mut self, mac: &OfMac<'_>, call: &Call) -> Answer {
        let evp = self.evp;
        // Safety: buffers are as long as said, lists end.
        unsafe {
            match call {
                Call::Init { cipher, key, iv, before } => {
                    let mut list = Vec::new();
                    let mut iv = iv.as_ref().map(|(length, data)| data.bytes(*length));
                    if *cipher {
                        list.push(Param::text(c"cipher", mac.cipher));
                    }
                    if let Some(iv) = &mut iv {
                        list.push(Param::bytes(c"iv", iv));
                    }
                    list.push(Param::END);
                    let key = key.as_ref().map(|(length, data)| data.bytes(*length));
                    let length = key.as_ref().map_or(0, Vec::len);
                    let key = key.as_ref().map_or(ptr::null(), |key| key.as_ptr());
                    if *before {
                        let set = (evp.EVP_MAC_CTX_set_params)(self.raw, list.as_ptr());
                        let done =
                            set == 1 && (evp.EVP_MAC_init)(self.raw, key, length, ptr::null()) == 1;
                        return verdict(done);
                    }
                    verdict((evp.EVP_MAC_init)(self.raw, key, length, list.as_ptr()) == 1)
                }
                Call::SetKey { length, data } => {
                    let mut key = data.bytes(*length);
                    let list = [Param::bytes(c"key", &mut key), Param::END];
                    verdict((evp.EVP_MAC_CTX_set_params)(self.raw, list.as_ptr()) == 1)
                }
                Call::SetWrongCipher => {
                    let list = [Param::text(c"cipher", c"AES-128-CTR"), Param::END];
                    verdict((evp.EVP_MAC_CTX_set_params)(self.raw, list.as_ptr()) == 1)
                }
                Call::Update { length, data } => {
                    let bytes = data.bytes(*length);
                    verdict((evp.EVP_MAC_update)(self.raw, bytes.as_ptr(), bytes.len()) == 1)
                }
                Call::Final { room } => {
                    let (mut tag, mut length) = (vec![0xa5; 64], 0);
                    let done =
                        (evp.EVP_MAC_final)(self.raw, tag.as_mut_ptr(), &raw mut length, *room);
                    let mut answer = verdict(done == 1);
                    if answer.done {
                        tag.truncate(length);
                        (answer.value, answer.bytes) = (length as i64, tag);
                    }
                    answer
                }
                Call::AskSize => {
                    let mut length = 0;
                    let done = (evp.EVP_MAC_final)(self.raw, ptr::null_mut(), &raw mut length, 0);
                    Answer { value: length as i64, ..verdict(done == 1) }
                }
                Call::Dup { use_copy } => {
                    let copy = (evp.EVP_MAC_CTX_dup)(self.raw);
                    if copy.is_null() {
                        return verdict(false);
                    }
                    let drop =
                        if *use_copy { std::mem::replace(&mut self.raw, copy) } else { copy };
                    (evp.EVP_MAC_CTX_free)(drop);
                    verdict(true)
                }
                Call::GetSize => {
                    let size = (evp.EVP_MAC_CTX_get_mac_size)(self.raw);
                    Answer { value: size as i64, ..verdict(true) }
                }
                Call::GetBlock => {
                    let size = (evp.EVP_MAC_CTX_get_block_size)(self.raw);
                    Answer { value: size as i64, ..verdict(true) }
                }
            }
        }
    }
}

/// What is known before a call.
#[derive(Default)]
struct State {
    cipher: bool,
    keyed: bool,
    iv: bool,
    /// Data came since the IV, or since the init of what takes none.
    data: bool,
    ended: bool,
    failed: bool,
    whole: bool,
    /// Another key came in the middle of a message, and no IV after it.
    rekeyed: bool,
}

impl State {
    fn facts(&self) -> Vec<&'static str> {
        [
            (self.cipher, "cipher"),
            (!self.cipher, "no-cipher"),
            (self.keyed, "key"),
            (!self.keyed, "no-key"),
            (self.iv, "iv"),
            (!self.iv, "no-iv"),
            (self.data, "data"),
            (self.ended, "ended"),
            (!self.ended, "not-ended"),
            (self.failed, "failed"),
            (self.rekeyed, "rekeyed"),
            (self.whole, "inits-whole"),
            (!self.whole, "inits-part"),
        ]
        .into_iter()
        .filter_map(|(holds, name)| holds.then_some(name))
        .collect()
    }

    fn note(&mut self, mac: &OfMac<'_>, call: &Call, done: bool) {
        self.failed |= !done;
        match call {
            // Its parameters were taken all the same.
            Call::Init { cipher: true, iv, .. } if !done && mac.takes_iv => {
                (self.keyed, self.iv, self.data) = (false, iv.is_some(), false);
            }
            Call::Init { cipher, key, iv, .. } if done => {
                if *cipher && mac.takes_iv {
                    // It begins everything anew.
                    (self.keyed, self.iv, self.data, self.rekeyed) = (false, false, false, false);
                    self.ended = false;
                }
                self.cipher |= cipher;
                self.keyed |= key.is_some();
                if iv.is_some() || !mac.takes_iv {
                    (self.iv, self.data, self.rekeyed) = (iv.is_some(), false, false);
                    self.ended = false;
                }
                self.rekeyed |= key.is_some() && self.data;
                self.failed &= !(key.is_some() && *cipher);
            }
            Call::SetKey { .. } if done => {
                self.keyed = true;
                self.rekeyed |= self.data && mac.takes_iv;
                if !mac.takes_iv {
                    (self.data, self.ended) = (false, false);
                }
            }
            Call::Update { length, .. } => self.data |= *length > 0,
            Call::Final { .. } => self.ended |= done,
            _ => {}
        }
    }
}

impl Subject for OfMac<'_> {
    type Call = Call;

    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self, draw: &mut Draw<'_>) -> Vec<Call> {
        let count = 2 + draw.below(12);
        (0..=count).map(|number| self.one(draw, number == 0)).collect()
    }

    fn simpler(&self, call: &Call) -> Vec<Call> {
        match call {
            Call::Update { length, data } => [0, 1, 15, 16, 17, length / 2]
                .into_iter()
                .filter(|new| new < length)
                .map(|length| Call::Update { length, data: data.clone() })
                .collect(),
            Call::Init { cipher, key, iv, before: true } => vec![Call::Init {
                cipher: *cipher,
                key: key.clone(),
                iv: iv.clone(),
                before: false,
            }],
            _ => Vec::new(),
        }
    }

    fn run(&self, calls: &[Call], say: bool) -> Run {
        let evp = &self.world.evp;
        // Safety: the MACs were fetched.
        let [mut ours, mut theirs] = [self.ours, self.theirs]
            .map(|mac| Context { evp, raw: unsafe { (evp.EVP_MAC_CTX_new)(mac) } });
        let (mut state, mut run) = (State::default(), Run::default());
        for call in calls {
            // Before a cipher there is nothing, and the default's GMAC would call through null.
            if !state.cipher && !matches!(call, Call::Init { cipher: true, .. }) {
                continue;
            }
            trace(&self.name, call);
            let (one, two) = (ours.call(self, call), theirs.call(self, call));
            run.calls += 1;
            if say {
                run.lines.push(line(call, &one, &two));
            }
            if let Call::Init { cipher, key, .. } = call {
                state.whole = *cipher && key.is_some();
            }
            if let Some(kind) = compare(&one, &two, false) {
                let mut facts = state.facts();
                if matches!(call, Call::Init { key: Some((0, _)), .. }) {
                    facts.push("empty-key");
                }
                run.difference = Some(Difference { call: call.name(), kind, facts });
                break;
            }
            state.note(self, call, two.done);
        }
        // Safety: no conditions.
        unsafe { (evp.ERR_clear_error)() };
        run
    }
}

impl OfMac<'_> {
    fn one(&self, draw: &mut Draw<'_>, first: bool) -> Call {
        let data = Data::Seed(1 + (draw.next() >> 44));
        let init = |draw: &mut Draw<'_>| {
            let often =
                |draw: &mut Draw<'_>| if first { draw.below(8) != 0 } else { draw.one_in(2) };
            let length = if draw.one_in(12) { draw.below(40) } else { self.key };
            let key = often(draw).then(|| (length, data.clone()));
            let length = if draw.one_in(3) { 1 + draw.below(20) } else { 12 };
            let iv = (self.takes_iv && often(draw)).then(|| (length, data.clone()));
            Call::Init { cipher: first || draw.one_in(3), key, iv, before: draw.one_in(4) }
        };
        if first {
            return init(draw);
        }
        match draw.below(20) {
            0..=4 => init(draw),
            5..=12 => {
                let length = match draw.below(5) {
                    0 => 0,
                    1 => 16 * draw.below(10),
                    2 => draw.below(3000),
                    _ => draw.below(70),
                };
                Call::Update { length, data }
            }
            13..=15 => Call::Final { room: if draw.one_in(6) { draw.below(20) } else { 64 } },
            16 => Call::AskSize,
            17 => Call::Dup { use_copy: draw.one_in(2) },
            18 if draw.one_in(3) => Call::SetKey { length: self.key, data },
            18 if draw.one_in(6) => Call::SetWrongCipher,
            18 => Call::GetBlock,
            _ => Call::GetSize,
        }
    }
}
