import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { recordOf, writeRun } from '../../report/viewer/runs.ts';

/** Writes a results file of many records with prompts and completions; resolves with its number of bytes. */
export async function writeLargeRun(
  path: string,
  { tasks, samples, skill = 2, isShuffled = false }: LargeRun,
): Promise<number> {
  await writeRun(path, [], { planned: tasks * samples });
  const file = createWriteStream(path);
  const bodies = new Map<string, readonly [string, string]>();
  for (let at = 0; at < tasks * samples; at++) {
    // Workers finish in another order than they start.
    const place = isShuffled ? (at * STEP) % (tasks * samples) : at;
    const [task, sample] = [Math.floor(place / samples), place % samples];
    const key = `${task} ${sample % 11}`;
    const body = bodies.get(key) ?? bodyOf(task, sample, skill);
    if (bodies.size < MAX_BODIES) bodies.set(key, body);
    if (!file.write(`${body[0]}${sample}${body[1]}`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return (await stat(path)).size;
}

export interface LargeRun {
  readonly tasks: number;
  readonly samples: number;
  readonly skill?: number;
  readonly isShuffled?: boolean;
}

const MAX_BODIES = 5000;
/** A prime, so that each place is visited once. */
const STEP = 7919;

/** What stands before and after the sample's number: everything else depends on its remainder. */
function bodyOf(task: number, sample: number, skill: number): readonly [string, string] {
  const [before = '', after = ''] = JSON.stringify(recordOf(task, sample % 11, skill)).split(
    `"sample":${sample % 11}`,
  );
  return [`${before}"sample":`, `${after}\n`];
}
