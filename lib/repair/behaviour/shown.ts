import type { Language } from '../../core/task.ts';
import { shortened } from '../../core/text.ts';
import type { Input } from './generate.ts';
import type { Outcome } from './outcome.ts';
import { entriesOf, itemsOf, type Value } from './value.ts';

/** A call of a method, whose first arguments make its object. */
export interface ObjectCall {
  readonly method: string;
  readonly made: number;
}

/** A call as the language writes it. @param called a function, or the class of an object's method */
export function callText(called: string, input: Input, language: Language, object?: ObjectCall): string {
  const list = (values: Input) => values.map(value => literalOf(value, language)).join(', ');
  if (!object) return `${called}(${list(input)})`;
  const { method, made } = object;
  const making = language === 'python' ? called : `new ${called}`;
  return `${making}(${list(input.slice(0, made))}).${method}(${list(input.slice(made))})`;
}

/** The same, shortened. */
export function shownCall(called: string, input: Input, language: Language, object?: ObjectCall): string {
  return shortened(callText(called, input, language, object), MAX_LENGTH);
}

/** What a call did, shortened: the value that it returned, or a phrase. */
export function shownOutcome({ value, raised, changed }: Outcome, language: Language): string {
  if (value === undefined)
    return raised === undefined || / /.test(raised) ? (raised ?? '') : `raised ${raised}`;
  const returned = literalOf(value, language);
  if (changed === undefined) return shortened(returned, MAX_LENGTH);
  const after = changed.map(part => literalOf(part, language)).join(', ');
  return shortened(`${returned}, and changed its arguments to ${after}`, MAX_LENGTH);
}

const MAX_LENGTH = 300;

/** A value as a literal of the language. */
export function literalOf(value: Value, language: Language): string {
  const isPython = language === 'python';
  if (value === null) return isPython ? 'None' : 'null';
  if (typeof value === 'boolean') return isPython ? (value ? 'True' : 'False') : String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return isPython ? pythonText(value) : JSON.stringify(value);
  const [kind, content] = value;
  const of = (part: Value) => literalOf(part, language);
  const items = itemsOf(value)?.map(of).join(', ');
  if (kind === 'list') return `[${items}]`;
  if (kind === 'tuple') return `(${items}${content.length === 1 ? ',' : ''})`;
  if (kind === 'frozenset') return `frozenset({${items}})`;
  if (kind === 'set' && !isPython) return `new Set([${items}])`;
  if (kind === 'set') return items === '' ? 'set()' : `{${items}}`;
  const entries = entriesOf(value);
  if (entries && kind === 'map')
    return `new Map([${entries.map(([key, part]) => `[${of(key)}, ${of(part)}]`).join(', ')}])`;
  if (entries) return `{${entries.map(([key, part]) => `${of(key)}: ${of(part)}`).join(', ')}}`;
  if (kind === 'int') return isPython ? String(content) : `${content}n`;
  if (kind === 'float') return floatText(String(content), isPython);
  if (kind === 'bytes') return `bytes.fromhex('${content}')`;
  if (kind === 'long') return `${content}…`;
  return kind === 'undefined' ? 'undefined' : `<${content}>`;
}

function floatText(text: string, isPython: boolean): string {
  if (!isPython) return text.replace(/\.0$/, '');
  return /^-?(?:inf|nan)/i.test(text) ? `float('${text}')` : text;
}

/** JSON's escapes are Python's, except that a surrogate pair is one character in Python. */
function pythonText(text: string): string {
  const quoted = JSON.stringify(text);
  if (text.includes("'") || text.includes('\\')) return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`;
}
