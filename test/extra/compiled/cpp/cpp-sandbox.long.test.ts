import { expect, test } from 'vitest';
import { describeCompiled, type Judge } from '../toolchains.ts';

const int = 'int f(int x)';

/** The tests' first assertion is line 4. */
function testsOf(...lines: string[]): string {
  return [
    '#undef NDEBUG',
    '#include <assert.h>',
    'int main() {',
    ...lines.map(line => `  ${line}`),
    '}',
    '',
  ].join('\n');
}

async function verdictOf(judge: Judge, header: string, candidate: string, ...lines: string[]) {
  const declaration = `#include <vector>\n#include <string>\nusing namespace std;\n${header} {\n`;
  const code = `#include <vector>\n#include <string>\nusing namespace std;\n${candidate}`;
  return (await judge({ candidate: code, tests: testsOf(...lines), entryPoint: 'f', declaration })).verdict;
}

describeCompiled(
  'cpp',
  'C++ candidates',
  (judge, sandbox) => {
    test('pass, and fail with the line, the expected and the actual value', async () => {
      const tests = 'assert(f(2) == 4);';
      expect(await verdictOf(judge, int, `${int} { return 2 * x; }`, tests)).toMatchObject({
        kind: 'passed',
      });
      expect(await verdictOf(judge, int, `${int} { return x + 1; }`, tests)).toEqual({
        kind: 'failed',
        message: 'f(2) returned 3, but the tests want 4.',
        test: { line: 4, source: tests },
        expected: '4',
        actual: '3',
      });
    });

    test('candidates that throw are reported with their line, even if the library threw', async () => {
      const candidate = `${int} {\n  vector<int> v;\n  return v.at(x);\n}`;
      expect(await verdictOf(judge, int, candidate, 'assert(f(2) == 4);')).toMatchObject({
        kind: 'raised',
        exception: { type: 'std::out_of_range', line: 6 },
      });
    });

    test('candidates that crash are reported with the signal and their line', async () => {
      const candidate = `${int} {\n  return 4 / (x - 2);\n}`;
      expect(await verdictOf(judge, int, candidate, 'assert(f(2) == 4);')).toMatchObject({
        kind: 'raised',
        message: 'f(2) raised SIGFPE: integer division by zero or overflow (line 5).',
      });
    });

    test('candidates that throw as expected pass', async () => {
      const lines = [
        'bool thrown = false;',
        'try { f(2); } catch (const std::invalid_argument &) { thrown = true; }',
      ];
      const candidate = `#include <stdexcept>\n${int} { throw invalid_argument("no"); }`;
      const verdict = await verdictOf(judge, int, candidate, ...lines, 'assert(thrown);');
      expect(verdict).toMatchObject({ kind: 'passed' });
    });

    test('candidates that do not compile are reported with the compiler’s first error and line', async () => {
      expect(await verdictOf(judge, int, `${int} {\n  return y;\n}`, 'assert(f(2) == 4);')).toMatchObject({
        kind: 'syntax',
        message: "'y' was not declared in this scope (line 5).",
      });
      expect(await verdictOf(judge, int, `${int} {\n  return x;\n`, 'assert(f(2) == 4);')).toMatchObject({
        kind: 'syntax',
        exception: { message: "expected '}' at end of input" },
      });
      const undefinedFunction = `int g(int);\n${int} { return g(x); }`;
      expect(await verdictOf(judge, int, undefinedFunction, 'assert(f(2) == 4);')).toMatchObject({
        kind: 'syntax',
        message: 'undefined reference to g.',
      });
    });

    test('functions of another type have the wrong signature', async () => {
      const candidate = 'string f(string x) { return x; }';
      expect(await verdictOf(judge, int, candidate, 'assert(f(2) == 4);')).toMatchObject({
        kind: 'signature',
        message: expect.stringContaining("could not convert argument 1 from 'int' to"),
      });
    });

    test('receive and return all types of the benchmark, nested too', async () => {
      const types = [
        ['vector<string>', '{"a\\"b", "", "\\xff\\n"}'],
        ['vector<vector<double>>', '{{1.5, -0.0}, {}}'],
        ['vector<float>', '{0.1f, 3e38f}'],
        ['map<char, int>', "{{'a', 1}, {'\\n', -2}}"],
        ['map<string, vector<pair<int, bool>>>', '{{"x", {{1, true}, {2, false}}}}'],
        ['vector<bool>', '{true, false}'],
        ['long long', '-9223372036854775807LL - 1'],
        ['unsigned char', '255'],
        ['optional<string>', 'nullopt'],
        ['tuple<int, string, double>', '{1, "two", 3.0}'],
        ['list<set<int>>', '{{3, 1}, {}}'],
        ['array<int, 3>', '{1, 2, 3}'],
        ['unordered_map<int, deque<char>>', "{{1, {'a'}}}"],
      ] as const;
      await Promise.all(
        types.map(async ([type, value]) => {
          const header = `${type} f(${type} x)`;
          const line = `{ ${type} given = ${value}; ${type} back = f(given); assert(back == given); }`;
          const found = await verdictOf(judge, header, `${header} { return x; }`, line);
          expect({ type, ...found }).toMatchObject({ type, kind: 'passed' });
        }),
      );
    });

    test('keep NaN and the sign of zero, and boost’s any with its type', async () => {
      const header = 'double f(double x)';
      const lines = ['assert(std::isnan(f(0.0 / 0.0)));', 'assert(std::signbit(f(-0.0)));'];
      expect(await verdictOf(judge, header, `${header} { return x; }`, ...lines)).toMatchObject({
        kind: 'passed',
      });
      const anyHeader = 'int f(std::list<boost::any> x)';
      const any = await judge({
        declaration: `#include <boost/any.hpp>\n${anyHeader} {\n`,
        candidate: `#include <boost/any.hpp>\n${anyHeader} {\n  int n = 0;\n  for (auto &i : x) if (i.type() == typeid(int)) n++;\n  return n;\n}`,
        tests: testsOf('assert(f({1, 2.5, std::string("3"), \'4\', {}, 5}) == 2);'),
        entryPoint: 'f',
      });
      expect(any.verdict).toMatchObject({ kind: 'passed' });
    });

    test('change arguments passed by reference', async () => {
      const header = 'void f(vector<int> &x)';
      const lines = ['vector<int> a = {1};', 'f(a);', 'assert((a == vector<int>{1, 3}));'];
      expect(await verdictOf(judge, header, `${header} { x.push_back(3); }`, ...lines)).toMatchObject({
        kind: 'passed',
      });
    });

    test('are stopped at the time limit, as opposed to those that exit', async () => {
      const endless = await verdictOf(judge, int, `${int} { while (true) x++; }`, 'assert(f(2) == 4);');
      expect(endless).toMatchObject({ kind: 'timeout', message: 'f(2) did not return within 10 seconds.' });
      const ending = await verdictOf(
        judge,
        int,
        `#include <cstdlib>\n${int} { exit(0); }`,
        'assert(f(2) == 4);',
      );
      expect(ending).toMatchObject({ kind: 'exited', message: 'f(2) ended the process with status 0.' });
    });

    test('are judged by their own header without a declaration', async () => {
      const candidate = '#include <string>\nstd::string f(std::string text) { return text + "!"; }';
      const { verdict } = await judge({
        candidate,
        tests: testsOf('assert(f("a") == "a!");'),
        entryPoint: 'f',
      });
      expect(verdict).toMatchObject({ kind: 'passed' });
    });

    test('are not judged by tests that do not compile, assert nothing, or never call the function', async () => {
      const candidate = `${int} { return x; }`;
      const invalid = { code: 'TESTS_INVALID' };
      await expect(verdictOf(judge, int, candidate, 'assert(g(2) == 4);')).rejects.toMatchObject(invalid);
      await expect(verdictOf(judge, int, candidate, 'f(2);')).rejects.toMatchObject(invalid);
      await expect(verdictOf(judge, int, candidate, 'assert(1 == 1);')).rejects.toMatchObject(invalid);
    });

    test('are compiled separately to check their syntax', async () => {
      expect(await sandbox().checkSyntax('cpp', 'int f() { return 1; }\n')).toBeNull();
      expect(await sandbox().checkSyntax('cpp', 'int f() {\n  retur 1;\n}\n')).toMatchObject({ line: 2 });
    });
  },
  10,
);
