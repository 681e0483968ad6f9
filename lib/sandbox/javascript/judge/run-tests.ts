import { createRequire } from 'node:module';
import { format } from 'node:util';
import { compileFunction } from 'node:vm';
import type { Job } from '../host/job.ts';
import { RECORDER } from '../host/recorder-name.ts';
import type { TaskHelpers } from '../tests/task-helpers.ts';
import { type Checks, TESTS_FILE } from './assertions/checks.ts';
import { counted } from './assertions/counter.ts';
import type { Reach } from './assertions/reach.ts';
import { createTestRunner } from './test-runner.ts';

export interface TestRun {
  /** Throws what the tests throw before their first await. */
  start(): void;
  /** False while tests with a top-level await have not finished. */
  finished(): boolean;
  /** Number of assertions that were reached. */
  assertions(): number;
}

export interface TestRunOptions {
  readonly recorder: Checks['recorder'];
  /** The value of a name of the candidate's program. */
  read(name: string): unknown;
  /** Assigns a variable of the candidate's program; false if it has none of that name. */
  write?(name: string, value: unknown): boolean;
  /** The value of the candidate's `module.exports`. */
  exported(): unknown;
  readonly reach: Reach;
  /** A `console.assert` failed. It does not throw in JavaScript, so none of the tests may run after it. */
  assertionFailed(error: Error): never;
  exited(code: number): never;
  /** A registered test failed. */
  fail(error: unknown): void;
  /** The tests need something that does not exist. */
  invalid(what: string): never;
  /** The values of the task's helpers. */
  readonly helpers: object;
  /** Node's assert. */
  readonly assert: object;
  /** Other modules of Node's that the tests get, by name. */
  readonly modules?: Readonly<Record<string, object>>;
  /** Called with the name of each module that the tests require. */
  required?(name: string): void;
  /** What the tests see as Node's `process`. */
  readonly process?: NodeJS.Process;
}

// A candidate in the same process could replace what the modules export.
const [compile, requireFrom] = [compileFunction, createRequire];

/**
 * Runs the tests as a CommonJS module whose undeclared names are the task's helpers, then the candidate's
 * names.
 */
export function runTests(
  job: Omit<Job, 'candidate'>,
  candidateNames: readonly string[],
  options: TestRunOptions,
): TestRun {
  let assertionsRun = 0;
  let finished = false;
  const count = (): void => {
    assertionsRun++;
    options.reach.count();
  };
  const scope = candidateScope(candidateNames, options);
  const topLevel = candidateScope(candidateNames, options);
  let solution: unknown;
  /** The exports or, without any, the names of the program. */
  const loadSolution = (): unknown => {
    if (solution !== undefined) return solution;
    const exported = options.exported();
    const isEmpty =
      typeof exported === 'object' && exported !== null && Reflect.ownKeys(exported).length === 0;
    solution = isEmpty ? topLevel : exported;
    return solution;
  };
  Object.assign(scope, options.helpers);
  const module = { exports: {}, id: '.', filename: TESTS_FILE, loaded: false, children: [], paths: [] };
  const runner = createTestRunner(options.fail, counted(options.assert, count), options.reach);
  for (const name of runnerNames) {
    if (job.tests.names.includes(name) && name !== job.entryPoint)
      Object.assign(scope, { [name]: runner.api[name] });
  }
  const { program, isAsync } = job.tests;
  const own = {
    [RECORDER]: Object.freeze(options.recorder),
    require: newRequire({ ...options, loadSolution, module, runner: runner.api, count }),
    module,
    exports: module.exports,
    console: newConsole(count, options.assertionFailed),
    __filename: TESTS_FILE,
    __dirname: '/',
    process: options.process ?? process,
  };
  globalThis.console = own.console;
  // Old ways to ask whether a file is the main program.
  process.argv = [process.execPath, TESTS_FILE];
  process.mainModule = module as unknown as NodeJS.Module;
  own.process.exit = code => options.exited(Number(code ?? own.process.exitCode ?? 0));
  // Our names are inside the scope of the candidate's names, so that those cannot shadow them.
  const body = `return (${isAsync ? 'async ' : ''}function () { ${program}\n}).call(exports);`;
  const run = compile(
    `with ($scope) { return function (${Object.keys(own).join()}) { ${body} }; }`,
    ['$scope'],
    { filename: TESTS_FILE },
  )(scope) as (...values: unknown[]) => unknown;
  return {
    start() {
      const end: unknown = run(...Object.values(own));
      runner.start();
      if (!isAsync) finished = true;
      else void Promise.resolve(end).then(() => (finished = true));
    },
    finished: () => finished && runner.finished(),
    assertions: () => assertionsRun,
  };
}

