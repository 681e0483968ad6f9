import { expect, test } from 'vitest';
import { judgeSources } from '../../../../lib/extra/compiled/go/sources.ts';
import { openParser } from '../../../../lib/syntax/parser.ts';

const parser = await openParser('go');

function build(tests: string, result = 'int'): string {
  const run = 'package main\n\nfunc TestRuns(t *testing.T) { if F(3) != 9 { t.Fatal() } }\n';
  const task = { entryPoint: 'F', declaration: `func F(a int) ${result} {\n`, tests: `${run}${tests}\n` };
  return judgeSources(parser, task)['stub.go'] ?? '';
}

test.each([
  ['ExampleF', 'func ExampleF() {\n\tfmt.Println(F(2))\n\t// Output: 4\n}'],
  ['Example', 'func Example() {\n\tfmt.Println(F(2))\n\t/* Unordered output:\n\t4 */\n}'],
  ['TestUnnamed', 'func TestUnnamed(*testing.T) { if F(2) != 4 { panic(2) } }'],
  ['TestRenamed', 'func TestRenamed(t *check.T) { if F(2) != 4 { t.Fatal() } }'],
  ['FuzzF', 'func FuzzF(f *testing.F) { f.Add(1) }'],
  ['TestMain', 'func TestMain(m *testing.M) { m.Run() }'],
  ['TestHidden', 'func broken( {\n\nfunc TestHidden(t *testing.T) { if F(2) != 4 { t.Fatal() } }'],
])('tests with %s, which would not run, are refused by name', (name, tests) => {
  expect(() => build(tests)).toThrow(
    expect.objectContaining({
      code: 'TESTS_INVALID',
      message: `The tests have ${name}, which would not run: each test has to be a function Test…(t *testing.T).`,
    }),
  );
});

test('refuses tests that would not run, except those that go test ignores', () => {
  const judge = build('func ExampleF() { F(2) }\n\nfunc Testing(t *testing.T) { t.Fatal() }\n');
  expect(judge).toContain('TestRuns(');
  expect(judge).not.toContain('Testing(');
});

test('tests that compare errors by identity are refused', () => {
  const message = /^The tests compare errors by identity/;
  expect(() => build('var is = errors.Is(F(1), ErrNegative)', 'error')).toThrow(message);
  expect(() => build('func is(err error) bool { return err == io.EOF }', '(int, error)')).toThrow(message);
  expect(build('func is(err error) bool { return err == nil }', 'error')).toContain('TestRuns(');
});
