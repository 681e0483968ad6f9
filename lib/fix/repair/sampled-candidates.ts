import leven from 'leven';
import type { TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { definitionOf, extractCandidate } from '../../prompt/extract.ts';
import { taskMessages } from '../../prompt/task-messages.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FixOptions } from '../options.ts';
import { withoutDocstring } from './function-task.ts';
import type { Candidate } from './ordered-candidates.ts';

export interface SampleInput {
  readonly model: TextModel;
  readonly parser: SyntaxParser;
  readonly options: Pick<FixOptions, 'candidates' | 'temperature' | 'maxNewTokens' | 'seed'>;
  readonly signal: AbortSignal;
}

/** Default temperature of all samples except for the first, which is greedy. */
const SAMPLE_TEMPERATURE = 0.8;

/**
 * Samples versions of a function from a model that writes whole functions, without duplicates and answers
 * that lack the function; those closest to the original come first.
 */
export async function sampledCandidates(
  task: Task,
  { model, parser, options, signal }: SampleInput,
): Promise<Candidate[]> {
  const messages = taskMessages(task, 'whole');
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
export function functionIn(parser: SyntaxParser, task: Task, answer: string): string | null {
  const extraction = extractCandidate(parser, task, answer);
  if (extraction.found !== 'function') return null;
  const definition = definitionOf(parser.statements(extraction.candidate), task.entryPoint);
  return definition && withoutDocstring(parser, task, definition.text);
}
