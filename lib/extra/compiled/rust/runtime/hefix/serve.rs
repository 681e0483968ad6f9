//! The candidate's side: answers calls until the judge closes the connection.

use crate::frames::{receive, send, Received};
use crate::get::Reader;
use crate::put::{put_count, put_text};
use std::cell::RefCell;
use std::panic;

/// The first byte of a reply.
const RETURNED: u8 = 0;
const RAISED: u8 = 1;
const UNSENDABLE: u8 = 2;

const STACK_BYTES: usize = 32 << 20;

thread_local! { static PANIC: RefCell<(String, u32)> = RefCell::new((String::new(), 0)); }

/// `answer` reads the arguments and writes the result, then the arguments that it may have changed.
pub fn serve(answer: fn(&mut Reader, &mut Vec<u8>) -> Result<(), String>) {
    panic::set_hook(Box::new(|info| {
        let line = info.location().filter(|at| at.file().ends_with("candidate.rs")).map_or(0, |at| at.line());
        eprintln!("{}", info);
        PANIC.with(|last| *last.borrow_mut() = (message_of(info.payload()), line));
    }));
    let calls = move || {
        while let Received::Message(request) = receive() {
            if !send(0, &reply(answer, &request)) {
                break;
            }
        }
    };
    // On a separate thread, a stack overflow is reported even without /proc.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(calls);
    let _ = thread.map(|running| running.join());
    std::process::exit(0);
}

fn reply(answer: fn(&mut Reader, &mut Vec<u8>) -> Result<(), String>, request: &[u8]) -> Vec<u8> {
    let outcome = panic::catch_unwind(|| {
        let mut out = vec![RETURNED];
        answer(&mut Reader::new(request), &mut out).map(|()| out)
    });
    match outcome {
        Ok(Ok(out)) if out.len() <= crate::MAX_BYTES => out,
        Ok(Ok(_)) => unsendable("a value of more than 16 MiB"),
        Ok(Err(what)) => unsendable(&what),
        Err(_) => PANIC.with(|last| {
            let (message, line) = &*last.borrow();
            let mut out = vec![RAISED];
            put_text("panic", &mut out);
            put_text(message, &mut out);
            put_count(*line as usize, &mut out);
            out
        }),
    }
}

fn unsendable(what: &str) -> Vec<u8> {
    let mut out = vec![UNSENDABLE];
    put_text(what, &mut out);
    out
}

pub(crate) fn message_of(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}
