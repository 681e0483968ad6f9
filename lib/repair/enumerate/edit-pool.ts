import type { Selection } from '../../core/attempt.ts';
import type { Beam } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { readEdits } from '../../edits/edit-answer.ts';
import { extractCandidate } from '../../prompt/extract.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { editedCode } from '../single-edits.ts';

/** A candidate that applies and parses, as an answer and as the resulting program. */
export interface Candidate {
  readonly text: string;
  readonly code: string;
  readonly origin: Selection['origin'];
}

export interface Pool {
  readonly candidates: readonly Candidate[];
  /** Answers of the model that do not apply, do not parse, or repeat an earlier program. */
  readonly unusable: number;
}

/** The model's likeliest answers, then the enumerated edits; each program once. */
export function poolOf(
  parser: SyntaxParser,
  task: Task,
  beams: readonly Beam[],
  edits: readonly string[],
): Pool {
  const candidates: Candidate[] = [];
  const codes = new Set<string>();
  let unusable = 0;
  const add = (text: string, code: string | null, origin: Selection['origin']) => {
    if (code === null || codes.has(code)) return false;
    codes.add(code);
    candidates.push({ text, code, origin });
    return true;
  };
  for (const [index, { text }] of beams.entries()) {
    const code = programOf(parser, task, text);
    const isUsable = code !== null && parser.parses(code);
    const isAdded = isUsable && add(text, code, { kind: 'beam', rank: index + 1, of: beams.length });
    if (!isAdded) unusable++;
  }
  for (const [index, text] of edits.entries()) {
    add(text, editedCode(task, text), { kind: 'edit', rank: index + 1, of: edits.length });
  }
  return { candidates, unusable };
}

export function pairsOf(task: Task, texts: readonly string[]): Candidate[] {
  return texts.flatMap((text, index): Candidate[] => {
    const code = editedCode(task, text);
    return code === null ? [] : [{ text, code, origin: { kind: 'pair', rank: index + 1, of: texts.length } }];
  });
}

/** An answer without edits is a whole function, which models write even if they are asked for edits. */
function programOf(parser: SyntaxParser, task: Task, text: string): string | null {
  if (readEdits(text).length > 0) return editedCode(task, text);
  const extraction = extractCandidate(parser, task, text);
  return extraction.found === 'function' ? extraction.candidate : null;
}
