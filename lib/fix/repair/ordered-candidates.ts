import type { TextModel } from '../../core/ports.ts';
import { editOutline } from '../../edits/edit-outline.ts';
import { shownCode } from '../../prompt/fence.ts';
import { taskMessages } from '../../prompt/task-messages.ts';
import { editPairs } from '../../repair/combine/edit-pairs.ts';
import { collected } from '../../repair/enumerate/collect.ts';
import { editedCode } from '../../repair/enumerate/edited-code.ts';
import { pooled, programOf } from '../../repair/enumerate/pooled.ts';
import { createSearchClock } from '../../repair/enumerate/search-clock.ts';
import { rankEdits, unlessTooLong } from '../../repair/rank/rank.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
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

/** Processor seconds for pairs. */
const PAIRING_SECONDS = 10;

/**
 * The same candidates and the model's likeliest answers, ordered by likelihood. Null if the model has no
 * likelihoods.
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
  const texts = found?.beams.map(({ text }) => text) ?? [];
  const answers = pooled(parser, task, texts, []).candidates.flatMap(({ text }): Candidate[] => {
    const code = programOf(parser, task, text);
    return code === null ? [] : [known.get(code) ?? { code, edit: text, origin: 'beam' }];
  });
  const pool = [...new Set([...answers, ...candidates])];
  const byEdit = new Map(pool.map(candidate => [candidate.edit, candidate]));
  const ranked = await rankEdits(model, task, [...byEdit.keys()], 'edit', { signal });
  if (!ranked) return null;
  return ranked.edits.flatMap(edit => byEdit.get(edit) ?? []);
}

export function cannotRank(name: string, language: string): string {
  return `${name} cannot rank edits of ${language} code: candidates are enumerated edits in a fixed order.`;
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
  const clock = createSearchClock(PAIRING_SECONDS);
  const edits = singles.filter(({ edit }) => edit !== '').map(({ edit }) => edit);
  const texts = await collected(editPairs(parser, task, edits, passed, MAX_PAIRS), clock, signal);
  return texts.flatMap((edit): Candidate[] => {
    const code = editedCode(task, edit);
    return code === null ? [] : [{ code, edit, origin: 'pair' }];
  });
}

const MAX_PAIRS = 1500;
