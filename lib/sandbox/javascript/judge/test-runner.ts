import { createRequire } from 'node:module';
import { counted } from './assertions/counter.ts';
import type { Reach } from './assertions/reach.ts';

/**
 * Runs what tests register with node:test, in its order: sequentially, suite bodies immediately, hooks around
 * each test. The first failure is reported and ends everything, so no names are needed.
 */
export interface TestRunner {
  /** The result of `require('node:test')`. */
  readonly api: TestFunction;
  /** Runs everything registered; `finished` is true afterwards. */
  start(): void;
  finished(): boolean;
}

type Work = (context: object, done: (error?: unknown) => void) => unknown;
type TestFunction = ((...args: unknown[]) => Promise<void>) & Record<string, unknown>;

interface Options {
  readonly skip?: unknown;
  readonly todo?: unknown;
  readonly timeout?: number | undefined;
}

/** Without what a candidate could add to the prototype of all objects. */
const none: Options = { skip: undefined, todo: undefined, timeout: undefined };

interface Suite {
  readonly parent: Suite | undefined;
  readonly jobs: (() => Promise<void>)[];
  /** Runs what is registered immediately, or after what is running. */
  isLive: boolean;
  running: Promise<void> | undefined;
  readonly hooks: Record<Hook, Work[]>;
}

const hooks = ['before', 'after', 'beforeEach', 'afterEach'] as const;
type Hook = (typeof hooks)[number];

/**
 * `assert` is the module `node:assert`, wrapped to count its assertions; tests get it as `t.assert` too. `reach` records
 * the tests that are registered and run.
 */
export function createTestRunner(fail: (error: unknown) => void, assert: object, reach: Reach): TestRunner {
  const root = newSuite(undefined);
  let current = root;
  let pending = 0;

  /** Adds a test or a suite to the suite whose body is running; resolves once it has run. */
  const register = (suite: Suite, job: () => Promise<void>): Promise<void> => {
    pending++;
    return new Promise(resolve => {
      suite.jobs.push(async () => {
        await job();
        pending--;
        resolve();
      });
      if (suite.isLive) void runAll(suite);
    });
  };

  const test =
    (suite: () => Suite, extra: Options = {}): ((...args: unknown[]) => Promise<void>) =>
    (...args) => {
      const { name, options, work } = parse(args);
      const { skip, todo, timeout }: Options = { ...none, ...options, ...extra };
      const parent = suite();
      if (work) reach.register(work);
      return register(parent, async () => {
        if (isSet(skip) || !work) return;
        await attempt(() => runTest(parent, name, work, { timeout, todo }), isSet(todo));
      });
    };

  const describe =
    (suite: () => Suite, extra: Options = {}): ((...args: unknown[]) => Promise<void>) =>
    (...args) => {
      const { options, work } = parse(args);
      const parent = suite();
      const inner = newSuite(parent);
      if (isSet({ ...none, ...options, ...extra }.skip) || !work) return register(parent, async () => {});
      const outer = current;
      current = inner;
      const body = attempt(async () => work({}, () => {}), false);
      current = outer;
      return register(parent, async () => {
        await body;
        await attempt(() => runHooks(inner, 'before'), false);
        await runAll(inner);
        await attempt(() => runHooks(inner, 'after'), false);
      });
    };

  const runTest = async (suite: Suite, name: string, work: Work, options: Options): Promise<void> => {
    const inner = newSuite(suite);
    let planned: number | undefined;
    let made = 0;
    const subtest: Make = (owner, extra) => {
      const start = test(owner, extra);
      return (...args) => {
        made++;
        return start(...args);
      };
    };
    const context = {
      name,
      assert: counted(assert, () => void made++),
      plan(count: number) {
        planned = count;
      },
      get mock() {
        return nodeMock();
      },
      diagnostic() {},
      skip: reach.skip,
      todo: reach.skip,
      runOnly() {},
      signal: new AbortController().signal,
      test: variants(subtest, () => inner),
      ...hookFunctions(() => inner),
    };
    const chain = [...ancestors(suite)];
    for (const each of chain.toReversed()) await runHooks(each, 'beforeEach');
    try {
      inner.isLive = true;
      await reach.run(work, isSet(options.todo), () => call(work, context, options.timeout));
      await runAll(inner);
      if (planned !== undefined && planned !== made)
        throw new Error(`plan expected ${planned} assertions but received ${made}`);
    } finally {
      await runHooks(inner, 'after');
      for (const each of chain) await runHooks(each, 'afterEach');
    }
  };

  const attempt = async (work: () => Promise<unknown>, isTodo: boolean): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isTodo) fail(error);
    }
  };

  const api = Object.assign(
    variants(test, () => current),
    {
      ...hookFunctions(() => current),
      test: variants(test, () => current),
      it: variants(test, () => current),
      describe: variants(describe, () => current),
      suite: variants(describe, () => current),
    },
  ) as TestFunction;
  api.default = api;
  Object.defineProperty(api, 'mock', { get: () => nodeMock() });

  return {
    api,
    start() {
      void attempt(async () => {
        await runHooks(root, 'before');
        root.isLive = true;
        await runAll(root);
        await runHooks(root, 'after');
      }, false);
    },
    finished: () => pending === 0,
  };
}

