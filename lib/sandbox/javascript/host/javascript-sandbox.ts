import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ExecuteRequest, Sandbox } from '../../../core/ports.ts';
import { packageFile } from '../../../files/package.ts';
import { detectIsolation } from '../../isolation/isolation.ts';
import { programFiles } from '../../isolation/programs.ts';
import { codeRangeMiB } from '../../process/code-range.ts';
import {
  createExecutions,
  executionLimits,
  type SandboxOptions,
  unrun,
  withDefaults,
} from '../../process/execution.ts';
import {
  candidateDescriptors,
  createPairs,
  createWarmPool,
  judgeDescriptors,
  type Pair,
  type RoleFiles,
  startPrograms,
} from '../../process/pairs.ts';
import { captureSlowly } from '../../process/started-process.ts';
import { preparePython } from '../../python/host/python-programs.ts';
import { hasKernel } from '../fork/kernel.ts';
import { checkSyntax } from './check-syntax.ts';
import { compileIsolatedVm } from './compile-isolated-vm.ts';
import { executeCandidate } from './execute-candidate.ts';
import { isolatedVmBinary, startIsolated } from './isolated-vm.ts';

/**
 * Runs JavaScript candidates, each execution in two new processes: one runs the candidate in an isolate of isolated-vm,
 * the other runs the tests and decides. Tests that need more than plain data run with the candidate in one new process.
 * Rejects with ISOLATED_VM_MISSING and the errors of preparePython and detectIsolation.
 */
export async function createJavaScriptSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds, memoryMiB, poolSize, requireIsolation } = withDefaults(options);
  await compileIsolatedVm();
  const programs = hostPrograms(Math.max(memoryMiB, MIN_ISOLATE_MIB));
  const python = await preparePython(options.python);
  const isolation = await detectIsolation({
    python: python.executable,
    files: python.files,
    wanted: options.isolation,
    requireIsolation,
  });
  const processMiB = memoryMiB + PROCESS_MIB + codeRangeMiB(ISOLATES);
  const limits = executionLimits(timeoutSeconds, processMiB, 2);
  const batch = {
    judges: programs.judge,
    candidates: programs.candidate,
    // Node exits if its TLS configuration exists and cannot be read.
    environment: { OPENSSL_CONF: '/dev/null' },
    isolation,
    python,
    limits: { ...limits, fileSizeMiB: 0, workFolderMiB: 1 },
    atOnce: poolSize === 0 ? 1 : pairsAtOnce,
  };
  const pairs = createPairs(() => startPrograms(batch), captureSlowly);
  const start = (): Pair => pairs.start(programs.judge, programs.candidate);
  const unforked = createPairs(() => startPrograms({ ...batch, atOnce: 1 }), captureSlowly);
  const startUnforked = (): Pair => unforked.start(programs.judge, programs.candidate);
  // Tests of users' own projects may write files.
  const startAlone = () => {
    const { argv, readable } = programs.isolated;
    return startIsolated(isolation.program(argv, readable, limits));
  };
  const executions = createExecutions('js', 'JavaScript');
  const discard = (pair: Pair): void => executions.hold(pair.destroy());
  const pool = createWarmPool(poolSize, start, discard);
  pool.refill();

  return {
    isolation: isolation.level,
    warning: isolation.warning,
    runtime: `Node ${process.versions.node}`,
    async checkSyntax(language, code, signal) {
      executions.check(language);
      signal?.throwIfAborted();
      return checkSyntax(code);
    },
    async execute(request, signal) {
      executions.check(request.language);
      signal?.throwIfAborted();
      const fault = checkSyntax(request.candidate);
      if (fault) {
        const exception = { type: 'SyntaxError', ...fault };
        const message = `${fault.message} (line ${fault.line}).`;
        return unrun({ kind: 'syntax', message, exception }, isolation.level);
      }
      const start = { pair: needsThreads(request) ? startUnforked : pool.take, together: startAlone };
      const execution = executions.run(signal, ended =>
        executeCandidate(start, request, {
          ...{ timeoutSeconds, isolation: isolation.level, signal: ended },
          leave: executions.hold,
        }),
      );
      setImmediate(() => {
        if (!executions.isClosed()) pool.refill();
      });
      return execution;
    },
    async close() {
      for (const pair of pool.drain()) discard(pair);
      await executions.close();
      await Promise.all([pairs.close(), unforked.close()]);
    },
  };
}

