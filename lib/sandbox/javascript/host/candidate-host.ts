import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { format } from 'node:util';
import type ivm from 'isolated-vm';
import { forkOnRequest } from '../fork/fork-server.ts';
import type { Agent, Host } from '../realm/candidate-agent.ts';
import type { HostMessage, LoadRequest } from '../wire/messages.ts';
import type { runHere } from '../wire/realm.ts';
import { MAX_FRAME_BYTES } from '../wire/rows.ts';
import { callLibrary, moduleNames, sessionHere } from './host-library.ts';
import { isIdentifier } from './is-identifier.ts';
import { openLine } from './line.ts';

/**
 * The process that runs the candidate; its arguments are the isolate's memory limit in MiB and the path of
 * isolated-vm's binary. With further ones, for the fork server, it forks a process for each candidate, which begins
 * with its isolate made. Descriptor 0 is connected to the judge; 1 and 2 carry the candidate's output. The candidate
 * runs in an isolate of isolated-vm with two realms: its own, and the realm of the agent that speaks for it. Code that
 * takes over this process can only send data to the judge.
 */
const CANDIDATE_FILE = 'candidate.js';
const line = openLine(0, MAX_FRAME_BYTES);

function main(): void {
  const [, , memoryMiB, isolatedVm, ...server] = process.argv;
  const require = createRequire(import.meta.url);
  const { Isolate, Callback } = loadIsolatedVm(require, String(isolatedVm));
  const isolate = new Isolate({
    memoryLimit: Number(memoryMiB),
    onCatastrophicError: () => end({ op: 'lost', why: 'memory' }),
  });
  const realm = isolate.createContextSync();
  const agent = startAgent(isolate, realm, createHost(require), Callback);
  if (server.length > 0) {
    forkOnRequest(server, {
      rehearse: () => rehearse(isolate),
      collect: () => isolate.createContextSync().evalSync('gc()'),
    });
  }
  runCandidate(isolate, realm, agent);
  process.exit();
}

/** Uses the memory of both heaps. */
function rehearse(isolate: ivm.Isolate): void {
  const values = isolate
    .createContextSync()
    .evalSync('JSON.stringify(Array.from({ length: 1e4 }, (_, i) => ({ i })))');
  if (JSON.parse(values as string).length !== 1e4) throw new Error('no values');
}

function runCandidate(isolate: ivm.Isolate, realm: ivm.Context, agent: AgentReferences): void {
  line.write(JSON.stringify({ op: 'ready' } satisfies HostMessage));
  try {
    const load = line.read();
    if (load === null) return;
    const isLoaded = loadCandidate(isolate, realm, agent, JSON.parse(load) as LoadRequest);
    line.write(isLoaded);
    for (let text = line.read(); text !== null; text = line.read()) line.write(answer(isolate, agent, text));
  } catch (problem) {
    if (!isolate.isDisposed) throw problem;
    end({ op: 'lost', why: 'memory' });
  }
}

function answer(isolate: ivm.Isolate, agent: AgentReferences, text: string): string {
  const said = ask(isolate, () =>
    agent.runHere.applySync(undefined, [agent.call.derefInto(), text] as never),
  );
  if (typeof said === 'string' && said !== '') return said;
  for (;;) {
    // The isolate's jobs have run: a promise may have settled.
    const settled = agent.collect.applySync(undefined, []) as string;
    if (settled !== '') return settled;
    const hasRun = ask(isolate, () =>
      agent.runHere.applySync(undefined, [agent.runTimer.derefInto(), ''] as never),
    );
    if (hasRun === false) return JSON.stringify(['never settles']);
  }
}

/** Undefined if a promise of the candidate was rejected and nobody handled it. */
function ask(isolate: ivm.Isolate, work: () => unknown): unknown {
  try {
    return work();
  } catch (problem) {
    if (isolate.isDisposed) throw problem;
    return undefined;
  }
}

function loadIsolatedVm(require: NodeJS.Require, binary: string): typeof ivm {
  try {
    return require(binary).ivm;
  } catch (problem) {
    return end({ op: 'no isolated-vm', why: problem instanceof Error ? problem.message : String(problem) });
  }
}

/** Reports why there will be no answer, and exits. */
function end(message: HostMessage, status = 1): never {
  line.write(JSON.stringify(message));
  process.exit(status);
}

type AgentReferences = {
  readonly [Name in Exclude<keyof Agent, 'services'>]: ivm.Reference<Agent[Name]>;
} & {
  readonly runHere: ivm.Reference<typeof runHere>;
  /** Reads `module.exports`. */
  readonly exports: ivm.Reference<() => unknown>;
};

