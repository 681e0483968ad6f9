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
  library(name: string, method: string, args: readonly unknown[]): unknown;
  clone(value: unknown): unknown;
  /** What Node's module of a name has, in JSON. */
  moduleNames(name: string): string | null;
  moduleSource(name: string, from: string): string | null;
  /** Tells how Node's Buffer is loaded, and that it is. */
  offerBuffers(make: () => Buffers): void;
  usesBuffers(): void;
  startTimer(callback: () => void, milliseconds: number, repeat: boolean): number;
  stopTimer(id: number): void;
}

interface Buffers {
  isPrototype(prototype: object): boolean;
  from(buffer: ArrayBuffer, offset: number, length: number): object;
}

type AnyFunction = (...args: unknown[]) => unknown;
type BufferType = typeof globalThis.Buffer;
type AnyObject = Record<string, unknown>;

const own = {
  Error,
  TypeError,
  Object,
  Promise,
  Function,
  ArrayBuffer,
  DataView,
  Uint8Array,
  Number,
  String,
  Reflect,
  Date,
  encodeURI,
};

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
  for (const name of ['SharedArrayBuffer', 'Atomics']) own.Reflect.deleteProperty(globalThis, name);
  define('console', newConsole(services));
  define('process', nodeModule(services, 'process', newProcess(services)));
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
  for (const name of nodeGlobals)
    own.Object.defineProperty(globalThis, name, lacking(services, globalThis, name));
  return () => module.exports;
}

const nodeGlobals =
  `WebAssembly fetch Headers Request Response FormData Blob AbortController AbortSignal Event EventTarget
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

function newProcess({ write, exit }: Services): AnyObject {
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
    emitWarning: () => {},
    exitCode: undefined,
    // By which packages tell whether this is Node.
    versions: undefined,
    cwd: () => '/',
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
  const builtin: Record<string, () => object> = {
    __proto__: null as never,
    assert: () => newAssert(services),
    buffer() {
      services.usesBuffers();
      const { Buffer, ...rest } = load('buffer/', '') as { Buffer: BufferType };
      return {
        ...rest,
        Buffer: withUrlEncoding(Buffer),
        atob: textFunction(services, 'atob'),
        btoa: textFunction(services, 'btoa'),
      };
    },
    crypto: () => newCrypto(services),
    events: () => load('events/', '') as object,
    os: () => ({ EOL: '\n', platform: () => 'linux' }),
    path: () => newPath(services),
    perf_hooks: () => ({ performance: own.Reflect.get(globalThis, 'performance') }),
    process: () => own.Reflect.get(globalThis, 'process'),
    querystring: () => ({}),
    timers: () => timers,
    'timers/promises': () => ({
      setTimeout: (milliseconds: unknown, value: unknown) =>
        new own.Promise(resolve => void (timers.setTimeout as AnyFunction)(resolve, milliseconds, value)),
    }),
    url: () => newUrl(services, load('whatwg-url', '') as AnyObject),
    util: () => newUtil(services),
    'util/types': () => newTypes(),
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
  const aliases: Record<string, string> = { 'path/posix': 'path', 'assert/strict': 'assert' };
  const require = (name: unknown): unknown => {
    const text = own.String(name).replace(/^node:/, '');
    const wanted = aliases[text] ?? text;
    if (wanted in loaded) return loaded[wanted];
    const make = builtin[wanted];
    if (!make && services.moduleNames(own.String(name)) !== null) services.lack(`Node's module ${wanted}`);
    loaded[wanted] = make ? nodeModule(services, wanted, make()) : load(wanted, '');
    return loaded[wanted];
  };
  return require;
}

/** A property that the verdict names if it is read. */
function lacking({ lack }: Services, object: object, name: string): PropertyDescriptor {
  const key = name.split('.').at(-1) ?? '';
  return {
    get: () => lack(`Node's ${name}`),
    set: value => void own.Object.defineProperty(object, key, { value, writable: true, enumerable: true }),
    configurable: true,
  };
}

/** The package lacks the encoding `base64url`; it reads it as `base64`. */
function withUrlEncoding(Buffer: BufferType): BufferType {
  const { from, isEncoding, prototype } = Buffer;
  const textOf = prototype.toString as AnyFunction;
  const other = (encoding: unknown): unknown => (encoding === 'base64url' ? 'base64' : encoding);
  return own.Object.assign(Buffer, {
    from: (value: unknown, encoding: unknown, length: unknown) =>
      own.Reflect.apply(from, Buffer, [value, other(encoding), length] as never),
    isEncoding: (encoding: unknown) => isEncoding(own.String(other(encoding))),
    prototype: own.Object.assign(prototype, {
      toString(this: object, encoding: unknown, ...range: unknown[]) {
        const text = own.Reflect.apply(textOf, this, [other(encoding), ...range]) as string;
        return encoding === 'base64url' ? text.replace(/[+/=]/g, sign => urlSigns[sign] ?? '') : text;
      },
    }),
  });
}

