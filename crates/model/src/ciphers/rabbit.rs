//! Rabbit: RFC 4503, with the byte order of the eSTREAM code: the first byte of key, IV and
//! of every 16 bytes of keystream is the lowest.

/// §2.5.
const A: [u64; 8] = [
    0x4D34_D34D,
    0xD34D_34D3,
    0x34D3_4D34,
    0x4D34_D34D,
    0xD34D_34D3,
    0x34D3_4D34,
    0x4D34_D34D,
    0xD34D_34D3,
];

/// §2.1: the eight state variables, the eight counters and the counter carry bit.
#[derive(Clone)]
struct Rabbit {
    x: [u32; 8],
    c: [u32; 8],
    b: u64,
}

/// 16 bits of a number, the higher of two of them first.
fn join(high: u128, low: u128) -> u32 {
    ((high & 0xffff) << 16 | low & 0xffff) as u32
}

impl Rabbit {
    /// §2.3, key setup scheme.
    fn new(key: &[u8; 16]) -> Self {
        let key = u128::from_le_bytes(*key);
        let k = |j: usize| key >> (16 * (j % 8));
        let mut rabbit = Self { x: [0; 8], c: [0; 8], b: 0 };
        for j in 0..8 {
            if j % 2 == 0 {
                rabbit.x[j] = join(k(j + 1), k(j));
                rabbit.c[j] = join(k(j + 4), k(j + 5));
            } else {
                rabbit.x[j] = join(k(j + 5), k(j + 4));
                rabbit.c[j] = join(k(j), k(j + 1));
            }
        }
        for _ in 0..4 {
            rabbit.next();
        }
        for j in 0..8 {
            rabbit.c[j] ^= rabbit.x[(j + 4) % 8];
        }
        rabbit
    }

    /// §2.4, IV setup scheme.
    fn set_iv(&mut self, iv: &[u8; 8]) {
        let iv = u128::from(u64::from_le_bytes(*iv));
        let c = &mut self.c;
        c[0] ^= iv as u32;
        c[1] ^= join(iv >> 48, iv >> 16);
        c[2] ^= (iv >> 32) as u32;
        c[3] ^= join(iv >> 32, iv);
        c[4] ^= iv as u32;
        c[5] ^= join(iv >> 48, iv >> 16);
        c[6] ^= (iv >> 32) as u32;
        c[7] ^= join(iv >> 32, iv);
        for _ in 0..4 {
            self.next();
        }
    }

    /// §2.5, counter system, then §2.6, next-state function.
    fn next(&mut self) {
        for j in 0..8 {
            let temp = u64::from(self.c[j]) + A[j] + self.b;
            self.b = temp >> 32;
            self.c[j] = temp as u32;
        }
        let mut g = [0u32; 8];
        for j in 0..8 {
            let sum = u64::from(self.x[j].wrapping_add(self.c[j]));
            let square = sum * sum;
            g[j] = square as u32 ^ (square >> 32) as u32;
        }
        let sum = |a: u32, b: u32, c: u32| a.wrapping_add(b).wrapping_add(c);
        self.x[0] = sum(g[0], g[7].rotate_left(16), g[6].rotate_left(16));
        self.x[1] = sum(g[1], g[0].rotate_left(8), g[7]);
        self.x[2] = sum(g[2], g[1].rotate_left(16), g[0].rotate_left(16));
        self.x[3] = sum(g[3], g[2].rotate_left(8), g[1]);
        self.x[4] = sum(g[4], g[3].rotate_left(16), g[2].rotate_left(16));
        self.x[5] = sum(g[5], g[4].rotate_left(8), g[3]);
        self.x[6] = sum(g[6], g[5].rotate_left(16), g[4].rotate_left(16));
        self.x[7] = sum(g[7], g[6].rotate_left(8), g[5]);
    }

    /// §2.7, extraction scheme: S as a number of 128 bits.
    fn extract(&self) -> u128 {
        let low = |j: usize| u128::from(self.x[j] & 0xffff);
        let high = |j: usize| u128::from(self.x[j] >> 16);
        (low(0) ^ high(5))
            | (high(0) ^ low(3)) << 16
            | (low(2) ^ high(7)) << 32
            | (high(2) ^ low(5)) << 48
            | (low(4) ^ high(1)) << 64
            | (high(4) ^ low(7)) << 80
            | (low(6) ^ high(3)) << 96
            | (high(6) ^ low(1)) << 112
    }
}

/// The first `bytes` keystream bytes under a key and, if there is one, an IV.
#[must_use]
pub fn keystream(key: &[u8; 16], iv: Option<&[u8; 8]>, bytes: usize) -> Vec<u8> {
    let mut rabbit = Rabbit::new(key);
    if let Some(iv) = iv {
        rabbit.set_iv(iv);
    }
    let mut out = Vec::with_capacity(bytes + 15);
    while out.len() < bytes {
        rabbit.next();
        out.extend(rabbit.extract().to_le_bytes());
    }
    out.truncate(bytes);
    out
}
