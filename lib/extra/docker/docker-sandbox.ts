import { availableParallelism } from 'node:os';
import type { ExecuteRequest, Sandbox } from '../../core/ports.ts';
import { detectIsolation, type Isolation } from '../../sandbox/isolation/isolation.ts';
import {
  createExecutions,
  executionLimits,
  type SandboxOptions,
  withDefaults,
} from '../../sandbox/process/execution.ts';
import { type Pair, pairOf } from '../../sandbox/process/pairs.ts';
import { createBatches } from '../../sandbox/process/started-ahead.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import { executePair, judgeByTests, loaded, startJudges } from '../../sandbox/python/host/python-sandbox.ts';
import { createSyntaxChecker } from '../../sandbox/python/host/syntax-checker.ts';
import { type Container, startContainer } from './container.ts';
import { startInContainer } from './container-candidate.ts';
import { prepareContainer } from './container-python.ts';
import { checkDocker, type DockerSettings, readDockerSettings, sweepContainers } from './engine.ts';

const judgesAtOnce = 8;

interface DockerOptions extends SandboxOptions {
  /** How containers are made; read from the environment by default. */
  readonly docker?: DockerSettings;
}

/** A container and the pair that waits in it for the next execution. */
interface Slot {
  readonly container: Container;
  readonly pair: Pair;
}

/**
 * Runs Python candidates in warm containers: each execution has a container to itself and a new interpreter,
 * and the container is cleared afterwards. There are as many containers as concurrent executions and, from
 * the second execution on, spare ones in which the next interpreters start. A container is replaced after a number of
 * executions. The judge runs on this system, in a jail of the strongest level that works.
 * Rejects with the DOCKER_ errors, with OPTION_INVALID for a variable, and with the errors of preparePython, for both
 * interpreters, and detectIsolation.
 */
export async function createDockerSandbox(options: DockerOptions = {}): Promise<Sandbox> {
  const { docker: settings = readDockerSettings(process.env) } = options;
  const { timeoutSeconds, memoryMiB, hashSeed, maxExecutions } = withDefaults(options);
  // Report at once what is missing.
  await checkDocker(settings);
  await sweepContainers(settings);
  const judgePython = await preparePython(options.python);
  const { executable, files } = judgePython;
  const { requireIsolation } = options;
  const isolation = await detectIsolation({ python: executable, files, requireIsolation });
  const limits = { ...executionLimits(timeoutSeconds, memoryMiB), processes: settings.pids };
  const first = await startContainer(settings, memoryMiB, limits.workFolderMiB);
  /** All containers, with the number of executions that each has had. */
  const containers = new Map([[first, 0]]);
  const inContainer = await prepareContainer(first, settings.image, limits, hashSeed).catch(async error => {
    await first.close();
    throw error;
  });
  const judges = createBatches(() => {
    const batch = startJudges(judgePython, isolation, limits, judgesAtOnce);
    return { ...batch, take: () => batch.start(loaded) ?? undefined };
  }, 1);
  const warm = (container: Container): Slot => {
    const judge = judges.take();
    return { container, pair: pairOf(judge, startInContainer(container, inContainer, judge.line)) };
  };
  const idle: Slot[] = [warm(first)];
  const syntax = createSyntaxChecker(judgePython, isolation, limits, timeoutSeconds);
  const executions = createExecutions('python', 'docker');
  const clearing = new Set<Promise<void>>();
  /** Containers that have a successor. */
  const retired = new WeakSet<Container>();
  let count = 0;
  let inUse = 0;
  let starting = 0;

  const start = async (): Promise<Slot> => {
    starting += 1;
    try {
      const container = await startContainer(settings, memoryMiB, limits.workFolderMiB);
      containers.set(container, 0);
      return warm(container);
    } finally {
      starting -= 1;
    }
  };
  const take = async (): Promise<Slot> => {
    for (;;) {
      // The one that has been starting for the longest time.
      const slot = idle.shift();
      if (slot?.pair.isUsable()) return slot;
      if (slot) await discard(slot.container);
      // A container that is being cleared is ready sooner than a new one.
      else if (clearing.size > 0 && inUse <= containers.size) await Promise.race(clearing);
      else return start();
    }
  };
  const startSpare = () => {
    const wanted = inUse + Math.min(inUse, availableParallelism());
    if (count < 2 || containers.size + starting >= wanted) return;
    // If it fails, the next execution that needs a container reports why.
    executions.hold(start().then(slot => idle.push(slot)));
  };
  const discard = async (container: Container) => {
    containers.delete(container);
    await container.close();
  };
  /** It goes on until its successor is ready. If that fails, the next one is tried as many executions later. */
  const replace = async (container: Container) => {
    const successor = await start();
    idle.push(successor);
    retired.add(container);
    const waiting = idle.findIndex(slot => slot.container === container);
    const [slot] = waiting < 0 ? [] : idle.splice(waiting, 1);
    if (slot) makeReady(slot);
  };
  const countExecution = (container: Container) => {
    const executed = (containers.get(container) ?? 0) + 1;
    containers.set(container, executed);
    if (executed % maxExecutions === 0) executions.hold(replace(container));
  };
  const makeReady = ({ pair, container }: Slot) => {
    const ready = pair
      .destroy()
      .then(async () => {
        if (container.fault() || retired.has(container)) await discard(container);
        else if (!executions.isClosed()) idle.push(warm(container));
      })
      .finally(() => clearing.delete(ready));
    clearing.add(ready);
    executions.hold(ready);
  };
  return {
    isolation: 'docker',
    warning: judgeWeakness(isolation),
    runtime: `${inContainer.programs.version} of ${settings.image}`,
    async checkSyntax(language, code, signal) {
      executions.check(language);
      return syntax.check(code, signal);
    },
    async execute(request, signal) {
      executions.check(request.language);
      signal?.throwIfAborted();
      const judge = async (judged: ExecuteRequest, ended: AbortSignal) => {
        count += 1;
        inUse += 1;
        const slot = await take().catch(error => {
          inUse -= 1;
          throw error;
        });
        startSpare();
        countExecution(slot.container);
        try {
          const execution = await executePair(slot.pair, judged, timeoutSeconds, 'docker', ended);
          // The container failed, so the verdict says nothing about the candidate.
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
      return executions.run(signal, ended => judgeByTests(request, each => judge(each, ended)));
    },
    async close() {
      await executions.close();
      try {
        await Promise.all([syntax.close(), judges.close(), ...idle.map(slot => slot.pair.destroy())]);
      } finally {
        await Promise.all([...containers.keys()].map(discard));
      }
    },
  };
}

/** One sentence if the tests, which run outside of the container, run at the weakest level; null otherwise. */
export function judgeWeakness({ level }: Pick<Isolation, 'level'>): string | null {
  if (level !== 'ulimit') return null;
  const how = process.platform === 'linux' ? '; install bubblewrap (apt-get install bubblewrap)' : '';
  return `The tests run outside of the container, at the weakest level, ulimit${how}.`;
}
