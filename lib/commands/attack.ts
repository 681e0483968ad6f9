import { z } from 'zod';
import { optionInvalid } from '../core/errors.ts';
import { choice, flag, parseOptions, text, wholeNumber } from '../options/option-checks.ts';
import { type Flag, runFlags } from '../options/run-flags.ts';
import { runOptionsSchema } from '../options/run-options.ts';
import { openSandbox } from '../run/open-sandbox.ts';
import { type AttackCase, attackCases } from '../sandbox/attack/attack-cases.ts';
import { type AttackReport, attackReport, type JudgedCase } from '../sandbox/attack/attack-report.ts';
import { type AttackJudge, commandJudge, sandboxJudge } from '../sandbox/attack/judges.ts';

const levels = ['bubblewrap', 'namespaces', 'ulimit', 'docker'] as const;
const { memory } = runOptionsSchema.shape;

export const attackOptionsSchema = z.strictObject({
  command: text('a command with {code} and {tests}').optional(),
  level: choice(levels).optional(),
  lang: choice(['python', 'js']).optional(),
  class: text('the name of a class').optional(),
  all: flag(),
  timeout: wholeNumber(1, 600).default(5),
  memory,
  workers: wholeNumber(1, 1000).default(2),
  json: flag(),
  quiet: flag(),
});
export type AttackOptions = z.infer<typeof attackOptionsSchema>;

export const attackFlags: Readonly<Record<keyof AttackOptions, Flag>> = {
  command: {
    flags: '--command <line>',
    group: 'Sandbox',
    about:
      'another judge: {code}, {tests}, {entry_point} and {language} are replaced; exit code 0 means passed',
  },
  level: { flags: '--level <name>', group: 'Sandbox', about: `isolation: ${levels.join(', ')}` },
  lang: { flags: '--lang <name>', group: 'Data', about: 'only programs in python or js' },
  class: { flags: '--class <names>', group: 'Data', about: 'only these classes, separated by commas' },
  all: {
    flags: '--all',
    group: 'Data',
    about: 'with --command: also what may harm a machine whose judge does not isolate it',
  },
  timeout: { flags: '--timeout <seconds>', group: 'Sandbox', about: 'for each program' },
  memory: runFlags.memory,
  workers: { flags: '--workers <n>', group: 'Sandbox', about: 'programs judged at once' },
  json: { flags: '--json', group: 'Output', about: 'print the whole report as one JSON object' },
  quiet: runFlags.quiet,
};

/** @throws HefixError naming the option that is wrong. */
export function parseAttackOptions(given: Readonly<Record<string, unknown>>): AttackOptions {
  const options = parseOptions(attackOptionsSchema, given);
  const { command, level, all } = options;
  if (command !== undefined && !(command.includes('{code}') && command.includes('{tests}')))
    throw optionInvalid('--command', command, 'a command with {code} and {tests}');
  if (command !== undefined && level !== undefined)
    throw optionInvalid('--level', level, 'no --command, which brings its own isolation');
  if (command === undefined && all) throw optionInvalid('--all', true, '--command');
  return options;
}

export interface AttackRun extends AttackReport {
  /** Who judged: the command, or hefix at a level of isolation. */
  readonly judge: string;
  /** Programs that were left out because they could harm this machine. */
  readonly leftOut: number;
}

/**
 * Lets a judge judge attacks and honest programs. Rejects with the HefixErrors of the sandbox, OPTION_INVALID, or
 * the signal's reason.
 */
export async function attack(
  options: AttackOptions,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<AttackRun> {
  const wanted = chosen(attackCases(), options);
  if (options.command !== undefined) {
    const cases = wanted.filter(one => options.all || !one.isOnMachine);
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
  // Containers judge Python alone.
  const cases = isDocker ? wanted.filter(({ language }) => language === 'python') : wanted;
  const { timeout, memory, workers, level } = options;
  const sandbox = await openSandbox(
    {
      sandbox: isDocker ? 'docker' : 'process',
      isolation: level === undefined || level === 'docker' ? undefined : level,
      requireIsolation: false,
      timeout,
      memory,
      workers,
    },
    cases[0]?.language ?? 'python',
  );
  try {
    const judged = await judgeAll(cases, sandboxJudge(sandbox), options, onProgress, signal);
    return { judge: `hefix at the level ${sandbox.isolation}`, leftOut: 0, ...attackReport(judged) };
  } finally {
    await sandbox.close();
  }
}

function chosen(cases: readonly AttackCase[], { lang, class: classes }: AttackOptions): AttackCase[] {
  const names = classes?.split(',').map(name => name.trim());
  const known = new Set(cases.map(one => one.class));
  const unknown = names?.find(name => !known.has(name));
  if (unknown !== undefined) throw optionInvalid('--class', unknown, `some of ${[...known].join(', ')}`);
  const found = cases.filter(
    one =>
      (lang === undefined || one.language === lang) && (names === undefined || names.includes(one.class)),
  );
  if (found.length === 0) throw optionInvalid('--class', classes, `classes that have programs in ${lang}`);
  return found;
}

async function judgeAll(
  cases: readonly AttackCase[],
  judge: AttackJudge,
  { workers }: AttackOptions,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<JudgedCase[]> {
  const judged: JudgedCase[] = [];
  // All workers draw from the same iterator.
  const queue = cases.entries();
  let done = 0;
  const work = async () => {
    for (const [place, one] of queue) {
      signal.throwIfAborted();
      judged[place] = { one, judgement: await judge(one, signal) };
      onProgress(++done, cases.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, cases.length) }, work));
  return judged;
}
