//! The judge's side: runs the tests and reports the verdict on descriptor 3. Its process contains no candidate
//! code.

use crate::counting;
use crate::frames::{receive, send, Received};
use crate::get::{Get, Reader};
use crate::put::{put_text, Put};
use crate::serve::message_of;
use std::panic::{self, Location};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

/// The current or the last call.
#[derive(Clone)]
struct Last {
    calls: u32,
    line: u32,
    call: String,
    result: String,
    /// The candidate's panic message and its line.
    raised: Option<(String, u32)>,
    /// The last panic in this process.
    panic: (String, u32),
}

static LAST: Mutex<Last> =
    Mutex::new(Last { calls: 0, line: 0, call: String::new(), result: String::new(), raised: None, panic: (String::new(), 0) });

fn last<T>(use_it: impl FnOnce(&mut Last) -> T) -> T {
    use_it(&mut LAST.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Sent in this order.
#[derive(Default)]
struct Report {
    kind: &'static str,
    line: u32,
    call: String,
    expected: String,
    actual: String,
    exception: &'static str,
    message: String,
    exception_line: u32,
}

fn report(report: Report) {
    let number = |n: u32| if n == 0 { String::new() } else { n.to_string() };
    let Report { kind, line, call, expected, actual, exception, message, exception_line } = report;
    let mut frame = Vec::new();
    for text in [kind.into(), number(line), call, expected, actual, exception.into(), message, number(exception_line)] {
        put_text(&shortened(&text), &mut frame);
    }
    send(3, &frame);
}

fn end(found: Report) -> ! {
    if counting::is_on() {
        counting::end(found.kind != "passed");
    }
    report(found);
    std::process::exit(0)
}

/// Ends a process that counts assertions.
pub(crate) fn end_counted(message: String, is_partial: bool) -> ! {
    let exception = if is_partial { "partial" } else { "" };
    report(Report { kind: "counted", exception, message, ..Report::default() });
    std::process::exit(0)
}

fn end_failed(message: String) -> ! {
    end(Report { kind: "failed", message, ..Report::default() })
}

fn shortened(text: &str) -> String {
    if text.len() <= 2000 {
        return text.into();
    }
    format!("{}…", text.chars().take(1000).collect::<String>())
}

/// The encoded call, and its source notation.
#[derive(Default)]
pub struct Arguments {
    request: Vec<u8>,
    texts: Vec<String>,
}

impl Arguments {
    pub fn add(mut self, argument: &dyn Put) -> Self {
        self.texts.push(argument.text());
        if let Err(what) = argument.put(&mut self.request) {
            end(Report { kind: "invalid", message: format!("call it with {}, which cannot be sent", what), ..Report::default() });
        }
        self
    }
}

/// Called by the stub of the entry point. `changed` reads back the arguments that the candidate may have
/// changed.
#[track_caller]
pub fn call<R: Get + Put>(
    name: &str,
    arguments: Arguments,
    changed: &mut dyn FnMut(&mut Reader) -> Result<(), crate::get::Unreadable>,
) -> R {
    let line = Location::caller().line();
    let Arguments { request, texts } = arguments;
    let call = format!("{}({})", name, texts.join(", "));
    last(|known| {
        known.calls += 1;
        known.line = line;
        known.call = call.clone();
        known.raised = None;
    });
    let bad = |message: String| -> ! { end(Report { kind: "not-serializable", line, call: call.clone(), message, ..Report::default() }) };
    if !send(0, &request) {
        end(Report { kind: "lost", line, call: call.clone(), ..Report::default() });
    }
    let reply = match receive() {
        Received::Message(reply) => reply,
        Received::TooLong => bad("a message that cannot be read".into()),
        Received::Closed => end(Report { kind: "lost", line, call: call.clone(), ..Report::default() }),
    };
    let mut reader = Reader::new(&reply);
    let status = u8::get(&mut reader);
    let found = match status {
        Ok(0) => R::get(&mut reader).and_then(|value| changed(&mut reader).map(|()| value)).ok(),
        Ok(1) => {
            let raised = <(String, String, u32)>::get(&mut reader);
            match raised {
                Ok((_, message, at)) if reader.is_empty() => {
                    last(|known| known.raised = Some((message.clone(), at)));
                    panic!("{}", message);
                }
                _ => None,
            }
        }
        Ok(2) => match String::get(&mut reader) {
            Ok(what) if reader.is_empty() => bad(what),
            _ => None,
        },
        _ => None,
    };
    match found {
        Some(value) if reader.is_empty() => {
            last(|known| known.result = value.text());
            value
        }
        _ => bad("a message that cannot be read".into()),
    }
}

/// A test: the function that runs it and, if it should panic, the expected text.
pub type Test = (fn(), Option<&'static str>);

static REACHED: AtomicBool = AtomicBool::new(false);

/// Called by every assertion of the tests. Returns whether it is only counted.
pub fn reached() -> bool {
    REACHED.store(true, Ordering::Relaxed);
    counting::is_on()
}

/// Whether the tests go on after an assertion: it holds, or is only counted.
#[track_caller]
pub fn goes_on(holds: bool) -> bool {
    if reached() {
        counting::count(holds);
        return true;
    }
    holds
}

/// Runs the tests one after another; the first failure decides. With `must_assert`, the tests can only fail by
/// assertions.
pub fn run(name: &str, must_assert: bool, tests: &[Test]) -> ! {
    report(Report { kind: "started", ..Report::default() });
    panic::set_hook(Box::new(|info| {
        let line = info.location().filter(|at| at.file().ends_with("tests.rs")).map_or(0, |at| at.line());
        let message = message_of(info.payload());
        last(|known| known.panic = (message, if line == 0 { known.line } else { line }));
    }));
    if counting::begin() {
        counting::run(tests);
    }
    for (test, expected) in tests {
        match (panic::catch_unwind(test), expected) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => end_failed("The test did not panic as it should.".into()),
            (Err(_), None) => end(failure()),
            (Err(payload), Some(text)) => {
                let message = message_of(&*payload);
                if !message.contains(text) {
                    end_failed(format!("The test panicked with {:?}, which does not contain {:?}.", message, text));
                }
            }
        }
    }
    if last(|known| known.calls) == 0 {
        end(Report { kind: "invalid", message: format!("never call {}", name), ..Report::default() });
    }
    if must_assert && !REACHED.load(Ordering::Relaxed) {
        end_failed("The tests ended without reaching one of their assertions.".into());
    }
    end(Report { kind: "passed", ..Report::default() })
}

/// The source of the last panic: the candidate, a failed assertion, or the tests' own code.
fn failure() -> Report {
    let Last { calls, line, call, result, raised, panic: (message, at) } = last(|known| known.clone());
    if let Some((said, exception_line)) = raised {
        if said == message {
            return Report { kind: "raised", line, call, exception: "panic", message, exception_line, ..Report::default() };
        }
    }
    if !message.starts_with("assertion") {
        let kind = if calls == 0 { "invalid" } else { "raised" };
        let message = if calls == 0 { format!("panic before they call anything: {}", message) } else { message };
        return Report { kind, line: at, exception: "panic", message, ..Report::default() };
    }
    match (value_of(&message, "left"), value_of(&message, "right")) {
        // Tests write the call on either side.
        (Some(left), Some(right)) if message.contains("==") => {
            let (actual, expected) = if right == result && left != result { (right, left) } else { (left, right) };
            let call = if line == at && actual == result { call } else { String::new() };
            Report { kind: "failed", line: at, call, expected, actual, ..Report::default() }
        }
        _ => Report { kind: "failed", line: at, message: format!("The {}.", message.replace("\n", " ")), ..Report::default() },
    }
}

/// `left: 1`, and `` left: `1`, `` before Rust 1.73.
fn value_of(message: &str, side: &str) -> Option<String> {
    let start = format!("{}: ", side);
    let line = message.lines().find_map(|line| line.trim_start().strip_prefix(&start).map(str::to_string))?;
    let trimmed = line.trim_end_matches(',');
    Some(trimmed.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')).unwrap_or(&line).to_string())
}
