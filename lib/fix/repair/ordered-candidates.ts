import { poolOf } from '../../agent/edit-pool.ts';
import type { TextModel } from '../../core/ports.ts';
import { readEdits } from '../../edits/edit-answer.ts';
import { editOutline } from '../../edits/edit-outline.ts';
import { shownCode } from '../../prompt/fence.ts';
import { taskMessages } from '../../prompt/task-messages.ts';
import { editedCode, editPairs, singleEdits } from '../../search/candidates.ts';
import { collected } from '../../search/collect.ts';
import { rankEdits, unlessTooLong } from '../../search/rank.ts';
import { createSearchClock } from '../../search/search-clock.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { templates } from '../templates/templates.ts';
import type { FunctionTask } from './function-task.ts';

/** A version of a function and its origin. */
export interface Candidate {
  readonly code: string;
  /** The edit that produces it; empty if the function was written as a whole. */
  readonly edit: string;
  readonly origin: 'beam' | 'edit' | 'pair' | 'sample';
}

export interface CandidateParts {
  readonly parser: SyntaxParser;
  /** Number of likeliest answers to ask the model for; 0 for none. */
  readonly beams: number;
  readonly maxNewTokens: number;
  readonly signal: AbortSignal;
}

/** Processor seconds for enumerating. */
const ENUMERATION_SECONDS = 10;

/** Maximum number of edits of one function, and of those that are tried while the others are enumerated. */
export const MAX_EDITS = 4000;
export const EARLY_EDITS = 300;

/**
 * Maximum number of edits that the model ranks; operators come in order of likelihood, and ranking takes
 * time.
 */
const MAX_RANKED = 300;

/**
 * The single edits of a function, up to a limit: first those that touch a line executed by failing tests, then the others,
 * each in the order of the operators. @param suspicious lines of the task's code, 1-based
 */
export async function enumeratedCandidates(
  { task, names }: FunctionTask,
  suspicious: ReadonlySet<number>,
  { parser, signal }: CandidateParts,
  limit: number,
): Promise<Candidate[]> {
  const clock = createSearchClock(ENUMERATION_SECONDS);
  const edits = await collected(singleEdits(parser, task, limit, templates(names)), clock, signal);
  const { candidates } = poolOf(parser, task, [], edits);
  const touches = ({ text }: { readonly text: string }): boolean =>
    suspicious.size === 0 ||
    readEdits(text).some(({ line }) => suspicious.has(line) || suspicious.has(line - 1));
  return [...candidates.filter(touches), ...candidates.filter(each => !touches(each))].map(
    ({ text, code }): Candidate => ({ code, edit: text, origin: 'edit' }),
  );
}

/**
 * The same candidates and the model's likeliest answers, ordered by likelihood; candidates that the model did
 * not rank follow in their own order. Null if the model has no likelihoods.
 */
export async function rankedCandidates(
  { task }: FunctionTask,
  candidates: readonly Candidate[],
  model: TextModel,
  { parser, beams, maxNewTokens, signal }: CandidateParts,
): Promise<Candidate[] | null> {
  if (!answersEdits(model, task.language) || candidates.length === 0) return null;
  const outline = editOutline(shownCode(task.buggy)) ?? undefined;
  const request = { messages: taskMessages(task, 'edit'), beams, maxNewTokens, outline };
  const found = beams > 0 ? ((await model.beams?.(request, { signal }).catch(unlessTooLong)) ?? null) : null;
  const known = new Map(candidates.map(candidate => [candidate.code, candidate]));
  const answers = poolOf(parser, task, found?.beams ?? [], []).candidates.map(
    ({ text, code }): Candidate => known.get(code) ?? { code, edit: text, origin: 'beam' },
  );
  const pool = [...new Set([...answers, ...candidates.slice(0, MAX_RANKED)])];
  const byEdit = new Map(pool.map(candidate => [candidate.edit, candidate]));
  const ranked = await rankEdits(model, task, [...byEdit.keys()], 'edit', { signal });
  if (!ranked) return null;
  const first = ranked.edits.flatMap(edit => byEdit.get(edit) ?? []);
  return [...new Set([...first, ...candidates])];
}

/** Whether a model returns likelihoods of edits in a language. */
export function answersEdits(model: TextModel, language: string): boolean {
  const isTaught = model.languages === undefined || model.languages.includes(language);
  return model.answer === 'edit' && model.score !== undefined && isTaught;
}

/**
 * Pairs of edits: first those whose parts made the most failing tests pass, then those whose parts come
 * first. @param passed failing tests that each single edit made pass
 */
export async function pairedCandidates(
  { task }: FunctionTask,
  singles: readonly Candidate[],
  passed: readonly number[],
  { parser, signal }: CandidateParts,
): Promise<Candidate[]> {
  const clock = createSearchClock(ENUMERATION_SECONDS);
  const edits = singles.filter(({ edit }) => edit !== '').map(({ edit }) => edit);
  const texts = await collected(editPairs(parser, task, edits, passed, MAX_PAIRS), clock, signal);
  return texts.flatMap((edit): Candidate[] => {
    const code = editedCode(task, edit);
    return code === null ? [] : [{ code, edit, origin: 'pair' }];
  });
}

const MAX_PAIRS = 1500;
