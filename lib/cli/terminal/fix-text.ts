import { smallestOf } from '../../core/numbers.ts';
import { printable } from '../../core/text.ts';
import {
  type CodeLine,
  type FixEvent,
  type FixReport,
  isBestSoFar,
  isWritten,
  type SuspectSummary,
  titleOf,
} from '../../fix/report.ts';
import type { FixCommandOptions } from '../../options/tables/fix-options.ts';
import { plural, whole } from '../../report/numbers.ts';
import type { Terminal } from './terminal.ts';

/**
 * The result of a repair as text; one sentence per line.
 * @param how to apply it; empty for nothing to apply
 * @param isServed whether the model is behind a server
 */
export function fixText(
  report: FixReport,
  colors: Terminal['colors'],
  how: string,
  isServed = false,
): string {
  const { outcome, before, after, isolation, seconds, runner, flaky, elsewhere, notes } = report;
  // An added test is one more.
  const total = Math.max(before.passed + before.failed, after.passed + after.failed);
  const time = `${seconds.toFixed(1)} s`;
  const head = {
    repaired: colors.green(`Repaired in ${time}`),
    unsure: colors.yellow(`A change that passes, unsure, in ${time}`),
    partly: colors.yellow(
      isBestSoFar(report)
        ? `Not repaired in ${time}: the best so far, ${before.failed - after.failed} of ${plural(before.failed, 'failing test')}`
        : `Partly repaired in ${time}`,
    ),
    'nothing-to-repair':
      elsewhere.length === 0
        ? colors.green(`Nothing to repair: ${passing(before.passed)}`)
        : colors.yellow(`Nothing to repair here: ${passing(before.passed)}, ${needing(elsewhere.length)}`),
    'not-repaired': colors.red(`Not repaired in ${time}`),
  }[outcome];
  const changed =
    report.changes.length === 0
      ? []
      : [`tests passing  ${before.passed} → ${after.passed} of ${total} (${runner}, ${isolation})`];
  const lines = [
    ...changed,
    ...stillFailing(report),
    ...(flaky.length > 0 ? [`flaky          ${flaky.join(', ')}`] : []),
    ...notes,
    ...(outcome === 'unsure'
      ? [`It ${report.unsure}: of such changes, few are what was meant. Read it first.`]
      : []),
    ...mutantLines(report),
    ...(outcome === 'not-repaired' ? notRepaired(report, isServed) : []),
    ...(how === '' ? [] : [how]),
    ...(report.question ? questionLines(report.question) : alternativeLines(report)),
    ...(report.model ? [modelLine(report.model)] : []),
  ];
  return [head, ...lines.map(printable)].map(line => `${line}\n`).join('');
}

/** Where other changes of the same expression pass too. */
function mutantLines({ mutants }: FixReport): string[] {
  if (mutants === null || mutants.rejected === mutants.tried) return [];
  const { tried, rejected } = mutants;
  return [`The tests reject ${rejected} of ${plural(tried, 'other edit')} of the changed expression.`];
}

/** What the model was asked, and what that cost. */
function modelLine({
  requests,
  promptTokens,
  completionTokens,
  cost,
  failure,
}: NonNullable<FixReport['model']>): string {
  if (failure !== null) return `model          did not answer: ${failure}`;
  const tokens = `${whole(promptTokens)} prompt and ${whole(completionTokens)} completion tokens`;
  return `model          ${plural(requests, 'request')}, ${tokens}${cost === null ? '' : `, cost ${cost}`}`;
}

