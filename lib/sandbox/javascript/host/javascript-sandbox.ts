import { setMaxListeners } from 'node:events';
import { languageNotInSandbox, sandboxClosed } from '../../../core/errors.ts';
import type { Execution, Sandbox } from '../../../core/ports.ts';
import type { Language } from '../../../core/task.ts';
import type { Verdict } from '../../../core/verdict.ts';
import {
  detectIsolation,
  type Jail,
  type Limits,
  type ProcessIsolationLevel,
} from '../../isolation/isolation.ts';
import { createWarmPool } from '../../process/warm-pool.ts';
import { preparePython } from '../../python/host/python-programs.ts';
import { checkSyntax } from './check-syntax.ts';
import { executeCandidate } from './execute-candidate.ts';
import {
  type ExecutionPair,
  type HostProgram,
  hostPrograms,
  startIsolated,
  startPair,
} from './execution-pair.ts';

export interface JavaScriptSandboxOptions {
  /** Wall-clock seconds that one execution may take. */
  readonly timeoutSeconds?: number;
  /** Memory of the candidate's isolate, in MiB; its process may have half a GiB more, for V8 itself. */
  readonly memoryMiB?: number;
  /** Take this level of isolation or fail; without it the strongest that works here. */
  readonly isolation?: ProcessIsolationLevel;
  /** Refuse the weakest level. */
  readonly requireIsolation?: boolean;
  /** The command that starts Python, which closes the jail around each process. */
  readonly python?: string;
  /** Pairs of processes that wait for a candidate. */
  readonly poolSize?: number;
}

/**
 * Runs JavaScript candidates, each execution in two fresh processes that were started ahead: one runs the
 * candidate in an isolate of isolated-vm, the other runs the tests and decides.
 * Rejects with HefixErrors with the codes ISOLATED_VM_MISSING, PYTHON_MISSING, PYTHON_TOO_OLD, ISOLATION_UNAVAILABLE and ISOLATION_TOO_WEAK.
 */
export async function createJavaScriptSandbox(options: JavaScriptSandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds = 10, memoryMiB = 1024, poolSize = 2, requireIsolation = false } = options;
  const programs = hostPrograms(Math.max(memoryMiB, MIN_ISOLATE_MIB));
  const { executable } = await preparePython(options.python);
  const isolation = await detectIsolation({
    python: executable,
    requireIsolation,
    ...(options.isolation && { wanted: options.isolation }),
  });
  const limits: Limits = {
    memoryMiB: memoryMiB + PROCESS_MIB,
    // The wall clock decides; this ends what outlives us. V8 compiles and collects on other processors meanwhile.
    cpuSeconds: 2 * Math.ceil(timeoutSeconds) + 2,
    processes: 64,
    openFiles: 64,
    fileSizeMiB: 0,
    workFolderMiB: 1,
  };
  const start = (): ExecutionPair => {
    const jail = ({ argv, readable }: HostProgram): Jail => isolation.program(argv, readable, limits);
    return startPair(jail(programs.candidate), jail(programs.judge));
  };
  // Tests of people's own projects write files.
  const startAlone = (): ExecutionPair => {
    const { argv, readable } = programs.isolated;
    return startIsolated(
      isolation.program(argv, readable, { ...limits, fileSizeMiB: 64, workFolderMiB: 64 }),
    );
  };
  const ending = new Set<Promise<void>>();
  const discard = (pair: ExecutionPair): void => {
    const end = pair.destroy().finally(() => ending.delete(end));
    ending.add(end);
  };
  const pool = createWarmPool(poolSize, start, pair => pair.isUsable(), discard);
  const closing = new AbortController();
  // One listener for each execution in flight, however many those are.
  setMaxListeners(0, closing.signal);
  pool.refill();

  const requireJavaScript = (language: Language): void => {
    if (closing.signal.aborted) throw sandboxClosed();
    if (language !== 'js') throw languageNotInSandbox(language, 'JavaScript');
  };
  const unrun = (verdict: Verdict): Execution => ({
    verdict,
    stdout: '',
    stderr: '',
    droppedBytes: 0,
    exitCode: null,
    seconds: 0,
    isolation: isolation.level,
  });
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    runtime: `Node ${process.versions.node}`,
    async checkSyntax(language, code, signal) {
      requireJavaScript(language);
      signal?.throwIfAborted();
      return checkSyntax(code);
    },
    async execute(request, signal) {
      requireJavaScript(request.language);
      signal?.throwIfAborted();
      const fault = checkSyntax(request.candidate);
      if (fault) {
        const exception = { type: 'SyntaxError', ...fault };
        return unrun({ kind: 'syntax', message: `${fault.message} (line ${fault.line}).`, exception });
      }
      const take = request.judge === 'isolated' ? startAlone : () => pool.take();
      const execution = executeCandidate(take, request, {
        timeoutSeconds,
        isolation: isolation.level,
        // Not AbortSignal.any: Node 20 forgets the combined signal of a timeout that nobody else holds.
        signals: signal ? [signal, closing.signal] : [closing.signal],
      });
      setImmediate(() => {
        if (!closing.signal.aborted) pool.refill();
      });
      return execution;
    },
    async close() {
      closing.abort(sandboxClosed());
      for (const pair of pool.drain()) discard(pair);
      await Promise.all(ending);
    },
  };
}

/** The least that isolated-vm takes. */
const MIN_ISOLATE_MIB = 8;
/** What Node and V8 need beside the isolate's heap: code, stacks, the host's own heap. */
const PROCESS_MIB = 512;
