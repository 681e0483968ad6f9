import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HefixError } from '../../../lib/core/errors.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';

const caseSchema = z.strictObject({
  id: z.string(),
  class: z.string(),
  language: z.enum(['python', 'js']),
  kind: z.enum(['attack', 'honest']),
  code: z.string(),
  tests: z.string(),
  entry_point: z.string(),
  declaration: z.string().optional(),
  /** For an honest program, the verdict in one process; for an attack, the right verdict. */
  expected: z.enum(['passed', 'failed', 'refused']),
  only_in_tests: z.boolean().optional(),
});
type Case = z.infer<typeof caseSchema>;

const folder = packageFile('fixtures/attacks/cases');
const cases = readdirSync(folder)
  .filter(name => name.startsWith('python-'))
  .flatMap(name => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map(line => caseSchema.parse(JSON.parse(line)));

describe('the Python cases of the attack list', () => {
  let hurried: Sandbox;
  let patient: Sandbox;
  beforeAll(async () => {
    hurried = await createPythonSandbox({ timeoutSeconds: 2 });
    patient = await createPythonSandbox({ timeoutSeconds: 8 });
  });
  afterAll(() => Promise.all([hurried.close(), patient.close()]));

  test('have unique names', () => {
    expect(new Set(cases.map(one => one.id)).size).toBe(cases.length);
  });

  test.concurrent.each(cases.filter(one => one.kind === 'attack'))('$id is not proven', async one => {
    expect(await judge(one)).not.toMatch(/^passed by proven/);
  });

  let right = 0;
  const honest = cases.filter(one => one.kind === 'honest');
  test.concurrent.each(honest)('$id is right', async one => {
    const outcome = await judge(one);
    const isRight = outcome.startsWith('passed') === (one.expected === 'passed');
    if (isRight && !outcome.startsWith('TESTS_INVALID')) right += 1;
    expect(outcome).toMatch(one.expected === 'passed' ? /^(passed|TESTS_INVALID)/ : /^(?!passed)/);
  });

  test('at least 97% of the honest programs are judged right', () => {
    expect(right / honest.length).toBeGreaterThanOrEqual(0.97);
  });

  async function judge(one: Case): Promise<string> {
    const { code: candidate, tests, entry_point: entryPoint, declaration } = one;
    try {
      const request = { language: 'python', candidate, tests, entryPoint } as const;
      // Some attacks use up all the time that they get.
      const sandbox = one.kind === 'attack' ? hurried : patient;
      const { verdict, judge: kind } = await sandbox.execute(
        declaration === undefined ? request : { ...request, declaration },
      );
      return `${verdict.kind} by ${kind}: ${verdict.message}`;
    } catch (error) {
      if (error instanceof HefixError && error.code === 'TESTS_INVALID')
        return `${error.code}: ${error.message}`;
      throw error;
    }
  }
});
