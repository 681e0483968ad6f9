import { languageNotInSandbox, sandboxClosed } from '../../errors.ts';
import type { Sandbox } from '../../ports.ts';
import type { Language } from '../../task.ts';
import { createBatches } from '../batches.ts';
import { executePair } from '../execute-pair.ts';
import type { Limits } from '../isolation/cell.ts';
import { detectIsolation } from '../isolation/isolation.ts';
import { startJudgeBatch } from '../judge-batch.ts';
import { type JudgedPair, startPair } from '../judged-pair.ts';
import { preparePython } from '../python-programs.ts';
import { createSyntaxChecker } from '../syntax-checker.ts';
import { type Container, startContainer } from './container.ts';
import { startInContainer } from './container-candidate.ts';
import { prepareContainer } from './container-python.ts';
import { checkDocker } from './engine.ts';
import { sweepContainers } from './labels.ts';
import { type DockerSettings, readDockerSettings } from './settings.ts';

export interface DockerSandboxOptions {
  /** Wall-clock seconds that one execution may take. */
  readonly timeoutSeconds?: number;
  /** Address space that one execution may take, in MiB. */
  readonly memoryMiB?: number;
  /** The command that starts Python on this machine, where the judge runs. */
  readonly python?: string;
  /** By default what the environment says: see `readDockerSettings`. */
  readonly settings?: DockerSettings;
}

const judgesAtOnce = 8;

/** A container and, waiting in it, a pair for the next execution. */
interface Slot {
  readonly container: Container;
  readonly pair: JudgedPair;
}

/**
 * Runs Python candidates in warm containers: each execution has one for itself, in a fresh interpreter, and leaves it
 * cleared for the next. There are as many containers as there were executions at once. The judge runs on this machine.
 * Throws HefixErrors: the DOCKER_ ones of lib/errors.ts, PYTHON_MISSING, PYTHON_TOO_OLD, OPTION_INVALID.
 */
export async function createDockerSandbox(options: DockerSandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds = 10, memoryMiB = 1024 } = options;
  const settings = options.settings ?? readDockerSettings(process.env);
  // Tells at once, and in one sentence, what is missing.
  await checkDocker(settings);
  await sweepContainers(settings);
  const judgePython = await preparePython(options.python);
  const isolation = await detectIsolation({ python: judgePython.executable });
  const limits: Limits = {
    memoryMiB,
    cpuSeconds: Math.ceil(timeoutSeconds) + 2,
    processes: settings.pids,
    openFiles: 64,
    fileSizeMiB: 64,
    workFolderMiB: 64,
  };
  const first = await startContainer(settings, memoryMiB, limits.workFolderMiB);
  const containers = new Set([first]);
  const inContainer = await prepareContainer(first, settings.image, limits).catch(async error => {
    await first.close();
    throw error;
  });
  const judges = createBatches(() => startJudgeBatch(judgePython, isolation, limits, judgesAtOnce), 1);
  const warm = (container: Container): Slot => ({
    container,
    pair: startPair(judges.take(), ({ channel }) => startInContainer(container, inContainer, channel)),
  });
  const idle: Slot[] = [warm(first)];
  const syntax = createSyntaxChecker(judgePython, isolation, limits, timeoutSeconds);
  const closing = new AbortController();
  const busy = new Set<Promise<unknown>>();

  const take = async (): Promise<Slot> => {
    for (let slot = idle.pop(); slot !== undefined; slot = idle.pop()) {
      if (slot.pair.isUsable()) return slot;
      await discard(slot.container);
    }
    const container = await startContainer(settings, memoryMiB, limits.workFolderMiB);
    containers.add(container);
    return warm(container);
  };
  const discard = async (container: Container) => {
    containers.delete(container);
    await container.close();
  };
  const requirePython = (language: Language) => {
    if (closing.signal.aborted) throw sandboxClosed();
    if (language !== 'python') throw languageNotInSandbox(language, 'docker');
  };
  return {
    isolation: 'docker',
    runtime: `${inContainer.programs.version} of ${settings.image}`,
    async checkSyntax(language, code, signal) {
      requirePython(language);
      return syntax.check(code, signal);
    },
    async execute(request, signal) {
      requirePython(request.language);
      signal?.throwIfAborted();
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const work = async () => {
        const slot = await take();
        try {
          const execution = await executePair(slot.pair, request, timeoutSeconds, 'docker', both).catch(
            error => {
              throw slot.container.fault() ?? error;
            },
          );
          // A verdict from a container that broke would be about the container.
          const fault = slot.container.fault();
          if (fault) throw fault;
          return execution;
        } finally {
          await slot.pair.destroy();
          if (slot.container.fault()) await discard(slot.container);
          else if (!closing.signal.aborted) idle.push(warm(slot.container));
          judges.refill();
        }
      };
      const execution = work();
      const settled = execution.catch(() => {}).finally(() => busy.delete(settled));
      busy.add(settled);
      return execution;
    },
    async close() {
      closing.abort(sandboxClosed());
      await Promise.all(busy);
      await Promise.all([syntax.close(), judges.close(), ...idle.map(slot => slot.pair.destroy())]);
      await Promise.all([...containers].map(discard));
    },
  };
}
