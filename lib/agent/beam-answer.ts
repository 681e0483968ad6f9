import type { GenerateInput } from '../../machines/actors.ts';
import type { BeamRequest, Completion, GenerateOptions, Message, TextModel } from '../ports.ts';
import { readEdits } from '../prompt/edit-answer.ts';
import { applyEdits } from '../prompt/edit-apply.ts';
import { editOutline } from '../prompt/edit-outline.ts';
import { extractCandidate } from '../prompt/extract.ts';
import { shownCode } from '../prompt/fence.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { Task } from '../task.ts';

export interface BeamAnswer {
  readonly prompt: readonly Message[];
  readonly completion: Completion;
}

/**
 * The likeliest answer that is worth a try: it fits the code, parses, changes something, and was not tried before.
 * If there is none among them, the likeliest of all; null if none came to its end.
 */
export async function beamAnswer(
  model: Pick<TextModel, 'beams'>,
  parser: SyntaxParser,
  input: Pick<GenerateInput, 'task' | 'attempts'>,
  request: Pick<BeamRequest, 'messages' | 'beams' | 'maxNewTokens'> & { readonly answer: 'whole' | 'edit' },
  options: Pick<GenerateOptions, 'signal'>,
): Promise<BeamAnswer | null> {
  const { messages, beams, maxNewTokens, answer } = request;
  const outline = (answer === 'edit' ? editOutline(shownCode(input.task.buggy)) : null) ?? undefined;
  const found = await model.beams?.({ messages, beams, maxNewTokens, outline }, options);
  const [first] = found?.beams ?? [];
  if (!found || !first) return null;
  const { task, attempts } = input;
  const seen = new Set(
    [task.buggy, ...attempts.flatMap(({ candidate }) => candidate ?? [])].map(parser.fingerprint),
  );
  const isNew = (text: string) => {
    const candidate = candidateOf(parser, task, text);
    return candidate !== null && parser.parses(candidate) && !seen.has(parser.fingerprint(candidate));
  };
  const { text } = found.beams.find(beam => isNew(beam.text)) ?? first;
  const { promptTokens, completionTokens, seconds } = found;
  return {
    prompt: messages,
    completion: { text, promptTokens, completionTokens, seconds, finish: 'stop' },
  };
}

function candidateOf(parser: SyntaxParser, task: Task, text: string): string | null {
  const edits = readEdits(text);
  if (edits.length > 0) {
    const applied = applyEdits(shownCode(task.buggy), edits);
    return 'code' in applied ? applied.code : null;
  }
  const extraction = extractCandidate(parser, task, text);
  return extraction.found === 'function' ? extraction.candidate : null;
}

/** How many hypotheses a model that writes edits keeps, unless told: enough for the attempts of a usual run. */
export const usualBeams = 12;
