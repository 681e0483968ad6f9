import type { InspectionEvent } from 'xstate';
import type {
  Choice,
  Combination,
  Comparison,
  Enumeration,
  Examination,
  Judgement,
  Proposal,
  Ranking,
  Screening,
  UntimedAttempt,
} from '../../machines/actors.ts';
import { isPassing } from '../../machines/pool.ts';
import type { Attempt, Step, StepCounts } from '../core/attempt.ts';
import { sumOf } from '../core/numbers.ts';

/** The states that a machine visits, with times and counts: read from its transitions, which know nothing of it. */
export interface Steps {
  /** The last one is the current state. */
  readonly all: readonly Step[];
  /** To be called with each event of the actor. */
  inspect(event: InspectionEvent): void;
  /** To be called before the actor starts: there is no event for a first state that is not left at once. */
  begin(state: string): void;
}

/**
 * @param machine id of the machine
 * @param before the steps of a run that is resumed: the actor repeats the last one
 * @param now milliseconds of a monotonic clock
 */
export function watchSteps(machine: string, now: () => number, before: readonly Step[] = []): Steps {
  const all = [...before];
  let entered = now();
  let cause: unknown;
  return {
    all,
    inspect(event) {
      if (event.type !== '@xstate.microstep') return;
      const { value, machine: own, context } = Object(event.snapshot);
      if (own?.id !== machine || typeof value !== 'string') return;
      const last = all.at(-1);
      const at = now();
      if (last) {
        // A decision is left by the event that led to it, which is no result of its own.
        const { output } = Object(event.event === cause ? null : event.event) as { output?: unknown };
        const { seconds: busy } = Object(output) as Partial<Proposal>;
        const counts = countsOf(output);
        all[all.length - 1] = {
          ...last,
          seconds: (at - entered) / 1000,
          ...(typeof busy === 'number' && { busy_seconds: busy }),
          ...(counts && { counts }),
        };
      }
      all.push({ state: value, attempt: context.attempts.length, seconds: 0 });
      entered = at;
      cause = event.event;
    },
    begin(state) {
      if (all.length === 0) all.push({ state, attempt: 0, seconds: 0 });
    },
  };
}

/** Attempts with their times, which are those of their steps. */
export function timedAttempts(attempts: readonly UntimedAttempt[], steps: readonly Step[]): Attempt[] {
  return attempts.map(({ diagnosis, ...attempt }, index) => {
    const own = steps.filter(step => step.attempt === index);
    const secondsIn = (isWanted: (state: string) => boolean) =>
      sumOf(
        own.filter(({ state }) => isWanted(state)),
        ({ seconds, busy_seconds }) => busy_seconds ?? seconds,
      );
    const prescreen = secondsIn(state => screening.includes(state));
    const diagnosed = diagnosis && steps.find(step => step.attempt === index + 1 && step.state === 'reflect');
    const isDiagnosis = index > 0 && attempts[index - 1]?.diagnosis !== undefined;
    return {
      ...attempt,
      seconds: {
        proposal: secondsIn(state => !others.includes(state) && !(isDiagnosis && state === 'reflect')),
        execution: prescreen + secondsIn(state => state === 'execute'),
        ...(prescreen > 0 && { prescreen }),
      },
      ...(diagnosis && {
        diagnosis: { ...diagnosis, seconds: diagnosed?.busy_seconds ?? diagnosed?.seconds ?? 0 },
      }),
    };
  });
}

/** Before the tests that the agent may see. */
const screening: readonly string[] = ['screen', 'compare', 'combine', 'choose'];
const others: readonly string[] = [
  ...screening,
  'decide',
  'closest',
  'examine',
  'execute',
  'iterate',
  'finish',
  'score',
];

/** What an actor's result amounts to, in numbers; null for states that only decide, and results without numbers. */
function countsOf(output: unknown): StepCounts | null {
  if (typeof output !== 'object' || output === null) return null;
  const result = output as Partial<
    Choice & Combination & Comparison & Enumeration & Examination & Judgement & Proposal & Ranking & Screening
  >;
  if (result.candidates) return { candidates: result.candidates.length };
  if (result.trials) return screeningCounts(result.trials, result.checks?.length ?? 0);
  if (result.order) return { ranked: result.prompt?.length ? result.order.length : 0 };
  if (result.alike) return { compared: result.alike.length, alike: result.alike.filter(Boolean).length };
  if (result.pairs) return { pairs: result.pairs.length };
  if (result.chosen !== undefined) return { chosen: result.chosen === null ? 0 : 1 };
  return result.answers ? { answers: result.answers.length } : null;
}

function screeningCounts(trials: Screening['trials'], checks: number): StepCounts {
  const rejected = Array.from(
    { length: checks },
    (_, check) =>
      trials.filter(({ firstFailing: at }) => at !== null && Math.min(at, checks - 1) === check).length,
  );
  return {
    screened: trials.length,
    passed: trials.filter(isPassing).length,
    ...(checks > 0 && { rejected }),
  };
}
