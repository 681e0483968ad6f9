import { patchApply, patchFromText } from 'diff-match-patch-es';
import type { PromptTemplate, Protocol } from '../../../core/choices.ts';
import type { Language, Task } from '../../../core/task.ts';
import { codeBlocks, withoutThinking } from '../../../syntax/code-blocks.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { definitionOf, extractCandidate } from '../extract.ts';
import { answerStart, stopSequences, strip, stripEnd, stripStart } from './published.ts';

/**
 * The program that the published protocols judge: the prefill and the completion, cut at the first stop
 * sequence and then at the end of the function. Answers of chat APIs have no prefill, so the function is
 * extracted from them; the same applies if a chat model ignores the prefill and writes the whole function in
 * a fence. Null if such an answer contains no function with the name, or if an edit cannot be read.
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
    if (extraction.kind === 'function') return wholeProgram(task.language, extraction.candidate);
    if (template === 'api') return null;
  }
  const start = answerStart(task, protocol) ?? task.declaration;
  const said = cutAtStop(stopSequences(task.language, template), stripEnd(answer));
  const code = start + task.buggy.slice(task.declaration.length);
  if (template === 'diff' || template === 'diff-carper') {
    const fixed =
      template === 'diff'
        ? applyMatchPatch(code, stripStart(said))
        : applyLooseDiff(code, said.replace(/^ /, ''));
    return fixed === null ? null : wholeProgram(task.language, fixed);
  }
  return wholeProgram(task.language, stripEnd(start) + cutAtEnd(task.language, said));
}

/** A program that the harness has already cut, with the imports that it puts before each Python program. */
export function publishedProgram(language: Language, program: string): string {
  return wholeProgram(language, program);
}

/**
 * As the harness judges it: most programs are stripped, so that unusual white space does not cause a syntax
 * error.
 */
function wholeProgram(language: Language, program: string): string {
  if (language === 'python') return `${strip(`${PYTHON_IMPORTS}\n${program}`)}\n`;
  return `${language === 'java' || language === 'cpp' ? strip(program) : program}\n`;
}

/** Applies the stop sequences in order, each to the result of the previous one. */
function cutAtStop(stops: readonly string[], completion: string): string {
  return stops.reduce((text, stop) => text.split(stop)[0] ?? '', completion);
}

function cutAtEnd(language: Language, code: string): string {
  return language === 'python' ? beforeMargin(code) : beforeLastBrace(language, code);
}

/** Up to the first unindented line. */
function beforeMargin(code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex(line => strip(line) !== '' && !/^[ \t]/.test(line));
  return end === -1 ? code : lines.slice(0, end).join('\n');
}

/** Up to the brace that closes the function (in Java its class), or else the last brace. */
function beforeLastBrace(language: Language, code: string): string {
  let open = language === 'java' ? 2 : 1;
  for (let index = 0; index < code.length; index++) {
    if (code[index] === '{') open++;
    if (code[index] === '}') open--;
    if (open === 0) return code.slice(0, index + 1);
  }
  return language === 'java' ? closedClass(code) : throughLastBrace(code);
}

function throughLastBrace(code: string): string {
  const last = code.lastIndexOf('}');
  return last === -1 ? code : code.slice(0, last + 1);
}

/** A Java answer is cut before a main method, and an open class is closed. */
function closedClass(code: string): string {
  const main = code.indexOf('public static void main');
  const cut = throughLastBrace(main === -1 ? code : `${code.slice(0, main)}}`);
  const count = (brace: string) => cut.split(brace).length;
  return count('{') - 1 === count('}') ? `${cut}\n}` : cut;
}

/** Prepended to each Python candidate by the harness; NumPy is left out, since it may not be installed. */
const PYTHON_IMPORTS = [
  ...['math', 're', 'sys', 'copy', 'datetime', 'itertools', 'collections', 'heapq'].map(importOf),
  ...['statistics', 'functools', 'hashlib', 'string'].map(importOf),
  'from typing import *',
  'from collections import *',
].join('\n');

function importOf(module: string): string {
  return `import ${module}`;
}

/** Edits in the harness's formats `diff` and `diff-carper`. */

/**
 * Applies a patch in the text form of diff-match-patch, which finds the place of each hunk even if its position and
 * some of its context are wrong; hunks without a match are skipped. Null if the text is not a patch.
 */
function applyMatchPatch(code: string, patch: string): string | null {
  try {
    const patches = patchFromText(patch.split('\n').map(normalised).join('\n'));
    // Without a deadline, the result does not depend on the machine's speed.
    const [applied] = patchApply(patches, code, { diffTimeout: 0 });
    return typeof applied === 'string' ? applied : null;
  } catch {
    return null;
  }
}

/**
 * Python's library decodes every percent code and takes any other percent sign as it is; JavaScript's refuses the
 * latter, and leaves some codes.
 */
function normalised(line: string): string {
  if (!/^[-+ ]/.test(line)) return line;
  const decoded = line.slice(1).replace(/(?:%[\da-f]{2})+/gi, codes => {
    return Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8');
  });
  return line.charAt(0) + encodeURI(decoded);
}

/**
 * Applies the hunks of a unified diff by content instead of line numbers, as the harness does for CarperAI's
 * models: each at the first match after the previous hunk, if it ends at the end of a line. The diff ends before the
 * first line that is not part of one, and before the next file. Null if there is none.
 */
function applyLooseDiff(code: string, diff: string): string | null {
  const ended = diff.split(/\n[^ +-@]+/)[0]?.split('<NME>')[0] ?? '';
  if (ended === '') return null;
  return hunksOf(ended).reduce(
    (state, lines) => {
      const before = linesOf(lines, ' -').join('\n');
      const after = linesOf(lines, ' +').join('\n');
      if (before === '') {
        return state.from === 0 ? { code: `${after}\n${state.code}`, from: 1 } : state;
      }
      const offset = state.code.indexOf(before, state.from);
      const end = offset + before.length;
      if (offset === -1 || (end < state.code.length && state.code[end] !== '\n')) return state;
      return {
        code: state.code.slice(0, offset) + after + state.code.slice(end),
        from: offset + after.length,
      };
    },
    { code, from: 0 },
  ).code;
}

/**
 * The lines of each hunk, without its header. Where text precedes the first header, the harness takes the headers for
 * the hunks, and so do we.
 */
function hunksOf(diff: string): string[][] {
  const parts = diff.split(/^(@@ .*? @@).*\n/m);
  const first = parts[0] === '' ? 2 : 1;
  const hunks = parts.filter((_, index) => index >= first && (index - first) % 2 === 0);
  return hunks.map(hunk => hunk.split('\n').filter(line => line !== ''));
}

function linesOf(lines: readonly string[], signs: string): string[] {
  return lines.filter(line => signs.includes(line.charAt(0))).map(line => line.slice(1));
}
