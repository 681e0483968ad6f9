import { setMaxListeners } from 'node:events';
import { closeInOrder } from '../../core/async.ts';
import type { ExecuteRequest, Execution, Sandbox } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import type { AssertionCounts } from '../../core/verdict.ts';
import { sandboxClosed } from '../../sandbox/errors.ts';
import { detectIsolation, type Isolation } from '../../sandbox/isolation/isolation.ts';
import {
  awaitReport,
  canBeCounted,
  countSeconds,
  createExecutions,
  executionLimits,
  readReport,
  type SandboxOptions,
  unlessEmpty,
  unrun,
  withDefaults,
} from '../../sandbox/process/execution.ts';
import { createPairs, type Pair, startPrograms } from '../../sandbox/process/pairs.ts';
import { type PythonPrograms, preparePython } from '../../sandbox/python/host/python-programs.ts';
import { openParser } from '../../syntax/parser.ts';
import { judgeUnsupported } from './errors.ts';
import { executePair } from './execute-pair.ts';
import { createJudgeCache } from './judge-cache.ts';
import { parseReport, testOf } from './judge-report.ts';
import { type BuildFault, type JudgedTask, type Program, type Toolchain, typesFault } from './toolchain.ts';

/** What a toolchain needs from the host. */
export interface ToolchainHost {
  readonly isolation: Isolation;
  /** Sets up the jails of compilers. */
  readonly python: PythonPrograms;
  /** Memory that one program may take, in MiB. */
  readonly memoryMiB: number;
}

export type OpenToolchain = (host: ToolchainHost) => Promise<Toolchain>;

/**
 * Runs candidates of a compiled language, each execution in two processes: a new one runs the candidate, the other
 * runs the tests and decides; it is new too, except in Java, where one runs the tests of many. Rejects with the errors
 * of preparePython and detectIsolation, and with the TOOLCHAIN_ ones of errors.ts.
 */