/** Runs what the task declares; the values by name. */
export function runHelpers({ program }: TaskHelpers): object {
  return compile(program, ['require'])(requireFrom(import.meta.url)) ?? {};
}

/** Names are read when they are used, as in a single program; functions are kept. */
function candidateScope(
  names: readonly string[],
  { read, write }: Pick<TestRunOptions, 'read' | 'write'>,
): object {
  const scope = Object.create(null) as object;
  const set = (name: string, value: unknown): void =>
    void Object.defineProperty(scope, name, { value, writable: true, enumerable: true, configurable: true });
  for (const name of names) {
    Object.defineProperty(scope, name, {
      get() {
        const value = read(name);
        if (typeof value === 'function' && !write) set(name, value);
        return value;
      },
      set: value => {
        if (!write?.(name, value)) set(name, value);
      },
      enumerable: true,
      configurable: true,
    });
  }
  return scope;
}

/** Output of the tests goes where the tests can read it: the judge's own streams are not connected. */
function newConsole(count: () => void, failed: (error: Error) => never): Console {
  const facade: Record<string, unknown> = {};
  for (const name of Object.keys(console)) facade[name] = () => {};
  for (const name of ['log', 'info', 'debug', 'dir'])
    facade[name] = (...args: unknown[]) => void process.stdout.write(`${format(...args)}\n`);
  for (const name of ['error', 'warn', 'trace'])
    facade[name] = (...args: unknown[]) => void process.stderr.write(`${format(...args)}\n`);
  facade.assert = (condition?: unknown): void => {
    if (!condition) failed(new Error());
    count();
  };
  Object.defineProperty(facade, 'assert', { writable: false, configurable: false });
  return facade as unknown as Console;
}

/** Functions of node:test as globals, as other test runners define them. */
const runnerNames = ['describe', 'it', 'test', 'suite', 'before', 'after', 'beforeEach', 'afterEach'];

/** Node's modules, js-md5, and the candidate under any relative path. */
function newRequire(given: {
  loadSolution(): unknown;
  readonly module: object;
  readonly runner: unknown;
  count(): void;
  readonly assert: object;
  readonly modules?: Readonly<Record<string, object>>;
  required?(name: string): void;
  invalid(what: string): never;
}): NodeJS.Require {
  const load = requireFrom(import.meta.url);
  const require = (name: string): unknown => {
    given.required?.(name);
    if (name.startsWith('.')) return given.loadSolution();
    if (/^node:test$/.test(name)) return given.runner;
    if (/^(node:)?assert(\/strict)?$/.test(name))
      return counted(/strict$/.test(name) ? Reflect.get(given.assert, 'strict') : given.assert, given.count);
    const ours = given.modules?.[name.replace(/^node:/, '')];
    if (ours) return ours;
    if (!load.resolve.paths(name) || name === 'js-md5') return load(name);
    return given.invalid(`require ${name}, which is not there`);
  };
  return Object.assign(require, {
    resolve: (name: string) => name,
    cache: {},
    main: given.module,
  }) as NodeJS.Require;
}
