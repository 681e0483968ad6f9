import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package-root.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

/** A line of lib/sandbox/attack/cases: a program, its tests and the permitted results. */
interface Case {
  readonly id: string;
  readonly kind: 'attack' | 'honest';
  readonly code: string;
  readonly tests: string;
  readonly entry_point: string;
  readonly declaration?: string;
  /** For an honest program: the verdict in one process. */
  readonly truth?: 'passed' | 'failed';
}

const folder = packageFile('lib/sandbox/attack/cases');
const all = readdirSync(folder)
  .filter(name => name.startsWith('javascript-'))
  .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
  .map(line => JSON.parse(line) as Case);
/** All of them at the strongest level, every fourth at the others; `hefix attack --level` judges all. */
const casesAt = (level: string) => all.filter((_, index) => level === 'bubblewrap' || index % 4 === 0);

const levels = ['bubblewrap', 'namespaces', 'seatbelt', 'ulimit'] as const;
for (const level of levels) {
  const started = await createJavaScriptSandbox({
    timeoutSeconds: 5,
    memoryMiB: 256,
    isolation: level,
  }).catch((problem: Error) => problem);
  if (started instanceof Error) {
    console.warn(`skipped: ${level}: ${started.message}`);
    describe.skip(level, () => test(started.message, () => {}));
  } else describe(level, () => describeCases(started, casesAt(level)));
}

function describeCases(sandbox: Sandbox, cases: readonly Case[]): void {
  afterAll(() => sandbox.close());

  /** The verdict's kind, or the code of the error if there is none. */
  async function outcome({ code, tests, entry_point, declaration = '' }: Case): Promise<string> {
    const request = { candidate: code, tests, entryPoint: entry_point, declaration } as const;
    return sandbox.execute({ language: 'js', ...request }).then(
      ({ verdict }) => verdict.kind,
      (error: { code?: string }) => error.code ?? String(error),
    );
  }

  test.for(cases.filter(({ kind }) => kind === 'attack'))('does not pass: $id', async one => {
    const got = await outcome(one);
    expect(got).not.toBe('passed');
    expect(['SANDBOX_FAILED', 'ISOLATED_VM_MISSING']).not.toContain(got);
  });

  test.for(cases.filter(({ kind }) => kind === 'honest'))('is right or refused: $id', async one => {
    const got = await outcome(one);
    if (got === 'not-serializable' || got === 'TESTS_INVALID') return;
    expect(got === 'passed').toBe(one.truth === 'passed');
  });
}
