import { expect, test } from 'vitest';
import { describeCompiled, type Judge } from '../toolchains.ts';

const setup =
  'package main\n\nimport (\n\t"testing"\n\t"math"\n\t"github.com/stretchr/testify/assert"\n)\n\n';

function testsOf(...lines: string[]): string {
  const body = lines.map(line => `\t${line}\n`).join('');
  return `${setup}func TestF(t *testing.T) {\n\tassert := assert.New(t)\n${body}}\n`;
}

/** `header` is that of F; the tests' first own line is line 11. */
async function verdictOf(judge: Judge, header: string, candidate: string, ...lines: string[]) {
  const tests = testsOf(...lines);
  return (await judge({ candidate, tests, entryPoint: 'F', declaration: `${header} {\n` })).verdict;
}

const int = 'func F(a int) int';

describeCompiled(
  'go',
  'Go candidates',
  (judge, sandbox) => {
    test('pass, and fail with the line, the expected and the actual value', async () => {
      const tests = 'assert.Equal(3, F(2))';
      expect(await verdictOf(judge, int, `${int} { return a + 1 }`, tests)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, int, `${int} { return a + 2 }`, tests)).toEqual({
        kind: 'failed',
        message: 'F(2) returned 4, but the tests want 3.',
        test: { line: 11, source: tests },
        expected: '3',
        actual: '4',
      });
    });

    test('candidates that panic are reported with their line', async () => {
      const candidate = `${int} {\n\tx := []int{}\n\treturn x[a]\n}`;
      const message = 'runtime error: index out of range [2] with length 0';
      expect(await verdictOf(judge, int, candidate, 'assert.Equal(3, F(2))')).toMatchObject({
        kind: 'raised',
        message: `F(2) raised panic: ${message} (line 3).`,
        exception: { type: 'panic', message, line: 3 },
      });
    });

    test('candidates that panic as expected pass', async () => {
      const lines = ['assert.Panics(func() { F(2) })', 'assert.Equal(1, F(1))'];
      const candidate = `${int} {\n\tif a == 2 {\n\t\tpanic("two")\n\t}\n\treturn a\n}`;
      expect(await verdictOf(judge, int, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('candidates that do not compile are reported in the compiler’s words', async () => {
      const tests = 'assert.Equal(3, F(2))';
      const unused = `${int} {\n\tx := 1\n\treturn a\n}`;
      expect(await verdictOf(judge, int, unused, tests)).toMatchObject({
        kind: 'syntax',
        message: expect.stringMatching(/declared.*not used.*\(line 2\)\.$/),
        exception: { type: 'CompileError', line: 2 },
      });
      const imported = `import "fmt"\n\n${int} { return a }`;
      expect(await verdictOf(judge, int, imported, tests)).toMatchObject({
        kind: 'syntax',
        // Go 1.19 puts the name last.
        message: expect.stringMatching(/"fmt" imported and not used|imported and not used: "fmt"/),
      });
      expect(await sandbox().checkSyntax('go', unused)).toMatchObject({ line: 2 });
      expect(await sandbox().checkSyntax('go', `${int} { return a }`)).toBeNull();
    });

    test('may ignore the task’s imports, and use packages without importing them', async () => {
      const header = `import (\n\t"sort"\n)\n\n${int}`;
      const candidate = `import (\n\t"sort"\n)\n\n${int} { return int(math.Abs(float64(a))) }`;
      expect(await verdictOf(judge, header, candidate, 'assert.Equal(3, F(-3))')).toMatchObject({
        kind: 'passed',
      });
      expect(await sandbox().checkSyntax('go', candidate, undefined, `${header} {\n`)).toBeNull();
    });

    test('functions of another name or type have the wrong signature', async () => {
      const tests = 'assert.Equal(3, F(2))';
      const other = 'func F(a string) int { return 3 }';
      expect(await verdictOf(judge, int, other, tests)).toMatchObject({ kind: 'signature' });
      expect(await verdictOf(judge, int, 'func G(a int) int { return 3 }', tests)).toMatchObject({
        kind: 'signature',
        message: 'undefined: F.',
      });
    });

    test('candidates that never return, exhaust memory or end the process', async () => {
      const tests = 'assert.Equal(3, F(2))';
      expect(await verdictOf(judge, int, `${int} {\n\tfor {\n\t}\n}`, tests)).toMatchObject({
        kind: 'timeout',
        message: 'F(2) did not return within 3 seconds.',
        test: { line: 11 },
      });
      const memory = `${int} { return len(make([]int, 1<<40)) }`;
      expect(await verdictOf(judge, int, memory, tests)).toMatchObject({ kind: 'memory' });
      const exit = `import "os"\n\n${int} {\n\tos.Exit(0)\n\treturn 3\n}`;
      expect(await verdictOf(judge, int, exit, tests)).toMatchObject({
        kind: 'exited',
        message: 'F(2) ended the process with status 0.',
      });
      expect(await verdictOf(judge, int, `${int} { return F(a) + 1 }`, tests)).toMatchObject({
        kind: 'raised',
        exception: { type: 'fatal error', message: 'stack overflow' },
      });
    });

    test('receive and return values of every type that can be sent', async () => {
      const same =
        'func F(a any, b map[string][]float64, c [2]int8, d error, e ...uint8) (any, map[string][]float64, [2]int8, error, []uint8)';
      const candidate = `${same} { return a, b, c, d, e }`;
      const lines = [
        'x := map[any]any{1: "one", "two": []any{2.5, nil, []int{}}}',
        'a, b, c, d, e := F(x, map[string][]float64{"n": {math.NaN(), math.Inf(1)}}, [2]int8{-128, 127}, nil, 255, 0)',
        'assert.Equal(x, a)',
        'assert.True(math.IsNaN(b["n"][0]) && math.IsInf(b["n"][1], 1))',
        'assert.Equal([2]int8{-128, 127}, c)',
        'assert.Nil(d)',
        'assert.Equal([]uint8{255, 0}, e)',
      ];
      expect(await verdictOf(judge, same, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('distinguish nil and empty, and keep strings as bytes', async () => {
      const header = 'func F(a []int, s string) ([]int, string)';
      const lines = [
        'a, s := F(nil, "\\xff\\x00ä")',
        'assert.Nil(a)',
        'assert.Equal("\\xff\\x00ä", s)',
        'b, _ := F([]int{}, "")',
        'assert.NotNil(b)',
      ];
      expect(await verdictOf(judge, header, `${header} { return a, s }`, ...lines)).toMatchObject({
        kind: 'passed',
      });
    });

    test('change the tests’ values, as in one process', async () => {
      const header = 'func F(a []int, m map[string]int, p *int) int';
      const candidate = `${header} {\n\ta[0] = 7\n\tdelete(m, "x")\n\tm["y"] = 2\n\t*p = 5\n\treturn len(append(a, 1))\n}`;
      const lines = [
        'a, m, p := []int{1, 2}, map[string]int{"x": 1}, 0',
        'assert.Equal(3, F(a, m, &p))',
        'assert.Equal([]int{7, 2}, a)',
        'assert.Equal(map[string]int{"y": 2}, m)',
        'assert.Equal(5, p)',
      ];
      expect(await verdictOf(judge, header, candidate, ...lines)).toMatchObject({ kind: 'passed' });
    });

    test('share memory with their arguments, as in one process', async () => {
      const header = 'func F(a []int, m map[string]int, p *int) ([]int, []int, map[string]int, *int)';
      const lines = [
        'a, m, p := []int{1, 2, 3}, map[string]int{}, 0',
        'b, c, n, q := F(a, m, &p)',
        'b[1], n["x"], *q = 8, 5, 6',
        'assert.Equal(8, a[2])',
        'assert.Equal(2, len(append(b[:1], 7)))',
        'assert.Equal([]int{1, 2, 7}, a)',
        'c[0] = 9',
        'assert.Equal(1, a[0])',
        'assert.Equal(5, m["x"])',
        'assert.Equal(6, p)',
      ];
      const candidate = `${header} { return a[1:], append([]int{}, a...), m, p }`;
      expect(await verdictOf(judge, header, candidate, ...lines)).toMatchObject({ kind: 'passed' });
      const copying = `${header} { return append([]int{}, a[1:]...), a, m, p }`;
      expect(await verdictOf(judge, header, copying, ...lines)).toMatchObject({ kind: 'failed' });
    });

    test('panic with values that tests recover', async () => {
      const lines = [
        'recovered := func(a int) (r any) {',
        '\tdefer func() { r = recover() }()',
        '\treturn F(a)',
        '}',
        'fault, isFault := recovered(0).(runtime.Error)',
        'assert.True(isFault)',
        'assert.Contains(fault.Error(), "index out of range")',
        'assert.Equal("one", recovered(1))',
        'assert.EqualError(recovered(2).(error), "two")',
        'assert.Equal(2.5, recovered(3))',
        'assert.Equal([]int{4}, recovered(4))',
      ];
      const candidate = `${int} {\n\tswitch a {\n\tcase 1:\n\t\tpanic("one")\n\tcase 2:\n\t\tpanic(errors.New("two"))\n\tcase 3:\n\t\tpanic(2.5)\n\tcase 4:\n\t\tpanic([]int{4})\n\t}\n\treturn []int{}[a]\n}`;
      expect(await verdictOf(judge, int, candidate, ...lines)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, int, candidate, 'assert.Equal(1, F(3))')).toMatchObject({
        message: 'F(3) raised panic: 2.5 (line 8).',
      });
    });

    test('cannot return values that cannot be sent', async () => {
      const header = 'func F(a int) any';
      const candidate = `${header} { return func() {} }`;
      expect(await verdictOf(judge, header, candidate, 'assert.Nil(F(2))')).toMatchObject({
        kind: 'not-serializable',
        message: 'F(2) returned a value of type func(), which cannot be sent to the tests.',
      });
    });

    test('may print', async () => {
      const candidate = `${int} {\n\tfmt.Println("out")\n\tprintln("err")\n\treturn 3\n}`;
      const tests = testsOf('assert.Equal(3, F(2))');
      const execution = await judge({ candidate, tests, entryPoint: 'F', declaration: `${int} {\n` });
      expect(execution).toMatchObject({ stdout: 'out\n', stderr: 'err\n', judge: 'proven' });
      expect(execution.verdict.kind).toBe('passed');
    });

    test('need no declaration if they use only predeclared types', async () => {
      const tests = testsOf('assert.Equal([]int{3}, F(2))');
      const candidate = 'func F(a int) []int { return []int{a + 1} }';
      expect((await judge({ candidate, tests, entryPoint: 'F' })).verdict.kind).toBe('passed');
      const alias = 'type Row = []int\n\ntype Rows = []Row\n\nfunc F(a Row) Rows { return Rows{a} }';
      const wanted = testsOf('assert.Equal([][]int{{3}}, F([]int{3}))');
      expect((await judge({ candidate: alias, tests: wanted, entryPoint: 'F' })).verdict.kind).toBe('passed');
      const own = 'type T struct{ x int }\n\nfunc F(a int) T { return T{a} }';
      expect((await judge({ candidate: own, tests, entryPoint: 'F' })).verdict).toMatchObject({
        kind: 'signature',
        message: expect.stringContaining('Values of the type T cannot be sent.'),
      });
    });

    test('tests that use only the testing package', async () => {
      const tests = `package main\n\nimport "testing"\n\nfunc TestF(t *testing.T) {\n\tif got := F(2); got != 3 {\n\t\tt.Errorf("F(2) = %d, want 3", got)\n\t}\n}\n`;
      const request = { tests, entryPoint: 'F', declaration: `${int} {\n` };
      expect((await judge({ ...request, candidate: `${int} { return 3 }` })).verdict.kind).toBe('passed');
      expect((await judge({ ...request, candidate: `${int} { return 4 }` })).verdict).toMatchObject({
        kind: 'failed',
        message: 'F(2) = 4, want 3',
        test: { line: 7 },
      });
    });

    test('a panic in the tests counts, even in a goroutine', async () => {
      const test = [
        '_ = assert',
        'var w sync.WaitGroup',
        'w.Add(1)',
        'go func() {',
        '\tdefer time.Sleep(20 * time.Millisecond)',
        '\tdefer w.Done()',
        '\tif F(2) != 3 {',
        '\t\tpanic("no")',
        '\t}',
        '}()',
        'w.Wait()',
      ];
      expect(await verdictOf(judge, int, `${int} { return 3 }`, ...test)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, int, `${int} { return 4 }`, ...test)).toMatchObject({
        kind: 'raised',
        message: 'The tests raised panic: no.',
      });
    });

    test.each(['t.Skip("no")', 't.Skipf("%d", 1)', 't.SkipNow()'])('%s does not pass', async skip => {
      expect(await verdictOf(judge, int, `${int} { return 3 }`, 'assert.Equal(3, F(2))', skip)).toEqual({
        kind: 'failed',
        message: 'The tests were skipped.',
        test: expect.objectContaining({ line: 12 }),
      });
    });

    test('tests that end the process fail', async () => {
      const test = ['if F(2) != 3 {', '\tlog.Fatal("no")', '}', 'assert.True(true)'];
      expect(await verdictOf(judge, int, `${int} { return 3 }`, ...test)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(judge, int, `${int} { return 4 }`, ...test)).toEqual({
        kind: 'failed',
        message: 'The tests ended with status 1.',
      });
    });

    test.each([
      ['that do not compile', 'assert.Equal(3, G(2))', 'The tests do not compile: line 11: undefined: G.'],
      ['that never call the function', 'assert.Equal(3, 3)', 'The tests never call F.'],
    ])('tests %s are invalid', async (_, line, message) => {
      const found = verdictOf(judge, int, `${int} { return 3 }`, line);
      await expect(found).rejects.toMatchObject({ code: 'TESTS_INVALID', message });
    });

    test('one process for candidate and tests is refused', async () => {
      const request = { candidate: '', tests: '', entryPoint: 'F', judge: 'isolated' } as const;
      await expect(judge(request)).rejects.toMatchObject({ code: 'JUDGE_UNSUPPORTED' });
    });
  },
  3,
);
