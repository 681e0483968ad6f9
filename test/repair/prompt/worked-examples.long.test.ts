import { expect, test } from 'vitest';
import { MAX_EXAMPLES } from '../../../lib/core/choices.ts';
import { workedExamples } from '../../../lib/repair/prompt/worked-examples/worked-examples.ts';
import { type CompiledLanguage, describeCompiled } from '../../extra/compiled/toolchains.ts';

const goTests = (check: string) =>
  `package main\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n\nfunc TestIt(t *testing.T) {\n\tassert := assert.New(t)\n\t${check}\n}\n`;
const rustTests = (check: string) =>
  `#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn it() {\n        ${check}\n    }\n}\n`;
const cppTests = (check: string) => `#undef NDEBUG\n#include <assert.h>\nint main() {\n    ${check}\n}\n`;
const javaTests = (check: string) =>
  `public class Main {\n    public static void main(String[] args) {\n        Solution s = new Solution();\n        if (!(${check})) {\n            throw new AssertionError();\n        }\n    }\n}\n`;

/** The examples of the docstrings, as tests. */
const tests: Readonly<Record<CompiledLanguage, readonly string[]>> = {
  go: [
    goTests('assert.Equal(480, ShiftMinutes(1320, 360))'),
    goTests('assert.Equal(3, ParcelsNeeded(7, 3))'),
    goTests('assert.Equal([]int{61, 64, 61}, LapTimes([]int{61, 125, 186}))'),
    goTests('assert.Equal(7, HighestWithin([]int{4, 9, 7}, 7))'),
  ],
  rust: [
    rustTests('assert_eq!(shift_minutes(1320, 360), 480);'),
    rustTests('assert_eq!(parcels_needed(7, 3), 3);'),
    rustTests('assert_eq!(lap_times(vec![61, 125, 186]), vec![61, 64, 61]);'),
    rustTests('assert_eq!(highest_within(vec![4, 9, 7], 7), 7);'),
  ],
  cpp: [
    cppTests('assert(shiftMinutes(1320, 360) == 480);'),
    cppTests('assert(parcelsNeeded(7, 3) == 3);'),
    cppTests('assert((lapTimes({61, 125, 186}) == vector<int>{61, 64, 61}));'),
    cppTests('assert(highestWithin({4, 9, 7}, 7) == 7);'),
  ],
  java: [
    javaTests('s.shiftMinutes(1320, 360) == 480'),
    javaTests('s.parcelsNeeded(7, 3) == 3'),
    javaTests('s.lapTimes(List.of(61, 125, 186)).equals(List.of(61, 64, 61))'),
    javaTests('s.highestWithin(List.of(4, 9, 7), 7) == 7'),
  ],
};

for (const language of ['go', 'rust', 'cpp', 'java'] as const) {
  describeCompiled(language, `the worked examples in ${language}`, judge => {
    test.for(workedExamples(language, MAX_EXAMPLES).map((example, index) => ({ ...example, index })))(
      '$entryPoint is wrong before and right after',
      async ({ index, entryPoint, declaration, buggy, fixed }) => {
        const given = { entryPoint, declaration, tests: tests[language][index] ?? '' };
        expect((await judge({ ...given, candidate: fixed })).verdict).toMatchObject({ kind: 'passed' });
        expect((await judge({ ...given, candidate: buggy })).verdict.kind).toBe('failed');
      },
    );
  });
}