const urlSigns: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/** Adds to a module what is called with copies; what else Node's has is named in the verdict if it is read. */
function nodeModule(services: Services, name: string, module: object): object {
  const found = JSON.parse(services.moduleNames(name) ?? '{}') as { calls?: string[]; names?: string[] };
  const add = (key: string, property: PropertyDescriptor): void => {
    if (!own.Object.hasOwn(module, key))
      own.Object.defineProperty(module, key, { ...property, configurable: true });
  };
  for (const key of found.calls ?? []) {
    const value = (...args: unknown[]): unknown => services.library(name, key, args);
    add(key, { value, enumerable: true, writable: true });
  }
  for (const key of found.names ?? []) add(key, lacking(services, module, `${name}.${key}`));
  return module;
}

function textFunction({ library }: Services, method: string): AnyFunction {
  return text => library('text', method, [own.String(text)]);
}

function newPath(services: Services): object {
  const path: AnyObject = { sep: '/', delimiter: ':' };
  path.win32 = nodeModule(services, 'path/win32', { sep: '\\', delimiter: ';' });
  path.posix = path;
  return path;
}

function newUrl({ library }: Services, { URL: Url, URLSearchParams }: AnyObject): object {
  class URL extends (Url as typeof globalThis.URL) {
    constructor(...given: [string, string?]) {
      try {
        super(...given);
      } catch {
        throw own.Object.assign(new own.TypeError('Invalid URL'), {
          code: 'ERR_INVALID_URL',
          input: given[0],
        });
      }
    }
  }
  const textOf = (value: unknown): unknown => (value instanceof URL ? value.href : value);
  return {
    URL,
    URLSearchParams,
    fileURLToPath: (url: unknown) => library('url', 'fileURLToPath', [textOf(url)]),
    format: (url: unknown) => library('url', 'format', [textOf(url)]),
    pathToFileURL: (path: unknown) =>
      new URL(`file://${own.encodeURI(own.String(library('path', 'resolve', [path])))}`),
  };
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
    get encodeInto(): never {
      return services.lack("Node's TextEncoder.encodeInto");
    }
  }
  class TextDecoder {
    readonly encoding: string;
    readonly fatal: boolean;
    constructor(encoding: unknown = 'utf-8', options: { fatal?: boolean } = {}) {
      this.encoding = own.String(library('text', 'encoding', [null, encoding]));
      this.fatal = options.fatal === true;
    }
    decode(bytes: unknown = new own.Uint8Array()): unknown {
      return library('text', 'decode', [bytes, this.encoding, this.fatal]);
    }
  }
  const inspect = (...args: unknown[]): unknown => library('util', 'inspect', args);
  for (const key of ['custom', 'defaultOptions'])
    own.Object.defineProperty(inspect, key, lacking(services, inspect, `util.inspect.${key}`));
  return {
    inspect,
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
    callbackify:
      (work: AnyFunction) =>
      (...args: unknown[]) => {
        const done = args.pop() as AnyFunction;
        void own.Promise.resolve(work(...args)).then(value => done(null, value), done);
      },
    types: newTypes(),
  };
}

function newTypes(): AnyObject {
  const types: AnyObject = {
    isTypedArray: (value: unknown) => own.ArrayBuffer.isView(value) && !(value instanceof own.DataView),
    isArrayBufferView: own.ArrayBuffer.isView,
    isNativeError: (value: unknown) => value instanceof own.Error,
  };
  const tagOf = own.Object.prototype.toString;
  for (const name of tags)
    types[`is${name}`] = (value: unknown) =>
      own.Object(value) === value && own.Reflect.apply(tagOf, value, []) === `[object ${name}]`;
  return types;
}

/** What objects of the language call themselves. */
const tags =
  `Date RegExp Map Set WeakMap WeakSet Promise ArrayBuffer DataView Uint8Array Int32Array Float64Array
  AsyncFunction GeneratorFunction`.split(/\s+/);

/** Hashes keep what they are given until their digest is asked for. */
function newCrypto(services: Services): AnyObject {
  const { library } = services;
  const hashing =
    (method: string) =>
    (...first: unknown[]): object => {
      const digest = (chunks: readonly unknown[], encoding?: unknown): unknown =>
        library('hash', method, [first, encoding, chunks]);
      // Refuses what Node refuses.
      digest([]);
      const from = (chunks: unknown[]): object => {
        const hash = {
          update(chunk: unknown, encoding?: unknown) {
            chunks[chunks.length] = [chunk, encoding];
            return hash;
          },
          digest: (encoding?: unknown) => digest(chunks, encoding),
          copy: () => from([...chunks]),
        };
        return hash;
      };
      return from([]);
    };
  const webcrypto = {
    randomUUID: () => library('crypto', 'randomUUID', []),
    getRandomValues(view: Uint8Array) {
      const bytes = library('crypto', 'randomBytes', [view.byteLength]) as Uint8Array;
      new own.Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes);
      return view;
    },
  };
  own.Object.defineProperty(webcrypto, 'subtle', lacking(services, webcrypto, 'crypto.subtle'));
  return {
    createHash: hashing('createHash'),
    createHmac: hashing('createHmac'),
    hash: (algorithm: unknown, data: unknown, encoding: unknown = 'hex') =>
      library('hash', 'createHash', [[algorithm], encoding, [[data]]]),
    getRandomValues: webcrypto.getRandomValues,
    randomFillSync: webcrypto.getRandomValues,
    webcrypto,
  };
}
