import type { Step } from '../../../../core/attempt.ts';

/** The states of a path from `start` up to, but not including, `end`. */
export interface PathPart {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of the path that belongs to each attempt. Records without steps: from the state that asked the model up to
 * the next attempt's, since each attempt is examined once, right after its answer. Null if the path does not show as
 * many attempts.
 */
export function pathParts(
  path: readonly string[],
  attempts: number,
  steps: readonly Step[] | undefined,
): PathPart[] | null {
  const starts = steps ? stepStarts(steps, attempts) : examinedStarts(path);
  // An attempt that failed after its examination was not recorded.
  if (attempts === 0 || starts.length < attempts) return null;
  return starts.slice(0, attempts).map((start, index) => ({
    start: index === 0 ? 0 : start,
    end: index === attempts - 1 ? path.length : (starts[index + 1] ?? path.length),
  }));
}

function stepStarts(steps: readonly Step[], attempts: number): number[] {
  const starts = Array.from({ length: attempts }, (_, index) =>
    steps.findIndex(({ attempt }) => attempt === index),
  );
  return starts.includes(-1) ? [] : starts;
}

function examinedStarts(path: readonly string[]): number[] {
  const examined = path.flatMap((state, index) => (state === 'examine' ? [index] : []));
  return examined.map(index => Math.max(0, index - 1));
}

/** What a step did, in numbers: `1,012 run: 24 pass, 988 rejected by check 2`. Empty if there is nothing to count. */
export function stepWords({ counts = {} }: Pick<Step, 'counts'>): string {
  const {
    answers,
    candidates,
    screened,
    passed = 0,
    rejected = [],
    ranked,
    compared,
    alike = 0,
    pairs,
    chosen,
  } = counts;
  const rejections = rejected.flatMap((number, check) =>
    number > 0 ? [`${whole(number)} rejected by check ${check + 1}`] : [],
  );
  return [
    ...said(answers, 'answers'),
    ...said(candidates, 'candidates'),
    ...(screened === undefined
      ? []
      : [`${whole(screened)} run: ${[`${whole(passed)} pass`, ...rejections].join(', ')}`]),
    ...said(ranked, 'ranked'),
    ...(compared === undefined
      ? []
      : [`${whole(compared)} compared: ${whole(alike)} behave like a program that failed`]),
    ...said(pairs, 'pairs'),
    ...said(chosen, 'chosen'),
  ].join(', ');
}

function said(number: number | undefined, word: string): string[] {
  return number === undefined ? [] : [`${whole(number)} ${word}`];
}

function whole(number: number): string {
  return number.toLocaleString('en');
}
