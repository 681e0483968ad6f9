import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Wrong candidates that try to pass anyway. */

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

/** A judge's report of passed tests, as bytes of a C string. */
const forged =
  '"\\x26\\0\\0\\0\\6\\0\\0\\0passed\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0", 42';

const attacks: Record<string, string> = {
  'ends the process in a static initialiser': `#include <cstdlib>\n${wrong}static int x = (exit(0), 0);`,
  'ends the process in a constructor': `#include <unistd.h>\n${wrong}__attribute__((constructor)) void g() { _exit(0); }`,
  'ends the process in the function': `#include <cstdlib>\n${header} { exit(0); }`,
  'has a main that returns 0': `${wrong}int main() { return 0; }`,
  'renames main': `${wrong}#undef main\nint main() { return 0; }\n#define main tests_main\n`,
  'defines assert and what it calls': `${wrong}#define assert(...) ((void)0)\n#define __assert_fail(...) ((void)0)\nextern "C" void abort() { for (;;); }\n`,
  'ignores SIGABRT': `#include <csignal>\n#include <unistd.h>\n${wrong}static auto old = signal(SIGABRT, [](int) { _exit(0); });`,
  'returns an object that equals all': `struct Equal { template <class T> bool operator==(T) const { return true; } operator bool() const { return true; } };\nEqual f(vector<int> a) { return {}; }`,
  'defines false': `#define false true\n${wrong}`,
  'writes a report to every descriptor': `#include <unistd.h>\n${wrong}static int x = [] { for (int fd = 1; fd < 40; fd++) (void)!write(fd, ${forged}); return 0; }();`,
  'writes a report and ends': `#include <unistd.h>\n${header} { for (int fd = 1; fd < 40; fd++) (void)!write(fd, ${forged}); _exit(0); }`,
  'replaces the code that serves': `#define hefix_answer hefix_other\n${wrong}`,
  'serves itself': `${wrong}extern "C" void hefix_serve() {}\nnamespace hefix { int asserted_by_candidate = 1; void asserted(bool) {} }`,
  'answers before it is asked': `#include <sys/socket.h>\n${header} { for (int fd = 3; fd < 40; fd++) send(fd, "\\2\\0\\0\\0\\0\\1\\2\\0\\0\\0\\0\\1\\2\\0\\0\\0\\0\\1", 18, MSG_NOSIGNAL); return true; }`,
  'claims 4 GB': `#include <unistd.h>\n${header} { for (int fd = 3; fd < 40; fd++) (void)!write(fd, "\\xff\\xff\\xff\\xff", 4); for (;;) sleep(1); }`,
  'sends a bool that is none': `#include <unistd.h>\n${header} { for (int fd = 3; fd < 40; fd++) (void)!write(fd, "\\2\\0\\0\\0\\0\\7", 6); for (;;) sleep(1); }`,
  'sends an empty message': `#include <unistd.h>\n${header} { for (int fd = 3; fd < 40; fd++) (void)!write(fd, "\\0\\0\\0\\0", 4); for (;;) sleep(1); }`,
  'closes the line': `#include <unistd.h>\n${header} { for (int fd = 0; fd < 60; fd++) close(fd); return true; }`,
  'signals others': `#include <csignal>\n#include <unistd.h>\n${wrong}static int x = kill(getppid(), SIGKILL) + kill(-1, SIGKILL);`,
  'traces others': `#include <sys/ptrace.h>\n#include <unistd.h>\n${wrong}static long x = ptrace(PTRACE_ATTACH, getppid(), 0, 0);`,
  'starts a program': `#include <cstdlib>\n${header} { return system("true") == 0 || true; }`,
  'throws what is no exception': `${header} { throw 42; }`,
  'corrupts the heap': `#include <cstring>\n${header} { char *p = new char[1]; memset(p - 64, 255, 4096); delete[] p; return true; }`,
};

describeCompiled(
  'cpp',
  'attacks in C++',
  judge => {
    test.each(Object.keys(attacks))('a candidate that %s does not pass', async name => {
      const candidate = includes + attacks[name];
      const declaration = `${includes}${header} {\n`;
      const { verdict } = await judge({ candidate, tests, entryPoint: 'f', declaration });
      expect(verdict.kind).not.toBe('passed');
    });

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
      'includes of itself': '#include __FILE__\n#include __FILE__',
      macros:
        '#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(x))\nint y[] = { C(1,) };',
    };
    test.each(Object.keys(bombs))('a bomb of %s ends in a verdict', { timeout: 120_000 }, async name => {
      const candidate = `${includes}${wrong}${bombs[name]}\n`;
      const declaration = `${includes}${header} {\n`;
      const { verdict } = await judge({ candidate, tests, entryPoint: 'f', declaration });
      expect(['syntax', 'timeout']).toContain(verdict.kind);
    });
  },
  5,
);
