import type { Sandbox } from '../../core/ports.ts';
import { versions } from '../../files/versions.ts';
import { reports } from '../../library/run-parts.ts';
import { noModel, scoreParts } from '../../library/score-samples.ts';
import type { Manifest } from '../../results/manifest.ts';
import { openDataset } from '../../run/open-dataset.ts';
import { type OpenSandbox, openSandbox } from '../../run/open-sandbox.ts';
import type { RunParts } from '../../run/run.ts';
import type { RunEvents } from '../../run/run-events.ts';
import { judgeProgram } from '../../score/judge-sample.ts';

/**
 * The parts of a run that judges the canonical and the buggy solution of each task, `repeat` times; a worker of a queue
 * needs them too. Even samples are canonical solutions.
 */
export function verifyParts(repeat: number, open: OpenSandbox = openSandbox): RunParts {
  let sandboxFor: (hashSeed: number) => Promise<Sandbox> | undefined = () => undefined;
  return {
    loadDataset: openDataset,
    async openSandbox(options, language) {
      const first = await open({ ...options, hashSeed: 0 }, language);
      const others = new Map<number, Promise<Sandbox>>();
      sandboxFor = hashSeed => {
        if (hashSeed === 0) return undefined;
        const other = others.get(hashSeed) ?? open({ ...options, hashSeed, workers: 0 }, language);
        others.set(hashSeed, other);
        return other;
      };
      return {
        ...first,
        async close() {
          await first.close();
          for (const other of others.values()) await (await other).close();
        },
      };
    },
    createModel: async () => noModel('solutions', `${repeat}`),
    repairTask:
      () =>
      async ({ task, sample, sandbox, signal, onState, onAttempt }) => {
        const solution = sample % 2 === 0 ? 'canonical' : 'buggy';
        onState('execute');
        const outcome = await judgeProgram({
          task,
          sample: { form: 'solution', text: task[solution] },
          sandbox: (await sandboxFor(Math.floor(sample / 2))) ?? sandbox,
          signal,
        });
        outcome.attempts.forEach(onAttempt);
        return outcome;
      },
    scored: { file: 'the solutions of the dataset', repeat, countOf: () => 2 * repeat },
    reports,
    prompts: 'none',
    versions: versions(),
  };
}

/** The sample that is a solution's n-th repetition, which decides the hash seed. */
export function sampleOf(solution: 'canonical' | 'buggy', repetition: number): number {
  return 2 * repetition + (solution === 'canonical' ? 0 : 1);
}

/** The parts of a run that asks no model, as its manifest describes it. `file`: where the samples are on this machine. */
export async function scoredParts(
  { file: recorded, repeat }: NonNullable<Manifest['scored']>,
  { name }: Manifest['model'],
  file: string | undefined,
  events: Pick<RunEvents, 'warned'>,
): Promise<RunParts> {
  if (repeat !== undefined) return verifyParts(repeat);
  return (await scoreParts(file ?? recorded, name, events)).parts;
}
