import type { Candidate, Enumeration } from '../../../machines/actors.ts';
import type { Task } from '../../core/task.ts';
import { readEdits } from '../../edits/edit-answer.ts';
import { applyEdits } from '../../edits/edit-apply.ts';
import { extractCandidate } from '../../prompt/extract.ts';
import { shownCode } from '../../prompt/fence.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';

/** The model's answers, then the enumerated edits; each program once. */
export function pooled(
  parser: SyntaxParser,
  task: Task,
  answers: readonly string[],
  edits: readonly string[],
  kind: 'beam' | 'sample' = 'beam',
): Omit<Enumeration, 'time'> {
  const candidates: Candidate[] = [];
  const codes = new Set<string>();
  let unusable = 0;
  const add = (text: string, code: string | null, origin: Candidate['origin']) => {
    if (code === null || codes.has(code)) return false;
    codes.add(code);
    candidates.push({ text, origin });
    return true;
  };
  for (const [index, text] of answers.entries()) {
    const code = programOf(parser, task, text);
    const isUsable = code !== null && parser.parses(code);
    const isAdded = isUsable && add(text, code, { kind, rank: index + 1, of: answers.length });
    if (!isAdded) unusable++;
  }
  for (const [index, text] of edits.entries()) {
    add(text, editedCode(task, text), { kind: 'edit', rank: index + 1, of: edits.length });
  }
  return { candidates, unusable };
}

/** An answer without edits is a whole function, which models write even if they are asked for edits. */
export function programOf(parser: SyntaxParser, task: Task, text: string): string | null {
  if (readEdits(text).length > 0) return editedCode(task, text);
  const extraction = extractCandidate(parser, task, text);
  return extraction.found === 'function' ? extraction.candidate : null;
}

/** The program after an edit; null if the edit does not apply. */
export function editedCode(task: Task, edit: string): string | null {
  const applied = applyEdits(shownCode(task.buggy), readEdits(edit));
  return 'code' in applied ? `${applied.code}\n` : null;
}
