import type { GenerateInput } from '../../machines/actors.ts';
import type {
  BeamCompletion,
  BeamRequest,
  Completion,
  GenerateOptions,
  Message,
  TextModel,
} from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { readEdits } from '../edits/edit-answer.ts';
import { applyEdits } from '../edits/edit-apply.ts';
import { editOutline } from '../edits/edit-outline.ts';
import { extractCandidate } from '../prompt/extract.ts';
import { shownCode } from '../prompt/fence.ts';
import type { SyntaxParser } from '../syntax/parser.ts';

export interface BeamAnswer {
  readonly prompt: readonly Message[];
  readonly completion: Completion;
}

export interface BeamAsk extends Pick<BeamRequest, 'messages' | 'beams' | 'maxNewTokens'> {
  readonly answer: 'whole' | 'edit';
}

export type BeamAnswers = (
  input: Pick<GenerateInput, 'task' | 'attempts'>,
  request: BeamAsk,
  options: Pick<GenerateOptions, 'signal'>,
) => Promise<BeamAnswer | null>;

/**
 * Gives the likeliest answer that is worth a try: it fits the code, parses, changes something, and was not tried
 * before. If there is none among them, the likeliest of all; null if none came to its end.
 * The list that was asked for last is kept: attempts with the same prompt go on with it, and cost nothing more.
 */
export function createBeamAnswers(model: Pick<TextModel, 'beams'>, parser: SyntaxParser): BeamAnswers {
  const ask = keptLast((request, options) => model.beams?.(request, options) ?? null);
  return async ({ task, attempts }, { messages, beams, maxNewTokens, answer }, options) => {
    const outline = (answer === 'edit' ? editOutline(shownCode(task.buggy)) : null) ?? undefined;
    const found = await ask({ messages, beams, maxNewTokens, outline }, options);
    const [first] = found?.beams ?? [];
    if (!found || !first) return null;
    const seen = new Set(
      [task.buggy, ...attempts.flatMap(({ candidate }) => candidate ?? [])].map(parser.fingerprint),
    );
    const isNew = (text: string) => {
      const candidate = candidateOf(parser, task, text);
      return candidate !== null && parser.parses(candidate) && !seen.has(parser.fingerprint(candidate));
    };
    const { text } = found.beams.find(beam => isNew(beam.text)) ?? first;
    // Told by the attempts, not by what is kept: a run that is gone on with asks again, and records the same.
    const isPaid = attempts.some(({ prompt }) => sameTurns(prompt, messages));
    const { promptTokens, completionTokens, seconds } = isPaid ? nothingSpent : found;
    return {
      prompt: messages,
      completion: { text, promptTokens, completionTokens, seconds, finish: 'stop' },
    };
  };
}

const nothingSpent = { promptTokens: 0, completionTokens: 0, seconds: 0 } as const;

type Ask = (
  request: BeamRequest,
  options: Pick<GenerateOptions, 'signal'>,
) => Promise<BeamCompletion> | Promise<null> | null;

/** Asks again only for another request than the last one that was answered. */
function keptLast(ask: Ask): (...input: Parameters<Ask>) => Promise<BeamCompletion | null> {
  let last: { readonly key: string; readonly found: BeamCompletion | null } | null = null;
  return async (request, options) => {
    const key = JSON.stringify(request);
    if (last?.key === key) return last.found;
    const found = await ask(request, options);
    last = { key, found };
    return found;
  };
}

function sameTurns(one: readonly Message[], other: readonly Message[]): boolean {
  const turns = (messages: readonly Message[]) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return turns(one) === turns(other);
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

/**
 * How many hypotheses a model that writes edits keeps, unless told: a third of them or more are worth a try, and that
 * is to be enough for the attempts of the run.
 */
export function defaultBeams(iterations: number): number {
  return Math.min(64, Math.max(12, 3 * (iterations + 1)));
}
