//! SM3 (GB/T 32905-2016), HMAC over it (RFC 2104) and HKDF over that (RFC 5869).

/// 4.2: the constants.
fn constant(j: usize) -> u32 {
    if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a }
}

/// 4.3: the Boolean function FF.
fn ff(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 { x ^ y ^ z } else { (x & y) | (x & z) | (y & z) }
}

/// 4.3: the Boolean function GG.
fn gg(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 { x ^ y ^ z } else { (x & y) | (!x & z) }
}

/// 4.4: the permutations.
fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

/// 5.2: the message with its padding.
fn padded(message: &[u8]) -> Vec<u8> {
    let mut bytes = message.to_vec();
    bytes.push(0x80);
    while bytes.len() % 64 != 56 {
        bytes.push(0);
    }
    bytes.extend(8_u64.wrapping_mul(message.len() as u64).to_be_bytes());
    bytes
}

/// 5.3.2: the words of a block, W and W'.
fn expanded(block: &[u8]) -> (Vec<u32>, Vec<u32>) {
    let mut w: Vec<u32> = Vec::new();
    for i in 0..16 {
        let byte = |k: usize| u32::from(block[4 * i + k]);
        w.push(byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3));
    }
    for j in 16..68 {
        let x = w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15);
        w.push(p1(x) ^ w[j - 13].rotate_left(7) ^ w[j - 6]);
    }
    let prime = (0..64).map(|j| w[j] ^ w[j + 4]).collect();
    (w, prime)
}

/// 5.3.3: the compression function.
fn compress(v: [u32; 8], block: &[u8]) -> [u32; 8] {
    let (w, prime) = expanded(block);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..64 {
        let turned = constant(j).rotate_left(j as u32 % 32);
        let sum = a.rotate_left(12).wrapping_add(e).wrapping_add(turned);
        let ss1 = sum.rotate_left(7);
        let ss2 = ss1 ^ a.rotate_left(12);
        let tt1 = ff(j, a, b, c).wrapping_add(d).wrapping_add(ss2).wrapping_add(prime[j]);
        let tt2 = gg(j, e, f, g).wrapping_add(h).wrapping_add(ss1).wrapping_add(w[j]);
        d = c;
        c = b.rotate_left(9);
        b = a;
        a = tt1;
        h = g;
        g = f.rotate_left(19);
        f = e;
        e = p0(tt2);
    }
    let mut out = [a, b, c, d, e, f, g, h];
    for (out, v) in out.iter_mut().zip(v) {
        *out ^= v;
    }
    out
}

/// 5: the digest of a message.
#[must_use]
pub fn digest(message: &[u8]) -> [u8; 32] {
    let mut v = [
        0x7380_166f,
        0x4914_b2b9,
        0x1724_42d7,
        0xda8a_0600,
        0xa96f_30bc,
        0x1631_38aa,
        0xe38d_ee4d,
        0xb0fb_0e4e,
    ];
    for block in padded(message).chunks(64) {
        v = compress(v, block);
    }
    let mut digest = [0; 32];
    for (i, word) in v.iter().enumerate() {
        digest[4 * i..4 * i + 4].copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// RFC 2104, 2: H((K ⊕ opad) ‖ H((K ⊕ ipad) ‖ text)).
#[must_use]
pub fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut key = if key.len() > 64 { digest(key).to_vec() } else { key.to_vec() };
    key.resize(64, 0);
    let masked = |mask: u8| key.iter().map(|byte| byte ^ mask).collect::<Vec<u8>>();
    let inner = digest(&[masked(0x36), message.to_vec()].concat());
    digest(&[masked(0x5c), inner.to_vec()].concat())
}

/// RFC 5869, 2.2 and 2.3.
#[must_use]
pub fn hkdf(salt: &[u8], secret: &[u8], info: &[u8], length: usize) -> Vec<u8> {
    let salt = if salt.is_empty() { &[0; 32] } else { salt };
    let key = hmac(salt, secret);
    let (mut out, mut last, mut count) = (Vec::new(), Vec::new(), 0_u8);
    while out.len() < length {
        count += 1;
        last = hmac(&key, &[&last, info, &[count]].concat()).to_vec();
        out.extend(&last);
    }
    out.truncate(length);
    out
}
