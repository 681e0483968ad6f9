import { languageNotInSandbox, sandboxClosed } from '../../errors.ts';
import type { Execution, Sandbox } from '../../ports.ts';
import type { Language } from '../../task.ts';
import type { Verdict } from '../../verdict.ts';
import { createWarmPool } from '../warm-pool.ts';
import { checkSyntax } from './check-syntax.ts';
import { executeCandidate } from './execute-candidate.ts';
import { type HostPair, hostPrograms, startPair } from './host-pair.ts';
import { detectNodeIsolation, type NodeIsolationOptions } from './node-isolation.ts';

export interface JavaScriptSandboxOptions extends NodeIsolationOptions {
  /** Wall-clock seconds that one execution may take. */
  readonly timeoutSeconds?: number;
  /** Memory of the candidate's isolate, in MiB; its process may have half a GiB more, for V8 itself. */
  readonly memoryMiB?: number;
  /** Pairs of processes that wait for a candidate. */
  readonly poolSize?: number;
}

/**
 * Runs JavaScript candidates, each execution in two fresh processes that were started ahead: one runs the
 * candidate in an isolate of isolated-vm, the other runs the tests and decides.
 * Rejects with HefixErrors with the codes ISOLATED_VM_MISSING, ISOLATION_UNAVAILABLE and ISOLATION_TOO_WEAK.
 */
export async function createJavaScriptSandbox(options: JavaScriptSandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds = 10, memoryMiB = 1024, poolSize = 2 } = options;
  const programs = hostPrograms(Math.max(memoryMiB, MIN_ISOLATE_MIB));
  const isolation = await detectNodeIsolation(options);
  const limits = {
    memoryMiB: memoryMiB + PROCESS_MIB,
    // The wall clock decides; this ends what outlives us.
    cpuSeconds: Math.ceil(timeoutSeconds) + 2,
  };
  const ending = new Set<Promise<void>>();
  const discard = (pair: HostPair): void => {
    const end = pair.destroy().finally(() => ending.delete(end));
    ending.add(end);
  };
  const pool = createWarmPool(
    poolSize,
    () => startPair(isolation.cell(programs.candidate, limits), isolation.cell(programs.judge, limits)),
    pair => pair.isUsable(),
    discard,
  );
  const closing = new AbortController();
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
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const execution = executeCandidate(() => pool.take(), request, {
        timeoutSeconds,
        isolation: isolation.level,
        signal: both,
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
