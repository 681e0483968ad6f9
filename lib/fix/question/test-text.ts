import type { Input } from '../../repair/behaviour/generate.ts';
import { saysNothing } from '../../repair/behaviour/outcome.ts';
import type { Answer } from '../../repair/behaviour/question.ts';
import { callText, literalOf, type ObjectCall } from '../../repair/behaviour/shown.ts';
import { kindOf, type Value } from '../../repair/behaviour/value.ts';

/** How a project writes its tests. */
export type TestStyle =
  | 'pytest'
  | 'unittest'
  | 'python-functions'
  | 'python-script'
  | 'doctest'
  | JavaScriptStyle;
/** With the functions of `expect`, of node:assert, or of chai; or as a script. */
type JavaScriptStyle = 'expect' | 'assert' | 'chai' | 'assert-script';

export interface TestText {
  readonly style: TestStyle;
  /** The function that registers a test in JavaScript: `test` or `it`. */
  readonly register: string;
  /** How the tests call the function, or the class of the object: `median`, `stats.median`. */
  readonly called: string;
  readonly input: Input;
  readonly object?: ObjectCall | undefined;
  /** The quotes of most strings in the file. */
  readonly quote: '"' | "'";
}

/** A test that says what an answer does; null if no such test can be written. Lines end with a line break. */
export function testText(parts: TestText, { outcome }: Answer): string | null {
  const { style, register, called, input, object, quote } = parts;
  const { value, raised, changed } = outcome;
  if (changed !== undefined || (raised !== undefined && !isName(raised))) return null;
  // Nothing equals NaN.
  if (value !== undefined && /\["float","-?nan"\]/i.test(JSON.stringify(value))) return null;
  const language = isPythonStyle(style) ? 'python' : 'js';
  const call = callText(called, input, language, object);
  if (language === 'python') {
    const test = pythonTest(style, testName(parts), call, { value, raised });
    return test && style !== 'doctest' ? quoted(test, quote) : test;
  }
  const does = quoted(assertion(style, call, { value, raised }), quote);
  if (style === 'assert-script') return `${does};\n`;
  const title = `${call} ${raised === undefined ? `returns ${literalOf(value ?? null, 'js')}` : `throws ${raised}`}`;
  return `${register}(${quoted(JSON.stringify(title), quote)}, () => {\n  ${does};\n});\n`;
}

/** With these quotes around each string that holds neither quotes nor escapes. */
function quoted(code: string, quote: TestText['quote']): string {
  return code.replace(/(?<!\\)(["'])((?:(?!\1)[^\\]|\\.)*)\1/g, (whole, _, text: string) =>
    /["'\\]/.test(text) ? whole : `${quote}${text}${quote}`,
  );
}

interface Does {
  readonly value: Value | undefined;
  readonly raised: string | undefined;
}

function pythonTest(style: TestStyle, name: string, call: string, { value, raised }: Does): string | null {
  if (value === undefined) {
    if (style === 'doctest')
      return `>>> ${call}  # doctest: +IGNORE_EXCEPTION_DETAIL\nTraceback (most recent call last):\n    ...\n${raised}: ...\n`;
    if (style === 'unittest')
      return `def ${name}(self):\n    with self.assertRaises(${raised}):\n        ${call}\n`;
    return style === 'pytest'
      ? `def ${name}():\n    with pytest.raises(${raised}):\n        ${call}\n`
      : null;
  }
  const text = literalOf(value, 'python');
  if (style === 'doctest') {
    // Sets have no order, and Python chooses its quotes.
    const isShown = !/set|\\/.test(JSON.stringify(value)) && !saysNothing(value);
    return isShown ? `>>> ${call}\n${text}\n` : `>>> ${call} == ${text}\nTrue\n`;
  }
  const isOnly = value === null || typeof value === 'boolean';
  if (style === 'unittest') {
    const check =
      value === null ? `assertIsNone(${call})` : `assert${isOnly ? 'Is' : 'Equal'}(${call}, ${text})`;
    return `def ${name}(self):\n    self.${check}\n`;
  }
  const check = `assert ${call} ${isOnly ? 'is' : '=='} ${text}`;
  return style === 'python-script' ? `${check}\n` : `def ${name}():\n    ${check}\n`;
}

function assertion(style: TestStyle, call: string, { value, raised }: Does): string {
  const expected = value === undefined ? '' : literalOf(value, 'js');
  const isSimple = value !== undefined && (!Array.isArray(value) || kindOf(value) === 'float');
  const thrown = builtIn.has(raised ?? '') ? raised : '';
  if (style === 'chai')
    return value === undefined
      ? `expect(() => ${call}).to.throw(${thrown})`
      : `expect(${call}).to.${isSimple ? 'equal' : 'deep.equal'}(${expected})`;
  if (style === 'expect')
    return value === undefined
      ? `expect(() => ${call}).toThrow(${thrown})`
      : `expect(${call}).${isSimple ? 'toBe' : 'toEqual'}(${expected})`;
  return value === undefined
    ? `assert.throws(() => ${call}${thrown ? `, ${thrown}` : ''})`
    : `assert.${isSimple ? 'strictEqual' : 'deepStrictEqual'}(${call}, ${expected})`;
}

const builtIn = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'URIError',
  'EvalError',
]);

export function isPythonStyle(style: TestStyle): boolean {
  return /^(?:pytest|unittest|python-|doctest)/.test(style);
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** `test_median_empty`, `test_clamp_minus_1_0_5`; it need not say much, since the assertion does. */
function testName({ called, input, object }: TestText): string {
  const literals = input.map(value => literalOf(value, 'python')).join(' ');
  const slug = literals
    .replace(/\[\]|\{\}|\(\)|''/g, ' empty ')
    .replace(/-(?=\d)/g, ' minus ')
    .replace(/(?<=\d)\.(?=\d)/g, 'p')
    .replace(/\W+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .toLowerCase();
  const name = object?.method ?? called.replace(/^.*\./, '');
  return `test_${name}_${slug === '' || slug.length > MAX_SLUG ? 'as_hefix_asked' : slug}`;
}

const MAX_SLUG = 40;
