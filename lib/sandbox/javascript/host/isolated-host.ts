import assert from 'node:assert';
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import util from 'node:util';
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
import { lockBuiltins } from './lock-builtins.ts';
import { RECORDER } from './recorder-name.ts';

/**
 * The process that runs candidate and tests together, where the tests need more than calls with plain data. Descriptor 3
 * brings the job and takes the report, which counts only with the secret that came with the job, and if it names every
 * test. What the language offers is locked before the candidate runs. A candidate can still read the memory of its process
 * and find the secret, so such a verdict is called isolated.
 */
const CANDIDATE_FILE = 'candidate.js';

function judgeIsolated({ candidate, ...job }: Job, tell: (report: Report) => void, exit: () => never): void {
  Error.stackTraceLimit = 100;
  const checks = createChecks(job.tests);
  const reach = createReach(job.tests.bodies);
  let calls = 0;
  let run: TestRun | undefined;
  let isEnding = false;
  const end = (report: Report): never => {
    tell(report.kind === 'verdict' ? { ...report, ran: `${reach.registered()}` } : report);
    return exit();
  };
  const decide = (verdict: Verdict, error = new Error()): never => {
    const test = checks.place(error);
    return end({ kind: 'verdict', verdict: test ? { ...verdict, test } : verdict });
  };
  const fail = (thrown: unknown): never =>
    end(uncaught(thrown, { checks: { ...checks, calls: () => calls }, origins, entryPoint: job.entryPoint }));
  const exited = (): never => decide({ kind: 'exited', message: 'The candidate ended the process.' });
  const isExiting = lockProcess(fail, exited);
  const ofTests = processOfTests(job.tests.replaced.includes('exit'));
  const finish = (): never => {
    if (!isEnding && !isExiting()) exited();
    try {
      runExitListeners(finish);
    } catch (thrown) {
      fail(thrown);
    }
    process.exitCode = ofTests.exitCode;
    const { entryPoint, tests } = job;
    return end(
      reportAtEnd({
        entryPoint,
        run,
        reach,
        isEnding,
        throws: tests.throws,
        calls,
        unsettled: 0,
        isWaiting: checks.isWaiting(),
      }),
    );
  };

  tell({ kind: 'started' });
  process.on('exit', finish);
  lockBuiltins(new Set([...job.tests.replaced, job.entryPoint]));
  try {
    const { module, read, write } = load(candidate, [...namesToAsk(job), ...job.helpers.names]);
    const helpers = helpersOfTests(job.helpers, read);
    const names = [...namesToAsk(job), ...job.helpers.names].filter(
      name => read(name) !== undefined && !Object.hasOwn(helpers, name),
    );
    const entryPoint = names.includes(job.entryPoint) ? read(job.entryPoint) : defaultOf(module.exports);
    if (typeof entryPoint !== 'function')
      end({
        kind: 'verdict',
        verdict: { kind: 'signature', message: `There is no function ${job.entryPoint}.` },
      });
    calls = 1;
    run = runTests(job, names, {
      ...{ assert: ownAssert, reach, process: ofTests, modules: { util: ownUtil, process: ofTests } },
      helpers,
      write,
      exported: () => module.exports,
      recorder: checks.recorder,
      read: name => (name === job.entryPoint ? entryPoint : read(name)),
      assertionFailed: error => decide({ kind: 'failed', ...checks.evidence() }, error),
      exited(code) {
        const error = new Error();
        const left = code === 0 && !run?.finished() ? checks.unrunAfter(error) : undefined;
        if (left !== undefined)
          decide({ kind: 'failed', message: `The tests exited before line ${left} was run.` }, error);
        ofTests.exitCode = code;
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

/** The task's helpers, without those that tests and candidate may have to share: what has a state, and classes. */
function helpersOfTests(helpers: Job['helpers'], read: (name: string) => unknown): object {
  const all = Object.entries(runHelpers(helpers) as Record<string, unknown>);
  const isAlone = (value: unknown): boolean =>
    typeof value !== 'object' && !/^class\b|\bthis\b/.test(String(value));
  const areAlone = helpers.variables.length === 0 && all.every(([, value]) => isAlone(value));
  return Object.fromEntries(all.filter(([name]) => areAlone || read(name) === undefined));
}

/** Node's assert as it was before the candidate, which cannot replace its functions. */
const ownAssert = copyOf(assert, copyOf(assert.strict));

const ownUtil = { ...util };

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

/**
 * Exceptions and rejections that nobody handles go to `fail`, whatever listeners there are. Returns whether the process
 * has nothing left to run, which Node alone can say.
 */
function lockProcess(fail: (thrown: unknown) => never, exited: () => never): () => boolean {
  const isExiting = Object.getOwnPropertyDescriptor(process, '_exiting')?.get ?? (() => true);
  const lock = (name: string, value: unknown): void =>
    void Object.defineProperty(process, name, { value, writable: false, configurable: false });
  process.exit = exited;
  process.setUncaughtExceptionCaptureCallback(fail);
  lock('_fatalException', Reflect.get(process, '_fatalException'));
  for (const name of ['setUncaughtExceptionCaptureCallback', 'binding', '_linkedBinding'])
    lock(name, () => {
      throw new Error(`process.${name} is not there`);
    });
  Object.defineProperty(process, '_exiting', { get: isExiting, set() {}, configurable: false });
  return () => apply(isExiting, process, []) as boolean;
}

/** The process with an `exit` and an exit code of the tests; if they replace `exit`, the candidate's is replaced too. */
function processOfTests(replaceExit: boolean): NodeJS.Process {
  const own: Record<PropertyKey, unknown> = { __proto__: null, exit: undefined, exitCode: undefined };
  return new Proxy(process, {
    get(target, key) {
      const isOwn = key === 'exit' || (key === 'exitCode' && own[key] !== undefined);
      return isOwn ? own[key] : Reflect.get(target, key);
    },
    set(target, key, value) {
      const isFirst = key === 'exit' && own.exit === undefined;
      if (key === 'exitCode' || isFirst || (key === 'exit' && replaceExit)) own[key] = value;
      return isFirst || Reflect.set(target, key, value);
    },
  });
}

const { apply } = Reflect;
const { stringify } = JSON;
const { encode } = TextEncoder.prototype;
const encoder = new TextEncoder();
// The candidate could replace what the module exports.
const write = writeSync;

const text = openLine(3, MAX_FRAME_BYTES).read();
if (text === null) process.exit(0);
const reallyExit = (Reflect.get(process, 'reallyExit') as (code: number) => never).bind(process);
const { secret, ...job } = JSON.parse(text) as Job & { readonly secret: string };

const send = (report: Report): void => {
  const body = apply(encode, encoder, [stringify(bare({ secret, ...report }))]) as Uint8Array;
  const header = new Uint8Array(new Uint32Array([body.length]).buffer);
  for (const part of [header, body]) for (let at = 0; at < part.length; ) at += write(3, part, at);
};
judgeIsolated(job, send, () => reallyExit(0));

/** Without prototypes, in which the candidate could define `toJSON`. */
function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = { __proto__: null };
  for (const key of Object.keys(value)) copy[key] = bare(Reflect.get(value, key));
  return copy;
}
