import { diffArrays } from 'diff';
import type { Edit } from './edit-answer.ts';
import { applyEdits } from './edit-apply.ts';
import { alignedPlaces, lineTokens, type Token } from './edit-tokens.ts';

/**
 * The edits that turn one program into another, in the canonical form that models are trained on
 * (fixtures/model/train writes the same form): the smallest run of differing tokens that is unique in its
 * line, or whole lines if the indentation or the number of lines changes.
 */
export function canonicalEdits(before: string, after: string): Edit[] {
  const edits: Edit[] = [];
  let line = 1;
  const changes = diffArrays(before.split('\n'), after.split('\n'));
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at];
    if (!change) continue;
    const next = changes[at + 1];
    if (change.removed && next?.added) {
      edits.push(...replacements(line, change.value, next.value));
      line += change.value.length;
      at++;
    } else if (change.removed) {
      edits.push(...removals(line, change.value));
      line += change.value.length;
    } else if (change.added) edits.push({ line, old: [], added: change.value });
    else line += change.value.length;
  }
  return edits;
}

function replacements(line: number, old: readonly string[], added: readonly string[]): Edit[] {
  if (old.length === added.length) {
    return old.flatMap((text, index) => replacement(line + index, text, added[index] ?? ''));
  }
  return [...removals(line, old), { line: line + old.length, old: [], added }];
}

function removals(line: number, old: readonly string[]): Edit[] {
  return old.map((text, index) => ({ line: line + index, old: [text.trim()], added: [] }));
}

function replacement(line: number, old: string, added: string): Edit[] {
  if (old === added) return [];
  const isWhole = indentation(old) !== indentation(added) || old.trim() === '' || added.trim() === '';
  if (!isWhole) {
    const edit = { line, ...span(old, added) };
    const applied = applyEdits(old, [{ ...edit, line: 1 }]);
    if ('code' in applied && applied.code === added) return [edit];
  }
  return [...removals(line, [old]), { line: line + 1, old: [], added: [added] }];
}

/** White space is included only if the tokens around it differ. */
function span(old: string, added: string): Pick<Edit, 'old' | 'added'> {
  const before = lineTokens(old);
  const after = lineTokens(added);
  let start = common(before, after);
  const tail = common(before.slice(start).reverse(), after.slice(start).reverse());
  let end = before.length - tail;
  let addedStart = start;
  let addedEnd = after.length - tail;
  const isVague = () =>
    end === start ||
    addedEnd === addedStart ||
    alignedPlaces(old, textOf(old, before, start, end), before).length !== 1;
  while (isVague()) {
    if (start > 0) {
      start--;
      addedStart--;
    } else if (end < before.length) {
      end++;
      addedEnd++;
    } else break;
  }
  return { old: [textOf(old, before, start, end)], added: [textOf(added, after, addedStart, addedEnd)] };
}

function textOf(line: string, tokens: readonly Token[], start: number, end: number): string {
  return line.slice(tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0);
}

/** Length of the common prefix of two token lists. */
function common(left: readonly Token[], right: readonly Token[]): number {
  const differs = left.findIndex(({ text }, index) => text !== right[index]?.text);
  return differs === -1 ? Math.min(left.length, right.length) : differs;
}

function indentation(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}
