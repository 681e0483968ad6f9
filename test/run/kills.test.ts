import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/package-root.ts';
import { parseRecords } from '../../lib/run/parse-records.ts';
import { withoutTimes } from '../../lib/run/record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `HEFIX_KILLS=50 npx vitest run test/run/kills.test.ts` does more of them. */
const kills = Number(process.env.HEFIX_KILLS ?? 12);

/** Of each task: all answers but the last are wrong, each in another way. */
const steps = 6;
const tasks = 6;
const workers = 2;

test(`a run ends in the same records after ${kills} kills at random moments`, {
  timeout: 120_000 + kills * 10_000,
}, async () => {
  const folder = await temporaryFolder();
  const states = join(folder, 'states');
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

  for (let killed = 0, round = 1; killed < kills; round++) {
    const name = `killed-${round}`;
    const killedBefore = killed;
    for (let ended = false; killed < kills && !ended; ) {
      const before = await size(path(`${name}.log`));
      const running = start(name, { saveState: states, resume: true });
      const exit = running.then(({ signal }) => signal);
      let open = true;
      void exit.then(() => {
        open = false;
      });
      // The moment is any, also before the first answer and while it is being written down.
      const more = Math.random() * 3;
      while (open && (await size(path(`${name}.log`))) < before + more) await wait(1);
      await wait(Math.random() * 20);
      running.kill('SIGKILL');
      ended = (await exit) !== 'SIGKILL';
      if (!ended) killed++;
    }
    expect(await start(name, { saveState: states, resume: true })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await recordsOf(name)).toEqual(await recordsOf('undisturbed'));
    expect(await readdir(states)).toEqual([]);
    const answers = await answersOf(name);
    expect(new Set(answers).size, 'every step of every task').toBe(tasks * steps);
    // A kill costs at most what each worker had just been told.
    expect(answers.length - tasks * steps).toBeLessThanOrEqual((killed - killedBefore) * workers);
  }
});

async function size(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}
