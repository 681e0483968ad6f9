import { changeOf } from '../../syntax/edits/text-change.ts';

/** What stands for any object, and for any function: one that counts as true, and one that does not. */
const inPython = {
  values: ['object()', 'None'],
  callees: ['(lambda *_, **__: True)', '(lambda *_, **__: None)'],
};
const inJavaScript = { values: ['({})', 'undefined'], callees: ['(() => true)', '(() => undefined)'] };

/**
 * The code with a guard that always holds in place of the one that was inserted, which leaves the function or the round
 * of a loop; null if the change is another one. If the tests pass with it, they do not check the guard's condition.
 * @param before the function without the change
 */
export function withConstantGuard(before: string, after: string, language: string): string | null {
  const [old, lines] = [before.split('\n'), after.split('\n')];
  const at = lines.findIndex((line, index) => line !== old[index]);
  const count = lines.length - old.length;
  const added = lines.slice(at, at + count).join('\n');
  if (lines.toSpliced(at, count).join('\n') !== before) return null;
  const [, start, exit] = (language === 'python' ? GUARD : GUARD_IN_JAVASCRIPT).exec(added) ?? [];
  if (start === undefined || exit === undefined) return null;
  const guard = start + (language === 'python' ? 'True' : 'true') + exit;
  return lines.toSpliced(at, count, guard).join('\n');
}

const GUARD = /^(\s*if ).+?(:\s+(?:return|raise|continue)\b.*)$/;
const GUARD_IN_JAVASCRIPT = /^(\s*if \().+?(\)\s*(?:\{\s*)?(?:return|throw|continue)\b[^\n]*(?:\n\s*\})?)$/;

/**
 * The code with any object, and with nothing, in place of a name that was exchanged for another one, or with functions
 * that return these in place of one that is called; none if the change is another one. If the tests pass with one of
 * them, they do not say which name is meant.
 * @param before the function without the change
 */
export function withAnyObject(before: string, after: string, language: string): string[] {
  const change = changeOf(before, after);
  let [start, tail] = [change.start, before.length - change.end];
  // The names as wholes.
  while (start > 0 && isNamePart(after[start - 1])) start--;
  while (tail > 0 && isNamePart(after.at(-tail))) tail--;
  const [old, name] = [before, after].map(code => code.slice(start, code.length - tail));
  const rest = after.slice(after.length - tail);
  if (!NAME.test(old ?? '') || !NAME.test(name ?? '') || after[start - 1] === '.' || TARGET.test(rest))
    return [];
  const { values, callees } = language === 'python' ? inPython : inJavaScript;
  return (rest.startsWith('(') ? callees : values).map(any => after.slice(0, start) + any + rest);
}

const NAME =
  /^(?!(?:True|False|None|true|false|null|undefined|not|and|or|in|is|if|else|return)$)[A-Za-z_$][\w$]*$/;
/** Behind the name of an argument, and behind what is assigned to. */
const TARGET = /^\s*=(?!=)/;

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\w$]/.test(character);
}
