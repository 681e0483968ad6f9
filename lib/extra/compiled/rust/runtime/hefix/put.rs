//! Encoding of values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

pub trait Put {
    /// Appends the value; fails with the name of the part that cannot be sent.
    fn put(&self, out: &mut Vec<u8>) -> Result<(), String>;
    /// The value in Rust syntax.
    fn text(&self) -> String;
}

pub fn put_count(count: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(count as u32).to_le_bytes());
}

pub fn put_text(text: &str, out: &mut Vec<u8>) {
    put_count(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Put for $type {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
                out.extend_from_slice(&self.to_le_bytes());
                Ok(())
            }
            fn text(&self) -> String { format!("{:?}", self) }
        }
    )* };
}
numbers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64);

macro_rules! converted {
    ($($type:ty as $wide:ty),*) => { $(
        impl Put for $type {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> { (*self as $wide).put(out) }
            fn text(&self) -> String { format!("{:?}", self) }
        }
    )* };
}
converted!(usize as u64, isize as i64, bool as u8, char as u32);

impl Put for () {
    fn put(&self, _: &mut Vec<u8>) -> Result<(), String> { Ok(()) }
    fn text(&self) -> String { "()".into() }
}

impl Put for str {
    fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
        put_text(self, out);
        Ok(())
    }
    fn text(&self) -> String { format!("{:?}", self) }
}

impl Put for String {
    fn put(&self, out: &mut Vec<u8>) -> Result<(), String> { self.as_str().put(out) }
    fn text(&self) -> String { self.as_str().text() }
}

macro_rules! pointers {
    ($($type:ty),*) => { $(
        impl<T: Put + ?Sized> Put for $type {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> { (**self).put(out) }
            fn text(&self) -> String { (**self).text() }
        }
    )* };
}
pointers!(&T, &mut T, Box<T>, Rc<T>);

fn put_all<'a, T: Put + 'a>(items: impl Iterator<Item = &'a T>, out: &mut Vec<u8>) -> Result<(), String> {
    for item in items {
        item.put(out)?;
        if out.len() > crate::MAX_BYTES {
            return Err("a value of more than 16 MiB".into());
        }
    }
    Ok(())
}

fn list<'a, T: Put + 'a>(open: &str, items: impl Iterator<Item = &'a T>, close: &str) -> String {
    let texts: Vec<String> = items.map(|item| item.text()).collect();
    format!("{}{}{}", open, texts.join(", "), close)
}

macro_rules! sequences {
    ($($type:ty, $open:literal, $close:literal);*) => { $(
        impl<T: Put> Put for $type {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
                put_count(self.len(), out);
                put_all(self.iter(), out)
            }
            fn text(&self) -> String { list($open, self.iter(), $close) }
        }
    )* };
}
sequences!([T], "[", "]"; Vec<T>, "[", "]"; VecDeque<T>, "[", "]"; HashSet<T>, "{", "}"; BTreeSet<T>, "{", "}");

impl<T: Put, const N: usize> Put for [T; N] {
    fn put(&self, out: &mut Vec<u8>) -> Result<(), String> { put_all(self.iter(), out) }
    fn text(&self) -> String { list("[", self.iter(), "]") }
}

macro_rules! maps {
    ($($type:ident),*) => { $(
        impl<K: Put, V: Put> Put for $type<K, V> {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
                put_count(self.len(), out);
                for (key, value) in self {
                    key.put(out)?;
                    value.put(out)?;
                }
                Ok(())
            }
            fn text(&self) -> String {
                let mut texts: Vec<String> = self.iter().map(|(k, v)| format!("{}: {}", k.text(), v.text())).collect();
                texts.sort();
                format!("{{{}}}", texts.join(", "))
            }
        }
    )* };
}
maps!(HashMap, BTreeMap);

impl<T: Put> Put for Option<T> {
    fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
        match self {
            None => 0u8.put(out),
            Some(value) => {
                out.push(1);
                value.put(out)
            }
        }
    }
    fn text(&self) -> String {
        match self {
            None => "None".into(),
            Some(value) => format!("Some({})", value.text()),
        }
    }
}

impl<T: Put, E: Put> Put for Result<T, E> {
    fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
        out.push(self.is_ok() as u8);
        match self {
            Ok(value) => value.put(out),
            Err(error) => error.put(out),
        }
    }
    fn text(&self) -> String {
        match self {
            Ok(value) => format!("Ok({})", value.text()),
            Err(error) => format!("Err({})", error.text()),
        }
    }
}

macro_rules! tuples {
    ($($($name:ident $index:tt),*);*) => { $(
        impl<$($name: Put),*> Put for ($($name,)*) {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
                $(self.$index.put(out)?;)*
                Ok(())
            }
            fn text(&self) -> String { format!("({})", [$(self.$index.text()),*].join(", ")) }
        }
    )* };
}
tuples!(A 0; A 0, B 1; A 0, B 1, C 2; A 0, B 1, C 2, D 3; A 0, B 1, C 2, D 3, E 4);