/** The question, its answers, and the first of their tests. */
export function questionLines({
  function: name,
  call,
  repairs,
  behaviours,
  answers,
  chosen,
}: NonNullable<FixReport['question']>): string[] {
  if (chosen !== null) return [`Added a test: ${call} ${answers[chosen]?.does}.`];
  const [test = null] = answers.flatMap(answer => answer.test ?? []);
  const index = answers.findIndex(answer => answer.test === test);
  return [
    '',
    repairs === behaviours
      ? `Your tests allow ${behaviours} different repairs of ${name}. For ${call}:`
      : `Your tests allow ${repairs} repairs of ${name}, which behave in ${behaviours} ways. For ${call}:`,
    ...answers.map(
      ({ does, repairs: count }, index) =>
        `  ${index + 1}  ${index === 0 ? 'this one' : 'another'} ${does}${count > 1 ? ` (${count} of the ${repairs})` : ''}`,
    ),
    ...(test === null
      ? ['Add the behaviour that you mean as a test.']
      : [
          `Add the behaviour that you mean as a test. For answer ${index + 1}, in ${test.file} (--add-test ${index + 1} adds it):`,
          '',
          ...test.code
            .trimEnd()
            .split('\n')
            .map(line => (line === '' ? '' : `    ${line}`)),
        ]),
  ];
}

/** Most other repairs that are shown. */
const MAX_ALTERNATIVES = 2;

/** Other repairs that pass, where no input is known on which they differ. */
function alternativeLines({ alternatives, repairs }: FixReport): string[] {
  const [repair] = repairs;
  if (!repair || alternatives.length === 0) return [];
  const shown = alternatives.slice(0, MAX_ALTERNATIVES).map(changedLines);
  const left = alternatives.length - shown.length;
  return [
    '',
    `Your tests allow ${plural(alternatives.length, 'other repair')} of ${titleOf(repair)}:`,
    ...shown.flatMap(lines => [...lines, '']),
    ...(left > 0 ? [`and ${left} more (--json has them all).`] : []),
    'Review the diff carefully: your tests say little about the changed lines.',
  ];
}

/** The removed and added lines of a diff, without the indent that they share. */
function changedLines(diff: string): string[] {
  const changed = diff
    .slice(diff.indexOf('\n@@'))
    .split('\n')
    .filter(line => /^[+-]/.test(line));
  const indents = changed.map(line => line.slice(1).search(/\S/)).filter(indent => indent >= 0);
  const shared = smallestOf(indents);
  return changed.map(line => `    ${line[0]} ${line.slice(1 + shared)}`);
}

/** Most tests that are listed. */
const MAX_TESTS = 10;

/** The tests that fail with the changes too. */
function stillFailing({ outcome, stillFailing: tests, changes }: FixReport): string[] {
  if (changes.length === 0 || tests.length === 0) return [];
  const isPart = outcome === 'partly';
  return [
    isPart
      ? `${plural(tests.length, 'test')} still ${tests.length === 1 ? 'fails' : 'fail'}:`
      : `${plural(tests.length, 'other test')} still ${tests.length === 1 ? 'fails' : 'fail'}, without the named function:`,
    ...tests
      .slice(0, MAX_TESTS)
      .map(({ id, message }) => `  ${id}${message === '' ? '' : `  ${message.split('\n')[0]}`}`),
    ...(tests.length > MAX_TESTS ? [`  and ${tests.length - MAX_TESTS} more`] : []),
  ];
}

function needing(tests: number): string {
  return `${tests === 1 ? '1 needs' : `${tests} need`} what the sandbox does not have`;
}

function passing(tests: number): string {
  return tests === 1 ? '1 test passes' : `${tests} tests pass`;
}

/** What an interrupted repair had found. @param diff empty if no candidate made a failing test pass */
export function interruptedText(
  { tried, best, repaired }: Extract<FixEvent, { readonly kind: 'interrupted' }>,
  diff: string,
  colors: Terminal['colors'],
): string {
  const most =
    best === null
      ? ['No candidate makes a failing test pass without breaking another.']
      : [
          `The best so far, in ${best.function}, makes ${best.passed} of ${plural(best.of, 'failing test')} pass.`,
        ];
  const lines = [
    `Interrupted after ${plural(tried, 'candidate')}.`,
    ...(repaired.length > 0 ? [`Repaired before: ${repaired.join(', ')}.`] : []),
    ...most,
  ];
  const head = lines.map(line => `${printable(line)}\n`).join('');
  return diff === ''
    ? head
    : `${head}${colors.yellow('This diff is not a repair: the tests have not confirmed it.')}\n${diff}`;
}

