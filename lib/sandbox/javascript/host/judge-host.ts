import { strict } from 'node:assert';
import { createRequire } from 'node:module';
import { format, inspect } from 'node:util';
import { forkOnRequest } from '../fork/fork-server.ts';
import type { Kernel } from '../fork/kernel.ts';
import { judge } from '../judge/judge.ts';
import { MAX_FRAME_BYTES } from '../wire/rows.ts';
import type { Job, Report } from './job.ts';
import { openLine } from './line.ts';

/**
 * The process that decides. It runs the tests, never the candidate's code. Descriptor 0 is connected to the
 * candidate's process; 3 brings the job and takes the report. With arguments, which are for the fork server, it forks
 * a process for each job.
 */
const line = openLine(0, MAX_FRAME_BYTES);
const sandbox = openLine(3, MAX_FRAME_BYTES);

const server = process.argv.slice(2);
const kernel = server.length > 0 ? forkLoaded() : null;

const text = sandbox.read();
if (text === null) process.exit(0);
const exit = process.exit.bind(process);
if (kernel) endWhenIdle(kernel);

judge(JSON.parse(text) as Job, {
  started: () => void sandbox.write(JSON.stringify({ kind: 'started' } satisfies Report)),
  report(report: Report) {
    sandbox.write(JSON.stringify(report));
    return exit(0);
  },
  send: message => void line.write(message),
  receive: line.read,
});

/**
 * Ends a forked process when nothing is left to run. Node itself would then wait for tasks of V8's threads, such as those
 * of a garbage collection, which a forked process lacks.
 */
function endWhenIdle(kernel: Kernel): void {
  const { getActiveResourcesInfo } = process;
  let wasIdle = false;
  setInterval(() => {
    // The loop has one timer for all of Node's, and work of libuv's threads is not among the active resources.
    const timers = getActiveResourcesInfo().filter(name => name === 'Timeout');
    // This timer is one of them.
    const isIdle = timers.length === 1 && !kernel.isLoopAlive();
    if (isIdle && wasIdle) exit();
    if (isIdle) process.emit('beforeExit', Number(process.exitCode ?? 0));
    wasIdle = isIdle;
  }, 1);
}

function forkLoaded(): Kernel {
  load();
  return forkOnRequest(server, { rehearse: load });
}

/** Loads and compiles once what most tests use. */
function load(): void {
  const require = createRequire(import.meta.url);
  for (const name of ['crypto', 'events']) require(name);
  const values = [[1, 'a', null, { b: new Map([[1n, new Set([true])]]) }], new Error('c'), /d/, new Date(0)];
  format('%s', inspect(values));
  strict.deepStrictEqual([1, { a: 'b' }], [1, { a: 'b' }]);
}
