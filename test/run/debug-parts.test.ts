import { join } from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { createDebugLog } from '../../lib/cli/debugging.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { debugParts } from '../../lib/run/debug-parts.ts';
import { run } from '../../lib/run/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { context, partsFor, tasks } from './fakes.ts';

test('--debug reports dataset, model, agent and sandbox, with times', async () => {
  const lines: string[] = [];
  let clock = 0;
  const log = createDebugLog(
    text => lines.push(text),
    { colors: pc.createColors(false) },
    () => clock++ * 250,
  );
  const out = join(await temporaryFolder(), 'r.jsonl');
  await run(parseRunOptions({ out, iters: 0 }), debugParts(partsFor(tasks(1)), log), context());
  const text = lines.join('');
  for (const line of [
    /^ +\d\.\d{3} s {2}dataset {2}open mini$/m,
    /dataset {2}done in 0\.\d{3} s: 1 task, sha256:1$/m,
    /sandbox {2}done in 0\.\d{3} s: ulimit$/m,
    /model {4}done in 0\.\d{3} s: script, /m,
    /agent {4}reflect begins set\/0, seed \d+$/m,
    /agent {4}set\/0 enters draft$/m,
    /model {4}generate: 1 message, temperature 0, seed \d+, at most 100 tokens$/m,
    /model {4}done in 0\.\d{3} s: \d+ prompt tokens, \d+ completion tokens, stop$/m,
    /sandbox {2}judge f0$/m,
    /sandbox {2}done in 0\.\d{3} s: passed in ulimit: All held\.$/m,
    /agent {4}done in \d\.\d{3} s: set\/0 solved after 1 attempt$/m,
  ]) {
    expect(text).toMatch(line);
  }
});

test('a part that fails is reported with its error', async () => {
  const lines: string[] = [];
  const log = createDebugLog(
    text => lines.push(text),
    { colors: pc.createColors(false) },
    () => 0,
  );
  const parts = partsFor(tasks(1), {
    openSandbox: async () => {
      throw new Error('It is\ngone.');
    },
  });
  const out = join(await temporaryFolder(), 'r.jsonl');
  await expect(run(parseRunOptions({ out }), debugParts(parts, log), context())).rejects.toThrow('gone');
  expect(lines.at(-1)).toContain('sandbox  error after 0.000 s: It is gone.');
});
