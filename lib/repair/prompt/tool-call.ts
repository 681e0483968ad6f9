import type { ToolCall } from '../../core/ports.ts';
import { codeBlocks, withoutThinking } from '../../syntax/code-blocks.ts';

/** The code that a model asked to run, or what is wrong with its call, as a sentence for the model. */
export type ReadCall = { readonly code: string; readonly explanation: string } | { readonly fault: string };

export const toolName = 'run_code';

/**
 * Reads a call of `run_code(code, explanation)` from an answer, in the forms that models write: JSON between
 * `<tool_call>` tags (Hermes, Qwen), fenced or bare JSON, or only the code. The last of several calls is
 * used.
 */
export function readToolCall(completion: string): ReadCall {
  const answer = withoutThinking(completion.replace(/\r\n?/g, '\n'));
  const marked = markedCalls(answer).at(-1);
  if (marked !== undefined) return readMarked(marked);
  const json = [...codeBlocks(answer), bareObject(answer)].filter(looksLikeCall).map(lenientJson);
  const call = json.findLast(value => isCall(value));
  if (call !== undefined) return readCall(call);
  if (looksLikeCall(bareObject(answer))) return { fault: NOT_JSON };
  const code =
    codeBlocks(answer).length > 0 ||
    /^[ \t]*(?:def|async|function|const|let|class|import|from|@)\b/m.test(answer);
  return code ? { code: answer, explanation: '' } : { fault: NO_CALL };
}

/**
 * The text form of a call that was returned separately from the text, so that records contain all calls in
 * the same form.
 */
export function toolCallText({ name, arguments: argumentText }: ToolCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${argumentText.trim() === '' ? '{}' : argumentText}}\n</tool_call>`;
}

const NO_CALL = `There is no call of ${toolName} in that answer.`;
const NOT_JSON = `The call of ${toolName} is not valid JSON: quotes and line breaks inside "code" have to be escaped.`;
const NO_CODE = `The call of ${toolName} has no "code": it has to be the whole function, as a string.`;

/** The text between the tags; the closing tag may be missing. */
function markedCalls(answer: string): string[] {
  return answer
    .split(/<(?:tool_call|function_call)>|<\|tool_call\|>|\[TOOL_CALLS\]/)
    .slice(1)
    .map(part => part.split(/<\/(?:tool_call|function_call)>|<\|\/tool_call\|>/)[0] ?? '');
}

/** Inside the tags, small models write anything from fenced JSON to bare code. */
function readMarked(text: string): ReadCall {
  const [block] = codeBlocks(text);
  const value = lenientJson(block ?? text) ?? lenientJson(text);
  if (isCall(value)) return readCall(value);
  if (block !== undefined && !block.trimStart().startsWith('{')) return { code: block, explanation: '' };
  return { fault: NOT_JSON };
}

/** A call object that appears directly in the text, with what follows it. */
function bareObject(answer: string): string {
  const start = answer.search(/(?:\[\s*)?\{\s*"(?:name|function|type|arguments|code)"\s*:/);
  return start === -1 ? '' : answer.slice(start);
}

function looksLikeCall(text: string): boolean {
  return /^\s*[{[]/.test(text) && /["'](?:name|arguments|parameters|code)["']\s*:/.test(text);
}

function isCall(value: unknown): value is Record<string, unknown> | unknown[] {
  const one = Array.isArray(value) ? value.at(-1) : value;
  return (
    typeof one === 'object' &&
    one !== null &&
    ['name', 'function', 'code', 'arguments'].some(key => key in one)
  );
}

function readCall(value: unknown): ReadCall {
  const call = objectOf(Array.isArray(value) ? value.at(-1) : value);
  const inner = objectOf(call.function);
  const name = call.name ?? inner.name ?? (typeof call.function === 'string' ? call.function : toolName);
  if (name !== toolName) return { fault: `There is no function ${JSON.stringify(name)}.` };
  const callArguments = call.arguments ?? call.parameters ?? inner.arguments ?? inner.parameters ?? call;
  const { code, explanation } = objectOf(callArguments);
  if (typeof code !== 'string' || code.trim() === '') return { fault: NO_CODE };
  return { code, explanation: typeof explanation === 'string' ? explanation : '' };
}

/** Arguments are often JSON inside a string. */
function objectOf(value: unknown): Record<string, unknown> {
  const parsed = typeof value === 'string' ? lenientJson(value) : value;
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

/**
 * Parses JSON as small models write it: with line breaks inside strings, triple-quoted strings, trailing
 * commas, and text or brackets after the end. Undefined if it cannot be parsed. The package jsonrepair divides
 * triple-quoted strings, drops the backslash of `\d`, and refuses text after the end.
 */
export function lenientJson(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[{["]/.test(trimmed)) return undefined;
  return parsed(trimmed) ?? parsed(repaired(trimmed));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Copies the first value piece by piece, repairing strings, until its brackets are closed. */
function repaired(text: string): string {
  const open: string[] = [];
  let out = '';
  let position = 0;
  while (position < text.length) {
    const [literal, content] = literalAt(text, position);
    if (literal !== '') {
      out += content;
      position += literal.length;
      continue;
    }
    const character = text[position++] ?? '';
    if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']');
    if (character === '}' || character === ']') {
      out = out.replace(/,\s*$/, '');
      open.pop();
    }
    out += character;
    if (open.length === 0) return out;
  }
  return out + open.reverse().join('');
}

/** A string that starts here, as written and as JSON; empty if there is none. */
function literalAt(text: string, position: number): [written: string, json: string] {
  STRING.lastIndex = position;
  const match = STRING.exec(text);
  if (!match) return ['', ''];
  const [written, triple, plain] = match;
  const content = triple === undefined ? (plain ?? '') : JSON.stringify(triple).slice(1, -1);
  return [written, `"${triple === undefined ? mended(content) : content}"`];
}

/** In triple quotes as in Python, or in quotes as in JSON. */
const STRING = /(?:"""|''')([\s\S]*?)(?:"""|''')|"((?:\\[\s\S]|[^"\\])*)"/y;

/** Escapes line breaks and tabs, and keeps escapes that JSON does not have literally. */
function mended(content: string): string {
  return content
    .replace(/\\([\s\S])/g, (written, character) =>
      /["\\/bfnrtu]/.test(character) ? written : `\\\\${character}`,
    )
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t');
}
