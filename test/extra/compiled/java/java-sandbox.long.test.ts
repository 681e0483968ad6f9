import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, processStarters } from '../../../../lib/sandbox/create-sandbox.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { describeCompiled, type Judge } from '../toolchains.ts';

const header = 'public int f(int x)';
const imports = 'import java.util.*;\nimport java.math.*;\n\n';

/** The first check is line 5. */
function testsOf(...checks: string[]): string {
  return [
    'public class Main {',
    '    public static void main(String[] args) {',
    '        Solution s = new Solution();',
    '        List<Boolean> correct = Arrays.asList(',
    checks.map(check => `            ${check}`).join(',\n'),
    '        );',
    '        if (correct.contains(false)) {',
    '            throw new AssertionError();',
    '        }',
    '    }',
    '}\n',
  ].join('\n');
}

function programOf(method: string, body: string): string {
  return `${imports}class Solution {\n    ${method} {\n        ${body}\n    }\n}\n`;
}

async function verdictOf(judge: Judge, method: string, body: string, tests: string) {
  const declaration = `${imports}class Solution {\n    ${method} {\n`;
  return (await judge({ candidate: programOf(method, body), tests, entryPoint: 'f', declaration })).verdict;
}

describeCompiled(
  'java',
  'Java candidates',
  (judge, sandbox) => {
    test('pass where the folder for temporary files has a name that is not ASCII', async () => {
      const folder = join(await temporaryFolder(), 'für Java');
      await mkdir(folder);
      vi.stubEnv('TMPDIR', folder);
      onTestFinished(() => void vi.unstubAllEnvs());
      const other = await createSandbox(processStarters({ timeoutSeconds: 20 }), 'java');
      try {
        const judgeThere: Judge = request => other.execute({ language: 'java', ...request });
        const verdict = await verdictOf(judgeThere, header, 'return 2 * x;', testsOf('s.f(1) == 2'));
        expect(verdict).toMatchObject({ kind: 'passed' });
      } finally {
        await other.close();
      }
    });

    test('pass, and fail with the line, the expected and the actual value of the check', async () => {
      const tests = testsOf('s.f(1) == 2', 's.f(2) == 4');
      expect(await verdictOf(judge, header, 'return 2 * x;', tests)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, header, 'return x + 1;', tests)).toEqual({
        kind: 'failed',
        message: 'f(2) returned 3, but the tests want 4.',
        test: { line: 6, source: 's.f(2) == 4' },
        expected: '4',
        actual: '3',
      });
    });

    test('fail checks without a plain value with the text of the check', async () => {
      const method = 'public double f(double x)';
      const tests = testsOf('Math.abs(s.f(0.5) - 0.25) < 1e-6');
      expect(await verdictOf(judge, method, 'return x;', tests)).toMatchObject({
        kind: 'failed',
        message: 'f(0.5) returned 0.5, but the tests want Math.abs(s.f(0.5) - 0.25) < 1e-6.',
      });
      const asserted =
        'class Main {\n  public static void main(String[] args) {\n    assert new Solution().f(2) == 4 : "no";\n  }\n}\n';
      expect(await verdictOf(judge, header, 'return x;', asserted)).toMatchObject({
        kind: 'failed',
        test: { line: 3 },
        expected: '4',
        actual: '2',
      });
    });

    test('are judged without the shutdown hooks of earlier tests', async () => {
      const main = (body: string): string =>
        `class Main {\n  public static void main(String[] args) throws Exception {\n    if (new Solution().f(1) != 2) throw new AssertionError();\n    ${body}\n  }\n}\n`;
      const hook =
        'Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { Thread.sleep(600_000); } catch (InterruptedException e) {} }));';
      const right = 'return 2 * x;';
      expect(await verdictOf(judge, header, right, main(hook))).toMatchObject({ kind: 'passed' });
      const ended = await verdictOf(judge, header, right, main('System.exit(0);'));
      expect(ended.kind).not.toBe('timeout');
      expect(await verdictOf(judge, header, right, main(''))).toMatchObject({ kind: 'passed' });
    });

    test('raise exceptions with the candidate’s line, which tests may catch by type', async () => {
      const tests = testsOf('s.f(2) == 4');
      expect(await verdictOf(judge, header, 'int[] a = {};\n        return a[x];', tests)).toMatchObject({
        kind: 'raised',
        message: 'f(2) raised ArrayIndexOutOfBoundsException: Index 2 out of bounds for length 0 (line 7).',
        exception: { type: 'ArrayIndexOutOfBoundsException', line: 7 },
      });
      const catching =
        'class Main {\n  public static void main(String[] args) {\n    try { new Solution().f(1); } catch (IllegalStateException e) { if (e.getMessage().equals("no")) return; }\n    throw new AssertionError();\n  }\n}\n';
      expect(
        await verdictOf(judge, header, 'throw new IllegalStateException("no");', catching),
      ).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, header, 'return f(x + 1);', tests)).toMatchObject({
        kind: 'raised',
        exception: { type: 'StackOverflowError', line: 6 },
      });
    });

    test('candidates that do not compile have the compiler’s first sentence and line', async () => {
      const tests = testsOf('s.f(2) == 4');
      expect(await verdictOf(judge, header, 'return y;', tests)).toMatchObject({
        kind: 'syntax',
        message: 'cannot find symbol: variable y (line 6).',
      });
      const declaration = `${imports}class Solution {\n    ${header} {\n`;
      const open = `${declaration}        return x;\n    }\n`;
      expect((await judge({ candidate: open, tests, entryPoint: 'f', declaration })).verdict).toMatchObject({
        kind: 'syntax',
        exception: { message: 'reached end of file while parsing' },
      });
    });

    test('functions of another type or name have the wrong signature', async () => {
      const declaration = `${imports}class Solution {\n    ${header} {\n`;
      const others = ['public String f(String x) { return x; }', 'public int g(int x) { return x; }'];
      for (const method of others) {
        const candidate = `class Solution { ${method} }`;
        const { verdict } = await judge({
          candidate,
          tests: testsOf('s.f(2) == 4'),
          entryPoint: 'f',
          declaration,
        });
        expect(verdict).toMatchObject({ kind: 'signature' });
      }
    });

    test('get and return all types of the benchmark, and nestings of them', async () => {
      const types = [
        ['int', 'Integer.MIN_VALUE'],
        ['long', 'Long.MIN_VALUE'],
        ['double', '-0.0'],
        ['Double', 'Double.NaN'],
        ['float', '3e38f'],
        ['char', "'\\uffff'"],
        ['boolean', 'true'],
        ['byte', '(byte) -128'],
        ['String', '"a\\"b\\ud800\\n\\u00e9"'],
        ['Object', 'List.of(1, "two", 3.0, \'4\')'],
        ['Object', 'null'],
        ['List<Integer>', 'Arrays.asList(1, null, 3)'],
        ['List<Object>', 'List.of(1L, 2.5f, true)'],
        ['List', 'List.of("a", List.of())'],
        ['ArrayList<String>', 'new ArrayList<>(List.of("a"))'],
        ['LinkedList<List<Double>>', 'new LinkedList<>(List.of(List.of(-0.0, 1e300)))'],
        ['Map<String, List<Integer>>', 'Map.of("a", List.of(1), "b", List.of())'],
        ['HashMap<Character, Integer>', "new HashMap<>(Map.of('a', 1))"],
        ['TreeMap<String, Object>', 'new TreeMap<>(Map.of("x", Optional.empty()))'],
        ['Set<Integer>', 'Set.of(3, 1)'],
        ['Optional<String>', 'Optional.of("a")'],
        ['List<Optional<Integer>>', 'List.of(Optional.of(1), Optional.empty())'],
        ['BigInteger', 'BigInteger.TWO.pow(100)'],
        ['BigDecimal', 'new BigDecimal("1.10")'],
        ['Map.Entry<String, Integer>', 'Map.entry("a", 1)'],
        ['int[]', 'new int[] {1, -2}'],
        ['double[]', 'new double[] {0.5, -0.0}'],
        ['String[]', 'new String[] {"a", null}'],
        ['int[][]', 'new int[][] {{1}, {}, null}'],
        ['char[]', "new char[] {'x'}"],
        ['List<Integer>[]', 'new List[] {List.of(1)}'],
        ['Object[]', 'new Object[] {1, "a", new int[] {2}}'],
      ] as const;
      const declared = types.map(([type], index) => `${type} a${index}`).join(', ');
      const names = types.map((_, index) => `a${index}`).join(', ');
      const variables = types.map(([type, value], index) => `        ${type} a${index} = ${value};`);
      const tests = [
        'public class Main {',
        '    public static void main(String[] args) {',
        ...variables,
        `        Object[] given = {${names}};`,
        `        List<Object> back = new Solution().f(${names});`,
        '        assert Arrays.deepEquals(back.toArray(), given) : back;',
        '        assert back.get(13).getClass() == given[13].getClass();',
        '    }',
        '}\n',
      ].join('\n');
      const method = `public List<Object> f(${declared})`;
      expect(await verdictOf(judge, method, `return Arrays.asList(${names});`, tests)).toMatchObject({
        kind: 'passed',
      });
      for (const [type, value] of [types[16], types[21], types[28]]) {
        const returned = `class Main { public static void main(String[] args) { ${type} given = ${value}; assert Objects.deepEquals(new Solution().f(given), given); } }`;
        expect(await verdictOf(judge, `public ${type} f(${type} x)`, 'return x;', returned)).toMatchObject({
          kind: 'passed',
        });
      }
    });

    test('change what they get, cannot change what cannot be changed, and may return it', async () => {
      const tests = (list: string, check: string) =>
        `class Main {\n  public static void main(String[] args) {\n    List<Integer> inner = ${list};\n    List<List<Integer>> given = new ArrayList<>(List.of(inner));\n    List<Integer> back = new Solution().f(given);\n    if (!(${check})) throw new AssertionError();\n  }\n}\n`;
      const method = 'public List<Integer> f(List<List<Integer>> x)';
      const body = 'x.get(0).add(7); x.add(null); return x.get(0);';
      const seen =
        'inner.equals(List.of(1, 7)) && given.size() == 2 && given.get(0) == inner && back == inner';
      expect(await verdictOf(judge, method, body, tests('new ArrayList<>(List.of(1))', seen))).toMatchObject({
        kind: 'passed',
      });
      expect(await verdictOf(judge, method, body, tests('List.of(1)', seen))).toMatchObject({
        kind: 'raised',
        exception: { type: 'UnsupportedOperationException' },
      });
    });

    test('keep the state of their instances apart', async () => {
      const candidate = 'class Solution { int n; public int f(int x) { return n += x; } }';
      const tests =
        'class Main { public static void main(String[] args) { Solution a = new Solution(), b = new Solution(); a.f(1); if (a.f(1) != 2 || b.f(5) != 5) throw new AssertionError(); } }';
      const declaration = `class Solution { public int f(int x) {\n`;
      const { verdict } = await judge({ candidate, tests, entryPoint: 'f', declaration });
      expect(verdict).toMatchObject({ kind: 'passed' });
    });

    test('end at the time limit, which differs from ending themselves and from using up memory', async () => {
      const tests = testsOf('s.f(2) == 4');
      expect(await verdictOf(judge, header, 'while (true) x++;', tests)).toMatchObject({
        kind: 'timeout',
        message: 'f(2) did not return within 5 seconds.',
      });
      expect(await verdictOf(judge, header, 'System.exit(3); return 1;', tests)).toMatchObject({
        kind: 'exited',
        message: 'f(2) ended the process with status 3.',
      });
      const greedy = 'return new long[1 << 28].length;';
      expect(await verdictOf(judge, header, greedy, tests)).toMatchObject({ kind: 'memory' });
    });

    test('are judged without a declaration, by their own header', async () => {
      const candidate =
        'import java.util.*;\nclass Lists { static List<Integer> f(int... x) { return List.of(x.length); } }';
      const tests =
        'import java.util.*;\nclass Main { public static void main(String[] args) { assert Lists.f(1, 2).equals(List.of(2)); } }';
      expect((await judge({ candidate, tests, entryPoint: 'f' })).verdict).toMatchObject({ kind: 'passed' });
    });

    test('are refused with tests that do not compile, assert nothing, or never call the method', async () => {
      const invalid = (message: string) => ({
        code: 'TESTS_INVALID',
        message: expect.stringContaining(message),
      });
      const main = (body: string) =>
        `class Main {\n  public static void main(String[] args) {\n    ${body}\n  }\n}\n`;
      const refused = (tests: string) => verdictOf(judge, header, 'return x;', tests);
      await expect(refused(main('assert new Solution().g(2) == 4;'))).rejects.toMatchObject(
        invalid('do not compile: line 3: cannot find symbol: method g(int)'),
      );
      await expect(refused(main('new Solution().f(2);'))).rejects.toMatchObject(invalid('assert nothing'));
      await expect(refused(main('assert true;'))).rejects.toMatchObject(invalid('never call f'));
      await expect(refused('class Main {}')).rejects.toMatchObject(invalid('main'));
    });

    test('fail if a thread of the tests does', async () => {
      const tests =
        'class Main { public static void main(String[] args) { new Thread(() -> { if (new Solution().f(2) != 4) throw new AssertionError(); }).start(); } }';
      expect(await verdictOf(judge, header, 'return x;', tests)).toMatchObject({ kind: 'failed' });
      expect(await verdictOf(judge, header, 'return 2 * x;', tests)).toMatchObject({ kind: 'passed' });
    });

    test('are compiled alone to check their syntax', async () => {
      expect(await sandbox().checkSyntax('java', programOf(header, 'return 1;'))).toBeNull();
      expect(await sandbox().checkSyntax('java', programOf(header, 'retur 1;'))).toMatchObject({ line: 6 });
    });
  },
  5,
);
