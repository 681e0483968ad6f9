import assert from 'node:assert';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { Verdict } from '../../../core/verdict.ts';
import { createChecks } from '../judge/assertions/checks.ts';
import { createReach } from '../judge/assertions/reach.ts';
import { reportAtEnd, runExitListeners } from '../judge/ending.ts';
import { runHelpers, runTests, type TestRun } from '../judge/run-tests.ts';
import { type Origins, uncaught } from '../judge/uncaught.ts';
import { MAX_FRAME_BYTES } from '../wire/rows.ts';
import { isIdentifier } from './is-identifier.ts';
import type { Job, Report } from './job.ts';
import { openLine } from './line.ts';
import { RECORDER } from './recorder-name.ts';

/**
 * The process that runs candidate and tests together, where the tests need more than calls with plain data. Descriptor 3
 * brings the job and takes the report, which counts only with the secret that came with the job. A candidate that knows this
 * program could still change the outcome, so such a verdict is called isolated.
 */
const line = openLine(3, MAX_FRAME_BYTES);
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
    const { module, read, write } = load(candidate, [...namesToAsk(job), ...job.helpers.names]);
    const names = [...namesToAsk(job), ...job.helpers.names].filter(name => read(name) !== undefined);
    const entryPoint = names.includes(job.entryPoint) ? read(job.entryPoint) : defaultOf(module.exports);
    if (typeof entryPoint !== 'function')
      end({
        kind: 'verdict',
        verdict: { kind: 'signature', message: `There is no function ${job.entryPoint}.` },
      });
    calls = 1;
    run = runTests(job, names, {
      ...{ assert: ownAssert, reach },
      helpers: Object.fromEntries(
        Object.entries(runHelpers(job.helpers)).filter(([name]) => read(name) === undefined),
      ),
      write,
      exported: () => module.exports,
      recorder: checks.recorder,
      read: name => (name === job.entryPoint ? entryPoint : read(name)),
      assertionFailed: error => decide({ kind: 'failed', ...checks.evidence() }, error),
      exited(code) {
        const error = new Error();
        if (origins.of(error)) decide({ kind: 'exited', message: 'The candidate ended the process.' }, error);
        const left = code === 0 && !run?.finished() ? checks.unrunAfter(error) : undefined;
        if (left !== undefined)
          decide({ kind: 'failed', message: `The tests exited before line ${left} was run.` }, error);
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

/** Node's assert as it was before the candidate, which cannot replace its functions. */
const ownAssert = copyOf(assert, copyOf(assert.strict));

function copyOf(all: typeof assert, strict: object = {}): object {
  const ok = (...args: unknown[]): unknown => Reflect.apply(all, undefined, args);
  return Object.assign(ok, all, { strict });
}

/** A module may be a function, or have one as its default export. */
function defaultOf(exported: unknown): unknown {
  return typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'default') : exported;
}

/** Names that may be the candidate's, without those of the language or the task. */
function namesToAsk({ tests, entryPoint, helpers }: Omit<Job, 'candidate'>): string[] {
  const isOurs = (name: string): boolean =>
    name in globalThis || harnessNames.has(name) || helpers.names.includes(name);
  const wanted = [...tests.names.filter(name => !isOurs(name)), ...tests.members];
  return [...new Set([entryPoint, ...wanted])];
}

/** Names that Node gives to a module, and test runners to their tests. */
const harnessNames = new Set(
  `require module exports __filename __dirname arguments undefined ${RECORDER} describe it test suite expect before after
   beforeEach afterEach beforeAll afterAll jest vi sinon chai should assert`.split(/\s+/),
);

/** Runs the candidate as a CommonJS module. */
function load(
  code: string,
  names: readonly string[],
): {
  readonly module: { exports: unknown };
  read(name: string): unknown;
  write(name: string, value: unknown): boolean;
} {
  const module = { exports: {} };
  const readers = names
    .filter(isIdentifier)
    .map(name => `${name}: $new => $new ? (${name} = $new[0], true) : ${name}`);
  const program = `${code.replace(/^#!/, '//')}\n;return { __proto__: null, ${readers.join()} };`;
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(program, parameters, { filename: CANDIDATE_FILE });
  const require = createRequire(import.meta.url);
  const found = run.call(module.exports, module.exports, require, module, CANDIDATE_FILE, '/') as Record<
    string,
    (assigned?: readonly [unknown]) => unknown
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
  const write = (name: string, value: unknown): boolean => {
    try {
      return read(name) !== undefined && found[name]?.([value]) === true;
    } catch {
      return false;
    }
  };
  return { module, read, write };
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

const text = line.read();
if (text === null) process.exit(0);
const exit = (Reflect.get(process, 'reallyExit') as (code: number) => never).bind(process) as (
  code: number,
) => never;
const { secret, ...job } = JSON.parse(text) as Job & { readonly secret: string };

const tell = (report: Report): void => void line.write(stringify({ secret, ...report }));
judgeIsolated(job, tell, report => {
  tell(report);
  return exit(0);
});
