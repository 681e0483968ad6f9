import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Candidates that would use up what a compiler may take, or read its files. */

const header = 'bool f(vector<int> a)';
const includes = '#include <vector>\n#include <string>\nusing namespace std;\n';
const tests = `#undef NDEBUG
#include <assert.h>
int main() {
  assert(f({1, 2}) == true);
  assert(f({2, 1}) == false);
  assert(f({}) == true);
}
`;
const wrong = `${header} { return true; }\n`;

describeCompiled(
  'cpp',
  'candidates in C++ that use up everything',
  judge => {
    const read: Record<string, string> = {
      'includes a file of the machine': '#include "/etc/passwd"',
      'includes a device': '#include "/dev/stdin"',
      'includes a file of bytes': 'asm(".section .rodata\\n.incbin \\"/etc/passwd\\"\\n.text");',
      'includes an endless device': '#include "/dev/zero"',
    };
    test.each(Object.keys(read))(
      'a candidate that %s does not compile, and tells nothing of it',
      async name => {
        const candidate = `${includes}${wrong}${read[name]}\n`;
        const declaration = `${includes}${header} {\n`;
        const { verdict } = await judge({ candidate, tests, entryPoint: 'f', declaration });
        expect(['syntax', 'timeout']).toContain(verdict.kind);
        expect(JSON.stringify(verdict)).not.toContain('root:');
      },
    );

    const bombs: Record<string, string> = {
      templates:
        'template <int N, long M> struct X { typename X<N - 1, 2 * M>::t a; typename X<N - 1, 2 * M + 1>::t b; typedef int t; };\ntemplate <long M> struct X<0, M> { typedef int t; };\nX<60, 0> x;',
      constants:
        'constexpr long g() { long s = 0; for (long i = 0; i < 1000000000000; i++) s += i; return s; }\nstatic_assert(g(), "");',
      arrays: 'char big[1L << 32] = {1};',
      'larger arrays': 'char big[1L << 40] = {1};',
      macros:
        '#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(x))\nint y[] = { C(1,) };',
    };
    test.each(Object.keys(bombs))('a bomb of %s ends in a verdict', async name => {
      const candidate = `${includes}${wrong}${bombs[name]}\n`;
      const declaration = `${includes}${header} {\n`;
      const { verdict } = await judge({ candidate, tests, entryPoint: 'f', declaration });
      expect(['syntax', 'timeout']).toContain(verdict.kind);
    });
  },
  5,
);
