import assert from 'node:assert';
import type { Job } from '../host/job.ts';
import { mayRequire, watchCodeFromText } from '../tests/code-from-text.ts';
import { createChecks } from './assertions/checks.ts';
import { createCounter } from './assertions/counter.ts';
import { createReach } from './assertions/reach.ts';
import { builtinChanges } from './builtin-changes.ts';
import { createCandidate } from './candidate.ts';
import { createConnection, type JudgeIo } from './connection.ts';
import { reportAtEnd, runExitListeners } from './ending.ts';
import { installRandomness } from './randomness.ts';
import { runHelpers, runTests, type TestRun } from './run-tests.ts';
import { createOrigins, uncaught } from './uncaught.ts';

/**
 * Loads the candidate in the other process, runs the tests here and reports once: at the first assertion that
 * fails, at an uncaught exception, or when nothing is left to run. Where assertions are counted, these are all that is
 * reported: when nothing is left to run, or where a verdict would be.
 */
export function judge(job: Job, judgeIo: JudgeIo): void {
  const counter = job.tests.counted && createCounter(job.tests.counted, judgeIo.report);
  const io = counter ? { ...judgeIo, report: () => counter.finish(false) } : judgeIo;
  Error.stackTraceLimit = 100;
  installRandomness(job.seed, /\bcrypto\b/.test(job.tests.program));
  const { entryPoint: name } = job;
  const isolate = (why: string): never => io.report({ kind: 'isolate', why });
  const checks = createChecks(job.tests, isolate);
  const reach = createReach(job.tests.bodies);
  const origins = createOrigins();
  const connection = createConnection(io, checks);
  const fail = (thrown: unknown): never => io.report(uncaught(thrown, { checks, origins, entryPoint: name }));
  /** Whether the tests end the process themselves. */
  let isEnding = false;
  let run: TestRun | undefined;
  let unsettled = () => 0;
  let changed: () => string | undefined = () => undefined;

  try {
    connection.receive();
    connection.start();
    const helpers = runHelpers(job.helpers);
    const candidate = createCandidate(job, {
      ...{ connection, checks, origins, helpers, isolate, send: io.send },
    });
    unsettled = candidate.unsettled;
    const { isFunction, exported } = candidate.load();
    if (!isFunction) connection.decide({ kind: 'signature', message: `There is no function ${name}.` });
    const { entryPoint } = candidate;
    const onError = counter?.interrupted ?? fail;
    run = runTests(job, [name], {
      ...{ helpers, reach, assert },
      required: name => (mayRequire(name) ? undefined : isolate(`use Node's ${name}`)),
      exported: () =>
        exported === 'function'
          ? entryPoint
          : exported === 'default'
            ? { default: entryPoint }
            : exported === 'named'
              ? { [name]: entryPoint }
              : {},
      recorder: { ...checks.recorder, ...counter?.recorder },
      read: () => entryPoint,
      assertionFailed(error) {
        if (counter) throw error;
        return connection.decide({ kind: 'failed', ...checks.evidence() }, error);
      },
      exited(code) {
        const left = code === 0 && !run?.finished() ? checks.unrunAfter(new Error()) : undefined;
        if (left !== undefined)
          connection.decide({ kind: 'failed', message: `The tests exited before line ${left} was run.` });
        process.exitCode = code;
        isEnding = true;
        return end();
      },
      fail: onError,
      invalid: what => io.report({ kind: 'tests invalid', what }),
    });
    process.on('uncaughtException', onError);
    process.on('unhandledRejection', onError);
    process.on('exit', end);
    watchCodeFromText(() => isolate('run text as code'));
    changed = builtinChanges();
    run.start();
  } catch (thrown) {
    fail(thrown);
  }

  function end(): never {
    try {
      runExitListeners(end);
    } catch (thrown) {
      fail(thrown);
    }
    if (counter) counter.finish(run?.finished() === true);
    const report = reportAtEnd({
      ...{ entryPoint: name, run, reach, isEnding, throws: job.tests.throws },
      calls: checks.calls(),
      unsettled: unsettled(),
      isWaiting: checks.isWaiting(),
    });
    if (report.kind === 'verdict' && report.verdict.kind === 'failed')
      connection.decide(report.verdict, new Error());
    const builtin = report.kind === 'verdict' ? changed() : undefined;
    if (builtin)
      connection.decide({ kind: 'failed', message: `A result of ${name} has changed ${builtin}.` });
    return io.report(report);
  }
}
