import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Candidates that would use up what a compiler or a virtual machine may take, or read files. */

const imports = 'import java.util.*;\nimport java.io.*;\n';
const header = 'public boolean f(List<Integer> a)';
const declaration = `${imports}class Solution {\n    ${header} {\n`;
const tests = `public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
            s.f(Arrays.asList(1, 2)) == true,
            s.f(Arrays.asList(2, 1)) == false,
            s.f(new ArrayList<>()) == true
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
`;

/** A class with the wrong method, and what else is given. */
function wrong(members: string, before = '', body = 'return true;'): string {
  return `${imports}${before}\nclass Solution {\n    ${header} { ${body} }\n    ${members}\n}\n`;
}

describeCompiled(
  'java',
  'candidates in Java that use up everything',
  judge => {
    const verdictOf = async (candidate: string) =>
      (await judge({ candidate, tests, entryPoint: 'f', declaration })).verdict;

    test.each(['/etc/passwd', '/proc/self/environ', '/root', '/work'])('%s cannot be read', async path => {
      const body = `try { return new Scanner(new File("${path}")).hasNextLine() ? a.get(-1) > 0 : true; } catch (IOException e) { throw new RuntimeException("refused"); }`;
      expect(await verdictOf(wrong('', '', body))).toMatchObject({ exception: { message: 'refused' } });
    });

    const bombs: Record<string, string> = {
      'strings that double': Array.from({ length: 40 }, (_, i) =>
        i === 0
          ? `static final String C0 = "${'x'.repeat(60_000)}";`
          : `static final String C${i} = C${i - 1} + C${i - 1};`,
      ).join('\n'),
      'an expression nested a hundred thousand times': `int x = ${'('.repeat(1e5)}1${')'.repeat(1e5)};`,
      'a sum of a hundred thousand terms': `int x = ${'1 + '.repeat(1e5)}1;`,
      'nested generic lambdas': `static <T> T id(java.util.function.Supplier<T> s) { return s.get(); }\nObject x = ${'id(() -> '.repeat(60)}1${')'.repeat(60)};`,
      'ten megabytes of methods': Array.from(
        { length: 100_000 },
        (_, i) => `int m${i}(int a) { return a * ${i}; }`,
      ).join('\n'),
      'a large array': `static final int[] X = {${'1,'.repeat(300_000)}};`,
    };
    test.each(Object.keys(bombs))('a bomb of %s ends in a verdict', async name => {
      expect((await verdictOf(wrong(bombs[name] ?? ''))).kind).not.toBe('passed');
      // The next program is compiled as if nothing had happened.
      expect(await verdictOf(wrong(''))).toMatchObject({ kind: 'failed', test: { line: 6 } });
    });

    const exhausting: Record<string, string> = {
      memory: 'List<long[]> all = new ArrayList<>(); while (true) all.add(new long[1 << 20]);',
      threads: 'while (true) new Thread(() -> { while (true); }).start();',
      output: 'while (true) System.out.println("x".repeat(10000));',
      stack: 'return f(a);',
      'a result that is nested without end':
        'List<Object> l = new ArrayList<>(); l.add(l); throw new RuntimeException(l.size() + "");',
    };
    test.each(Object.keys(exhausting))('a candidate that uses up %s ends in a verdict', async name => {
      expect((await verdictOf(wrong('', '', exhausting[name]))).kind).toMatch(
        /^(?:memory|raised|timeout|exited)$/,
      );
    });
  },
  5,
);
