import { editText, readEdits } from '../prompt/edit-answer.ts';
import { applyEdits } from '../prompt/edit-apply.ts';
import { canonicalEdits } from '../prompt/edit-canonical.ts';
import { shownCode } from '../prompt/fence.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { Task } from '../task.ts';
import { enumerateEdits } from './enumerate.ts';

/** The single edits of a task's function, as answers of a model that writes edits, the likeliest first. */
export function singleEdits(parser: SyntaxParser, task: Task, most: number): string[] {
  const shown = shownCode(task.buggy);
  const edited = enumerateEdits(parser, shown, task.entryPoint, most);
  return [...new Set(edited.map(({ code }) => editText(canonicalEdits(shown, code))))].filter(
    text => text !== '',
  );
}

/**
 * Pairs of edits that do not touch the same line, those first whose parts hold the most assertions, then those whose
 * parts come first. What breaks the code together is left out.
 */
export function editPairs(
  parser: SyntaxParser,
  task: Task,
  edits: readonly string[],
  held: readonly number[],
  most: number,
): string[] {
  const byMerit = edits
    .map((text, place) => ({ text, place, held: held[place] ?? 0, lines: linesOf(text) }))
    .toSorted((a, b) => b.held - a.held || a.place - b.place);
  const pairs: string[] = [];
  for (let sum = 1; sum < 2 * byMerit.length && pairs.length < most; sum++) {
    for (let at = Math.max(0, sum - byMerit.length + 1); 2 * at < sum && pairs.length < most; at++) {
      const one = byMerit[at];
      const other = byMerit[sum - at];
      if (!one || !other || one.lines.some(line => other.lines.includes(line))) continue;
      const pair = [one, other].toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
      const text = pair.map(part => part.text).join('\n');
      const code = editedCode(task, text);
      if (code !== null && parser.parses(code)) pairs.push(text);
    }
  }
  return pairs;
}

/** The program that an edit gives; null if it does not fit. */
export function editedCode(task: Task, edit: string): string | null {
  const applied = applyEdits(shownCode(task.buggy), readEdits(edit));
  return 'code' in applied ? `${applied.code}\n` : null;
}

function linesOf(edit: string): number[] {
  return readEdits(edit).map(({ line }) => line);
}
