import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFile } from '../../files/package.ts';

export const attackedLanguages = ['python', 'js', 'cpp', 'go', 'java', 'rust'] as const;
export type AttackedLanguage = (typeof attackedLanguages)[number];

/** One program and its tests, given to a judge. */
export interface AttackCase {
  readonly id: string;
  readonly class: string;
  readonly language: AttackedLanguage;
  /**
   * An attack passes without doing what the tests ask for. An honest program does it, or plainly does not.
   */
  readonly kind: 'attack' | 'honest';
  readonly code: string;
  readonly tests: string;
  readonly entryPoint: string;
  /** The task's imports and helpers, up to the function's header line. */
  readonly declaration: string;
  /** For an honest program: whether it passes if program and tests share a process. */
  readonly truth: 'passed' | 'failed' | null;
  /** The global value of Node.js that it attacks, if an older version lacks it; e.g. `Set.prototype.union`. */
  readonly needs: string | null;
  /** Whether it targets the host (memory, processes, files) instead of the verdict. */
  readonly isOnHost: boolean;
}

/**
 * A line of fixtures/attacks: of programs/<language>.jsonl, whose verdicts every sandbox must give, of cases/<language>-<class>.jsonl or, with
 * all classes of a language, of cases/<language>.jsonl.
 */
const lineSchema = z.object({
  id: z.string(),
  class: z.string(),
  language: z.enum([...attackedLanguages, 'javascript']),
  kind: z.enum(['attack', 'honest']),
  code: z.string(),
  tests: z.string(),
  entry_point: z.string(),
  declaration: z.string().default(''),
  expected: z.string().optional(),
  truth: z.enum(['passed', 'failed']).optional(),
  needs: z.string().nullable().default(null),
  on_host: z.boolean().default(false),
  /**
   * The program has no effect on any plain judge, so it says nothing about another judge: it is a wrong answer in a form
   * that is hard to judge (endless, deep or huge values, odd exceptions), or addresses what only this judge has (its
   * messages, names, seeds). The tests judge it; `hefix attack` does not count it.
   */
  only_in_tests: z.boolean().default(false),
});

/** All cases that say something about any judge, by language, class and id. */
export function attackCases(): AttackCase[] {
  const key = (one: AttackCase) => `${one.language} ${one.class} ${one.id}`;
  return ['cases', 'programs'].flatMap(readCases).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function readCases(name: string): AttackCase[] {
  const folder = packageFile(`fixtures/attacks/${name}`);
  return readdirSync(folder)
    .flatMap(file => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean))
    .map(line => lineSchema.parse(JSON.parse(line)))
    .filter(one => !one.only_in_tests)
    .map(({ entry_point, expected, truth, language, on_host, only_in_tests: _, ...rest }) => ({
      ...rest,
      language: language === 'javascript' ? 'js' : language,
      entryPoint: entry_point,
      truth: rest.kind === 'attack' ? null : (truth ?? (expected === 'failed' ? 'failed' : 'passed')),
      // Data that costs a judge memory and time, or what a process does outside of itself.
      isOnHost: on_host || rest.class === 'bounds' || rest.class === 'host',
    }));
}
