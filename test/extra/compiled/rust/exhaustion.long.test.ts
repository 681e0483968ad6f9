import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Candidates that would use up what a compiler may take, or read its files. */

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
const bombs: Record<string, string> = {
  'constants without end':
    'pub const S: u64 = { let mut i = 0u64; while i < u64::MAX { i += 1; if i == 7 { i = 1 } } i };\npub static T: u64 = S;',
  'an array of 8 GiB': 'pub static X: [u8; 1 << 33] = [1; 1 << 33];',
  'types without end': 'pub fn g<T>(x: T) { g((x, 1)) }\npub fn h() { g(1) }',
  'an expression nested a hundred thousand times': `pub const X: i32 = ${'('.repeat(1e5)}1${')'.repeat(1e5)};`,
};

describeCompiled(
  'rust',
  'candidates in Rust that use up everything',
  judge => {
    const request = { tests, entryPoint: 'f', declaration: `${header} {\n` };
    test.each(Object.entries(bombs))('%s end in a verdict', async (_, code) => {
      const { verdict } = await judge({ ...request, candidate: `${wrong}${code}\n` });
      expect(verdict.kind).toMatch(/^(?:syntax|timeout|failed|memory|raised|exited)$/);
    });
  },
  5,
);
