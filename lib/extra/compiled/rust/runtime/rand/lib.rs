//! Replaces rand 0.4, with a fixed seed, so that tests are deterministic.

use std::cell::Cell;

thread_local! { static STATE: Cell<u64> = Cell::new(1); }

/// SplitMix64: https://prng.di.unimi.it/splitmix64.c
fn next() -> u64 {
    STATE.with(|state| {
        state.set(state.get().wrapping_add(0x9E37_79B9_7F4A_7C15));
        let mut mixed = state.get();
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    })
}

pub trait Rand: Sized {
    fn rand() -> Self;
}

pub trait Between: Sized {
    /// A value from `low` up to but excluding `high`.
    fn between(low: Self, high: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl Rand for $type {
            fn rand() -> Self { next() as $type }
        }
        impl Between for $type {
            fn between(low: Self, high: Self) -> Self {
                assert!(low < high, "Rng.gen_range called with low >= high");
                low.wrapping_add((next() % (high.wrapping_sub(low) as u64)) as $type)
            }
        }
    )* };
}
integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl Rand for bool {
    fn rand() -> Self { next() & 1 == 1 }
}

impl Rand for f64 {
    fn rand() -> Self { (next() >> 11) as f64 / (1u64 << 53) as f64 }
}

impl Rand for f32 {
    fn rand() -> Self { (next() >> 40) as f32 / (1u32 << 24) as f32 }
}

impl Rand for char {
    fn rand() -> Self { (0x20 + next() % 0x5f) as u8 as char }
}

impl Between for f64 {
    fn between(low: Self, high: Self) -> Self { low + (high - low) * f64::rand() }
}

impl Between for f32 {
    fn between(low: Self, high: Self) -> Self { low + (high - low) * f32::rand() }
}

pub trait Rng {
    fn gen<T: Rand>(&mut self) -> T { T::rand() }

    fn gen_range<T: Between>(&mut self, low: T, high: T) -> T { T::between(low, high) }

    fn gen_bool(&mut self, chance: f64) -> bool { f64::rand() < chance }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(usize::between(0, items.len())) }
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, usize::between(0, last + 1));
        }
    }
}

pub struct ThreadRng;

impl Rng for ThreadRng {}

pub fn thread_rng() -> ThreadRng { ThreadRng }

pub fn random<T: Rand>() -> T { T::rand() }
