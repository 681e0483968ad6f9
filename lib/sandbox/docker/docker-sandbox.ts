import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { languageNotInSandbox, sandboxClosed } from '../../core/errors.ts';
import { joinSignals } from '../../core/join-signals.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import { detectIsolation } from '../isolation/isolation.ts';
import type { Limits } from '../isolation/jail.ts';
import { createBatches } from '../python/host/batches.ts';
import { executePair } from '../python/host/execute-pair.ts';
import { type ExecutionPair, startPair } from '../python/host/execution-pair.ts';
import { startJudgeBatch } from '../python/host/judge-batch.ts';
import { preparePython } from '../python/host/python-programs.ts';
import { createSyntaxChecker } from '../python/host/syntax-checker.ts';
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
  /** Hash seed of Python candidates, from 0 to 4294967295; 0 unless given. */
  readonly hashSeed?: number;
  /** Taken from the environment unless given: see `readDockerSettings`. */
  readonly settings?: DockerSettings;
}

const judgesAtOnce = 8;

/** A container and, waiting in it, a pair for the next execution. */
interface Slot {
  readonly container: Container;
  readonly pair: ExecutionPair;
}

/**
 * Runs Python candidates in warm containers: each execution has one for itself, in a fresh interpreter, and leaves it
 * cleared for the next. There are as many containers as there were executions at once and, from the second execution
 * on, spare ones, in which the next interpreters start meanwhile. The judge runs on this machine.
 * Throws HefixErrors: the DOCKER_ ones of lib/core/errors.ts, PYTHON_MISSING, PYTHON_TOO_OLD, OPTION_INVALID.
 */
export async function createDockerSandbox(options: DockerSandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds = 10, memoryMiB = 1024, hashSeed = 0 } = options;
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
  const inContainer = await prepareContainer(first, settings.image, limits, hashSeed).catch(async error => {
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
  // One listener for each execution in flight, however many those are.
  setMaxListeners(0, closing.signal);
  const busy = new Set<Promise<unknown>>();
  const clearing = new Set<Promise<void>>();
  let executions = 0;
  let inUse = 0;
  let starting = 0;

  const start = async (): Promise<Slot> => {
    starting += 1;
    try {
      const container = await startContainer(settings, memoryMiB, limits.workFolderMiB);
      containers.add(container);
      return warm(container);
    } finally {
      starting -= 1;
    }
  };
  const take = async (): Promise<Slot> => {
    for (;;) {
      // The one that has had the longest time to get ready.
      const slot = idle.shift();
      if (slot?.pair.isUsable()) return slot;
      if (slot) await discard(slot.container);
      // One that is being cleared is ready sooner than a new one.
      else if (clearing.size > 0 && inUse <= containers.size) await Promise.race(clearing);
      else return start();
    }
  };
  const wait = (work: Promise<unknown>) => {
    const settled = work.catch(() => {}).finally(() => busy.delete(settled));
    busy.add(settled);
  };
  const startSpare = () => {
    const wanted = inUse + Math.min(inUse, availableParallelism());
    if (executions < 2 || containers.size + starting >= wanted) return;
    // Without one it only takes longer; what is wrong, the next execution that needs a container will tell.
    wait(start().then(slot => idle.push(slot)));
  };
  const discard = async (container: Container) => {
    containers.delete(container);
    await container.close();
  };
  const makeReady = ({ pair, container }: Slot) => {
    const ready = pair
      .destroy()
      .then(async () => {
        if (container.fault()) await discard(container);
        else if (!closing.signal.aborted) idle.push(warm(container));
      })
      .finally(() => clearing.delete(ready));
    clearing.add(ready);
    wait(ready);
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
      const both = joinSignals(signal, closing.signal);
      const work = async () => {
        executions += 1;
        inUse += 1;
        const slot = await take().catch(error => {
          inUse -= 1;
          throw error;
        });
        startSpare();
        try {
          const execution = await executePair(slot.pair, request, timeoutSeconds, 'docker', both.signal);
          // A verdict from a container that broke would be about the container.
          const fault = slot.container.fault();
          if (fault) throw fault;
          return execution;
        } catch (error) {
          throw slot.container.fault() ?? error;
        } finally {
          inUse -= 1;
          makeReady(slot);
          judges.refill();
        }
      };
      const execution = work().finally(both.release);
      wait(execution);
      return execution;
    },
    async close() {
      closing.abort(sandboxClosed());
      while (busy.size > 0) await Promise.all(busy);
      await Promise.all([syntax.close(), judges.close(), ...idle.map(slot => slot.pair.destroy())]);
      await Promise.all([...containers].map(discard));
    },
  };
}
