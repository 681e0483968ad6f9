import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../../../core/ports.ts';
import { packageFile } from '../../../files/package-root.ts';
import { detectIsolation, type JailFiles } from '../../isolation/isolation.ts';
import { programFiles } from '../../isolation/programs.ts';
import { captureSlowly } from '../../process/captured-output.ts';
import { codeRangeMiB } from '../../process/code-range.ts';
import { createExecutions } from '../../process/executions.ts';
import { pairsAtOnce } from '../../process/judges.ts';
import { createPairs, type Pair } from '../../process/pairs.ts';
import { createWarmPool } from '../../process/started-ahead.ts';
import { preparePython } from '../../python/host/python-programs.ts';
import { executionLimits, type SandboxOptions, withDefaults } from '../../sandbox-options.ts';
import { checkSyntax } from './check-syntax.ts';
import { executeCandidate, unrun } from './execute-candidate.ts';
import { isolatedVmBinary, startIsolated } from './isolated-vm.ts';

/**
 * Runs JavaScript candidates, each execution in two new processes that were started ahead: one runs the
 * candidate in an isolate of isolated-vm, the other runs the tests and decides. Rejects with HefixErrors with
 * the codes ISOLATED_VM_MISSING, PYTHON_MISSING, PYTHON_TOO_OLD, ISOLATION_UNAVAILABLE and
 * ISOLATION_TOO_WEAK.
 */
export async function createJavaScriptSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds, memoryMiB, poolSize, requireIsolation } = withDefaults(options);
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
  const pairs = createPairs({
    judges: programs.judge,
    candidates: programs.candidate,
    // Node exits if its TLS configuration exists and cannot be read.
    environment: { OPENSSL_CONF: '/dev/null' },
    isolation,
    python,
    limits: { ...limits, fileSizeMiB: 0, workFolderMiB: 1 },
    atOnce: poolSize === 0 ? 1 : pairsAtOnce,
    capture: captureSlowly,
  });
  const start = (): Pair => pairs.start(programs.judge, programs.candidate);
  // Tests of users' own projects may write files.
  const startAlone = () => {
    const { argv, readable } = programs.isolated;
    return startIsolated(isolation.program(argv, readable, limits));
  };
  const executions = createExecutions('js', 'JavaScript');
  const discard = (pair: Pair): void => executions.hold(pair.destroy());
  const pool = createWarmPool(poolSize, start, pair => pair.isUsable(), discard);
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
      const take = request.judge === 'isolated' ? startAlone : pool.take;
      const execution = executions.run(signal, ended =>
        executeCandidate(take, request, { timeoutSeconds, isolation: isolation.level, signal: ended }),
      );
      setImmediate(() => {
        if (!executions.isClosed()) pool.refill();
      });
      return execution;
    },
    async close() {
      for (const pair of pool.drain()) discard(pair);
      await executions.close();
      await pairs.close();
    },
  };
}

/** The minimum that isolated-vm accepts. */
const MIN_ISOLATE_MIB = 8;
/** Memory that Node and V8 need in addition to the isolate's heap: code, stacks, the host's own heap. */
const PROCESS_MIB = 512;
/** Node's own and the candidate's. */
const ISOLATES = 2;

/** One of our programs, how it is started and what it reads. */
interface HostProgram extends JailFiles {
  readonly argv: readonly string[];
}

/** The programs that the processes of an execution run. Throws ISOLATED_VM_MISSING. */
function hostPrograms(memoryMiB: number): Readonly<Record<'candidate' | 'judge' | 'isolated', HostProgram>> {
  const require = createRequire(import.meta.url);
  const isolatedVm = isolatedVmBinary();
  const [node = process.execPath, ...libraries] = programFiles(process.execPath);
  const executable = [node, ...libraries.filter(path => statSync(path).isFile())];
  const shared = [...libraries, packageFile('dist/lib/sandbox/javascript'), folderOf(require, 'js-md5')];
  const program = (name: string, flags: readonly string[], words: readonly string[] = []) => ({
    argv: [node, ...flags, packageFile(`dist/lib/sandbox/javascript/host/${name}-host.cjs`), ...words],
    executable,
  });
  const heap = [`--max-old-space-size=${memoryMiB}`];
  return {
    // Node's start-up snapshot does not work with isolates of isolated-vm.
    candidate: {
      ...program('candidate', ['--no-node-snapshot'], [String(memoryMiB), isolatedVm]),
      readable: [...shared, isolatedVm],
    },
    judge: { ...program('judge', heap), readable: shared },
    isolated: { ...program('isolated', heap), readable: shared },
  };
}

/** A package's folder under the name that Node looks for, which some package managers make a link. */
function folderOf(require: NodeJS.Require, name: string): string {
  const entry = require.resolve(name);
  const folders = (require.resolve.paths(name) ?? []).map(root => join(root, name));
  return folders.find(existsSync) ?? dirname(entry);
}
