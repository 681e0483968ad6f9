import type { Candidate, Enumeration } from '../../../machines/actors.ts';
import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { shownCode } from '../../syntax/shown-code.ts';
import { enumerateEdits, type ProjectHints } from '../operators/enumerate.ts';

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
