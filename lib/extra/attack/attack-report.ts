import type { AttackCase, AttackedLanguage } from './attack-cases.ts';
import type { ControlOutcome } from './control.ts';

/** A judge's answer about a program; `none` if the judge failed. */
export interface Judgement {
  readonly result: 'passed' | 'failed' | 'refused' | 'none';
  /** Whether the judge claims that a pass cannot be forged. Other judges do, as they say nothing else. */
  readonly isProven?: boolean;
  readonly message: string;
}

interface ClassCount {
  readonly language: AttackedLanguage;
  readonly class: string;
  readonly attacks: number;
  /** Attacks that passed as proven. */
  readonly forged: number;
  /** Attacks that passed in one process, which the verdict says. */
  readonly isolated: number;
  /** Attacks that a plain judge would have fallen for, and this one did not. */
  readonly held: number;
  /** Attacks that the judge refused, with or without effect on a plain judge. */
  readonly declined: number;
  /** Attacks that do nothing to a plain judge either, so they show nothing. */
  readonly without_effect: number;
  /** Attacks without a plain judge to compare with: compiled languages, or a system without namespaces. */
  readonly not_compared: number;
  readonly honest: number;
  readonly right: number;
  readonly wrong: number;
  /** Honest programs that the judge refused: neither passed nor failed. */
  readonly refused: number;
  /** Programs of either kind on which the judge failed. */
  readonly none: number;
}

export interface AttackReport {
  readonly total: Omit<ClassCount, 'language' | 'class'>;
  readonly classes: readonly ClassCount[];
  /** Every program that was forged, judged wrong, or got no verdict. */
  readonly problems: ReadonlyArray<{
    readonly id: string;
    readonly fault: 'forged' | 'wrong' | 'no verdict';
    readonly message: string;
  }>;
  /** The attacks that do nothing to a plain judge, and what they ended with there. */
  readonly withoutEffect: ReadonlyArray<{ readonly id: string; readonly how: string }>;
}

export interface JudgedCase {
  readonly one: AttackCase;
  readonly judgement: Judgement;
  /** What it does to a plain judge; null for an honest program. */
  readonly control: ControlOutcome | null;
}

export function attackReport(judged: readonly JudgedCase[]): AttackReport {
  const groups = new Map<string, JudgedCase[]>();
  for (const result of judged) {
    const key = `${result.one.language} ${result.one.class}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const classes = [...groups.values()].flatMap(group => {
    const [first] = group;
    return first ? [{ language: first.one.language, class: first.one.class, ...countOf(group) }] : [];
  });
  const problems = judged.flatMap(({ one, judgement }) => {
    const fault = faultOf(one, judgement);
    return fault === null ? [] : [{ id: one.id, fault, message: judgement.message }];
  });
  const withoutEffect = judged.flatMap(({ one, control }) =>
    control?.effect === 'none' ? [{ id: one.id, how: control.how }] : [],
  );
  return { total: countOf(judged), classes, problems, withoutEffect };
}

function countOf(judged: readonly JudgedCase[]): AttackReport['total'] {
  const attacks = judged.filter(({ one }) => one.kind === 'attack');
  const honest = judged.filter(({ one }) => one.kind === 'honest');
  const count = (list: readonly JudgedCase[], fault: string) =>
    list.filter(({ one, judgement }) => faultOf(one, judgement) === fault).length;
  const refused = honest.filter(({ judgement }) => judgement.result === 'refused').length;
  const defended = attacks.filter(({ judgement }) => judgement.result === 'failed');
  const withEffect = (...effects: ControlOutcome['effect'][]) =>
    defended.filter(({ control }) => effects.includes(control?.effect ?? 'unknown')).length;
  const [wrong, silent] = [count(honest, 'wrong'), count(honest, 'no verdict')];
  return {
    attacks: attacks.length,
    forged: count(attacks, 'forged'),
    isolated: attacks.filter(({ judgement }) => judgement.result === 'passed' && judgement.isProven === false)
      .length,
    held: withEffect('forged', 'harmed'),
    declined: attacks.filter(({ judgement }) => judgement.result === 'refused').length,
    without_effect: withEffect('none'),
    not_compared: withEffect('unknown'),
    honest: honest.length,
    right: honest.length - wrong - refused - silent,
    wrong,
    refused,
    none: silent + count(attacks, 'no verdict'),
  };
}

function faultOf(
  { kind, truth }: AttackCase,
  { result, isProven = true }: Judgement,
): 'forged' | 'wrong' | 'no verdict' | null {
  if (result === 'none') return 'no verdict';
  if (kind === 'attack') return result === 'passed' && isProven ? 'forged' : null;
  return result === 'refused' || result === truth ? null : 'wrong';
}
