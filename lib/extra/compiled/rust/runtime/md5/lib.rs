//! Replaces md5 0.7: the digest of RFC 1321.

use std::fmt;
use std::ops::Deref;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 16]);

impl Deref for Digest {
    type Target = [u8; 16];
    fn deref(&self) -> &[u8; 16] { &self.0 }
}

impl fmt::LowerHex for Digest {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result { self.0.iter().try_for_each(|byte| write!(to, "{:02x}", byte)) }
}

impl fmt::UpperHex for Digest {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result { self.0.iter().try_for_each(|byte| write!(to, "{:02X}", byte)) }
}

const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

pub fn compute<T: AsRef<[u8]>>(data: T) -> Digest {
    let mut message = data.as_ref().to_vec();
    let bits = (message.len() as u64).wrapping_mul(8);
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend_from_slice(&bits.to_le_bytes());
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in message.chunks(64) {
        let word = |index: usize| u32::from_le_bytes([block[4 * index], block[4 * index + 1], block[4 * index + 2], block[4 * index + 3]]);
        let [mut a, mut b, mut c, mut d] = state;
        for step in 0..64 {
            let (mixed, index) = match step / 16 {
                0 => ((b & c) | (!b & d), step),
                1 => ((d & b) | (!d & c), (5 * step + 1) % 16),
                2 => (b ^ c ^ d, (3 * step + 5) % 16),
                _ => (c ^ (b | !d), (7 * step) % 16),
            };
            // The constants are derived from the sines of 1, 2, 3 …
            let constant = (((step + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(mixed).wrapping_add(constant).wrapping_add(word(index));
            let turned = b.wrapping_add(sum.rotate_left(SHIFTS[step / 16][step % 4]));
            a = d;
            d = c;
            c = b;
            b = turned;
        }
        for (total, part) in state.iter_mut().zip([a, b, c, d]) {
            *total = total.wrapping_add(part);
        }
    }
    let mut digest = [0; 16];
    for (bytes, part) in digest.chunks_mut(4).zip(state) {
        bytes.copy_from_slice(&part.to_le_bytes());
    }
    Digest(digest)
}
