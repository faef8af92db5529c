//! RC5-w/r/b, as RFC 2040 writes it, for words of 16, 32 and 64 bits.

/// RC5 with an expanded key.
#[derive(Clone, Debug)]
pub struct Rc5 {
    w: u32,
    rounds: usize,
    s: Vec<u128>,
}

impl Rc5 {
    /// Key expansion (§6.1 to §6.3).
    ///
    /// # Panics
    /// If `w` is not 16, 32 or 64.
    #[must_use]
    pub fn new(w: u32, rounds: usize, key: &[u8]) -> Self {
        let (p, q) = match w {
            16 => (0xb7e1, 0x9e37),
            32 => (0xb7e1_5163, 0x9e37_79b9),
            64 => (0xb7e1_5162_8aed_2a6b, 0x9e37_79b9_7f4a_7c15),
            _ => panic!("words of {w} bits"),
        };
        let mut rc5 = Self { w, rounds, s: Vec::new() };
        let u = w as usize / 8;
        let c = key.len().div_ceil(u).max(1);
        let mut l = vec![0_u128; c];
        for i in (0..key.len()).rev() {
            l[i / u] = (l[i / u] << 8) + u128::from(key[i]);
        }
        let t = 2 * (rounds + 1);
        let mut s = vec![p];
        for i in 1..t {
            s.push(rc5.add(s[i - 1], q));
        }
        let (mut i, mut j, mut a, mut b) = (0, 0, 0, 0);
        for _ in 0..3 * t.max(c) {
            a = rc5.rotate(rc5.add(s[i], rc5.add(a, b)), 3);
            s[i] = a;
            b = rc5.rotate(rc5.add(l[j], rc5.add(a, b)), rc5.add(a, b));
            l[j] = b;
            i = (i + 1) % t;
            j = (j + 1) % c;
        }
        rc5.s = s;
        rc5
    }

    /// The length of a block in bytes.
    #[must_use]
    pub fn block(&self) -> usize {
        self.w as usize / 4
    }

    fn add(&self, a: u128, b: u128) -> u128 {
        (a + b) % (1 << self.w)
    }

    fn subtract(&self, a: u128, b: u128) -> u128 {
        (a + (1 << self.w) - b) % (1 << self.w)
    }

    /// `a` rotated left by the low bits of `by`.
    fn rotate(&self, a: u128, by: u128) -> u128 {
        let n = by % u128::from(self.w);
        (a << n | a >> (u128::from(self.w) - n)) % (1 << self.w)
    }

    /// `a` rotated right by the low bits of `by`.
    fn rotate_right(&self, a: u128, by: u128) -> u128 {
        self.rotate(a, u128::from(self.w) - by % u128::from(self.w))
    }

    /// Encrypts one block (§5).
    #[must_use]
    pub fn encrypt(&self, block: &[u8]) -> Vec<u8> {
        let [a, b] = self.words(block);
        let (mut a, mut b) = (self.add(a, self.s[0]), self.add(b, self.s[1]));
        for i in 1..=self.rounds {
            a = self.add(self.rotate(a ^ b, b), self.s[2 * i]);
            b = self.add(self.rotate(b ^ a, a), self.s[2 * i + 1]);
        }
        self.bytes([a, b])
    }

    /// Decrypts one block (§5).
    #[must_use]
    pub fn decrypt(&self, block: &[u8]) -> Vec<u8> {
        let [mut a, mut b] = self.words(block);
        for i in (1..=self.rounds).rev() {
            b = self.rotate_right(self.subtract(b, self.s[2 * i + 1]), a) ^ a;
            a = self.rotate_right(self.subtract(a, self.s[2 * i]), b) ^ b;
        }
        self.bytes([self.subtract(a, self.s[0]), self.subtract(b, self.s[1])])
    }

    /// The two words of a block, little-endian.
    fn words(&self, block: &[u8]) -> [u128; 2] {
        let (a, b) = block.split_at(self.block() / 2);
        [a, b].map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)))
    }

    fn bytes(&self, words: [u128; 2]) -> Vec<u8> {
        let half = self.block() / 2;
        words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(half)).collect()
    }
}
