//! Carries calls between a judge and a candidate: plain data over one stream, each value by its type.

mod dynamic;
mod frames;
pub mod get;
pub mod judge;
mod put;
pub mod serve;

pub use get::{Get, Reader};
pub use put::Put;

/// Longest message in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// How deep values may be nested.
pub const MAX_DEPTH: u32 = 64;
