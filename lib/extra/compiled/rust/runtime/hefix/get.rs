//! Decoding of values. Any bytes give either a value or an error.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::rc::Rc;

pub struct Reader<'a> {
    bytes: &'a [u8],
    depth: u32,
}

/// The bytes are not a value of the type.
#[derive(Debug)]
pub struct Unreadable;

type Read<T> = Result<T, Unreadable>;

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self { Reader { bytes, depth: 0 } }

    pub fn is_empty(&self) -> bool { self.bytes.is_empty() }

    fn take(&mut self, length: usize) -> Read<&'a [u8]> {
        if length > self.bytes.len() {
            return Err(Unreadable);
        }
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(taken)
    }

    /// A count of elements that take at least one byte each.
    fn count(&mut self) -> Read<usize> {
        let count = u32::get(self)? as usize;
        if count > self.bytes.len() { Err(Unreadable) } else { Ok(count) }
    }

    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > crate::MAX_DEPTH {
            return Err(Unreadable);
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn items<T: Get, C: FromIterator<T>>(&mut self) -> Read<C> {
        self.nested(|reader| {
            let count = reader.count()?;
            (0..count).map(|_| T::get(reader)).collect()
        })
    }

    fn pairs<K: Get, V: Get, C: FromIterator<(K, V)>>(&mut self) -> Read<C> {
        self.nested(|reader| {
            let count = reader.count()?;
            (0..count).map(|_| Ok((K::get(reader)?, V::get(reader)?))).collect()
        })
    }
}

pub trait Get: Sized {
    fn get(reader: &mut Reader) -> Result<Self, Unreadable>;
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Get for $type {
            fn get(reader: &mut Reader) -> Read<Self> {
                let mut bytes = [0; std::mem::size_of::<$type>()];
                let taken = reader.take(bytes.len())?;
                bytes.copy_from_slice(taken);
                Ok(<$type>::from_le_bytes(bytes))
            }
        }
    )* };
}
numbers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64);

impl Get for usize {
    fn get(reader: &mut Reader) -> Read<Self> { Ok(u64::get(reader)? as usize) }
}

impl Get for isize {
    fn get(reader: &mut Reader) -> Read<Self> { Ok(i64::get(reader)? as isize) }
}

impl Get for () {
    fn get(_: &mut Reader) -> Read<Self> { Ok(()) }
}

impl Get for bool {
    fn get(reader: &mut Reader) -> Read<Self> {
        match u8::get(reader)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Unreadable),
        }
    }
}

impl Get for char {
    fn get(reader: &mut Reader) -> Read<Self> { char::from_u32(u32::get(reader)?).ok_or(Unreadable) }
}

impl Get for String {
    fn get(reader: &mut Reader) -> Read<Self> {
        let length = reader.count()?;
        String::from_utf8(reader.take(length)?.to_vec()).map_err(|_| Unreadable)
    }
}

/// Kept for the lifetime of the process, like a literal.
impl Get for &'static str {
    fn get(reader: &mut Reader) -> Read<Self> { Ok(Box::leak(String::get(reader)?.into_boxed_str())) }
}

impl<T: Get + 'static> Get for &'static [T] {
    fn get(reader: &mut Reader) -> Read<Self> { Ok(Box::leak(Vec::get(reader)?.into_boxed_slice())) }
}

macro_rules! boxes {
    ($($type:ident),*) => { $(
        impl<T: Get> Get for $type<T> {
            fn get(reader: &mut Reader) -> Read<Self> { reader.nested(|inner| Ok($type::new(T::get(inner)?))) }
        }
    )* };
}
boxes!(Box, Rc);

macro_rules! sequences {
    ($($type:ident $(: $bound:path)* );*) => { $(
        impl<T: Get $(+ $bound)*> Get for $type<T> {
            fn get(reader: &mut Reader) -> Read<Self> { reader.items() }
        }
    )* };
}
sequences!(Vec; VecDeque; HashSet: Hash : Eq; BTreeSet: Ord);

macro_rules! maps {
    ($($type:ident $(: $bound:path)* );*) => { $(
        impl<K: Get $(+ $bound)*, V: Get> Get for $type<K, V> {
            fn get(reader: &mut Reader) -> Read<Self> { reader.pairs() }
        }
    )* };
}
maps!(HashMap: Hash : Eq; BTreeMap: Ord);

impl<T: Get, const N: usize> Get for [T; N] {
    fn get(reader: &mut Reader) -> Read<Self> {
        let items: Read<Vec<T>> = reader.nested(|inner| (0..N).map(|_| T::get(inner)).collect());
        items?.try_into().map_err(|_| Unreadable)
    }
}

impl<T: Get> Get for Option<T> {
    fn get(reader: &mut Reader) -> Read<Self> {
        Ok(if bool::get(reader)? { Some(reader.nested(T::get)?) } else { None })
    }
}

impl<T: Get, E: Get> Get for Result<T, E> {
    fn get(reader: &mut Reader) -> Read<Self> {
        Ok(if bool::get(reader)? { Ok(reader.nested(T::get)?) } else { Err(reader.nested(E::get)?) })
    }
}

macro_rules! tuples {
    ($($($name:ident),*);*) => { $(
        impl<$($name: Get),*> Get for ($($name,)*) {
            fn get(reader: &mut Reader) -> Read<Self> { Ok(($($name::get(reader)?,)*)) }
        }
    )* };
}
tuples!(A; A, B; A, B, C; A, B, C, D; A, B, C, D, E);
