//! Sends calls between a judge and a candidate: plain data over one stream, each value by its type.

mod counting;
mod dynamic;
mod frames;
pub mod get;
pub mod judge;
mod put;
pub mod serve;

pub use get::{Get, Reader};
pub use put::Put;

/// Maximum length of a message in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Maximum nesting depth of values.
pub const MAX_DEPTH: u32 = 64;
