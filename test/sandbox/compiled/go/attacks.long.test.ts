import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Wrong candidates that try to pass anyway. */

const header = 'func F(a []int) bool';
const tests = `package main

import (
	"testing"
	"github.com/stretchr/testify/assert"
)

func TestF(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(true, F([]int{1, 2}))
	assert.Equal(false, F([]int{2, 1}))
	assert.Equal(true, F([]int{}))
}
`;
const wrong = `${header} { return true }\n`;

/** Writes a judge's report of passed tests to every descriptor. */
const forgedReport = [
  'frame := []byte{6, 0, 0, 0, 112, 97, 115, 115, 101, 100}',
  'for i := 0; i < 7; i++ { frame = append(frame, 0, 0, 0, 0) }',
  'whole := append([]byte{byte(len(frame)), 0, 0, 0}, frame...)',
  'for fd := 0; fd < 20; fd++ { syscall.Write(fd, whole) }',
].join('\n');

const attacks: Record<string, string> = {
  'ends the process in init': `import "os"\n${wrong}func init() { os.Exit(0) }`,
  'ends the process in a variable': `import "os"\n${wrong}var x = func() int { os.Exit(0); return 1 }()`,
  'ends the process in the function': `import "os"\n${header} { os.Exit(0); return true }`,
  'has a main that returns': `${wrong}func main() {}`,
  'has a TestMain': `${wrong}func TestMain(m any) {}`,
  'has a test of the same name': `${wrong}func TestF(t any) {}`,
  'declares assert': `${wrong}type assertions struct{}\nfunc (assertions) Equal(a, b any) bool { return true }\nvar assert assertions`,
  'declares bool, true and false': `type bool = any\nvar false = true\n${wrong}`,
  'imports the tests’ packages': `import "testing"\n${wrong}var t testing.T`,
  'imports the judge': `import "hefix/judge"\n${wrong}func init() { judge.End(judge.Report{Kind: "passed"}) }`,
  'answers all calls itself': `import "hefix/wire"\n${wrong}func init() { wire.Serve(func(a []int) bool { return true }) }`,
  'writes a report to every descriptor': `import "os"\n${wrong}func init() { for fd := 0; fd < 20; fd++ { os.NewFile(uintptr(fd), "x").Write([]byte("\\x26\\x00\\x00\\x00\\x06\\x00\\x00\\x00passed" + string(make([]byte, 28)))) }; os.Exit(0) }`,
  'writes a report by system calls': `import "syscall"\n${wrong}func init() {\n${forgedReport}\n}`,
  'embeds a file': `import _ "embed"\n//go:embed /etc/passwd\nvar s string\n${header} { return s != "" }`,
  'uses cgo': `/*\n#include <stdlib.h>\n__attribute__((constructor)) void f() { exit(0); }\n*/\nimport "C"\n${wrong}`,
  'links to the run time': `import _ "unsafe"\n//go:linkname exit os.runtime_beforeExit\nfunc exit(code int)\n${wrong}func init() { exit(0) }`,
  'replaces a function of the library': `import _ "unsafe"\n//go:linkname deepEqual reflect.DeepEqual\nfunc deepEqual(a, b any) bool { return true }\n${wrong}`,
  'has build tags and directives': `//go:build ignore\n//line tests.go:1\n${wrong}`,
  'closes the line': `import "os"\n${header} { os.NewFile(0, "line").Close(); return true }`,
  'sends more than was asked': `import "os"\n${header} { os.NewFile(0, "line").Write([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0}); return true }`,
  'claims 4 GB': `import "os"\n${header} { os.NewFile(0, "line").Write([]byte{255, 255, 255, 255}); return true }`,
  'sends a bool that is none': `import "os"\n${header} { os.NewFile(0, "line").Write([]byte{3, 0, 0, 0, 0, 7, 0}); select {} }`,
  'signals its parent': `import "syscall"\n${wrong}func init() { syscall.Kill(syscall.Getppid(), syscall.SIGKILL); syscall.Kill(-1, syscall.SIGKILL) }`,
  'starts a program': `import "os"\n${header} { p, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{}); return p == nil || err != nil }`,
  'panics with a runtime exit': `import "runtime"\n${header} { runtime.Goexit(); return true }`,
  'changes its argument': `${header} { for i := range a { a[i] = i }; return true }`,
};

describeCompiled(
  'go',
  'attacks in Go',
  judge => {
    test.each(Object.entries(attacks))('a candidate that %s does not pass', async (_, candidate) => {
      const request = { candidate, tests, entryPoint: 'F', declaration: `${header} {\n` };
      expect((await judge(request)).verdict.kind).not.toBe('passed');
    });

    const bombs: Record<string, string> = {
      'types that double': `type T0 [2]int\n${doubled(40, i => `type T${i + 1} struct{ a, b T${i} }`)}\nvar x T40`,
      'strings that double': `const C0 = "${'x'.repeat(1000)}"\n${doubled(24, i => `const C${i + 1} = C${i} + C${i}`)}\nvar x = C24`,
      'an array of 8 GiB': 'var x = [1 << 30]int{1<<30 - 1: 1}',
      'an expression nested a hundred thousand times': `var x = ${'('.repeat(1e5)}1${')'.repeat(1e5)}`,
      'ten megabytes of functions': doubled(
        100_000,
        i => `func f${i}(a int) int { for i := 0; i < a; i++ { a += i * ${i} }; return a }`,
      ),
    };
    test.each(Object.entries(bombs))('%s end in a verdict', { timeout: 120_000 }, async (_, code) => {
      const candidate = `${wrong}${code}\n`;
      const { verdict } = await judge({ candidate, tests, entryPoint: 'F', declaration: `${header} {\n` });
      expect(verdict.kind).toMatch(/^(?:syntax|timeout|failed|memory|raised|exited)$/);
    });
  },
  5,
);

function doubled(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}
