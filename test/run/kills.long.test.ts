import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { withoutTimes } from '../../lib/core/record.ts';
import { packageFile } from '../../lib/files/package.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** For more kills: `HEFIX_KILLS=500 npx vitest run --mode all test/run/kills.long.test.ts`. */
const kills = Number(process.env.HEFIX_KILLS ?? 15);

/** For each task, all answers except the last are wrong, each in another way. */
const steps = 6;
const tasks = 6;
const workers = 2;

/** Runs that are killed and resumed in parallel; starting a process is the main cost of a kill. */
const victims = 4;

test(`runs write the same records after ${kills} kills at random moments`, {
  timeout: 120_000 + kills * 10_000,
}, async () => {
  const folder = await temporaryFolder();
  const path = (name: string) => join(folder, name);
  const start = (name: string, more: object) => {
    const options = { out: path(`${name}.jsonl`), iters: steps - 1, workers, ...more };
    const args = [tasks, steps, path(`${name}.log`), JSON.stringify(options)].map(String);
    return execa(process.execPath, [packageFile('test/run/killed-run.mjs'), ...args], { reject: false });
  };
  const recordsOf = async (name: string) => {
    const { records } = parseRecords(path(`${name}.jsonl`), await readFile(path(`${name}.jsonl`)));
    return records.sort((a, b) => a.index - b.index).map(withoutTimes);
  };
  const answersOf = async (name: string) =>
    (await readFile(path(`${name}.log`), 'utf8')).trimEnd().split('\n');

  expect(await start('undisturbed', {})).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await answersOf('undisturbed')).toHaveLength(tasks * steps);
  const undisturbed = await recordsOf('undisturbed');

  let left = kills;
  const killOften = async (name: string) => {
    const goOn = () => start(name, { saveState: path(`${name}-states`), resume: true });
    let killed = 0;
    for (let ended = false; left > 0 && !ended; ) {
      left--;
      ended = await endsBeforeKill(goOn());
      if (ended) left++;
      else killed++;
    }
    expect(await goOn()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await recordsOf(name)).toEqual(undisturbed);
    expect(await readdir(path(`${name}-states`))).toEqual([]);
    const answers = await answersOf(name);
    expect(new Set(answers).size, 'every step of every task').toBe(tasks * steps);
    // A kill costs at most the last answer of each worker.
    expect(answers.length - tasks * steps).toBeLessThanOrEqual(killed * workers);
    return killed;
  };
  const killed = await Promise.all(
    Array.from({ length: victims }, async (_, victim) => {
      let sum = 0;
      for (let round = 1; left > 0; round++) sum += await killOften(`run-${victim}-${round}`);
      return sum;
    }),
  );
  expect(killed.reduce((sum, of) => sum + of, 0)).toBe(kills);
});

interface Victim extends PromiseLike<{ readonly signal?: string | undefined }> {
  readonly stdout: Readable;
  kill(signal: 'SIGKILL'): boolean;
}

/** At an arbitrary moment: also before the first answer, and while one is being written. */
async function endsBeforeKill(running: Victim): Promise<boolean> {
  const lines = createInterface(running.stdout);
  const closed = once(lines, 'close');
  let awaited = 1 + Math.floor(Math.random() * 6);
  lines.on('line', async () => {
    awaited--;
    if (awaited !== 0) return;
    await wait(Math.random() * 20);
    running.kill('SIGKILL');
  });
  await closed;
  return (await running).signal !== 'SIGKILL';
}
