import { setMaxListeners } from 'node:events';
import { languageNotInSandbox, sandboxClosed } from '../../core/errors.ts';
import { joinSignals } from '../../core/join-signals.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import { detectIsolation, type Limits, type ProcessIsolationLevel } from '../isolation/isolation.ts';
import { createBatches } from '../python/host/batches.ts';
import { executePair } from '../python/host/execute-pair.ts';
import type { ExecutionPair } from '../python/host/execution-pair.ts';
import { startPairBatch } from '../python/host/pair-batch.ts';
import { preparePython } from '../python/host/python-programs.ts';
import { createSyntaxChecker } from '../python/host/syntax-checker.ts';
import { createWarmPool } from './warm-pool.ts';

export interface ProcessSandboxOptions {
  /** Wall-clock seconds that one execution may take. */
  readonly timeoutSeconds?: number;
  /** Address space that one execution may take, in MiB. */
  readonly memoryMiB?: number;
  /** Take this level of isolation or fail; without it the strongest that works here. */
  readonly isolation?: ProcessIsolationLevel;
  /** Refuse the weakest level. */
  readonly requireIsolation?: boolean;
  /** The command that starts Python. */
  readonly python?: string;
  /** Hash seed of Python candidates, from 0 to 4294967295; 0 unless given. */
  readonly hashSeed?: number;
  /** Pairs of interpreters that wait for a candidate. */
  readonly poolSize?: number;
}

/** Executions whose processes are forked from the same two interpreters. */
const pairsAtOnce = 32;

/**
 * Runs Python candidates in processes of this machine, each execution in two fresh ones that were started ahead.
 * Throws HefixErrors with the codes PYTHON_MISSING, PYTHON_TOO_OLD, ISOLATION_UNAVAILABLE and ISOLATION_TOO_WEAK.
 */
export async function createProcessSandbox(options: ProcessSandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds = 10, memoryMiB = 1024, poolSize = 2, requireIsolation = false } = options;
  const python = await preparePython(options.python, options.hashSeed);
  const isolation = await detectIsolation({
    python: python.executable,
    requireIsolation,
    ...(options.isolation && { wanted: options.isolation }),
  });
  const limits: Limits = {
    memoryMiB,
    // The wall clock decides; this ends what outlives us.
    cpuSeconds: Math.ceil(timeoutSeconds) + 2,
    processes: 64,
    openFiles: 64,
    fileSizeMiB: 64,
    workFolderMiB: 64,
  };
  // What closing has to wait for: executions and discarded pairs.
  const ending = new Set<Promise<void>>();
  const discard = (pair: ExecutionPair) => {
    const end = pair.destroy().finally(() => ending.delete(end));
    ending.add(end);
  };
  const pairs = createBatches(() => startPairBatch(python, isolation, limits, pairsAtOnce), poolSize);
  const pool = createWarmPool(poolSize, pairs.take, pair => pair.isUsable(), discard);
  const syntax = createSyntaxChecker(python, isolation, limits, timeoutSeconds);
  const closing = new AbortController();
  // One listener for each execution in flight, however many those are.
  setMaxListeners(0, closing.signal);
  pool.refill();

  const requirePython = (language: Language) => {
    if (closing.signal.aborted) throw sandboxClosed();
    if (language !== 'python') throw languageNotInSandbox(language, 'process');
  };
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    runtime: python.version,
    async checkSyntax(language, code, signal) {
      requirePython(language);
      return syntax.check(code, signal);
    },
    async execute(request, signal) {
      requirePython(request.language);
      signal?.throwIfAborted();
      const both = joinSignals(signal, closing.signal);
      const pair = pool.take();
      const execution = executePair(pair, request, timeoutSeconds, isolation.level, both.signal).finally(
        () => {
          both.release();
          discard(pair);
        },
      );
      const end = execution.then(nothing, nothing).finally(() => ending.delete(end));
      ending.add(end);
      setImmediate(() => {
        if (closing.signal.aborted) return;
        pool.refill();
        pairs.refill();
      });
      return execution;
    },
    async close() {
      closing.abort(sandboxClosed());
      for (const pair of pool.drain()) discard(pair);
      await Promise.all([syntax.close(), pairs.close(), ...ending]);
      // What executions that were under way have discarded meanwhile.
      await Promise.all(ending);
    },
  };
}

function nothing(): void {}