/** What was tried, what was learned, and what would help. */
function notRepaired(report: FixReport, isServed: boolean): string[] {
  const { tried, best, suspects, failing } = report;
  if (failing.length === 0) return ['The other tests pass, so nothing was changed.'];
  if (suspects.length === 0)
    return [
      'The failing tests execute no function of the project. Name the function to repair: hefix fix FILE::FUNCTION.',
    ];
  const names = suspects.slice(0, 3).map(titleOf);
  const furthest =
    best && best.passed > 0
      ? `The best made ${best.passed} of ${best.of} failing tests pass, in ${best.function}${best.passed === best.of ? ', but broke another' : ''}.`
      : 'None made a failing test pass without breaking another.';
  return [
    `Tried ${plural(tried, 'candidate')} for ${names.join(', ')} on ${plural(failing.length, 'failing test')}.`,
    furthest,
    'Most suspicious:',
    ...suspects.slice(0, 3).flatMap(suspect => [...suspectLines([suspect]), ...suspect.lines.map(lineText)]),
    ...testToRead(failing),
    helpFor(report, isServed),
  ];
}

/** What else may lead to a repair. */
function helpFor({ timeUp, model }: FixReport, isServed: boolean): string {
  const named = 'a named function (hefix fix FILE::FUNCTION)';
  if (model === null || !isServed) {
    const option = '--model qwen2.5-coder-1.5b';
    if (!timeUp) return `A larger model may help (${option}), or ${named}.`;
    return `More time may help (--time ${model === null ? 300 : 600}), or a larger model (${option}).`;
  }
  // With its failure, the last line says what keeps the model from answering.
  if (model.failure !== null) return `An answer of the model may help, or ${named}.`;
  const another = 'another model (--model NAME)';
  if (timeUp) return `More time may help (--time 600), or ${another}.`;
  const requests = 2 * Math.max(1, model.requests);
  const more = `More answers may help (--max-requests ${requests} --iters ${requests - 1})`;
  return `${more}, ${another}, or ${named}.`;
}

function lineText({ line, source }: CodeLine): string {
  return `        line ${line}: ${source}`;
}

/** The failing test that a person should look at, with the values at its assertion. */
function testToRead(failing: FixReport['failing']): string[] {
  const test = failing.find(({ isTelling }) => isTelling);
  if (!test) return [];
  const { id, message, place, expected, actual } = test;
  const values = expected === undefined ? [] : [`  expected ${expected}, got ${actual}`];
  return [
    `Look first at the test ${id}${place ? ` (${place.file}:${place.line})` : ''}:`,
    ...(place ? [`  ${place.source}`] : []),
    ...(values.length === 0 && message !== '' ? [`  ${message.split('\n')[0]}`] : values),
  ];
}

export function suspectLines(suspects: readonly SuspectSummary[]): string[] {
  const width = Math.max(0, ...suspects.map(suspect => titleOf(suspect).length));
  return suspects.map(
    suspect =>
      `  ${suspect.suspicion === 0 ? '    ' : suspect.suspicion.toFixed(2)}  ${titleOf(suspect).padEnd(width)}  ${suspect.file}:${suspect.line}`,
  );
}

/** What to do with the diff; empty if there is none. */
export function howToApply(report: FixReport, { write, patch, backup }: FixCommandOptions): string {
  const { changes, outcome } = report;
  if (changes.length === 0) return '';
  if (isBestSoFar(report)) return 'Nothing was written: a test of the function still fails.';
  if (isWritten(report, write)) {
    const files = changes.map(({ file }) => file.path);
    return writtenTo(files, backup);
  }
  const apply = `hefix fix --apply${outcome === 'unsure' ? ' unsure' : ''}`;
  if (patch === undefined) return `Nothing was written. Apply it with ${apply}.`;
  return outcome === 'unsure'
    ? `Nothing was written, nor the patch. Write it with ${apply} --patch ${patch}.`
    : `Apply it with git apply ${patch}.`;
}

/** @param files relative to the project */
export function writtenTo(files: readonly string[], backup: boolean): string {
  return `Written to ${files.join(', ')}${backup ? '; what was there is kept as NAME.orig' : ''}.`;
}
