import { expect, test } from 'vitest';
import { describeCompiled, type Judge } from '../toolchains.ts';

/** The tests' first own line is line 7. */
function testsOf(...lines: string[]): string {
  const body = lines.map(line => `        ${line}\n`).join('');
  return `\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn test_f() {\n${body}    }\n}\n`;
}

async function verdictOf(judge: Judge, header: string, candidate: string, ...lines: string[]) {
  const request = { candidate, tests: testsOf(...lines), entryPoint: 'f', declaration: `${header} {\n` };
  return (await judge(request)).verdict;
}

const int = 'fn f(a: i32) -> i32';

describeCompiled(
  'rust',
  'Rust candidates',
  (judge, sandbox) => {
    test('pass, and fail with the line, the expected and the actual value', async () => {
      const tests = 'assert_eq!(f(2), 3);';
      expect(await verdictOf(judge, int, `${int} { a + 1 }`, tests)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, int, `${int} { a + 2 }`, tests)).toEqual({
        kind: 'failed',
        message: 'f(2) returned 4, but the tests want 3.',
        test: { line: 7, source: tests },
        expected: '3',
        actual: '4',
      });
      expect(await verdictOf(judge, int, `${int} { a + 2 }`, 'assert_eq!(3, f(2));')).toMatchObject({
        message: 'f(2) returned 4, but the tests want 3.',
      });
      expect(await verdictOf(judge, int, `${int} { a + 2 }`, 'assert!(f(2) < 4);')).toMatchObject({
        kind: 'failed',
        message: 'The assertion failed: f(2) < 4.',
      });
    });

    test('candidates that panic are reported with their line', async () => {
      const candidate = `${int} {\n    let x: Vec<i32> = vec![];\n    x[a as usize]\n}`;
      const message = 'index out of bounds: the len is 0 but the index is 2';
      expect(await verdictOf(judge, int, candidate, 'assert_eq!(f(2), 3);')).toMatchObject({
        kind: 'raised',
        message: `f(2) raised panic: ${message} (line 3).`,
        exception: { type: 'panic', message, line: 3 },
      });
      const overflow = await verdictOf(judge, int, `${int} { a * i32::MAX }`, 'assert_eq!(f(2), 3);');
      expect(overflow).toMatchObject({ exception: { message: 'attempt to multiply with overflow' } });
    });

    test('candidates that panic as expected pass', async () => {
      const tests = testsOf('f(2);').replace('#[test]', '#[test]\n    #[should_panic]');
      const request = { tests, entryPoint: 'f', declaration: `${int} {\n` };
      const panicking = `${int} { if a == 2 { panic!("two") } a }`;
      expect((await judge({ ...request, candidate: panicking })).verdict.kind).toBe('passed');
      expect((await judge({ ...request, candidate: `${int} { a }` })).verdict).toMatchObject({
        kind: 'failed',
        message: 'The test did not panic as it should.',
      });
    });

    test('must panic with the expected message', async () => {
      const verdict = async (attribute: string, message: string) => {
        const tests = testsOf('f(2);').replace('#[test]', `#[test]\n    ${attribute}`);
        const candidate = `${int} { if a == 2 { panic!(${message}) } a }`;
        return (await judge({ candidate, tests, entryPoint: 'f', declaration: `${int} {\n` })).verdict;
      };
      expect(await verdict('#[should_panic(expected = "neg")]', '"is {}ative", "neg"')).toMatchObject({
        kind: 'passed',
      });
      expect(await verdict('#[should_panic = r#"neg"#]', '"other"')).toMatchObject({
        kind: 'failed',
        message: 'The test panicked with "other", which does not contain "neg".',
      });
    });

    test('candidates that do not compile are reported in the compiler’s words', async () => {
      const candidate = `${int} {\n    let b: String = a;\n    a\n}`;
      expect(await verdictOf(judge, int, candidate, 'assert_eq!(f(2), 3);')).toMatchObject({
        kind: 'syntax',
        message: expect.stringMatching(/^mismatched types.*\(line 2\)\.$/),
        exception: { type: 'CompileError', line: 2 },
      });
      expect(await sandbox().checkSyntax('rust', candidate)).toMatchObject({ line: 2 });
      expect(await sandbox().checkSyntax('rust', `${int} { a }`)).toBeNull();
    });

    test('candidates that call a function of C that does not exist', async () => {
      const candidate = `extern "C" { fn missing() -> i32; }\n${int} { a + unsafe { missing() } }`;
      const verdict = await verdictOf(judge, int, candidate, 'assert_eq!(f(2), 3);');
      expect(verdict).toMatchObject({ kind: 'syntax' });
      expect(verdict.message).toMatch(/^undefined reference to .missing/);
    });

    test('functions of another name or type have the wrong signature', async () => {
      const tests = 'assert_eq!(f(2), 3);';
      const found = await verdictOf(judge, int, 'fn f(a: i64) -> i32 { 3 }', tests);
      expect(found).toMatchObject({
        kind: 'signature',
        message: expect.stringContaining('mismatched types'),
      });
      expect(await verdictOf(judge, int, 'fn g(a: i32) -> i32 { 3 }', tests)).toMatchObject({
        kind: 'signature',
      });
    });

    test('candidates that never return, exhaust memory or end the process', async () => {
      const tests = 'assert_eq!(f(2), 3);';
      expect(await verdictOf(judge, int, `${int} { loop {} }`, tests)).toMatchObject({
        kind: 'timeout',
        message: 'f(2) did not return within 3 seconds.',
        test: { line: 7 },
      });
      const memory = `${int} { vec![1u8; 1 << 40].len() as i32 }`;
      expect(await verdictOf(judge, int, memory, tests)).toMatchObject({ kind: 'memory' });
      expect(await verdictOf(judge, int, `${int} { std::process::exit(0) }`, tests)).toMatchObject({
        kind: 'exited',
        message: 'f(2) ended the process with status 0.',
      });
      expect(await verdictOf(judge, int, `${int} { f(a) + 1 }`, tests)).toMatchObject({
        kind: 'raised',
        exception: { type: 'abort', message: 'stack overflow' },
      });
    });

    test('receive and return values of every type that can be sent', async () => {
      const same =
        'fn f(a: (i8, u64), b: HashMap<String, Vec<f64>>, c: [char; 2], d: Option<&str>, e: Result<i32, String>) -> ((i8, u64), HashMap<String, Vec<f64>>, [char; 2], Option<String>, Result<i32, String>)';
      const header = `use std::collections::HashMap;\n${same}`;
      const candidate = `${header} { (a, b, c, d.map(|x| x.to_string()), e) }`;
      const lines = [
        'let map: HashMap<String, Vec<f64>> = vec![("n".to_string(), vec![f64::INFINITY, -0.0])].into_iter().collect();',
        'let (a, b, c, d, e) = f((-128, u64::MAX), map.clone(), [\'ä\', \'\\u{1F600}\'], Some("x"), Err("no".into()));',
        'assert_eq!(a, (-128, u64::MAX));',
        'assert_eq!(b, map);',
        'assert!(b["n"][1].is_sign_negative());',
        "assert_eq!(c, ['ä', '\\u{1F600}']);",
        'assert_eq!(d, Some("x".to_string()));',
        'assert_eq!(e, Err("no".to_string()));',
      ];
      expect(await verdictOf(judge, header, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('take references, slices and values of any type', async () => {
      const header =
        "use std::any::Any;\nfn f<'a>(a: &'a str, b: &[i32], c: &Vec<f64>, d: Vec<Box<dyn Any>>, e: &dyn Any) -> &'a str";
      const candidate = `${header} { let n = b.len() + c.len() + d.iter().filter(|x| x.is::<i32>()).count() + e.is::<f64>() as usize; &a[..n] }`;
      const lines = [
        'let any: Vec<Box<dyn Any>> = vec![Box::new(1), Box::new("x"), Box::new(2.5)];',
        'assert_eq!(f("abcdefg", &[1, 2], &vec![0.5], any, &1.5), "abcde");',
      ];
      expect(await verdictOf(judge, header, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('change the tests’ values, as in one process', async () => {
      const header = 'fn f(a: &mut Vec<i32>, b: &mut [i32], c: &mut i32) -> usize';
      const candidate = `${header} { a.push(3); b.reverse(); *c += 1; a.len() }`;
      const lines = [
        'let (mut a, mut b, mut c) = (vec![1, 2], [4, 5], 6);',
        'assert_eq!(f(&mut a, &mut b, &mut c), 3);',
        'assert_eq!((a, b, c), (vec![1, 2, 3], [5, 4], 7));',
      ];
      expect(await verdictOf(judge, header, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('can use the replacements of the tasks’ crates', async () => {
      const header = 'use rand::Rng;\nuse regex::Regex;\nuse md5;\nfn f(a: &str) -> String';
      const candidate = `${header} {
    let words = Regex::new(r"^(\\w+)-(\\d{2,})$").unwrap();
    let found = words.captures(a).unwrap();
    assert!(rand::thread_rng().gen_range(0, 10) < 10);
    format!("{} {:x}", &found[2], md5::compute(&found[1]))
}`;
      const lines = ['assert_eq!(f("hello-042"), "042 5d41402abc4b2a76b9719d911017c592");'];
      expect(await verdictOf(judge, header, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('need no declaration if they use only standard types', async () => {
      const tests = testsOf('assert_eq!(f(2), vec![3]);');
      const candidate = 'fn f(a: i32) -> Vec<i32> { vec![a + 1] }';
      expect((await judge({ candidate, tests, entryPoint: 'f' })).verdict.kind).toBe('passed');
      const alias = 'type Row = Vec<i32>;\ntype Rows = Vec<Row>;\nfn f(a: Row) -> Rows { vec![a] }';
      const wanted = testsOf('assert_eq!(f(vec![3]), vec![vec![3]]);');
      expect((await judge({ candidate: alias, tests: wanted, entryPoint: 'f' })).verdict.kind).toBe('passed');
      const own = 'struct T(i32);\nfn f(a: i32) -> T { T(a) }';
      expect((await judge({ candidate: own, tests, entryPoint: 'f' })).verdict).toMatchObject({
        kind: 'signature',
        message: 'Values of the type T cannot be sent.',
      });
    });

    test('may print', async () => {
      const candidate = `${int} { println!("out"); eprintln!("err"); 3 }`;
      const request = {
        candidate,
        tests: testsOf('assert_eq!(f(2), 3);'),
        entryPoint: 'f',
        declaration: `${int} {\n`,
      };
      expect(await judge(request)).toMatchObject({
        stdout: 'out\n',
        stderr: 'err\n',
        verdict: { kind: 'passed' },
      });
    });

    test('tests that end the process fail', async () => {
      const tests = 'if f(2) != 3 { std::process::exit(1) }';
      expect(await verdictOf(judge, int, `${int} { 3 }`, tests)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, int, `${int} { 4 }`, tests)).toEqual({
        kind: 'failed',
        message: 'The tests ended with status 1.',
      });
    });

    test.each([
      [
        'that do not compile',
        'assert_eq!(g(2), 3);',
        /^The tests do not compile: line 7: cannot find function `g`/,
      ],
      ['that never call the function', 'assert_eq!(3, 3);', /^The tests never call f\.$/],
    ])('tests %s are invalid', async (_, line, message) => {
      const found = verdictOf(judge, int, `${int} { 3 }`, line);
      await expect(found).rejects.toMatchObject({
        code: 'TESTS_INVALID',
        message: expect.stringMatching(message),
      });
    });
  },
  3,
);
