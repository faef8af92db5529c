//! HC-128: "The Stream Cipher HC-128" (H. Wu), eSTREAM.

/// §2.1: the functions f1 and f2.
fn f1(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}

fn f2(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}

/// §2.1: the functions g1 and g2.
fn g1(x: u32, y: u32, z: u32) -> u32 {
    (x.rotate_right(10) ^ z.rotate_right(23)).wrapping_add(y.rotate_right(8))
}

fn g2(x: u32, y: u32, z: u32) -> u32 {
    (x.rotate_left(10) ^ z.rotate_left(23)).wrapping_add(y.rotate_left(8))
}

/// §2.1: h1 over Q, h2 over P; x = x3 ‖ x2 ‖ x1 ‖ x0, x0 the lowest byte.
fn h(table: &[u32], x: u32) -> u32 {
    let [x0, _, x2, _] = x.to_le_bytes();
    table[usize::from(x0)].wrapping_add(table[256 + usize::from(x2)])
}

/// a ⊟ b: the difference modulo 512.
fn minus(a: usize, b: usize) -> usize {
    (512 + a - b) % 512
}

/// The words of 16 bytes, little-endian.
fn words(bytes: &[u8; 16]) -> Vec<u32> {
    bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().expect("4 bytes"))).collect()
}

/// The first `bytes` keystream bytes under a key and an IV.
#[must_use]
pub fn keystream(key: &[u8; 16], iv: &[u8; 16], bytes: usize) -> Vec<u8> {
    // §2.2, step 1: key and IV twice each, then the expansion to W0 … W1279.
    let (k, v) = (words(key), words(iv));
    let mut w: Vec<u32> = [&k[..], &k, &v, &v].concat();
    for i in 16..1280 {
        let sum = f2(w[i - 2]).wrapping_add(w[i - 7]).wrapping_add(f1(w[i - 15]));
        w.push(sum.wrapping_add(w[i - 16]).wrapping_add(i as u32));
    }
    // Step 2.
    let mut p = w[256..768].to_vec();
    let mut q = w[768..1280].to_vec();
    // Step 3: 1024 steps, whose outputs replace the tables' words.
    for i in 0..512 {
        let g = g1(p[minus(i, 3)], p[minus(i, 10)], p[minus(i, 511)]);
        p[i] = p[i].wrapping_add(g) ^ h(&q, p[minus(i, 12)]);
    }
    for i in 0..512 {
        let g = g2(q[minus(i, 3)], q[minus(i, 10)], q[minus(i, 511)]);
        q[i] = q[i].wrapping_add(g) ^ h(&p, q[minus(i, 12)]);
    }
    // §2.3.
    let mut out = Vec::with_capacity(bytes + 3);
    let mut i = 0;
    while out.len() < bytes {
        let j = i % 512;
        let s = if i % 1024 < 512 {
            let g = g1(p[minus(j, 3)], p[minus(j, 10)], p[minus(j, 511)]);
            p[j] = p[j].wrapping_add(g);
            h(&q, p[minus(j, 12)]) ^ p[j]
        } else {
            let g = g2(q[minus(j, 3)], q[minus(j, 10)], q[minus(j, 511)]);
            q[j] = q[j].wrapping_add(g);
            h(&p, q[minus(j, 12)]) ^ q[j]
        };
        out.extend(s.to_le_bytes());
        i += 1;
    }
    out.truncate(bytes);
    out
}
