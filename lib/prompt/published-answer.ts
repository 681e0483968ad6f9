import type { Language, Task } from '../core/task.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { codeBlocks, withoutThinking } from './code-blocks.ts';
import { definitionOf, extractCandidate } from './extract.ts';
import { answerStart, type PromptTemplate, type Protocol, stopSequences } from './published.ts';
import { applyLooseDiff, applyMatchPatch } from './published-diff.ts';
import { strip, stripEnd } from './python-text.ts';

/**
 * The program that the published protocols judge: what the answer was begun with, and the completion, cut at
 * the first stop sequence and then where the function ends. An answer of a chat API begins anew, so the function is
 * looked for in it; so it is where a chat model writes the whole function in a fence although its answer was begun.
 * Null if such an answer holds no function of the name.
 */
export function publishedCandidate(
  parser: SyntaxParser,
  task: Task,
  { protocol, template }: { readonly protocol: Protocol; readonly template: PromptTemplate },
  completion: string,
): string | null {
  const answer = withoutThinking(completion);
  const inFence = () =>
    codeBlocks(answer).some(block => definitionOf(parser.statements(block), task.entryPoint) !== null);
  const isBegun = template !== 'api' && !(template === 'chat' && inFence());
  if (!isBegun) {
    const extraction = extractCandidate(parser, task, completion);
    if (extraction.found === 'function') return wholeProgram(task.language, extraction.candidate);
    if (template === 'api') return null;
  }
  const start = answerStart(task, protocol) ?? task.declaration;
  const said = cutAtStop(stopSequences(task.language, template), stripEnd(answer));
  const code = start + task.buggy.slice(task.declaration.length);
  if (template === 'diff') return wholeProgram(task.language, applyMatchPatch(code, said.trimStart()));
  if (template === 'diff-carper') return wholeProgram(task.language, applyLooseDiff(code, said.trimStart()));
  return wholeProgram(task.language, stripEnd(start) + cutAtEnd(task.language, said));
}

/** As it is judged there: most programs are stripped, so that no odd white space is left to be a syntax error. */
function wholeProgram(language: Language, program: string): string {
  if (language === 'python') return `${strip(`${PYTHON_IMPORTS}\n${program}`)}\n`;
  return `${language === 'java' || language === 'cpp' ? strip(program) : program}\n`;
}

/** Each stop sequence in its turn cuts what the ones before have left. */
function cutAtStop(stops: readonly string[], completion: string): string {
  return stops.reduce((text, stop) => text.split(stop)[0] ?? '', completion);
}

function cutAtEnd(language: Language, code: string): string {
  return language === 'python' ? beforeMargin(code) : beforeLastBrace(language, code);
}

/** Up to the first line that is not indented. */
function beforeMargin(code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex(line => strip(line) !== '' && !/^[ \t]/.test(line));
  return end === -1 ? code : lines.slice(0, end).join('\n');
}

/** Up to the brace that closes the function, and in Java its class; else up to the last one. */
function beforeLastBrace(language: Language, code: string): string {
  let open = language === 'java' ? 2 : 1;
  for (let at = 0; at < code.length; at++) {
    if (code[at] === '{') open++;
    if (code[at] === '}') open--;
    if (open === 0) return code.slice(0, at + 1);
  }
  return language === 'java' ? closedClass(code) : throughLastBrace(code);
}

function throughLastBrace(code: string): string {
  const last = code.lastIndexOf('}');
  return last === -1 ? code : code.slice(0, last + 1);
}

/** An answer in Java that goes on with a main method is cut there, and a class left open is closed. */
function closedClass(code: string): string {
  const main = code.indexOf('public static void main');
  const cut = throughLastBrace(main === -1 ? code : `${code.slice(0, main)}}`);
  const count = (brace: string) => cut.split(brace).length;
  return count('{') - 1 === count('}') ? `${cut}\n}` : cut;
}

/** Put before each Python candidate there; NumPy, which is among them, is left out for it may not be installed. */
const PYTHON_IMPORTS = [
  ...['math', 're', 'sys', 'copy', 'datetime', 'itertools', 'collections', 'heapq'].map(importOf),
  ...['statistics', 'functools', 'hashlib', 'string'].map(importOf),
  'from typing import *',
  'from collections import *',
].join('\n');

function importOf(module: string): string {
  return `import ${module}`;
}