/** Loaded on demand, since few tests mock anything. */
function nodeMock(): unknown {
  return createRequire(import.meta.url)('node:test').mock;
}

function newSuite(parent: Suite | undefined): Suite {
  return {
    parent,
    jobs: [],
    isLive: false,
    running: undefined,
    hooks: { before: [], after: [], beforeEach: [], afterEach: [] },
  };
}

function runAll(suite: Suite): Promise<void> {
  const run = async (): Promise<void> => {
    for (let job = suite.jobs.shift(); job; job = suite.jobs.shift()) await job();
    suite.running = undefined;
  };
  suite.running ??= run();
  return suite.running;
}

async function runHooks(suite: Suite, hook: Hook): Promise<void> {
  for (const work of suite.hooks[hook]) await call(work, {});
}

function hookFunctions(suite: () => Suite): Record<Hook, (work: Work) => void> {
  const entries = hooks.map(hook => [hook, (work: Work) => void suite().hooks[hook].push(work)]);
  return Object.fromEntries(entries) as Record<Hook, (work: Work) => void>;
}

function* ancestors(suite: Suite): Generator<Suite> {
  for (let each: Suite | undefined = suite; each; each = each.parent) yield each;
}

type Make = (suite: () => Suite, extra?: Options) => (...args: unknown[]) => Promise<void>;

function variants(make: Make, suite: () => Suite): object {
  return Object.assign(make(suite), {
    skip: make(suite, { skip: true }),
    todo: make(suite, { todo: true }),
    only: make(suite),
  });
}

/** `test([name][, options][, work])` */
function parse(args: readonly unknown[]): { name: string; options: Options; work: Work | undefined } {
  const work = args.find(arg => typeof arg === 'function') as Work | undefined;
  const options = args.find(arg => typeof arg === 'object' && arg !== null) as Options | undefined;
  const name = args.find(arg => typeof arg === 'string') as string | undefined;
  return { name: name ?? work?.name ?? '', options: options ?? {}, work };
}

/** A function with two parameters calls the second when it is done. */
function call(work: Work, context: object, timeout?: number): Promise<unknown> {
  const body = async (): Promise<unknown> => {
    if (work.length < 2) return work(context, () => {});
    return new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void =>
        error === undefined || error === null ? resolve() : reject(error);
      Promise.resolve(work(context, done)).catch(reject);
    });
  };
  if (timeout === undefined || !Number.isFinite(timeout)) return body();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`test timed out after ${timeout}ms`)), timeout);
  });
  return Promise.race([body(), late]).finally(() => clearTimeout(timer));
}

function isSet(option: unknown): boolean {
  return option !== undefined && option !== false;
}
