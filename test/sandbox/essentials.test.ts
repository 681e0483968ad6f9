import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../lib/core/ports.ts';
import { createSandbox, processStarters } from '../../lib/sandbox/create-sandbox.ts';
import { type AttackProgram, attackPrograms } from './attack-programs.ts';

/**
 * A few programs of the attack list at the strongest level; `*.long.test.ts` judge all of them at all levels.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(processStarters({ timeoutSeconds: 20 }), 'python');
});
afterAll(() => sandbox.close());

const all = attackPrograms('python');
const classes = ['exits', 'lies', 'patches', 'spying', 'forging', 'network'];
const attacks = classes.flatMap(name => all.find(one => one.class === name) ?? []);
const honest = ['correct', 'failing'].flatMap(name => all.filter(one => one.class === name).slice(0, 3));

test('has six of each', () => {
  expect([attacks.length, honest.length]).toEqual([6, 6]);
});

test.each(attacks)('$name does not pass', async one => {
  expect((await execute(one)).verdict.kind).not.toBe('passed');
});

test.each(honest)('$name is judged right', async one => {
  const { verdict } = await execute(one);
  expect(verdict.kind === 'passed', verdict.message).toBe(one.class === 'correct');
});

function execute({ code: candidate, tests, entry_point: entryPoint, declaration }: AttackProgram) {
  return sandbox.execute({ language: 'python', candidate, tests, entryPoint, declaration });
}
