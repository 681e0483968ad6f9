import { oddnessOf } from '../best-first.ts';
import type { FunctionView, Replacement } from '../function-view.ts';
import type { Operator } from '../task-operators.ts';

/** How much of the line around an edit has to be the same in other places. */
const BEFORE = 6;
const AFTER = 3;
const MAX_PLACES = 6;

/** Makes an edit in all places of the function that look the same, unless nobody writes it even once. */
export function repeated(operators: readonly Operator['edits'][]): Operator['edits'] {
  return view =>
    operators
      .flatMap(edits => edits(view))
      .filter(edit => oddnessOf(view.code, edit, view.language) !== null)
      .flatMap(edit => everywhere(view, edit) ?? []);
}

/** Null if there is only one place. */
function everywhere({ code, body }: FunctionView, { start, end, text }: Replacement): Replacement | null {
  const before = code.slice(Math.max(start - BEFORE, body.startIndex), start).replace(/^[\s\S]*\n/, '');
  const after = code
    .slice(end, end + AFTER)
    .split('\n', 1)
    .join('');
  const old = before + code.slice(start, end) + after;
  if (old.includes('\n') || old.trim().length < 6) return null;
  const parts = code.slice(body.startIndex, body.endIndex).split(old);
  if (parts.length < 3 || parts.length > MAX_PLACES + 1) return null;
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  return {
    start: body.startIndex + first.length,
    end: body.endIndex - last.length,
    text: `${before}${text}${after}${parts
      .slice(1, -1)
      .map(part => part + before + text + after)
      .join('')}`,
  };
}
