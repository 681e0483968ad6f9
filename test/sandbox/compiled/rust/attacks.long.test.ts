import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Wrong candidates that try to pass anyway. */

const header = 'fn f(a: Vec<i32>) -> bool';
const tests = `
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn test_f() {
        assert_eq!(f(vec![1, 2]), true);
        assert_eq!(f(vec![2, 1]), false);
    }
}
`;
const wrong = `${header} { true }\n`;
const atStart = (code: string) =>
  `${wrong}#[used] #[link_section = ".init_array"] static A: extern "C" fn() = { extern "C" fn run() { ${code} } run };`;
/** A judge's report of passed tests. */
const report =
  '&[38u8, 0, 0, 0, 6, 0, 0, 0, 112, 97, 115, 115, 101, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]';
const write = (bytes: string, descriptors: string) =>
  `use std::{io::Write, os::unix::io::FromRawFd}; for i in ${descriptors} { let mut to = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(i) }); let _ = to.write_all(${bytes}); }`;

const attacks: Record<string, string> = {
  'has assert_eq! of its own': `${wrong}macro_rules! assert_eq { ($($t:tt)*) => {} }`,
  'exports assert_eq!': `${wrong}#[macro_export] macro_rules! assert_eq { ($($t:tt)*) => {} }`,
  'ends the process in the function': `${header} { std::process::exit(0) }`,
  'ends the process before main': atStart('std::process::exit(0)'),
  'replaces exit and abort': `${wrong}#[no_mangle] pub extern "C" fn exit(_: i32) -> ! { loop {} }\n#[no_mangle] pub extern "C" fn abort() -> ! { loop {} }`,
  'has a main of its own': `${wrong}pub fn main() { std::process::exit(0) }`,
  'serves calls itself': `${wrong}pub mod hefix_serve { pub fn main() { std::process::exit(0) } }`,
  'answers before it is asked': atStart(write('&[2u8, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1]', '0..1')),
  'writes a report to every descriptor': atStart(`${write(report, '0..20')} std::process::exit(0)`),
  'runs the judge': `${wrong}#[used] #[link_section = ".init_array"] static A: extern "C" fn() = { extern "C" fn run() { fn t() {} ::hefix::judge::run("f", &[(t as fn(), false)]) } run };`,
  'panics with a hook that exits': atStart('std::panic::set_hook(Box::new(|_| std::process::exit(0)))'),
  'panics while it panics': `struct D; impl Drop for D { fn drop(&mut self) { panic!("again") } }\n${header} { let _d = D; panic!("once") }`,
  'returns a type that equals everything':
    'pub struct X; impl PartialEq<bool> for X { fn eq(&self, _: &bool) -> bool { true } }\nfn f(a: Vec<i32>) -> X { X }',
  'calls its own type bool': `#[allow(non_camel_case_types)] type bool = i32;\nfn f(a: Vec<i32>) -> bool { 1 }`,
  'makes a bool that is none': `${header} { unsafe { std::mem::transmute(7u8) } }`,
  'reads a file when it is compiled': `${wrong}pub const S: &str = include_str!("/etc/passwd");`,
  'reads the tests when it is compiled': `${wrong}pub const S: &str = include_str!("tests.rs");`,
  'includes a file into the assembler': `${wrong}std::arch::global_asm!(".incbin \\"/etc/passwd\\"");`,
  'closes the line': `${header} { use std::os::unix::io::FromRawFd; drop(unsafe { std::fs::File::from_raw_fd(0) }); true }`,
  'claims 4 GB': `${header} { ${write('&[255u8; 4]', '0..1')} true }`,
  'starts a program': `${header} { std::process::Command::new("/bin/true").status().is_err() }`,
  'passes options to the linker': `${wrong}#[link(name = "x", kind = "static")] extern "C" { fn x(); }`,
};

const bombs: Record<string, string> = {
  'macros that double': `macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*) } }\nm!(a b);`,
  'constants without end':
    'pub const S: u64 = { let mut i = 0u64; while i < u64::MAX { i += 1; if i == 7 { i = 1 } } i };\npub static T: u64 = S;',
  'an array of 8 GiB': 'pub static X: [u8; 1 << 33] = [1; 1 << 33];',
  'types without end': 'pub fn g<T>(x: T) { g((x, 1)) }\npub fn h() { g(1) }',
  'an expression nested a hundred thousand times': `pub const X: i32 = ${'('.repeat(1e5)}1${')'.repeat(1e5)};`,
};

describeCompiled(
  'rust',
  'attacks in Rust',
  judge => {
    const request = { tests, entryPoint: 'f', declaration: `${header} {\n` };
    test.each(Object.entries(attacks))(
      'a candidate that %s does not pass',
      { timeout: 60_000 },
      async (_, candidate) => {
        expect((await judge({ ...request, candidate })).verdict.kind).not.toBe('passed');
      },
    );

    test.each(Object.entries(bombs))('%s end in a verdict', { timeout: 180_000 }, async (_, code) => {
      const { verdict } = await judge({ ...request, candidate: `${wrong}${code}\n` });
      expect(verdict.kind).toMatch(/^(?:syntax|timeout|failed|memory|raised|exited)$/);
    });
  },
  5,
);
