import type { Step } from '../../../core/attempt.ts';

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
