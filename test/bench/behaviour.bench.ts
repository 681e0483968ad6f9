import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { sumOf } from '../../lib/core/numbers.ts';
import type { Language } from '../../lib/core/task.ts';
import { enumerateEdits } from '../../lib/repair/operators/enumerate.ts';
import { createRobustCheck } from '../../lib/repair/robust/robust-check.ts';
import { createJavaScriptSandbox } from '../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { openParser } from '../../lib/syntax/parser.ts';

/**
 * How well generated inputs tell programs apart: each task's buggy solution, which fails the tests, and its reference,
 * which is compared with itself. `HEFIX_BENCH_DATASET` is a dataset (default `mini`), `HEFIX_BENCH_LANG` its language,
 * `HEFIX_BENCH_REPEAT` how often.
 */
const {
  HEFIX_BENCH_DATASET: dataset = 'mini',
  HEFIX_BENCH_LANG: lang = 'python',
  HEFIX_BENCH_REPEAT: repeat = '1',
} = process.env;
const language = lang as Language;

test('generated inputs tell buggy solutions from references', { timeout: 7_200_000 }, async () => {
  const { tasks } = await loadDataset(dataset, { language });
  const create = language === 'js' ? createJavaScriptSandbox : createPythonSandbox;
  const apart = new Set<string>();
  const [alike, left, differing] = [new Set<string>(), new Map<string, string>(), new Set<string>()];
  const seconds: { readonly id: string; readonly spent: number }[] = [];
  for (let round = 0; round < Number(repeat); round++) {
    const sandbox = await create({ timeoutSeconds: 60 });
    // Its other sandbox has other hash seeds; with each round both are new processes.
    const check = createRobustCheck(sandbox, () => create({ timeoutSeconds: 60, hashSeed: 1 + round }));
    for (const task of tasks) {
      const begun = processorSeconds();
      const own = await check.check(task, task.canonical);
      seconds.push({ id: task.id, spent: processorSeconds() - begun });
      if (own.unchecked !== undefined) left.set(task.id, own.unchecked);
      if (own.different > 0) differing.add(task.id);
      if (round > 0 || own.unchecked !== undefined) continue;
      const { different } = await check.check(task, task.buggy);
      (different > 0 ? apart : alike).add(task.id);
    }
    await check.close();
    await sandbox.close();
    const mean = sumOf(seconds, ({ spent }) => spent) / seconds.length;
    const [slowest] = seconds.toSorted((a, b) => b.spent - a.spent);
    console.log(
      `${dataset}, round ${round + 1}: ${apart.size} of ${tasks.length} buggy solutions told apart; references that differ from themselves: ${[...differing].join(', ') || 'none'}`,
    );
    console.log(`  not told apart: ${[...alike].join(', ') || 'none'}`);
    console.log(`  not compared: ${[...left].map(([id, why]) => `${id} (${why})`).join(', ') || 'none'}`);
    console.log(
      `  processor seconds of a check: ${mean.toFixed(2)} on average, ${slowest?.spent.toFixed(2)} at most (${slowest?.id})`,
    );
  }
  expect(differing.size).toBe(0);
});

/** Of each reference, six of its first 300 edits, at equal distances; some of them change nothing. */
test('generated inputs tell edited references from references', { timeout: 7_200_000 }, async () => {
  const { tasks } = await loadDataset(dataset, { language });
  const parser = await openParser(language);
  const create = language === 'js' ? createJavaScriptSandbox : createPythonSandbox;
  const sandbox = await create({ timeoutSeconds: 60 });
  const check = createRobustCheck(sandbox, () => create({ timeoutSeconds: 60, hashSeed: 1 }));
  const counts = { edits: 0, apart: 0 };
  for (const task of tasks) {
    const all = [...enumerateEdits(parser, task.canonical, task.entryPoint, 300)].flatMap(edit => edit ?? []);
    const chosen = all.filter(
      (_, at) => Math.floor((at * 6) / all.length) > Math.floor(((at - 1) * 6) / all.length),
    );
    for (const { code } of chosen) {
      counts.edits++;
      if ((await check.check(task, code)).different > 0) counts.apart++;
    }
  }
  await check.close();
  await sandbox.close();
  console.log(`${dataset}: ${counts.apart} of ${counts.edits} edits of references told apart`);
  expect(counts.edits).toBeGreaterThan(0);
});

/** Of this process and of all that it started; Linux only. */
function processorSeconds(): number {
  const stats = readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [, parent = 0] = fields;
      return [{ id: Number(name), parent, ticks: sumOf(fields.slice(11, 15), ticks => ticks) }];
    } catch {
      return [];
    }
  });
  const own = new Set([process.pid]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const { id, parent } of stats) if (own.has(parent)) own.add(id);
  }
  return (
    sumOf(
      stats.filter(({ id }) => own.has(id)),
      ({ ticks }) => ticks,
    ) / 100
  );
}
