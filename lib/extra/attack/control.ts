import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { cacheFolder, openOwnCache } from '../../files/own-cache.ts';
import { packageFile } from '../../files/package.ts';
import { parseJson } from '../../files/untrusted-file.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import type { AttackCase } from './attack-cases.ts';
import { type PlainProgram, plainPrograms } from './plain-programs.ts';

/**
 * What an attack does to a plain judge, where candidate and tests share a process. `forged`: it passes. `harmed`: it
 * does something to its surroundings, or never ends. `unknown`: there is no plain judge for it on this system, or the
 * language's version lacks what it attacks.
 */
const outcomeSchema = z.object({
  effect: z.enum(['forged', 'harmed', 'none', 'unknown']),
  /** What happened. */
  how: z.string(),
});
export type ControlOutcome = z.infer<typeof outcomeSchema>;

export type Control = (one: AttackCase, signal: AbortSignal) => Promise<ControlOutcome>;

/** Seconds after which a program does not end. */
const SECONDS = 1.5;

/**
 * Runs attacks on the plain judges of plain-programs.ts, in the surroundings of control.py, and remembers what they did
 * there. The first plain judge that an attack has an effect on decides.
 */
export async function createControl(environment: NodeJS.ProcessEnv): Promise<Control> {
  if (process.platform !== 'linux') return async () => ({ effect: 'unknown', how: 'this is not Linux' });
  const { executable } = await preparePython(undefined);
  const script = packageFile('lib/extra/attack/control.py');
  const version = readFileSync(script, 'utf8');
  const cache = openOwnCache(join(cacheFolder(environment), 'attack-controls'));
  const run = async (
    { language, ...program }: PlainProgram,
    signal: AbortSignal,
  ): Promise<ControlOutcome> => {
    const argv = language === 'python' ? [executable] : [process.execPath];
    const job = JSON.stringify({ ...program, argv, seconds: SECONDS });
    const key = createHash('sha256').update(version).update(process.version).update(job).digest('hex');
    const cached = outcomeSchema.safeParse(await cache.read(key));
    if (cached.success) return cached.data;
    const { stdout } = await execa(executable, ['-I', script], {
      ...{ input: job, reject: false, cancelSignal: signal, stderr: 'ignore', cwd: '/' },
    });
    signal.throwIfAborted();
    const outcome = outcomeSchema.safeParse(parseJson(stdout));
    if (!outcome.success) return { effect: 'unknown', how: 'the plain judge ended' };
    if (outcome.data.effect !== 'unknown') await cache.write(key, outcome.data);
    return outcome.data;
  };
  return async (one, signal) => {
    const programs = plainPrograms(one);
    const [first] = programs;
    if (first === undefined) return { effect: 'unknown', how: `there is no plain judge for ${one.language}` };
    if (one.needs !== null && !isGlobal(one.needs))
      return { effect: 'unknown', how: `${one.needs} is not in Node.js ${process.version}` };
    const outcomes: ControlOutcome[] = [];
    for (const program of programs) {
      const outcome = await run(program, signal);
      if (outcome.effect !== 'none') return outcome;
      outcomes.push(outcome);
    }
    // An interpreter that the namespaces hide starts nothing, which must not look like attacks without effect.
    const empty = await run({ ...first, text: '' }, signal);
    if (empty.effect !== 'forged') return { effect: 'unknown', how: 'the plain judge does not start' };
    return { effect: 'none', how: [...new Set(outcomes.map(({ how }) => how))].join(', ') };
  };
}

/** Whether Node.js has a global value with this path, e.g. `Set.prototype.union`. */
function isGlobal(path: string): boolean {
  let value: unknown = globalThis;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return value !== undefined;
}
