import leven from 'leven';
import type { Message, TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { definitionOf, extractCandidate } from '../../prompt/extract.ts';
import { fenced } from '../../prompt/fence.ts';
import { taskMessages } from '../../prompt/task-messages.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FixOptions } from '../options.ts';
import type { TestResult } from '../runners/runner.ts';
import { withoutDocstring } from './function-task.ts';
import type { Candidate } from './ordered-candidates.ts';

export interface SampleInput {
  readonly model: TextModel;
  readonly parser: SyntaxParser;
  readonly options: Pick<FixOptions, 'candidates' | 'temperature' | 'maxNewTokens' | 'seed'>;
  readonly signal: AbortSignal;
  /** Headers and docstrings of the functions that it calls. */
  readonly called: string;
}

/** Default temperature of all samples except for the first, which is greedy. */
const SAMPLE_TEMPERATURE = 0.8;

/**
 * Samples versions of a function from a model that writes whole functions, without duplicates and answers
 * that lack the function; those closest to the original come first. The prompt shows the function, its docstring, what it calls, and the first
 * failing test.
 */
export async function sampledCandidates(
  task: Task,
  failing: TestResult | undefined,
  { model, parser, options, signal, called }: SampleInput,
): Promise<Candidate[]> {
  const messages = promptOf(task, failing, called);
  const found = new Map<string, Candidate>();
  for (let sample = 0; sample < options.candidates; sample++) {
    const temperature = options.temperature ?? (sample === 0 ? 0 : SAMPLE_TEMPERATURE);
    const completion = await model.generate(
      {
        ...{ messages, temperature, topP: 1, topK: 0, endAfter: 'fence' },
        ...{ maxNewTokens: options.maxNewTokens, seed: options.seed + sample },
      },
      { signal },
    );
    const code = functionIn(parser, task, completion.text);
    if (code !== null && !found.has(code)) found.set(code, { code, edit: '', origin: 'sample' });
    // Without sampling, all answers are the same.
    if (options.temperature === 0) break;
  }
  // Of several that pass, the one that changes least is taken.
  return [...found.values()].toSorted((a, b) => leven(task.buggy, a.code) - leven(task.buggy, b.code));
}

/** Only the function: anything else in an answer would change other lines of the file. */
function functionIn(parser: SyntaxParser, task: Task, answer: string): string | null {
  const extraction = extractCandidate(parser, task, answer);
  if (extraction.found !== 'function') return null;
  const definition = definitionOf(parser.statements(extraction.candidate), task.entryPoint);
  return definition && withoutDocstring(parser, task, definition.text);
}

function promptOf(task: Task, failing: TestResult | undefined, called: string): readonly Message[] {
  const [system, user] = taskMessages(task, 'whole');
  const parts = [
    user.content,
    ...(called === '' ? [] : [`It calls these functions of the file:\n${fenced(task.language, called)}`]),
    ...(failing ? [failureText(task, failing)] : []),
  ];
  return [system, { ...user, content: parts.join('\n\n') }];
}

function failureText(
  { language }: Task,
  { id, type, message = '', test, expected, actual }: TestResult,
): string {
  const said = [type, message].filter(Boolean).join(': ');
  return [
    `The test ${id} fails${said === '' ? '.' : ` with ${shortened(said)}`}`,
    ...(test ? [fenced(language, shortened(test.source))] : []),
    ...(expected === undefined ? [] : [`Expected: ${shortened(expected)}`]),
    ...(actual === undefined ? [] : [`Actual: ${shortened(actual)}`]),
  ].join('\n');
}

/** Maximum characters of each part of the failure. */
const MAX_SHOWN = 400;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
}
