import type { AnswerFormat, Feedback } from '../../core/choices.ts';
import { countsText } from '../../core/counts.ts';
import { shortened } from '../../core/printable.ts';
import type { Task } from '../../core/task.ts';
import type { AssertionCounts, Verdict } from '../../core/verdict.ts';

export interface PromptOptions {
  readonly feedback: Feedback;
  /** Defaults to the whole function. */
  readonly answer?: AnswerFormat | undefined;
}

/** Maximum characters of a value, message or line of a failed test. */
const longest = 200;

/**
 * Why an execution did not pass, in a few lines: the deciding line of the tests with the expected and actual
 * value. Small models get lost in stack traces, so none is shown. Empty if the options withhold it from the
 * agent. How many assertions pass, and others that fail, is said only where the tests are the feedback and the answer is
 * a whole function: models that write edits are trained without it.
 */
export function failureText(
  task: Task,
  verdict: Verdict,
  options: PromptOptions,
  counts?: AssertionCounts,
): string {
  if (options.feedback === 'none') return '';
  if (options.feedback === 'examples' && !isExample(task, verdict)) return '';
  const counted = options.feedback === 'tests' && options.answer !== 'edit' ? counts : undefined;
  return [
    ...testLines(verdict, counted),
    ...reason(task, verdict),
    ...(counted ? othersThatFail(verdict, counted) : []),
  ].join('\n');
}

function testLines({ test }: Verdict, counts: AssertionCounts | undefined): string[] {
  const isFirst = test !== undefined && counts?.failing[0]?.line === test.line && !counts.unit;
  const said = counts ? `${countsText(counts)}${isFirst ? '; the first that fails is:' : '.'}` : '';
  const head = isFirst ? said : [said, test ? 'This test fails:' : ''].filter(Boolean).join(' ');
  return [head, ...(test ? [short(test.source)] : [])].filter(Boolean);
}

/** Maximum number of failing assertions besides the one that decided. */
const mostOthers = 3;

function othersThatFail({ test }: Verdict, { failing, unit }: AssertionCounts): string[] {
  // Of tests, the one that decided is the first.
  const others = unit ? failing.slice(1) : failing.filter(({ line }) => line !== test?.line);
  if (others.length === 0) return [];
  return ['These fail too:', ...others.slice(0, mostOthers).map(({ source }) => short(source))];
}

/** With examples as feedback, only lines of the example tests may be shown, even if the sandbox ran others. */
function isExample(task: Task, verdict: Verdict): boolean {
  const source = verdict.test?.source.trim();
  return source === undefined || (source !== '' && task.exampleTests.includes(source));
}

/**
 * If a line of the tests calls the function through another name or in a loop, it does not show the call, but
 * the verdict's message does: `f([1, 2]) returned 3, but the tests want 4.`
 */
function reason(task: Task, { kind, message, test, expected, actual, exception }: Verdict): string[] {
  if (kind === 'failed' && expected !== undefined && actual !== undefined) {
    const isCalledByName = test?.source.includes(task.entryPoint) ?? false;
    if (!isCalledByName && message.startsWith(`${task.entryPoint}(`)) return [short(message)];
    return [`Expected: ${short(expected)}`, `Got: ${short(actual)}`];
  }
  if (kind === 'raised' && exception) {
    const place = exception.line === undefined ? '' : ` in line ${exception.line} of your code`;
    const said = exception.message === '' ? '' : `: ${short(exception.message)}`;
    return [`It raised ${exception.type}${place}${said}`];
  }
  if (kind === 'timeout') return ['It took too long and was stopped.'];
  if (kind === 'memory') return ['It used too much memory and was stopped.'];
  if (kind === 'exited') return ['It ended the whole program instead of returning.'];
  return [short(message)];
}

function short(text: string): string {
  return shortened(text.trim(), longest);
}
