/**
 * The globals of a candidate apart from the language itself: console, timers, `require` for the modules that plain
 * functions use, and a `process` that can print and exit. Runs in the candidate's realm, before the candidate. None of it
 * gives access to files, the network or other processes.
 */
export interface Services {
  print(stream: 'stdout' | 'stderr', args: readonly unknown[]): void;
  write(stream: 'stdout' | 'stderr', text: string): void;
  /** The candidate uses something of Node that this realm lacks, which the verdict names. */
  lack(what: string): never;
  exit(code: number): void;
  /** Calls a function of Node's with copies. */
  library(name: Library, method: string, args: readonly unknown[]): unknown;
  clone(value: unknown): unknown;
  moduleSource(name: string, from: string): string | null;
  /** Tells how Node's Buffer is loaded, and that it is. */
  offerBuffers(make: () => Buffers): void;
  usesBuffers(): void;
  startTimer(callback: () => void, milliseconds: number, repeat: boolean): number;
  stopTimer(id: number): void;
}

export type Library = 'assert' | 'util' | 'crypto' | 'text' | 'process' | 'path' | 'querystring';

interface Buffers {
  isPrototype(prototype: object): boolean;
  from(buffer: ArrayBuffer, offset: number, length: number): object;
}

type AnyFunction = (...args: unknown[]) => unknown;
type AnyObject = Record<string, unknown>;

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
  /** What few candidates use is made when it is read. */
  const lazy = (name: string, make: () => unknown): void => {
    own.Object.defineProperty(globalThis, name, {
      get() {
        const value = make();
        define(name, value);
        return value;
      },
      set: (value: unknown) => define(name, value),
      enumerable: false,
      configurable: true,
    });
  };
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics'])
    own.Reflect.deleteProperty(globalThis, name);
  define('console', newConsole(services));
  define('process', newProcess(services));
  define('module', module);
  define('exports', module.exports);
  define('global', globalThis);
  const timers = newTimers(services);
  for (const [name, value] of own.Object.entries(timers)) define(name, value);
  define('structuredClone', (value: unknown) => services.clone(value));
  define('performance', { now: () => own.Date.now() - started, timeOrigin: started });
  const require = newRequire(services, timers);
  define('require', require);
  const part = (module: string, name: string) => () => (require(module) as AnyObject)[name];
  for (const name of ['atob', 'btoa']) define(name, textFunction(services, name));
  for (const name of ['TextEncoder', 'TextDecoder']) lazy(name, part('util', name));
  for (const name of ['URL', 'URLSearchParams']) lazy(name, part('url', name));
  lazy('Buffer', part('buffer', 'Buffer'));
  lazy('crypto', part('crypto', 'webcrypto'));
  services.offerBuffers(() => {
    const { Buffer } = require('buffer') as { Buffer: typeof globalThis.Buffer };
    return {
      isPrototype: prototype => prototype === Buffer.prototype,
      from: (bytes, offset, length) => Buffer.from(bytes, offset, length),
    };
  });
  for (const name of nodeGlobals) {
    own.Object.defineProperty(globalThis, name, {
      get: () => services.lack(`Node's ${name}`),
      set: (value: unknown) => define(name, value),
      enumerable: false,
      configurable: true,
    });
  }
  return () => module.exports;
}

const nodeGlobals =
  `fetch Headers Request Response FormData Blob AbortController AbortSignal Event EventTarget
   MessageChannel BroadcastChannel WebSocket ReadableStream WritableStream TransformStream`.split(/\s+/);

const started = own.Date.now();

