import { isUnrunnable } from '../../../machines/verdicts.ts';
import type { Attempt, Node } from '../../core/attempt.ts';
import type { AnswerFormat, Feedback } from '../../core/choices.ts';
import { countsText } from '../../core/counts.ts';
import type { Message } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { shortened } from '../../core/text.ts';
import type { AssertionCounts, Verdict } from '../../core/verdict.ts';
import { withoutThinking } from '../../syntax/code-blocks.ts';
import { editText, readEdits } from '../../syntax/edits/edits.ts';
import { fenced, languageNames, signatureText, taskMessages } from './task-messages.ts';

/**
 * Identifies the text of all prompts: runs with the same version are comparable. It is a constant, so that no run
 * renders every prompt to know it; `test/repair/prompt/version.test.ts` fails if a prompt has changed, and names the new value.
 */
export const promptsVersion = '6bd7a1d9acf03f618b5e4aa2928ce56ec5e935764d00864efefdf3504ff4f6c6';

/** The prompt of a node; without a previous attempt it is the draft's. */
export function promptOf(
  node: Node,
  task: Task,
  last: LastAttempt | undefined,
  options: PromptOptions,
): readonly Message[] {
  if (node === 'draft' || !last) return draftPrompt(task, options);
  if (node === 'reflect') return reflectPrompt(task, last, options);
  if (node === 'repeat') return repeatPrompt(task, last, options);
  if (node === 'propose') return proposeAgainPrompt(task, last, options);
  if (node === 'diagnose') return diagnosePrompt(task, last, options);
  return syntaxPrompt(task, last, options);
}

/** Shows the failure and asks for its cause in a few sentences; the next prompt asks for the code. */
function diagnosePrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  return aboutLastAnswer(task, last, `${remark(task, last, options)}\n\n${ASK_WHY}`, options);
}

const ASK_WHY =
  'Do not write code yet. Say in at most three sentences what is wrong in it and what has to change.';

/** Shows the failure and the diagnosis, and asks for the function. */
function proposeAgainPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const diagnosis = shortened(withoutThinking(last.diagnosis?.completion ?? '').trim(), LONGEST);
  const parts = [
    remark(task, last, options),
    ...(diagnosis === '' ? [] : [`Diagnosis: ${diagnosis}`]),
    askAgain(task, options),
  ];
  return aboutLastAnswer(task, last, parts.join('\n\n'), options);
}

function remark(task: Task, last: LastAttempt, options: PromptOptions): string {
  if (isUnrunnable(last)) return faultText(task, last, options);
  return last.repeated ? repeatRemark(task, last, options) : failureRemark(task, last, options);
}

/** In characters: about three long sentences; a model that is asked for sentences may write a page. */
const LONGEST = 800;

/** The first attempt: only the task. */
export function draftPrompt(
  task: Task,
  { answer = 'whole' }: Partial<PromptOptions> = {},
): readonly Message[] {
  return taskMessages(task, answer);
}

/** The tests failed: shows the line, the expected and the actual value. */
export function reflectPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const remark = `${failureRemark(task, last, options)}\n\n${askAgain(task, options)}`;
  return aboutLastAnswer(task, last, remark, options);
}

/**
 * A candidate that was not run may be right, so the prompt asks the model to check it instead of saying that
 * it is wrong.
 */
export function failureRemark(
  task: Task,
  { verdict, counts, later = 0 }: LastAttempt,
  options: PromptOptions,
): string {
  if (verdict === null) return CHECK;
  const failure = failureText(task, verdict, options, counts);
  const remark = `That is not right yet. ${failure === '' ? CHECK : failure}`;
  if (later === 0) return remark;
  return `${remark}\n\n${later === 1 ? 'The answer after it was worse.' : `The ${later} answers after it were worse.`}`;
}

const CHECK = 'It may still have a bug. Check it against what it should do.';

/** The same function as before, or the buggy one: says so and asks for a different answer. */
export function repeatPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const change =
    options.answer === 'edit'
      ? `Change something else. ${askAgain(task, options)}`
      : `Change something else in \`${task.entryPoint}\` and answer with the whole function.`;
  return aboutLastAnswer(task, last, `${repeatRemark(task, last, options)}\n\n${change}`, options);
}

