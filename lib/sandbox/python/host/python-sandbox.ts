import type { ExecuteRequest, Sandbox } from '../../../core/ports.ts';
import { detectIsolation } from '../../isolation/isolation.ts';
import { createExecutions } from '../../process/executions.ts';
import { createPairs, createWarmPool, type Pair } from '../../process/pairs.ts';
import { executionLimits, type SandboxOptions, withDefaults } from '../../sandbox-options.ts';
import { executePair, judgeByTests } from './execute-pair.ts';
import { loaded, startInterpreters } from './execution-pairs.ts';
import { preparePython } from './python-programs.ts';
import { createSyntaxChecker } from './syntax-checker.ts';

/** Number of executions whose processes are forked from one pair of interpreters. */
const pairsAtOnce = 32;

/**
 * Runs Python candidates in processes of this system, each execution in two new ones. Rejects with the errors of
 * preparePython and detectIsolation.
 */
export async function createPythonSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds, memoryMiB, hashSeed, poolSize, requireIsolation } = withDefaults(options);
  const python = await preparePython(options.python, hashSeed);
  const isolation = await detectIsolation({
    python: python.executable,
    files: python.files,
    wanted: options.isolation,
    requireIsolation,
    recall: options.recall,
  });
  const limits = executionLimits(timeoutSeconds, memoryMiB);
  const executions = createExecutions('python', 'process');
  const discard = (pair: Pair) => executions.hold(pair.destroy());
  const size = poolSize === 0 ? 1 : pairsAtOnce;
  const pairs = createPairs(() => startInterpreters(python, isolation, limits, size));
  const pool = createWarmPool(poolSize, () => pairs.start(loaded, loaded), discard);
  const syntax = createSyntaxChecker(python, isolation, limits, timeoutSeconds);
  pool.refill();

  return {
    isolation: isolation.level,
    warning: isolation.warning,
    runtime: python.version,
    async checkSyntax(language, code, signal) {
      executions.check(language);
      return syntax.check(code, signal);
    },
    async execute(request, signal) {
      executions.check(request.language);
      signal?.throwIfAborted();
      const judge = (judged: ExecuteRequest, ended: AbortSignal) => {
        const pair = pool.take();
        return executePair(pair, judged, timeoutSeconds, isolation.level, ended).finally(() => discard(pair));
      };
      const execution = executions.run(signal, ended => judgeByTests(request, each => judge(each, ended)));
      setImmediate(() => {
        if (executions.isClosed() || poolSize === 0) return;
        pool.refill();
        pairs.prepare(poolSize);
      });
      return execution;
    },
    async close() {
      for (const pair of pool.drain()) discard(pair);
      await Promise.all([executions.close(), syntax.close(), pairs.close()]);
    },
  };
}
