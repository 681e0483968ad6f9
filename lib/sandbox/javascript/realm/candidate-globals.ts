import { newEvents } from './events.ts';

/**
 * The globals of a candidate apart from the language itself: console, timers, `require` for the few modules
 * that such programs and their tests use, and a `process` that can print and exit. Runs in the candidate's
 * realm, before the candidate. None of it gives access to files, the network or other processes.
 */
export interface Services {
  print(stream: 'stdout' | 'stderr', method: string, args: readonly unknown[]): void;
  /** The candidate uses something of Node that this realm lacks, so no verdict about it would be right. */
  refuse(what: string): never;
  write(stream: 'stdout' | 'stderr', text: string): void;
  exit(code: number): void;
  library(name: Library, method: string, args: readonly unknown[]): unknown;
  clone(value: unknown): unknown;
  moduleSource(name: string): string | null;
  startTimer(callback: () => void, milliseconds: number, repeat: boolean): number;
  stopTimer(id: number): void;
}

export type Library = 'assert' | 'util' | 'crypto' | 'text' | 'process';

type AnyFunction = (...args: unknown[]) => unknown;

const own = { Error, Object, Promise, Function, Uint8Array, Number, String, Reflect, Date };

/** Installs the globals; returns a function that reads `module.exports`. */
export function installGlobals(services: Services): () => unknown {
  const module = { exports: {} as unknown };
  const define = (name: string, value: unknown): void => {
    own.Object.defineProperty(globalThis, name, {
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  };
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics'])
    own.Reflect.deleteProperty(globalThis, name);
  define('console', newConsole(services));
  define('process', newProcess(services));
  define('require', newRequire(services));
  define('module', module);
  define('exports', module.exports);
  define('global', globalThis);
  for (const [name, value] of own.Object.entries(newTimers(services))) define(name, value);
  define('structuredClone', (value: unknown) => services.clone(value));
  define('performance', { now: () => own.Date.now() - started, timeOrigin: started });
  define('btoa', (text: unknown) => services.library('text', 'btoa', [own.String(text)]));
  define('atob', (text: unknown) => services.library('text', 'atob', [own.String(text)]));
  define(
    'TextEncoder',
    class TextEncoder {
      encode(text: unknown = ''): unknown {
        return services.library('text', 'encode', [own.String(text)]);
      }
    },
  );
  define(
    'TextDecoder',
    class TextDecoder {
      decode(bytes: unknown = new own.Uint8Array()): unknown {
        return services.library('text', 'decode', [bytes]);
      }
    },
  );
  for (const name of nodeGlobals) {
    own.Object.defineProperty(globalThis, name, {
      get: () => services.refuse(`a use of Node's ${name}`),
      set: (value: unknown) => define(name, value),
      enumerable: false,
      configurable: true,
    });
  }
  return () => module.exports;
}

const nodeGlobals =
  `Buffer URL URLSearchParams fetch Headers Request Response FormData Blob AbortController AbortSignal Event EventTarget
   MessageChannel BroadcastChannel WebSocket ReadableStream WritableStream TransformStream crypto`.split(
    /\s+/,
  );

const started = own.Date.now();

function newConsole({ print }: Services): object {
  const to =
    (stream: 'stdout' | 'stderr', method: string) =>
    (...args: unknown[]): void =>
      print(stream, method, args);
  const silent = (): void => {};
  const console: Record<string, AnyFunction> = {
    assert: (condition, ...message) => {
      if (!condition) print('stderr', 'error', ['Assertion failed', ...message]);
    },
  };
  for (const name of ['log', 'info', 'debug', 'dir', 'table', 'group']) console[name] = to('stdout', name);
  for (const name of ['error', 'warn', 'trace']) console[name] = to('stderr', name);
  for (const name of ['groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'countReset', 'clear'])
    console[name] = silent;
  return console;
}

function newProcess({ write, exit, library }: Services): object {
  const stream = (name: 'stdout' | 'stderr'): object => ({
    write: (text: unknown) => {
      write(name, own.String(text));
      return true;
    },
  });
  return {
    argv: ['node', 'candidate.js'],
    env: {},
    platform: 'linux',
    exit: (code: unknown = 0) => exit(own.Number(code) || 0),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    nextTick: (callback: AnyFunction, ...args: unknown[]) =>
      void own.Promise.resolve().then(() => callback(...args)),
    on: () => {},
    cwd: () => '/',
    cpuUsage: () => library('process', 'cpuUsage', []),
  };
}

function newTimers({ startTimer, stopTimer }: Services): Record<string, AnyFunction> {
  const start =
    (repeat: boolean): AnyFunction =>
    (callback, milliseconds = 0, ...args) =>
      startTimer(() => (callback as AnyFunction)(...args), own.Number(milliseconds), repeat);
  const stop: AnyFunction = id => stopTimer(own.Number(id));
  return {
    setTimeout: start(false),
    setInterval: start(true),
    setImmediate: (callback, ...args) => startTimer(() => (callback as AnyFunction)(...args), 0, false),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
    queueMicrotask: callback => void own.Promise.resolve().then(callback as AnyFunction),
  };
}

function newRequire(services: Services): (name: unknown) => unknown {
  const loaded: Record<string, unknown> = { __proto__: null };
  const builtin: Record<string, () => unknown> = {
    assert: () => newAssert(services),
    'assert/strict': () => newAssert(services),
    util: () => newUtil(services),
    events: () => newEvents(),
    crypto: () => newCrypto(services),
  };
  return name => {
    const known = own.String(name).replace(/^node:/, '');
    if (known in loaded) return loaded[known];
    const source = services.moduleSource(known);
    const make = own.Object.hasOwn(builtin, known) ? builtin[known] : undefined;
    if (make) loaded[known] = make();
    else if (source === null && nodeModules.includes(known)) {
      services.refuse(`a use of Node's module ${known}`);
    } else if (source === null) {
      throw own.Object.assign(new own.Error(`Cannot find module '${known}'`), { code: 'MODULE_NOT_FOUND' });
    } else loaded[known] = runModule(source);
    return loaded[known];
  };
}

const nodeModules =
  `assert async_hooks buffer child_process cluster dgram diagnostics_channel dns fs fs/promises http http2 https inspector
   module net os path path/posix perf_hooks punycode querystring readline repl stream stream/promises string_decoder
   timers timers/promises tls tty url v8 vm wasi worker_threads zlib`.split(/\s+/);

function runModule(source: string): unknown {
  const module = { exports: {} };
  new own.Function('module', 'exports', source)(module, module.exports);
  return module.exports;
}

function newAssert({ library }: Services): AnyFunction {
  const fail = (message: unknown): never => {
    throw own.Object.assign(new own.Error(own.String(message)), {
      name: 'AssertionError',
      code: 'ERR_ASSERTION',
    });
  };
  const check =
    (method: string): AnyFunction =>
    (...args) => {
      const message = library('assert', method, args);
      if (message !== null) fail(message);
    };
  const assert = check('ok');
  const methods: Record<string, AnyFunction> = {
    ok: assert,
    fail: (message = 'Failed') => fail(message),
    throws: work => {
      try {
        (work as AnyFunction)();
      } catch {
        return;
      }
      fail('Missing expected exception.');
    },
    doesNotThrow: work => void (work as AnyFunction)(),
  };
  for (const name of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'match'])
    methods[name] = check(name);
  for (const name of ['notEqual', 'notStrictEqual', 'notDeepEqual', 'notDeepStrictEqual', 'doesNotMatch'])
    methods[name] = check(name);
  return own.Object.assign(assert, methods, { strict: assert });
}

function newUtil({ library }: Services): Record<string, AnyFunction> {
  const methods: Record<string, AnyFunction> = {};
  for (const name of ['inspect', 'format', 'isDeepStrictEqual'])
    methods[name] = (...args) => library('util', name, args);
  return methods;
}

function newCrypto({ library }: Services): Record<string, AnyFunction> {
  return {
    createHash: algorithm => {
      const chunks: unknown[] = [];
      const hash = {
        update: (chunk: unknown) => {
          chunks[chunks.length] = chunk;
          return hash;
        },
        digest: (encoding: unknown) => library('crypto', 'digest', [algorithm, encoding, chunks]),
      };
      return hash;
    },
  };
}
