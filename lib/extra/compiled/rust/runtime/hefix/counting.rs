//! Counts assertions instead of judging, after a verdict: this process gives none then.

use crate::judge::{end_counted, Test};
use std::panic::{self, Location};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

const MAX_ASSERTIONS: u32 = 1000;
const MAX_FAILING: usize = 10;

struct Counted {
    passed: u32,
    failed: u32,
    /// Lines of the tests with assertions that fail.
    failing: Vec<u32>,
}

static COUNTED: Mutex<Counted> =
    Mutex::new(Counted { passed: 0, failed: 0, failing: Vec::new() });

fn counted() -> MutexGuard<'static, Counted> {
    COUNTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether assertions are counted, once `begin` was called.
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Counts from now on if the process was started for that; returns whether it was.
pub fn begin() -> bool {
    IS_ON.store(std::env::args().nth(1).as_deref() == Some("counts"), Ordering::Relaxed);
    is_on()
}

#[track_caller]
pub fn count(holds: bool) {
    let line = Location::caller().line();
    let mut counted = counted();
    if holds {
        counted.passed += 1;
    } else {
        counted.failed += 1;
        if counted.failing.len() < MAX_FAILING && !counted.failing.contains(&line) {
            counted.failing.push(line);
        }
    }
    let is_enough = counted.passed + counted.failed >= MAX_ASSERTIONS;
    drop(counted);
    if is_enough {
        end(true);
    }
}

/// Runs the tests; after one that panics, the others are counted too. Those that should panic have no assertions to
/// count.
pub fn run(tests: &[Test]) -> ! {
    let mut is_partial = false;
    for (test, expected) in tests {
        is_partial |= expected.is_some() || panic::catch_unwind(test).is_err();
    }
    end(is_partial)
}

/// Sends the counts and ends the process: passed, failed, and lines that fail.
pub fn end(is_partial: bool) -> ! {
    let counted = counted();
    let numbers = [counted.passed, counted.failed].iter().chain(&counted.failing).map(u32::to_string).collect::<Vec<_>>();
    end_counted(numbers.join(" "), is_partial)
}
