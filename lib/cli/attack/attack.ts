import { closingAll } from '../../core/async/close-all.ts';
import { eachOf } from '../../core/async/each-of.ts';
import { optionInvalid } from '../../options/errors.ts';
import type { AttackOptions } from '../../options/tables/attack-options.ts';
import { openSandbox } from '../../run/open-sandbox.ts';
import { type AttackCase, type AttackedLanguage, attackCases } from '../../sandbox/attack/attack-cases.ts';
import { type AttackReport, attackReport, type JudgedCase } from '../../sandbox/attack/attack-report.ts';
import { type Control, createControl } from '../../sandbox/attack/control.ts';
import { type AttackJudge, commandJudge, sandboxJudge } from '../../sandbox/attack/judges.ts';

export interface AttackRun extends AttackReport {
  /** The judge: the command, or hefix at a level of isolation. */
  readonly judge: string;
  /** Programs that were skipped because they could harm this system. */
  readonly leftOut: number;
}

/**
 * Runs attacks and honest programs through a judge. Rejects with the HefixErrors of the sandbox,
 * OPTION_INVALID, or the signal's reason.
 */
export async function attack(
  options: AttackOptions,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<AttackRun> {
  const wanted = chosen(attackCases(), options);
  if (options.command !== undefined) {
    const cases = wanted.filter(one => options.all || !one.isOnHost);
    const judged = await judgeAll(
      cases,
      commandJudge(options.command, options.timeout),
      options,
      onProgress,
      signal,
    );
    return { judge: options.command, leftOut: wanted.length - cases.length, ...attackReport(judged) };
  }
  const isDocker = options.level === 'docker';
  // The Docker sandbox only supports Python.
  const cases = isDocker ? wanted.filter(({ language }) => language === 'python') : wanted;
  const { timeout, memory, workers, level } = options;
  const choice = {
    sandbox: isDocker ? 'docker' : 'process',
    isolation: level === undefined || level === 'docker' ? undefined : level,
    requireIsolation: false,
    timeout,
    memory,
    workers,
  } as const;
  return await closingAll(async opened => {
    const sandbox = opened(await openSandbox(choice, cases[0]?.language ?? 'python'));
    const judged = await judgeAll(cases, sandboxJudge(sandbox), options, onProgress, signal);
    return { judge: `hefix at the level ${sandbox.isolation}`, leftOut: 0, ...attackReport(judged) };
  });
}

function chosen(cases: readonly AttackCase[], { lang, class: classes }: AttackOptions): AttackCase[] {
  const names = classes?.split(',').map(name => name.trim());
  const known = new Set(cases.map(one => one.class));
  const unknown = names?.find(name => !known.has(name));
  if (unknown !== undefined) throw optionInvalid('--class', unknown, `some of ${[...known].join(', ')}`);
  // Other languages need a compiler that may be missing.
  const languages: readonly AttackedLanguage[] = lang === undefined ? ['python', 'js'] : [lang];
  const found = cases.filter(
    one => languages.includes(one.language) && (names === undefined || names.includes(one.class)),
  );
  if (found.length === 0)
    throw optionInvalid('--class', classes, `classes that have programs in ${languages.join(' or ')}`);
  return found;
}

async function judgeAll(
  cases: readonly AttackCase[],
  judge: AttackJudge,
  { workers }: AttackOptions,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<JudgedCase[]> {
  const control: Control = await createControl(process.env);
  const judged: JudgedCase[] = [];
  let done = 0;
  const judgeOne = async ([index, one]: [number, AttackCase], ended: AbortSignal) => {
    const [judgement, compared] = await Promise.all([
      judge(one, ended),
      one.kind === 'attack' ? control(one, ended) : null,
    ]);
    judged[index] = { one, judgement, control: compared };
    onProgress(++done, cases.length);
  };
  await eachOf([...cases.entries()], workers, judgeOne, signal);
  return judged;
}
