//! `dyn Any`: the type's tag, then the value.

use crate::get::{Get, Reader, Unreadable};
use crate::put::Put;
use std::any::Any;

macro_rules! dynamic {
    ($($tag:literal $type:ty),*) => {
        impl Put for dyn Any {
            fn put(&self, out: &mut Vec<u8>) -> Result<(), String> {
                $(if let Some(value) = self.downcast_ref::<$type>() {
                    out.push($tag);
                    return value.put(out);
                })*
                Err("a value of a type of its own in dyn Any".into())
            }
            fn text(&self) -> String {
                $(if let Some(value) = self.downcast_ref::<$type>() {
                    return value.text();
                })*
                "dyn Any".into()
            }
        }

        impl Get for Box<dyn Any> {
            fn get(reader: &mut Reader) -> Result<Self, Unreadable> {
                reader.nested(|inner| Ok(match u8::get(inner)? {
                    $($tag => Box::new(<$type>::get(inner)?) as Box<dyn Any>,)*
                    _ => return Err(Unreadable),
                }))
            }
        }
    };
}
dynamic!(
    1 i32, 2 f64, 3 String, 4 &'static str, 5 char, 6 bool, 7 i64, 8 u32, 9 f32, 10 u8, 11 usize, 12 u64, 13 i8, 14 i16, 15 u16, 16 isize, 17 (),
    20 Vec<i32>, 21 Vec<String>, 22 Vec<f64>, 23 Vec<Box<dyn Any>>, 24 Vec<&'static str>, 25 Option<i32>, 26 Vec<Vec<i32>>
);