export async function createCompiledSandbox(
  language: Language,
  openToolchain: OpenToolchain,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const { timeoutSeconds, memoryMiB, requireIsolation } = withDefaults(options);
  const python = await preparePython(options.python);
  const isolation = await detectIsolation({
    python: python.executable,
    files: python.files,
    wanted: options.isolation,
    requireIsolation,
  });
  const toolchain = await openToolchain({ isolation, python, memoryMiB });
  const limits = executionLimits(timeoutSeconds, memoryMiB, 2);
  const executions = createExecutions(language, language);
  const closing = new AbortController();
  // One listener per judge that is being built, however many there are.
  setMaxListeners(0, closing.signal);
  // The judge outlives the execution that it was built for.
  const judges = createJudgeCache(task => toolchain.buildJudge(task, closing.signal));

  const { environment, readable, executable, ...folders } = toolchain.files;
  const batch = {
    judges: { readable, executable, folder: folders.judges },
    candidates: { readable, executable, folder: folders.candidates },
    startJudges: toolchain.startJudges,
    environment,
    isolation,
    python,
    limits,
  };
  const pairs = createPairs(() => startPrograms(batch));

  const withPair = async <T>(
    judge: Program,
    candidate: Program,
    use: (pair: Pair) => Promise<T>,
  ): Promise<T> => {
    const pair = pairs.start(judge, candidate);
    try {
      return await use(pair);
    } finally {
      executions.hold(pair.destroy());
    }
  };
  const judge = async (
    task: JudgedTask,
    { candidate, counts: isCounted }: ExecuteRequest,
    signal: AbortSignal,
  ): Promise<Execution> => {
    // Both are built at the same time.
    const building = toolchain.buildCandidate(task, candidate, signal);
    building.catch(() => {});
    try {
      return await judges.with(task, async judge => {
        const built = await building;
        if (!('argv' in built)) return unbuilt(built, isolation.level);
        signal.throwIfAborted();
        const { tests } = task;
        const execution = await withPair(judge, built, pair =>
          executePair(pair, {
            tests,
            timeoutSeconds,
            isolation: isolation.level,
            explainEnd: toolchain.explainEnd,
            lineOf: async addresses => toolchain.lineOf?.(built, addresses, signal),
            signal,
          }),
        );
        if (!isCounted || !canBeCounted(execution)) return execution;
        const counting = toolchain.counting(judge);
        const counts = await withPair(counting, built, pair => countPair(pair, tests, signal));
        return { ...execution, ...(counts && { counts }) };
      });
    } finally {
      executions.hold(
        building.then(async built => {
          if ('argv' in built) await built.remove();
        }),
      );
    }
  };
  const judgeWithHeader = async (request: ExecuteRequest, signal: AbortSignal): Promise<Execution> => {
    const { entryPoint, tests, declaration = '', candidate, reference } = request;
    const tooLong = lengthFault(candidate);
    if (tooLong) return unbuilt(tooLong, isolation.level);
    if (declaration.trim() !== '') return await judge({ entryPoint, tests, declaration }, request, signal);
    const wanted = reference === undefined ? null : await toolchain.headerOf(reference, entryPoint);
    if (typeof wanted === 'string')
      return await judge({ entryPoint, tests, declaration: wanted }, request, signal);
    const header = await toolchain.headerOf(candidate, entryPoint);
    if (typeof header !== 'string') return unbuilt(header, isolation.level);
    const task = { entryPoint, tests, declaration: header };
    return await judge(task, request, signal).catch(async error => {
      const fault = typesFault(error);
      if (fault === null || !(await openParser(language)).parses(tests)) throw error;
      const built = await toolchain.buildCandidate(task, candidate, signal);
      if (!('argv' in built)) return unbuilt(built, isolation.level);
      await built.remove();
      // Tests that are a program compile with the types that they need; these are the candidate's.
      const message = `The tests do not compile with the types of ${entryPoint}: ${fault}`;
      return unbuilt({ kind: 'signature', line: 1, message }, isolation.level);
    });
  };
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    runtime: toolchain.version,
    async checkSyntax(wanted, code, signal, declaration = '') {
      executions.check(wanted);
      signal?.throwIfAborted();
      const fault =
        lengthFault(code) ??
        (await executions.run(signal, ended => toolchain.checkSyntax(code, declaration, ended)));
      return fault && { message: fault.message, line: fault.line };
    },
    async execute(request, signal) {
      executions.check(request.language);
      if (request.judge === 'isolated') throw judgeUnsupported(language);
      signal?.throwIfAborted();
      return await executions.run(signal, ended => judgeWithHeader(request, ended));
    },
    async close() {
      closing.abort(sandboxClosed());
      await closeInOrder(executions, judges, pairs, toolchain);
    },
  };
}

const MAX_SOURCE_LENGTH = 2 ** 20;

/** Compilers and parsers take minutes for megabytes of source. */
function lengthFault(candidate: string): BuildFault | null {
  if (candidate.length <= MAX_SOURCE_LENGTH) return null;
  return { kind: 'syntax', line: 1, message: 'The candidate is longer than a mebibyte.' };
}

function unbuilt({ kind, message, line }: BuildFault, isolation: Execution['isolation']): Execution {
  const exception = { type: 'CompileError', message, line };
  const where = kind === 'syntax' ? ` (line ${line})` : '';
  const verdict = { kind, message: `${message.replace(/\.$/, '')}${where}.`, exception };
  return { ...unrun(verdict, isolation), judge: 'proven' };
}

/**
 * What a judge counts that was just started for it, after the candidate's verdict; undefined if there is nothing to
 * count, or it takes too long. The caller destroys the pair.
 */
async function countPair(
  pair: Pair,
  tests: string,
  signal: AbortSignal,
): Promise<AssertionCounts | undefined> {
  const limits = { timeoutSeconds: countSeconds, judgeGrace: 0, signal };
  const { report, timedOut } = await awaitReport(pair, readReport(pair.channel, parseReport), limits);
  if (timedOut || report === null || typeof report === 'string' || report.kind !== 'counted')
    return undefined;
  const [passed = 0, failed = 0, ...lines] = (report.message ?? '').split(' ').map(Number);
  return unlessEmpty({
    passed,
    failed,
    failing: lines.flatMap(line => testOf({ line }, tests).test ?? []),
    ...(report.type === 'partial' && { partial: true }),
  });
}