/** Without a verdict nothing was run: the only known fact is that the bug was left unchanged. */
function repeatRemark(task: Task, last: LastAttempt, options: PromptOptions): string {
  const { verdict } = last;
  if (isUnrunnable(last)) return `This was tried before and cannot be run. ${faultText(task, last, options)}`;
  if (verdict === null) return 'This is still the function with the bug: nothing in it was changed.';
  const failure = failureText(task, verdict, options);
  return ['This was tried before and is not right.', ...(failure === '' ? [] : [failure])].join('\n');
}

/**
 * The answer could not be run: no code, an edit that does not apply, a syntax error, or another signature.
 * None of this comes from a test.
 */
function syntaxPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const remark = `${faultText(task, last, options)}\n\n${askAgain(task, options)}`;
  return aboutLastAnswer(task, last, remark, options);
}

export function faultText(
  task: Task,
  { candidate, verdict }: LastAttempt,
  { answer }: PromptOptions,
): string {
  const language = languageNames[task.language];
  if (verdict?.kind === 'edit-not-applicable') return `That edit does not fit the code. ${verdict.message}`;
  if (verdict === null || verdict.kind === 'no-code') {
    if (answer === 'edit') return NO_EDIT;
    return `There is no ${language} code of \`${task.entryPoint}\` in that answer. Put it in one code block.`;
  }
  if (verdict.kind === 'signature') {
    const instead = verdict.actual === undefined ? '' : ` instead of \`${verdict.actual}\``;
    return `It has to keep the signature \`${verdict.expected ?? signatureText(task)}\`${instead}.`;
  }
  return `That is not valid ${language}: ${syntaxFault(candidate, verdict)}`;
}

const NO_EDIT =
  'Your answer contains no edit. Write each edit as three lines: `@` and the line number, `-` and the text to replace, `+` and the replacement.';

function syntaxFault(candidate: LastAttempt['candidate'], { message, exception }: Verdict): string {
  const line = exception?.line;
  if (line === undefined) return message;
  const source = candidate?.split('\n')[line - 1]?.trim() ?? '';
  const place = `${exception?.message ?? message} in line ${line}`;
  return source === '' ? `${place}.` : `${place}:\n${source}`;
}

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

/** What the prompts of the repair nodes say about the previous attempt. */
export type LastAttempt = Pick<Attempt, 'candidate' | 'completion' | 'verdict'> &
  Partial<Pick<Attempt, 'repeated' | 'counts'>> & {
    /** Number of attempts after it, if an earlier one is to be improved since it passes more assertions. */
    readonly later?: number | undefined;
    readonly diagnosis?: Pick<Required<Attempt>['diagnosis'] & {}, 'completion'> | undefined;
  };

/**
 * The task, the last answer as the model's own turn, and a remark on it. Earlier answers are left out: they
 * would double a small model's prompt, and models tend to copy what they see twice. Only the candidate or the
 * edits of the last answer are quoted, in the form that the system prompt asks for, since quoting prose leads
 * to more prose; of an answer without code, only the beginning.
 */
export function aboutLastAnswer(
  task: Task,
  last: LastAttempt,
  remark: string,
  { answer = 'whole' }: PromptOptions,
): readonly Message[] {
  return [
    ...taskMessages(task, answer),
    { role: 'assistant', content: quoted(task, last, answer) },
    { role: 'user', content: remark },
  ];
}

/** Asks for another answer. Edits always refer to the code as first shown, which keeps line numbers valid. */
export function askAgain(task: Task, { answer = 'whole' }: PromptOptions): string {
  return answer === 'edit'
    ? `Fix \`${task.entryPoint}\` with an edit of the code above.`
    : `Fix \`${task.entryPoint}\` and answer with the whole function.`;
}

function quoted(task: Task, { candidate, completion }: LastAttempt, answer: AnswerFormat): string {
  const edits = answer === 'edit' ? readEdits(completion) : [];
  if (edits.length > 0) return editText(edits);
  if (candidate !== null) return fenced(task.language, candidate);
  return quotedText(completion, 300);
}

/** The beginning of an answer without code. */
export function quotedText(completion: string, length: number): string {
  const said = withoutThinking(completion).trim();
  return said === '' ? '(no answer)' : shortened(said, length);
}