/** Whether tests compile WebAssembly, as Node's `fetch` does: V8 uses its threads, which forked processes lack. */
function needsThreads({ tests, declaration }: Pick<ExecuteRequest, 'tests' | 'declaration'>): boolean {
  return /\b(WebAssembly|fetch)\b/.test(`${tests}\n${declaration}`);
}

/** As many executions are forked from one pair of processes. */
const pairsAtOnce = 64;
/** The minimum that isolated-vm accepts. */
const MIN_ISOLATE_MIB = 8;
/** Memory that Node and V8 need in addition to the isolate's heap: code, stacks, the host's own heap. */
const PROCESS_MIB = 512;
/** Node's own and the candidate's. */
const ISOLATES = 2;

/** One of our programs, how it is started and what it reads. */
interface HostProgram extends RoleFiles {
  readonly argv: readonly string[];
}

/** The programs that the processes of an execution run. Throws ISOLATED_VM_MISSING. */
function hostPrograms(memoryMiB: number): Readonly<Record<'candidate' | 'judge' | 'isolated', HostProgram>> {
  const require = createRequire(import.meta.url);
  const isolatedVm = isolatedVmBinary();
  const [node = process.execPath, ...libraries] = programFiles(process.execPath);
  const executable = [node, ...libraries.filter(path => statSync(path).isFile())];
  const shared = [
    ...libraries,
    // Newer versions of Node.js do not start a program whose package.json they may not read.
    packageFile('package.json'),
    packageFile('dist/lib/sandbox/javascript'),
    ...packageFolders(require),
  ];
  const program = (name: string, flags: readonly string[], words: readonly string[] = []) => ({
    argv: [node, ...flags, packageFile(`dist/lib/sandbox/javascript/host/${name}-host.cjs`), ...words],
    executable,
  });
  const heap = [`--max-old-space-size=${memoryMiB}`];
  return {
    // Node's start-up snapshot does not work with isolates of isolated-vm.
    candidate: withForkServer(
      {
        ...program('candidate', ['--no-node-snapshot'], [String(memoryMiB), isolatedVm]),
        readable: [...shared, isolatedVm],
      },
      candidateDescriptors,
    ),
    judge: withForkServer({ ...program('judge', heap), readable: shared }, judgeDescriptors),
    // Rejections that nobody handles are exceptions, even if the candidate listens.
    isolated: { ...program('isolated', [...heap, '--unhandled-rejections=strict']), readable: shared },
  };
}

/** The same program as one that forks itself, if this system can. */
function withForkServer(program: HostProgram, descriptors: readonly number[]): HostProgram {
  const koffi = koffiFolders();
  if (!koffi) return program;
  const [node = '', ...words] = program.argv;
  const forkServer = [node, ...forkingFlags, ...words, koffi[0], descriptors.join()];
  return { ...program, readable: [...program.readable, ...koffi], forkServer };
}

/** A forked process has none of the other threads of V8. What is compiled at the start is not compiled again in each. */
const forkingFlags = ['--single-threaded', '--v8-pool-size=0', '--no-lazy', '--no-flush-bytecode'];

/** koffi, and the package with its binary for this system; undefined if it is not installed, or of no use here. */
function koffiFolders(): readonly [string, string] | undefined {
  if (!hasKernel) return undefined;
  try {
    const koffi = dirname(createRequire(import.meta.url).resolve('koffi'));
    const binary = join(koffi, `../@koromix/koffi-${process.platform}-${process.arch}`);
    return existsSync(binary) ? [koffi, binary] : undefined;
  } catch {
    return undefined;
  }
}

/** The packages that candidates may require, and what those require. */
function packageFolders(require: NodeJS.Require): string[] {
  const url = createRequire(require.resolve('whatwg-url'));
  const buffer = createRequire(require.resolve('buffer/'));
  const tr46 = createRequire(url.resolve('tr46'));
  return [
    ...['js-md5', 'events', 'buffer', 'whatwg-url'].map(name => folderOf(require, name)),
    ...['tr46', 'webidl-conversions'].map(name => folderOf(url, name)),
    ...['base64-js', 'ieee754'].map(name => folderOf(buffer, name)),
    folderOf(tr46, 'punycode'),
  ];
}

/** A package's folder under the name that Node looks for, which some package managers make a link. */
function folderOf(require: NodeJS.Require, name: string): string {
  // With a slash, since some have the name of a module of Node's.
  const folders = (require.resolve.paths(`${name}/`) ?? []).map(root => join(root, name));
  return folders.find(existsSync) ?? name;
}
