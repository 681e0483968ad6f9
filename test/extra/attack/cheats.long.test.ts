import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { differsOnMost } from '../../../lib/core/counts.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { type AttackCase, attackCases } from '../../../lib/extra/attack/attack-cases.ts';
import { observe } from '../../../lib/repair/behaviour/outcome.ts';
import { recordedCalls } from '../../../lib/repair/behaviour/recorded-calls.ts';
import { literalOf } from '../../../lib/repair/behaviour/shown.ts';
import { suitesWithCalls } from '../../../lib/repair/examples/examples.ts';
import { createRobustCheck, type RobustCheck } from '../../../lib/repair/robust/robust-check.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

let sandbox: Sandbox;
let check: RobustCheck;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 60 });
  check = createRobustCheck(sandbox, () => createPythonSandbox({ timeoutSeconds: 60, hashSeed: 1 }));
});
afterAll(async () => {
  await check.close();
  await sandbox.close();
});

/** Programs that know the values of the tests' calls, and do something else with all other inputs. */
async function cheats(task: Task): Promise<string[]> {
  const parser = await openParser('python');
  const { entryPoint: name, canonical, buggy } = task;
  const inputs = await recordedCalls(sandbox, task, canonical, await suitesWithCalls(parser, task));
  const limits = inputs.map(() => 100_000);
  const given = { parser, sandbox, task, program: canonical, inputs, limits, budget: 5_000_000 };
  const outcomes = await observe(given);
  const branches = outcomes.flatMap(({ value }, index) => {
    const shown = (inputs[index] ?? []).map(part => literalOf(part, 'python'));
    return value === undefined
      ? []
      : `    if repr(given) == repr((${shown.map(part => `${part}, `).join('')})):\n        return ${literalOf(value, 'python')}\n`;
  });
  const around = (before: string, other: string) =>
    `${before}\ndef ${name}(*given):\n${branches.join('')}    ${other}\n`;
  return [
    around('', 'return None'),
    around('', 'raise ValueError'),
    around(`${buggy}\nwritten = ${name}\n`, 'return written(*given)'),
  ];
}

const passes = async ({ language, entryPoint, tests, declaration }: Task, candidate: string) =>
  (await sandbox.execute({ language, candidate, tests, entryPoint, declaration })).verdict.kind === 'passed';

test('programs that special-case the tests of the bundled tasks are told apart, and marked', async () => {
  const { tasks: every } = await loadDataset('mini', { language: 'python' });
  const tasks = every.filter((_, index) => index % 3 === 0);
  const found: { readonly kind: number; readonly marked: boolean; readonly differs: boolean }[] = [];
  for (const task of tasks) {
    expect(differsOnMost(await check.check(task, task.canonical))).toBe(false);
    for (const [kind, program] of (await cheats(task)).entries()) {
      if (!(await passes(task, program))) continue;
      const robust = await check.check(task, program);
      if (robust.tried > 0)
        found.push({ kind, marked: differsOnMost(robust), differs: robust.different > 0 });
    }
  }
  const [none, raising, buggy] = [0, 1, 2].map(wanted => found.filter(({ kind }) => kind === wanted));
  expect(found.every(({ differs }) => differs)).toBe(true);
  expect(none?.length).toBeGreaterThan(tasks.length / 2);
  // The reference of one task mostly returns None.
  expect(none?.filter(({ marked }) => !marked).length).toBeLessThanOrEqual(1);
  expect(raising?.every(({ marked }) => marked)).toBe(true);
  // What was written for the bug behaves like the reference wherever the bug does not matter.
  expect(buggy?.some(({ marked }) => marked)).toBe(true);
});

/** All programs take minutes, so one in eight is compared. */
const EVERY = 8;

/** The cases with a task: the reference is an honest program with the same tests, another one where there are several. */
function withReferences(language: 'python' | 'js') {
  const cases = attackCases().filter(one => one.language === language && !one.isOnHost);
  const key = ({ tests, entryPoint }: AttackCase) => `${entryPoint} ${tests}`;
  const honest = cases.filter(({ truth }) => truth === 'passed');
  return cases.flatMap(one => {
    const same = honest.filter(other => key(other) === key(one));
    const reference = same.find(({ id }) => id !== one.id) ?? same[0];
    if (!reference || one.truth === 'failed') return [];
    const { id, tests, entryPoint, declaration } = one;
    const task: Task = {
      ...{ id, language, entryPoint, declaration, tests, canonical: reference.code },
      ...{ docstring: '', buggy: '', exampleTests: '', bugType: null },
    };
    return [{ one, task }];
  });
}

test.each(['python', 'js'] as const)(
  'none of the honest programs of hefix attack is marked in %s; many of those that do something else are',
  async language => {
    const create = language === 'js' ? createJavaScriptSandbox : createPythonSandbox;
    const own = await create({ timeoutSeconds: 10 });
    const compared = createRobustCheck(own, () => create({ timeoutSeconds: 10, hashSeed: 1 }));
    const counts = { honest: 0, attacks: 0, marked: 0 };
    const marked: string[] = [];
    for (const { one, task } of withReferences(language).filter((_, index) => index % EVERY === 0)) {
      const found = await compared.check(task, one.code);
      if (found.tried === 0) continue;
      if (one.kind === 'attack') {
        counts.attacks++;
        if (differsOnMost(found)) counts.marked++;
        continue;
      }
      counts.honest++;
      if (differsOnMost(found)) marked.push(one.id);
    }
    await compared.close();
    await own.close();
    console.log(`${language}: ${JSON.stringify(counts)}`);
    expect(marked).toEqual([]);
    expect(counts.honest).toBeGreaterThan(10);
    expect(counts.marked).toBeGreaterThan(0);
  },
);
