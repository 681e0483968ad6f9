import type { Command } from '../../cli/command.ts';
import { closingAll, eachOf } from '../../core/async.ts';
import { printable, printableJson } from '../../core/text.ts';
import { extras } from '../../extras.ts';
import { optionInvalid } from '../../options/option.ts';
import { openSandbox } from '../../run/open-parts.ts';
import { type AttackCase, type AttackedLanguage, attackCases, attackedLanguages } from './attack-cases.ts';
import { type AttackOptions, attackOptions, parseAttackOptions } from './attack-options.ts';
import { type AttackReport, attackReport, type JudgedCase } from './attack-report.ts';
import { type Control, createControl } from './control.ts';
import { type AttackJudge, commandJudge, sandboxJudge } from './judges.ts';

export const command: Command = {
  description:
    "Attacks hefix's sandbox, or another judge with --command, and checks that honest programs are judged correctly. Exit code 1: an attack forged a proven pass, or an honest program was judged wrong or got no verdict, 2: an error.",
  options: attackOptions,
  examples: ['hefix attack', "hefix attack --lang python --command 'my-judge {code} {tests}'"],
  // 1 means that a pass was forged.
  errorExitCode: 2,
  async run(input, { print, terminal, signal }) {
    const options = parseAttackOptions(input);
    const { createCounter, createProgressBar } = await import('../../cli/terminal/progress-bar.ts');
    const bar = createProgressBar(terminal);
    const count = createCounter(terminal, bar);
    const onProgress = (done: number, total: number) => {
      if (!options.quiet) count(`${done}/${total} programs judged`, done / total);
    };
    const run = await attack(options, onProgress, signal).finally(bar.clear);
    if (options.json || !process.stdout.isTTY) print(printableJson(run));
    if (!options.quiet && !options.json) terminal.write(attackText(run));
    const { forged, wrong, none } = run.total;
    return forged + wrong + none === 0 ? 0 : 1;
  },
};

export interface AttackRun extends AttackReport {
  /** The judge: the command, or hefix at a level of isolation. */
  readonly judge: string;
  /** Programs that were skipped because they could harm this system. */
  readonly leftOut: number;
  /** The languages whose attacks were not tried although all were asked for, each with the reason. */
  readonly languagesLeftOut: readonly string[];
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
  const wanted = await chosen(attackCases(), options);
  if (options.command !== undefined) {
    const cases = wanted.filter(one => options.all || !one.isOnHost);
    const judged = await judgeAll(
      cases,
      commandJudge(options.command, options.timeout),
      options,
      onProgress,
      signal,
    );
    const leftOut = wanted.length - cases.length;
    return { judge: options.command, leftOut, languagesLeftOut: [], ...attackReport(judged) };
  }
  const isDocker = options.level === 'docker';
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
    const sandbox = opened(await openSandbox(choice, wanted[0]?.language ?? 'python', signal));
    const judged = await judgeAll(wanted, sandboxJudge(sandbox), options, onProgress, signal);
    const isAll = options.lang === undefined && !isDocker;
    const reasons = isAll ? await Promise.all(attackedLanguages.map(missingTool)) : [];
    const languagesLeftOut = reasons.filter(reason => reason !== null);
    const judge = `hefix at the level ${sandbox.isolation}`;
    return { judge, leftOut: 0, languagesLeftOut, ...attackReport(judged) };
  });
}

async function chosen(
  cases: readonly AttackCase[],
  { lang, class: classes, command, level }: AttackOptions,
): Promise<AttackCase[]> {
  const names = classes?.split(',').map(name => name.trim());
  const classNames = new Set(cases.map(one => one.class));
  const unknown = names?.find(name => !classNames.has(name));
  if (unknown !== undefined) throw optionInvalid('--class', unknown, `some of ${[...classNames].join(', ')}`);
  const languages = lang === undefined ? await defaultLanguages(command, level) : [lang];
  const selected = cases.filter(
    one => languages.includes(one.language) && (names === undefined || names.includes(one.class)),
  );
  if (selected.length === 0)
    throw optionInvalid('--class', classes, `classes that have programs in ${languages.join(' or ')}`);
  return selected;
}

/** A judge of somebody else may know no compiled language, and the Docker sandbox knows only Python. */
export async function defaultLanguages(
  command: string | undefined,
  level: AttackOptions['level'],
): Promise<readonly AttackedLanguage[]> {
  if (level === 'docker') return ['python'];
  if (command !== undefined) return ['python', 'js'];
  const reasons = await Promise.all(attackedLanguages.map(missingTool));
  return attackedLanguages.filter((_, index) => reasons[index] === null);
}

/** Why the sandbox of a language cannot work here; null if it can, or needs no other program. */
async function missingTool(language: AttackedLanguage): Promise<string | null> {
  if (language === 'python' || language === 'js') return null;
  const [extra] = extras.flatMap(({ languages }) => languages?.[language] ?? []);
  return extra ? await extra.missing() : `${language}, which this hefix cannot judge`;
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

/** A judge's results on the attacks as a text table; whole lines. */
export function attackText({
  judge,
  classes,
  total,
  problems,
  leftOut,
  languagesLeftOut,
}: AttackRun): string {
  const header = [
    '',
    'attacks',
    'forged',
    'one process',
    'held',
    'refused',
    'no effect',
    'honest',
    'right',
    'wrong',
    'refused',
    'no verdict',
  ];
  const row = (name: string, count: AttackRun['total']) => [
    name,
    ...(count.attacks === 0
      ? ['', '', '', '', '', '']
      : [count.attacks, count.forged, count.isolated, count.held, count.declined, count.without_effect]
    ).map(String),
    ...(count.honest === 0 ? ['', '', '', ''] : [count.honest, count.right, count.wrong, count.refused]).map(
      String,
    ),
    count.none === 0 ? '' : String(count.none),
  ];
  const rows = [header, ...classes.map(one => row(`${one.language} ${one.class}`, one)), row('all', total)];
  const widths = header.map((_, column) => Math.max(...rows.map(cells => cells[column]?.length ?? 0)));
  const table = rows.map(cells =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [
    ...table,
    '',
    ...problems.map(({ id, fault, message }) => `${fault}: ${id} (${printable(message)})`),
    ...(problems.length === 0 ? [] : ['']),
    ...(leftOut === 0
      ? []
      : [`${leftOut} programs that could harm this system were left out; --all runs them.`]),
    ...languagesLeftOut.map(why => `Not tried: ${why}.`),
    `${printable(judge)}: ${total.forged} of ${total.attacks} attacks forged a proven pass, ${total.isolated} passed in one process, which the verdict says. ` +
      `${total.held} that a plain judge falls for were held, ${total.declined} were refused, ` +
      `${total.without_effect} have no effect on a plain judge either${notCompared(total)}. ` +
      `Of ${total.honest} honest programs ${total.right} were judged right, ${total.wrong} wrong, ${total.refused} refused.`,
  ]
    .map(line => `${line}\n`)
    .join('');
}

function notCompared({ not_compared }: AttackRun['total']): string {
  return not_compared === 0 ? '' : `, ${not_compared} could not be compared with one`;
}
