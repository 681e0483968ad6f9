import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../lib/core/ports.ts';
import { attackCases } from '../../lib/sandbox/attack/attack-cases.ts';
import { createSandbox, processStarters } from '../../lib/sandbox/create-sandbox.ts';

/**
 * A few programs of the attack list at the strongest level; `*.long.test.ts` judge all of them at all levels.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(processStarters({ timeoutSeconds: 20 }), 'python');
});
afterAll(() => sandbox.close());

const all = attackCases();
const classes = ['exits', 'lies', 'patches', 'spying', 'forging', 'network'];
const attacks = classes.flatMap(
  name => all.find(one => one.class === name && one.language === 'python') ?? [],
);
const honest = (['passed', 'failed'] as const).flatMap(truth =>
  all
    .filter(one => one.language === 'python' && one.truth === truth)
    .filter(one => ['correct', 'failing'].includes(one.class) && !one.isOnHost)
    .slice(0, 3),
);

test('has six of each', () => {
  expect([attacks.length, honest.length]).toEqual([6, 6]);
});

test.each(attacks)('$id does not pass', async one => {
  expect((await sandbox.execute({ ...one, candidate: one.code })).verdict.kind).not.toBe('passed');
});

test.each(honest)('$id is judged right', async one => {
  const { verdict } = await sandbox.execute({ ...one, candidate: one.code });
  expect(verdict.kind === 'passed', verdict.message).toBe(one.truth === 'passed');
});
