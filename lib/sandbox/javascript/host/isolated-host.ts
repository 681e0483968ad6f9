import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { Verdict } from '../../../core/verdict.ts';
import { readFrame, writeFrame } from '../../process/frames.ts';
import { createChecks } from '../judge/assertions/checks.ts';
import { createReach } from '../judge/assertions/reach.ts';
import { defaultOf, namesToAsk } from '../judge/candidate/candidate-module.ts';
import { reportAtEnd, runExitListeners } from '../judge/ending.ts';
import { runHelpers, runTests, type TestRun } from '../judge/run-tests.ts';
import { type Origins, uncaught } from '../judge/uncaught.ts';
import { MAX_FRAME_BYTES } from '../realm/wire.ts';
import { isIdentifier } from './is-identifier.ts';
import type { Job, Report } from './job.ts';

/**
 * The process that runs candidate and tests together, for users' own projects, whose tests two processes
 * cannot always judge. Descriptor 3 brings the job and takes the report. The candidate could change the
 * outcome, so such a verdict is called isolated.
 */
const SANDBOX = 3;
const CANDIDATE_FILE = 'candidate.js';

const { stringify } = JSON;

function judgeIsolated(
  { candidate, ...job }: Job,
  tell: (report: Report) => void,
  end: (report: Report) => never,
): void {
  Error.stackTraceLimit = 100;
  const checks = createChecks(job.tests);
  const reach = createReach(job.tests.bodies);
  let calls = 0;
  let run: TestRun | undefined;
  let isEnding = false;
  const decide = (verdict: Verdict, error = new Error()): never => {
    const test = checks.place(error);
    return end({ kind: 'verdict', verdict: test ? { ...verdict, test } : verdict });
  };
  const fail = (thrown: unknown): never =>
    end(uncaught(thrown, { checks: { ...checks, calls: () => calls }, origins, entryPoint: job.entryPoint }));
  const finish = (): never => {
    try {
      runExitListeners();
    } catch (thrown) {
      fail(thrown);
    }
    const { entryPoint, tests } = job;
    return end(reportAtEnd({ entryPoint, run, reach, isEnding, throws: tests.throws, calls, unsettled: 0 }));
  };

  tell({ kind: 'started' });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('exit', finish);
  try {
    const { module, read } = load(candidate, [...namesToAsk(job), ...job.helpers.names]);
    const names = namesToAsk(job).filter(name => read(name) !== undefined);
    const entryPoint = names.includes(job.entryPoint) ? read(job.entryPoint) : defaultOf(module.exports);
    if (typeof entryPoint !== 'function')
      end({
        kind: 'verdict',
        verdict: { kind: 'signature', message: `There is no function ${job.entryPoint}.` },
      });
    calls = 1;
    run = runTests(job, names, {
      isIsolated: true,
      reach,
      helpers: Object.fromEntries(
        Object.entries(runHelpers(job.helpers)).map(([name, value]) => [name, read(name) ?? value]),
      ),
      exported: () => module.exports,
      recorder: { ...checks.recorder, own: same, failed: same, aborted: same, thrown: same },
      read: name => (name === job.entryPoint ? entryPoint : read(name)),
      assertionFailed: error => decide({ kind: 'failed', ...checks.evidence() }, error),
      exited(code) {
        const left = code === 0 && !run?.finished() ? checks.unrunAfter(new Error()) : undefined;
        if (left !== undefined) end({ kind: 'tests invalid', what: `exit before line ${left} is run` });
        process.exitCode = code;
        isEnding = true;
        return finish();
      },
      fail,
      invalid: what => end({ kind: 'tests invalid', what }),
    });
    run.start();
  } catch (thrown) {
    fail(thrown);
  }
}

const same = <T>(value: T): T => value;

/** Runs the candidate as a CommonJS module. */
function load(
  code: string,
  names: readonly string[],
): { readonly module: { exports: unknown }; read(name: string): unknown } {
  const module = { exports: {} };
  const readers = names.filter(isIdentifier).map(name => `${name}: () => ${name}`);
  const program = `${code.replace(/^#!/, '//')}\n;return { __proto__: null, ${readers.join()} };`;
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(program, parameters, { filename: CANDIDATE_FILE });
  const require = createRequire(import.meta.url);
  const found = run.call(module.exports, module.exports, require, module, CANDIDATE_FILE, '/') as Record<
    string,
    () => unknown
  >;
  const read = (name: string): unknown => {
    try {
      const value = found[name]?.();
      if (value !== undefined) return value;
    } catch {
      // There is no variable of that name.
    }
    return Object(module.exports)[name];
  };
  return { module, read };
}

/** An error belongs to the candidate if its innermost frame in candidate or tests does. */
const origins: Origins = {
  add() {},
  of(thrown) {
    const stack = thrown instanceof Error ? String(thrown.stack) : '';
    const [, file, line] = /(candidate|tests)\.js:(\d+)/.exec(stack) ?? [];
    return file === 'candidate' ? { line: Number(line), doing: 'The candidate' } : undefined;
  },
};

const text = readFrame(SANDBOX, MAX_FRAME_BYTES);
if (text === null) process.exit(0);
const exit = process.exit.bind(process);
const { secret, ...job } = JSON.parse(text) as Job & { readonly secret: string };

const tell = (report: Report): void => void writeFrame(SANDBOX, stringify({ secret, ...report }));
judgeIsolated(job, tell, report => {
  tell(report);
  return exit(0);
});
