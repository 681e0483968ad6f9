import type { Candidate, Enumeration } from '../../machines/actors.ts';
import type { Task } from '../core/task.ts';
import { shownCode } from '../syntax/code-blocks.ts';
import { applyEdits, canonicalEdits, type Edit, editText, readEdits } from '../syntax/edits/edits.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { enumerateEdits, type ProjectHints } from './operators/enumerate.ts';
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
  return extraction.kind === 'function' ? extraction.candidate : null;
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

/**
 * The programs that a single edit of a task's function gives, likeliest first. Yields null in between, so that a caller
 * can pause.
 * @param project null for a task
 */
export function* singleEdits(
  parser: SyntaxParser,
  task: Task,
  limit: number,
  project: ProjectHints | null = null,
): Generator<string | null> {
  for (const mutant of enumerateEdits(parser, shownCode(task.buggy), task.entryPoint, limit, project))
    yield mutant && `${mutant.code}\n`;
}

/** The programs of the model's answers, then the enumerated ones; each once. */
export function pooled(
  parser: SyntaxParser,
  answers: readonly Pick<Candidate, 'code' | 'answer'>[],
  enumerated: readonly string[],
  kind: 'beam' | 'sample' = 'beam',
): Omit<Enumeration, 'time'> {
  const candidates: Candidate[] = [];
  const codes = new Set<string>();
  let unusable = 0;
  for (const [index, read] of answers.entries()) {
    const { code } = read;
    if (code === null || codes.has(code) || !parser.parses(code)) {
      unusable++;
      continue;
    }
    codes.add(code);
    candidates.push({ ...read, origin: { kind, rank: index + 1, of: answers.length } });
  }
  for (const [index, code] of enumerated.entries()) {
    if (codes.has(code)) continue;
    codes.add(code);
    candidates.push({ code, origin: { kind: 'edit', rank: index + 1, of: enumerated.length } });
  }
  return { candidates, unusable };
}
