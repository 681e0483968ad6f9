import { expect, test } from 'vitest';
import { type AttackCase, attackCases } from '../../../lib/extra/attack/attack-cases.ts';
import { describeCompiled } from '../compiled/toolchains.ts';

/** The programs in compiled languages that `hefix attack` runs. */

const all = attackCases();

for (const language of ['cpp', 'go', 'java', 'rust'] as const)
  describeCompiled(
    language,
    `the attack list in ${language}`,
    judge => {
      const cases = all.filter(one => one.language === language);
      const verdictOf = async ({ code: candidate, tests, entryPoint, declaration }: AttackCase) =>
        (await judge({ candidate, tests, entryPoint, declaration })).verdict;

      test('has at least 15 attacks', () => {
        expect(cases.filter(({ kind }) => kind === 'attack').length).toBeGreaterThan(14);
      });

      test.concurrent.each(cases.filter(({ kind }) => kind === 'attack'))('$id does not pass', async one => {
        expect((await verdictOf(one)).kind).not.toBe('passed');
      });

      // The other honest programs are tasks of the bundled sets, which their own tests verify.
      test.concurrent.each(cases.filter(({ kind }) => kind === 'honest').slice(0, 4))(
        '$id is judged right',
        async one => {
          expect((await verdictOf(one)).kind === 'passed').toBe(one.truth === 'passed');
        },
      );
    },
    5,
  );
