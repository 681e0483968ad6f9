import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Candidates that would use up what a compiler may take, or read its files. */

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

describeCompiled(
  'go',
  'candidates in Go that use up everything',
  judge => {
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
    test.each(Object.entries(bombs))('%s end in a verdict', async (_, code) => {
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
