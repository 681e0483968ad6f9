import stringWidth from 'string-width';
import type { Selection } from '../../core/attempt.ts';
import { countsText } from '../../core/counts.ts';
import { printable } from '../../core/printable.ts';
import type { RunRecord } from '../../core/record.ts';
import { jobName } from '../../core/record-key.ts';
import type { AssertionCounts } from '../../core/verdict.ts';
import type { Terminal } from './terminal.ts';

/** `4/82`: number of finished tasks and of all tasks. */
export interface Count {
  readonly done: number;
  readonly total: number;
}

/**
 * The result of one task on one line: `✗ 4/82 Python/4 failed in iteration 3, 24.7 s: …`. The message is shortened in its
 * middle until the line fits the terminal, or a log; the record holds all of it.
 */
export function taskLine(record: RunRecord, count: Count, { colors, width }: Terminal): string {
  const { passed, verdict, error } = record;
  const mark = passed ? colors.green('✓') : error ? colors.yellow('✗') : colors.red('✗');
  const name = `${count.done}/${count.total} ${printable(jobName(record.task_id, record.sample))}`;
  const time = `${record.runtime_sec.toFixed(1)} s`;
  const [kind, paint] = error
    ? ([`error ${error.code}`, colors.yellow] as const)
    : passed
      ? (['passed', colors.green] as const)
      : ([verdict?.kind ?? 'no-code', colors.red] as const);
  const message = onOneLine(error?.message ?? (passed ? '' : (verdict?.message ?? '')));
  const space = (width() ?? LOG_COLUMNS) - 1 - stringWidth(`✓ ${name} ${kind}, ${time}`);
  const said = error || isGiven(record) ? '' : ` ${whenText(record)}`;
  const when = stringWidth(said) <= space ? said : '';
  const room = space - stringWidth(when) - 2;
  const shown = message === '' || room < MIN_MESSAGE ? '' : `: ${shortened(message, room)}`;
  return `${mark} ${name} ${paint(kind)}${when}, ${colors.dim(time)}${shown}`;
}

/** Of a line where there is no terminal. A message may quote whole functions of a model. */
const LOG_COLUMNS = 500;

/** With fewer columns than this, a message is left out. */
const MIN_MESSAGE = 12;

/** Replaces line breaks in a message, such as those of an edit's code, by spaces. */
export function onOneLine(message: string): string {
  return printable(message.trim().replaceAll(/(?<!\s)\s*\n\s*/g, ' '));
}

/** Whether the candidate was made elsewhere. */
function isGiven({ attempts }: RunRecord): boolean {
  return attempts[0]?.node === 'given';
}

function whenText({ search, iters }: RunRecord): string {
  if (search) return `by search, ${search.tried} of ${search.candidates} candidates tried`;
  return iters === 0 ? 'with the draft' : `in iteration ${iters}`;
}

/**
 * Shortens a text to so many columns of a terminal by leaving out its middle. The package cli-truncate exceeds the
 * columns by one where wide characters are cut.
 */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const half = Math.max(0, columns - 1) / 2;
  const letters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return `${upTo(letters, Math.ceil(half)).join('')}…${upTo(letters.toReversed(), Math.floor(half)).toReversed().join('')}`;
}

const graphemes = new Intl.Segmenter();

function upTo(letters: readonly string[], columns: number): string[] {
  let used = 0;
  const end = letters.findIndex(letter => {
    used += stringWidth(letter);
    return used > columns;
  });
  return letters.slice(0, end === -1 ? letters.length : end);
}

/**
 * A candidate's source, the checks that it was run on before the hidden tests, and how many candidates each
 * check rejected.
 */
export function selectionLines({ origin, ranked, left_out, checks, agrees, time_up }: Selection): string[] {
  const from = `${origin.kind} ${origin.rank} of ${origin.of}${ranked ? ', ranked by the model' : ''}`;
  return [
    checks.length === 0 ? `${from}; nothing was run before the tests` : from,
    ...(left_out > 0 ? [`${left_out} left out: not applicable, not parsed, or tried before`] : []),
    ...checks.map(
      ({ source, code, rejected }) => `${rejected} rejected by ${sourceNames[source]} ${printable(code)}`,
    ),
    ...(time_up ? ['the time of the search was up before all candidates were tried'] : []),
    ...(agrees || time_up ? [] : ['no candidate passed all checks; this one passed the most']),
  ];
}

const sourceNames = {
  docstring: 'the docstring’s',
  dataset: 'the example tests’',
  revealed: 'an earlier failure’s',
} as const;

/** How many assertions pass, and a line for each of the failing ones that are known. */
export function countsLines(counts: AssertionCounts): string[] {
  const places = counts.failing.map(({ line, source }) =>
    counts.unit ? `fails: ${source}` : `fails: line ${line}: ${source}`,
  );
  return [`${countsText(counts)}.`, ...places.map(printable)];
}
