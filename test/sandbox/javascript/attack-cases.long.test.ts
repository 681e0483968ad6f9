import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { isolatedVm, needs } from '../../support/needs.ts';

/** A line of fixtures/attacks/cases: a program, its tests and the permitted results. */
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

const folder = packageFile('fixtures/attacks/cases');
const all = readdirSync(folder)
  .filter(name => name.startsWith('javascript-'))
  .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
  .map(line => JSON.parse(line) as Case);

/** At the strongest level alone, since they attack the judge: the conformance tests attack each level. */
const started = await createJavaScriptSandbox({ timeoutSeconds: 5, memoryMiB: 256 }).catch(
  (problem: Error) => problem,
);
describe(
  'the JavaScript cases of the attack list',
  needs({ what: isolatedVm, isThere: !(started instanceof Error) }),
  () => {
    if (started instanceof Error) test('attacks', () => {});
    else describeCases(started);
  },
);

function describeCases(sandbox: Sandbox): void {
  afterAll(() => sandbox.close());

  /** The verdict's kind, `isolated` for a pass in one process, or the code of the error. */
  async function outcome({ code, tests, entry_point, declaration = '' }: Case): Promise<string> {
    const request = { candidate: code, tests, entryPoint: entry_point, declaration } as const;
    return sandbox.execute({ language: 'js', ...request }).then(
      ({ verdict, judge }) => (verdict.kind === 'passed' && judge === 'isolated' ? judge : verdict.kind),
      (error: { code?: string }) => error.code ?? String(error),
    );
  }

  test.concurrent.for(all.filter(({ kind }) => kind === 'attack'))('does not pass: $id', async one => {
    const got = await outcome(one);
    expect(got).not.toBe('passed');
    expect(['SANDBOX_FAILED', 'ISOLATED_VM_MISSING']).not.toContain(got);
  });

  test.concurrent.for(all.filter(({ kind }) => kind === 'honest'))('is right or refused: $id', async one => {
    const got = await outcome(one);
    if (got === 'not-serializable' || got === 'TESTS_INVALID') return;
    expect(got === 'passed' || got === 'isolated').toBe(one.truth === 'passed');
  });
}
