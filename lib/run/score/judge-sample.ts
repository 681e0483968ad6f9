import type { Attempt, TaskOutcome } from '../../core/attempt.ts';
import { HefixError } from '../../core/errors.ts';
import type { RequestedJudge, Sandbox } from '../../core/ports.ts';
import { referenceOf, type Task } from '../../core/task.ts';
import type { Verdict } from '../../core/verdict.ts';
import { examine, examineCandidate, judgementOf, noCode } from '../../repair/actors/examine.ts';
import { publishedProgram } from '../../repair/prompt/published/published-answer.ts';
import { openParser, type SyntaxParser } from '../../syntax/parser.ts';
import type { Sample } from './read-samples.ts';

export interface JudgedSample {
  readonly task: Task;
  readonly sample: Sample;
  readonly sandbox: Pick<Sandbox, 'checkSyntax' | 'execute'>;
  readonly judge?: RequestedJudge | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Judges one sample with its task's hidden tests. The outcome has one attempt at the node `given`, without
 * prompt or tokens, since nothing was generated; if the sandbox fails, the outcome is `error`, without an attempt if the
 * sample was not examined. Rejects with the signal's reason if aborted.
 */
export async function judgeSample(input: JudgedSample): Promise<TaskOutcome> {
  const { task, sample } = input;
  const examination = await examined(await openParser(task.language), input).catch(error =>
    brokenOutcome(error, [], ['given'], input.signal),
  );
  if ('state' in examination) return examination;
  const { candidate, verdict } = examination;
  const attempt = attemptOf(sample, examination);
  if (candidate !== null && verdict === null) return await executed(input, candidate, attempt);
  const score = candidate !== null && verdict !== null ? { candidate, verdict, seconds: 0 } : undefined;
  const outcome = { feedback: 'none', attempts: [attempt], cause: null } as const;
  return { ...outcome, ...(score && { score }), state: 'unsolved', path: ['given', 'unsolved'] };
}

/** The same for a whole program that is executed without being examined first. */
export async function judgeProgram(input: JudgedSample): Promise<TaskOutcome> {
  const { text, absence } = input.sample;
  if (absence !== undefined) return await judgeSample(input);
  const examination = { candidate: text, verdict: null, repeated: false, unchanged: false };
  return await executed(input, text, attemptOf(input.sample, examination));
}

function attemptOf({ text }: Sample, examination: Examined): Attempt {
  return {
    iteration: 0,
    node: 'given',
    temperature: null,
    prompt: [],
    completion: text,
    ...examination,
    tokens: { prompt: 0, completion: 0 },
    seconds: { proposal: 0, execution: 0 },
  };
}

async function executed(
  { task, sandbox, judge, signal }: JudgedSample,
  candidate: string,
  attempt: Attempt,
): Promise<TaskOutcome> {
  const outcome = { feedback: 'none', attempts: [attempt], cause: null } as const;
  const { language, tests, entryPoint, declaration } = task;
  try {
    const reference = referenceOf(task);
    const request = { language, candidate, tests, entryPoint, declaration, reference, judge };
    const execution = await sandbox.execute(request, signal);
    const state = execution.verdict.kind === 'passed' ? 'solved' : 'unsolved';
    const score = { candidate, ...judgementOf(execution) };
    return { ...outcome, score, state, path: ['given', 'execute', state] };
  } catch (error) {
    return brokenOutcome(error, [attempt], ['given', 'execute'], signal);
  }
}

/** Rethrows what is no failure of the sandbox. */
function brokenOutcome(
  error: unknown,
  attempts: readonly Attempt[],
  path: readonly string[],
  signal: AbortSignal | undefined,
): TaskOutcome {
  signal?.throwIfAborted();
  if (!(error instanceof HefixError)) throw error;
  const { code, message } = error;
  return { feedback: 'none', attempts, state: 'error', path: [...path, 'error'], cause: { code, message } };
}

type Examined = Pick<Attempt, 'candidate' | 'verdict' | 'repeated' | 'unchanged'>;

async function examined(
  parser: SyntaxParser,
  { task, sample: { form, text, absence }, sandbox, signal }: JudgedSample,
): Promise<Examined> {
  const none = { candidate: null, repeated: false, unchanged: false };
  if (absence !== undefined) return { ...none, verdict: absent(absence) };
  if (text.trim() === '') return { ...none, verdict: noCode(task) };
  const input = { task, completion: text, attempts: [] };
  if (form === 'completion') {
    return await examine(parser, sandbox, { ...input, completion: continued(text) }, signal);
  }
  const program = form === 'generation' ? publishedProgram(task.language, text) : text;
  return await examineCandidate(parser, sandbox, input, program, signal);
}

function absent(reason: string): Verdict {
  return { kind: 'no-code', message: `The sample is null${reason === '' ? '' : ` (${reason})`}.` };
}

/**
 * A text that starts with an indented line continues the declaration; the function ends at the first line
 * without indentation.
 */
function continued(completion: string): string {
  const lines = completion.split('\n');
  const first = lines.findIndex(line => line.trim() !== '');
  if (!/^[ \t]/.test(lines[first] ?? '')) return completion;
  const end = lines.findIndex((line, index) => index > first && /^\S/.test(line));
  return end === -1 ? completion : lines.slice(0, end).join('\n');
}
