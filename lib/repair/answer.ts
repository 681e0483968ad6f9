import type { Candidate } from '../../machines/actors.ts';
import type { Task } from '../core/task.ts';
import { type Edit, editText, readEdits } from '../syntax/edits/edit-answer.ts';
import { applyEdits } from '../syntax/edits/edit-apply.ts';
import { canonicalEdits } from '../syntax/edits/edit-canonical.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { shownCode } from '../syntax/shown-code.ts';
import { extractCandidate } from './prompt/extract.ts';

/** From the answers of models to programs, and back. */

/**
 * The program in an answer; null if there is none. An answer without edits is a whole function, which models write even
 * if they are asked for edits.
 */
export function programIn(parser: SyntaxParser, task: Task, answer: string): string | null {
  const edits = readEdits(answer);
  if (edits.length > 0) return editedCode(task, edits);
  const extraction = extractCandidate(parser, task, answer);
  return extraction.found === 'function' ? extraction.candidate : null;
}

/** The program of a model's answer, with the answer unless it reads as hefix would write it. */
export function readAnswer(
  parser: SyntaxParser,
  task: Task,
  answer: string,
): Pick<Candidate, 'code' | 'answer'> {
  const code = programIn(parser, task, answer);
  return code !== null && answer === answerOf(task, { code }) ? { code } : { code, answer };
}

/** The buggy program after edits; null if they do not apply. */
export function editedCode(task: Task, edits: readonly Edit[]): string | null {
  const applied = applyEdits(shownCode(task.buggy), edits);
  return 'code' in applied ? `${applied.code}\n` : null;
}

/** The answer of a candidate: the model's own, or edits in the form that models are trained on. */
export function answerOf(task: Task, { code, answer }: Pick<Candidate, 'code' | 'answer'>): string {
  return answer ?? editText(editsTo(task, code ?? ''));
}

/** The edits that turn the buggy program into another. */
export function editsTo(task: Task, code: string): Edit[] {
  return canonicalEdits(shownCode(task.buggy), code.replace(/\n$/, ''));
}
