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
} from '../../machines/actors.ts';
import type { StepCounts } from '../core/attempt.ts';

/** What an actor's result amounts to, in numbers; null for states that only decide, and results without numbers. */
export function countsOf(output: unknown): StepCounts | null {
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
    (_, check) => trials.filter(({ missed }) => Math.min(missed, checks - 1) === check).length,
  );
  return {
    screened: trials.length,
    passed: trials.filter(({ missed }) => missed === -1).length,
    ...(checks > 0 && { rejected }),
  };
}
