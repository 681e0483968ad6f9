import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { format } from 'node:util';
import type ivm from 'isolated-vm';
import { readFrame, writeFrame } from '../../process/frames.ts';
import { forkOnRequest } from '../fork/fork-server.ts';
import type { Agent, Host } from '../realm/candidate-agent.ts';
import type { runHere } from '../realm/intrinsics.ts';
import { MAX_FRAME_BYTES } from '../realm/wire.ts';
import { callLibrary, decodePlain, encodePlain } from './host-library.ts';
import { isIdentifier } from './is-identifier.ts';
import type { LoadRequest, Loss, Ready } from './job.ts';

/**
 * The process that runs the candidate; its arguments are the isolate's memory limit in MiB and the path of
 * isolated-vm's binary. With further ones, for the fork server, it forks a process for each candidate, which begins
 * with its isolate made. Descriptor 0 is connected to the judge; 1 and 2 carry the candidate's output. The candidate
 * runs in an isolate of isolated-vm with two realms: its own, and the realm of the agent that speaks for it. Code that
 * takes over this process can only send data to the judge.
 */
const LINE = 0;
const CANDIDATE_FILE = 'candidate.js';

function main(): void {
  const [, , memoryMiB, isolatedVm, ...server] = process.argv;
  const require = createRequire(import.meta.url);
  const { Isolate, Callback } = loadIsolatedVm(require, String(isolatedVm));
  const isolate = new Isolate({
    memoryLimit: Number(memoryMiB),
    onCatastrophicError: () => lose('memory'),
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
  writeFrame(LINE, JSON.stringify({ op: 'ready' } satisfies Ready));
  try {
    const load = readFrame(LINE, MAX_FRAME_BYTES);
    if (load === null) return;
    writeFrame(LINE, loadCandidate(isolate, realm, agent, JSON.parse(load) as LoadRequest));
    for (
      let text = readFrame(LINE, MAX_FRAME_BYTES);
      text !== null;
      text = readFrame(LINE, MAX_FRAME_BYTES)
    ) {
      serve(isolate, agent, text);
      writeFrame(LINE, agent.collect.applySync(undefined, []) as string);
    }
  } catch (problem) {
    if (!isolate.isDisposed) throw problem;
    lose('memory');
  }
}

function serve(isolate: ivm.Isolate, agent: AgentReferences, text: string): void {
  try {
    agent.runHere.applySync(undefined, [agent.serve.derefInto(), text] as never);
  } catch (problem) {
    // An unhandled promise of the candidate was rejected; the answer is available nevertheless.
    if (isolate.isDisposed) throw problem;
  }
}

function loadIsolatedVm(require: NodeJS.Require, binary: string): typeof ivm {
  try {
    return require(binary).ivm;
  } catch (problem) {
    return lose('no isolated-vm', problem instanceof Error ? problem.message : String(problem));
  }
}

/** Reports why there will be no answer, and exits. */
function lose(why: 'memory' | 'exited' | 'no isolated-vm', detail = '', status = 1): never {
  const loss: Loss = why === 'no isolated-vm' ? { op: why, why: detail } : { op: 'lost', why };
  writeFrame(LINE, JSON.stringify(loss));
  process.exit(status);
}

interface AgentReferences {
  readonly name: ivm.Reference<Agent['name']>;
  readonly loaded: ivm.Reference<Agent['loaded']>;
  readonly serve: ivm.Reference<Agent['serve']>;
  readonly collect: ivm.Reference<Agent['collect']>;
  readonly runHere: ivm.Reference<typeof runHere>;
  /** Reads `module.exports`. */
  readonly exports: ivm.Reference<() => unknown>;
}

function startAgent(
  isolate: ivm.Isolate,
  realm: ivm.Context,
  host: Host,
  Callback: typeof ivm.Callback,
): AgentReferences {
  const own = isolate.createContextSync();
  const load = moduleLoader(isolate);
  const intrinsics = load(realm, '../realm/intrinsics.js');
  names(intrinsics, 'trackProxies').trackProxies.applySync(undefined, []);
  const globals = load(realm, '../realm/candidate-globals.js');
  const { createAgent } = names(load(own, '../realm/candidate-agent.js'), 'createAgent');
  // The callbacks are arguments instead of globals, so that they have no name, not even in this realm.
  const methods = Object.keys(host).map((name, i) => `${name}: $${i + 3}`);
  const agent = own.evalClosureSync(
    `return $0($1, { ${methods.join()} }, $2)`,
    [
      createAgent.derefInto(),
      intrinsics.derefInto(),
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
    ...names(agent, 'name', 'loaded', 'serve', 'collect'),
    ...names(intrinsics, 'runHere'),
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
    entry.instantiateSync(context, specifier => compile(new URL(`../realm/${specifier}`, import.meta.url)));
    entry.evaluateSync();
    return entry.namespace;
  };
}

function createHost(require: NodeJS.Require): Host {
  const descriptors = { stdout: 1, stderr: 2 } as const;
  const write = (stream: 'stdout' | 'stderr', text: string): void => {
    try {
      writeSync(descriptors[stream], text);
    } catch {}
  };
  return {
    exchange(text) {
      if (!writeFrame(LINE, text)) process.exit(1);
      return readFrame(LINE, MAX_FRAME_BYTES) ?? process.exit(0);
    },
    print: (stream, graph) => write(stream, `${format(...decodePlain(graph))}\n`),
    write,
    exit: code => lose('exited', '', code & 0xff),
    library: callLibrary,
    moduleSource: name => (name === 'js-md5' ? readFileSync(require.resolve(name), 'utf8') : null),
    sleep: milliseconds => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    },
  };
}

/** Runs the candidate's program; the answer lists what its names hold, or the exception. */
function loadCandidate(
  isolate: ivm.Isolate,
  realm: ivm.Context,
  agent: AgentReferences,
  { code, names }: LoadRequest,
): string {
  try {
    isolate.compileScriptSync(code, { filename: CANDIDATE_FILE }).runSync(realm);
  } catch (thrown) {
    if (isolate.isDisposed) throw thrown;
    const line = thrown instanceof Error ? thrown.stack?.split(`${CANDIDATE_FILE}:`)[1] : undefined;
    return JSON.stringify({
      op: 'answer',
      ok: false,
      graph: encodePlain(thrown),
      line: Number.parseInt(line ?? '', 10) || undefined,
    });
  }
  const readable = names.filter(isIdentifier).map(name => `${name}: () => ${name}`);
  const readers = isolate
    .compileScriptSync(`({ __proto__: null, ${readable.join()} })`)
    .runSync(realm, { reference: true });
  agent.name.applySync(undefined, [readers.derefInto(), agent.exports.derefInto()] as never);
  // Reading what is exported may run the candidate's code, which belongs in its own realm.
  agent.runHere.applySync(undefined, [agent.loaded.derefInto(), JSON.stringify(names)] as never);
  return agent.collect.applySync(undefined, []) as string;
}

main();