function startAgent(
  isolate: ivm.Isolate,
  realm: ivm.Context,
  host: Host,
  Callback: typeof ivm.Callback,
): AgentReferences {
  const own = isolate.createContextSync();
  const load = moduleLoader(isolate);
  const builtins = load(realm, '../wire/realm.js');
  names(builtins, 'trackProxies').trackProxies.applySync(undefined, []);
  const globals = load(realm, '../realm/candidate-globals.js');
  const { createAgent } = names(load(own, '../realm/candidate-agent.js'), 'createAgent');
  // The callbacks are arguments instead of globals, so that they have no name, not even in this realm.
  const methods = Object.keys(host).map((name, i) => `${name}: $${i + 3}`);
  const agent = own.evalClosureSync(
    `return $0($1, { ${methods.join()} }, $2)`,
    [
      createAgent.derefInto(),
      builtins.derefInto(),
      CANDIDATE_FILE,
      ...Object.values(host).map(callback => new Callback(callback)),
    ],
    { result: { reference: true } },
  );
  names(load(own, '../realm/freeze.js'), 'freezeIntrinsics').freezeIntrinsics.applySync(undefined, []);
  const services = names(agent, 'services').services;
  const exports = names(globals, 'installGlobals').installGlobals.applySync(
    undefined,
    [services.derefInto()],
    {
      result: { reference: true },
    },
  );
  return {
    ...names(agent, 'begin', 'loaded', 'lacks', 'call', 'collect', 'runTimer'),
    ...names(builtins, 'runHere'),
    exports,
  } as AgentReferences;
}

function names<Name extends string>(object: ivm.Reference, ...keys: Name[]): Record<Name, ivm.Reference> {
  const entries = keys.map(key => [key, object.getSync(key, { reference: true })]);
  return Object.fromEntries(entries) as Record<Name, ivm.Reference>;
}

/** Runs this package's own compiled modules inside the isolate. */
function moduleLoader(isolate: ivm.Isolate): (context: ivm.Context, path: string) => ivm.Reference {
  return (context, path) => {
    const modules = new Map<string, ivm.Module>();
    const compile = (url: URL): ivm.Module => {
      const known = modules.get(url.href);
      if (known) return known;
      const module = isolate.compileModuleSync(readFileSync(url, 'utf8'), { filename: url.pathname });
      modules.set(url.href, module);
      return module;
    };
    const entry = compile(new URL(path, import.meta.url));
    // All of them are in folders next to each other.
    entry.instantiateSync(context, (specifier, from) => compile(new URL(specifier, urlOf(modules, from))));
    entry.evaluateSync();
    return entry.namespace;
  };
}

function urlOf(modules: ReadonlyMap<string, ivm.Module>, module: ivm.Module): string {
  for (const [url, each] of modules) if (each === module) return url;
  throw new Error('a module that was not loaded');
}

/** Packages that candidates may require, under their own name or that of Node's module. */
const packages = /^(js-md5|buffer\/|events\/|whatwg-url)$/;

function createHost(require: NodeJS.Require): Host {
  const descriptors = { stdout: 1, stderr: 2 } as const;
  const write = (stream: 'stdout' | 'stderr', text: string): void => {
    try {
      writeSync(descriptors[stream], text);
    } catch {}
  };
  return {
    print: (stream, args) =>
      write(stream, `${format(...sessionHere('describe').decode(JSON.parse(args)))}\n`),
    write,
    exit: code => end({ op: 'lost', why: 'exited' }, code & 0xff),
    library: callLibrary,
    moduleNames,
    moduleSource(name, from) {
      // What a package requires is its own affair; a candidate gets these packages alone.
      if (
        from === ''
          ? !packages.test(name)
          : !/\/node_modules\/(js-md5|buffer|events|whatwg-url|tr46|webidl-conversions|punycode|base64-js|ieee754)\//.test(
              from,
            )
      )
        return null;
      const path = (from === '' ? require : createRequire(from)).resolve(name);
      return JSON.stringify({ path, source: readFileSync(path, 'utf8'), isJson: path.endsWith('.json') });
    },
    sleep: milliseconds => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    },
  };
}

/** Runs the candidate's program; the answer says what it defines, or with what exception it ended. */
function loadCandidate(
  isolate: ivm.Isolate,
  realm: ivm.Context,
  agent: AgentReferences,
  { code, ...request }: LoadRequest,
): string {
  const { entryPoint, classes } = request;
  const readable = [entryPoint, ...classes].filter(isIdentifier).map(name => `${name}: () => ${name}`);
  const readers = isolate
    .compileScriptSync(`({ __proto__: null, ${readable.join()} })`)
    .runSync(realm, { reference: true });
  try {
    isolate.compileScriptSync(code, { filename: CANDIDATE_FILE }).runSync(realm);
  } catch (thrown) {
    if (isolate.isDisposed) throw thrown;
    return (agent.lacks.applySync(undefined, []) as string) || failure(thrown);
  }
  agent.begin.applySync(undefined, [
    JSON.stringify({ ...request, code: '' }),
    readers.derefInto(),
    agent.exports.derefInto(),
  ] as never);
  // Reading what is exported may run the candidate's code, which belongs in its own realm.
  return agent.runHere.applySync(undefined, [agent.loaded.derefInto(), ''] as never) as string;
}

/** What isolated-vm has made of an exception. */
function failure(thrown: unknown): string {
  const stack = thrown instanceof Error ? (thrown.stack?.split(`${CANDIDATE_FILE}:`)[1] ?? '') : '';
  const at = Number.parseInt(stack, 10) || null;
  return JSON.stringify(['threw', sessionHere('describe').encode([thrown]), at]);
}

main();
