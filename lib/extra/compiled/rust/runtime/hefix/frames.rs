//! Messages on descriptor 0, the connection between judge and candidate: a length, then that many bytes.

use std::fs::File;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::os::unix::io::FromRawFd;

/// A descriptor that the process inherited and keeps open.
pub fn descriptor(number: i32) -> ManuallyDrop<File> {
    ManuallyDrop::new(unsafe { File::from_raw_fd(number) })
}

pub fn send(to: i32, message: &[u8]) -> bool {
    let mut frame = (message.len() as u32).to_le_bytes().to_vec();
    frame.extend_from_slice(message);
    descriptor(to).write_all(&frame).is_ok()
}

pub enum Received {
    Message(Vec<u8>),
    TooLong,
    Closed,
}

pub fn receive() -> Received {
    let mut line = descriptor(0);
    let mut header = [0; 4];
    if line.read_exact(&mut header).is_err() {
        return Received::Closed;
    }
    let length = u32::from_le_bytes(header) as usize;
    if length > crate::MAX_BYTES + 64 {
        return Received::TooLong;
    }
    let mut message = vec![0; length];
    match line.read_exact(&mut message) {
        Ok(()) => Received::Message(message),
        Err(_) => Received::Closed,
    }
}
