import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFile } from '../../files/package-root.ts';
import { onlyInTests } from './only-in-tests.ts';
import { attacks, falseAlarms, outsideAttacks } from './programs/javascript.ts';
import { attackClasses, onHost, squareTests } from './programs/python-attacks.ts';
import { correctCandidates } from './programs/python-correct.ts';
import { failingCandidates } from './programs/python-failing.ts';

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

/** A line of cases/<language>-<class>.jsonl or, with all classes of a language, cases/<language>.jsonl. */
const lineSchema = z.object({
  id: z.string(),
  class: z.string(),
  language: z.enum([...attackedLanguages, 'javascript']),
  kind: z.enum(['attack', 'honest']),
  code: z.string(),
  tests: z.string(),
  entry_point: z.string(),
  declaration: z.string().default(''),
  expected: z.string(),
  truth: z.enum(['passed', 'failed']).optional(),
  needs: z.string().nullable().default(null),
});

/** All cases that say something about any judge, by language, class and id. */
export function attackCases(): AttackCase[] {
  const all = withOwnIds([...fromFiles(), ...pythonPrograms(), ...javascriptPrograms()]).filter(
    ({ id }) => !onlyInTests.has(id),
  );
  const key = (one: AttackCase) => `${one.language} ${one.class} ${one.id}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function fromFiles(): AttackCase[] {
  const folder = packageFile('lib/sandbox/attack/cases');
  const lines = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean));
  return lines.map(line => {
    const { entry_point, expected, truth, language, ...rest } = lineSchema.parse(JSON.parse(line));
    return {
      ...rest,
      language: language === 'javascript' ? 'js' : language,
      entryPoint: entry_point,
      truth: rest.kind === 'attack' ? null : (truth ?? (expected === 'failed' ? 'failed' : 'passed')),
      // Data that costs a judge memory and time, or what a process does outside of itself.
      isOnHost: rest.class === 'bounds' || rest.class === 'host',
    };
  });
}

function pythonPrograms(): AttackCase[] {
  const base = {
    language: 'python',
    entryPoint: 'square',
    tests: squareTests,
    declaration: '',
    needs: null,
  } as const;
  const lists = Object.entries(attackClasses).flatMap(([name, list]) =>
    list.map(({ name: title, kinds, ...rest }) => ({
      ...base,
      ...rest,
      id: idOf('python', name, title),
      class: name,
      kind: 'attack' as const,
      truth: null,
      isOnHost: onHost.includes(name) || kinds?.includes('memory') === true,
    })),
  );
  const honest = { ...base, kind: 'honest', isOnHost: false } as const;
  return [
    ...lists,
    ...correctCandidates.map(({ name, code, tests = squareTests }) => ({
      ...{ ...honest, id: idOf('python', 'correct', name), class: 'correct', code, tests },
      truth: 'passed' as const,
    })),
    ...failingCandidates.map(({ name, code, tests, verdict }) => ({
      ...{ ...honest, id: idOf('python', 'failing', name), class: 'failing', code, tests, entryPoint: 'f' },
      truth: 'failed' as const,
      isOnHost: verdict.kind === 'memory',
    })),
  ];
}

function javascriptPrograms(): AttackCase[] {
  const base = { language: 'js', entryPoint: 'f', declaration: '', needs: null } as const;
  const attack = (name: string, list: typeof attacks) =>
    list.map(({ name: title, candidate, tests, kinds }) => ({
      ...{ ...base, id: idOf('javascript', name, title), class: name, kind: 'attack' as const },
      ...{ code: candidate, tests, truth: null },
      isOnHost: name === 'host' || kinds.includes('memory'),
    }));
  const correct = falseAlarms.map(({ name, candidate, tests }) => ({
    ...{ ...base, id: idOf('javascript', 'correct', name), class: 'correct', kind: 'honest' as const },
    ...{ code: candidate, tests, truth: 'passed' as const, isOnHost: false },
  }));
  return [...attack('host', outsideAttacks), ...attack('verdict', attacks), ...correct];
}

/** Titles that differ only in punctuation have the same id; the second gets a number. */
function withOwnIds(cases: readonly AttackCase[]): AttackCase[] {
  const seen = new Map<string, number>();
  return cases.map(one => {
    const count = (seen.get(one.id) ?? 0) + 1;
    seen.set(one.id, count);
    return count === 1 ? one : { ...one, id: `${one.id}-${count}` };
  });
}

function idOf(language: string, name: string, title: string): string {
  return `${language}-${name}-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`;
}