function newConsole({ print }: Services): object {
  const to =
    (stream: 'stdout' | 'stderr') =>
    (...args: unknown[]): void =>
      print(stream, args);
  const silent = (): void => {};
  const console: Record<string, AnyFunction> = {
    assert: (condition, ...message) => {
      if (!condition) print('stderr', ['Assertion failed', ...message]);
    },
  };
  for (const name of ['log', 'info', 'debug', 'dir', 'table', 'group']) console[name] = to('stdout');
  for (const name of ['error', 'warn', 'trace']) console[name] = to('stderr');
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

function newRequire(services: Services, timers: AnyObject): (name: unknown) => unknown {
  const loaded: AnyObject = { __proto__: null };
  const builtin: Record<string, () => unknown> = {
    __proto__: null as never,
    assert: () => newAssert(services),
    'assert/strict': () => newAssert(services),
    buffer() {
      services.usesBuffers();
      const { Buffer, ...rest } = load('buffer/', '') as AnyObject;
      return { ...rest, Buffer, atob: textFunction(services, 'atob'), btoa: textFunction(services, 'btoa') };
    },
    crypto: () => newCrypto(services, require),
    events: () => load('events/', ''),
    os: () => ({ EOL: '\n', platform: () => 'linux' }),
    path: () => newPath(services),
    'path/posix': () => newPath(services),
    perf_hooks: () => ({ performance: own.Reflect.get(globalThis, 'performance') }),
    process: () => own.Reflect.get(globalThis, 'process'),
    punycode: () => services.lack("Node's module punycode"),
    querystring: () =>
      functionsOf(services, 'querystring', ['parse', 'stringify', 'escape', 'unescape', 'decode', 'encode']),
    timers: () => timers,
    'timers/promises': () => ({
      setTimeout: (milliseconds: unknown, value: unknown) =>
        new own.Promise(resolve => void (timers.setTimeout as AnyFunction)(resolve, milliseconds, value)),
    }),
    url: () => load('whatwg-url', ''),
    util: () => newUtil(services),
  };
  const load = (name: string, from: string): unknown => {
    const found = services.moduleSource(name, from);
    if (found === null)
      throw own.Object.assign(new own.Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
    const { path, source, isJson } = JSON.parse(found) as { path: string; source: string; isJson: boolean };
    const known = loaded[path] as { exports: unknown } | undefined;
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    loaded[path] = module;
    if (isJson) module.exports = JSON.parse(source);
    else {
      const require = (next: unknown): unknown =>
        next === 'util' ? builtin.util?.() : load(own.String(next), path);
      new own.Function('module', 'exports', 'require', source)(module, module.exports, require);
    }
    return module.exports;
  };
  const require = (name: unknown): unknown => {
    const wanted = own.String(name).replace(/^node:/, '');
    if (wanted in loaded) return loaded[wanted];
    const make = builtin[wanted];
    if (!make && nodeModules.includes(wanted)) services.lack(`Node's module ${wanted}`);
    loaded[wanted] = make ? make() : load(wanted, '');
    return loaded[wanted];
  };
  return require;
}

/** Those that are not there. */
const nodeModules =
  `async_hooks child_process cluster dgram diagnostics_channel dns fs fs/promises http http2 https inspector module net
   punycode readline repl stream stream/promises string_decoder tls tty v8 vm wasi worker_threads zlib`.split(
    /\s+/,
  );

function functionsOf(
  { library }: Services,
  name: Library,
  methods: readonly string[],
): Record<string, AnyFunction> {
  const made: Record<string, AnyFunction> = {};
  for (const method of methods) made[method] = (...args) => library(name, method, args);
  return made;
}

function textFunction({ library }: Services, method: string): AnyFunction {
  return text => library('text', method, [own.String(text)]);
}

function newPath(services: Services): object {
  const methods = 'basename dirname extname join normalize resolve relative isAbsolute parse format'.split(
    ' ',
  );
  const path: AnyObject = { ...functionsOf(services, 'path', methods), sep: '/', delimiter: ':' };
  path.posix = path;
  return path;
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

function newUtil(services: Services): AnyObject {
  const { library } = services;
  class TextEncoder {
    readonly encoding = 'utf-8';
    encode(text: unknown = ''): unknown {
      return library('text', 'encode', [own.String(text)]);
    }
  }
  class TextDecoder {
    readonly encoding: string;
    readonly fatal: boolean;
    constructor(encoding: unknown = 'utf-8', options: { fatal?: boolean } = {}) {
      this.encoding = own.String(encoding);
      this.fatal = options.fatal === true;
    }
    decode(bytes: unknown = new own.Uint8Array()): unknown {
      return library('text', 'decode', [bytes, this.encoding, this.fatal]);
    }
  }
  return {
    ...functionsOf(services, 'util', ['inspect', 'format', 'isDeepStrictEqual', 'stripVTControlCharacters']),
    TextEncoder,
    TextDecoder,
    deprecate: (work: unknown) => work,
    inherits: (maker: { prototype: object }, parent: { prototype: object }) =>
      void own.Object.setPrototypeOf(maker.prototype, parent.prototype),
    promisify:
      (work: AnyFunction) =>
      (...args: unknown[]) =>
        new own.Promise((resolve, reject) => {
          work(...args, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value)));
        }),
    types: {
      isDate: (value: unknown) => value instanceof own.Date,
      isPromise: (value: unknown) => value instanceof own.Promise,
    },
  };
}

/** Hashes keep what they are given until their digest is asked for. */
function newCrypto({ library }: Services, require: (name: string) => unknown): AnyObject {
  const bytesOf = (value: unknown): unknown => {
    const { Buffer } = require('buffer') as { Buffer: typeof globalThis.Buffer };
    return value instanceof own.Uint8Array ? Buffer.from(value) : value;
  };
  const hashing =
    (method: string) =>
    (...first: unknown[]): object => {
      const chunks: unknown[] = [];
      const hash = {
        update(chunk: unknown, encoding?: unknown) {
          chunks[chunks.length] = [chunk, encoding];
          return hash;
        },
        digest: (encoding?: unknown) => bytesOf(library('crypto', method, [first, encoding, chunks])),
      };
      return hash;
    };
  const random =
    (method: string) =>
    (...args: unknown[]) =>
      bytesOf(library('crypto', method, args));
  const webcrypto = {
    randomUUID: random('randomUUID'),
    getRandomValues(view: Uint8Array) {
      const bytes = library('crypto', 'randomBytes', [view.byteLength]) as Uint8Array;
      new own.Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes);
      return view;
    },
  };
  return {
    createHash: hashing('createHash'),
    createHmac: hashing('createHmac'),
    hash: (algorithm: unknown, data: unknown, encoding: unknown = 'hex') =>
      bytesOf(library('crypto', 'createHash', [[algorithm], encoding, [[data]]])),
    getHashes: () => library('crypto', 'getHashes', []),
    randomUUID: webcrypto.randomUUID,
    randomBytes: random('randomBytes'),
    randomInt: random('randomInt'),
    timingSafeEqual: (a: unknown, b: unknown) => library('crypto', 'timingSafeEqual', [a, b]),
    webcrypto,
  };
}
