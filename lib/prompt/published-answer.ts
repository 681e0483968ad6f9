import type { Language, Task } from '../core/task.ts';
import { withoutThinking } from './code-blocks.ts';
import { answerStart, type Protocol, stopSequences } from './published.ts';

/**
 * The program that the published protocols judge: what the answer was begun with, and the completion, cut at
 * the first stop sequence and then where the function ends. Nothing is looked for in it but what was thought
 * aloud, which is no answer: one that starts anew, in a fence or with words, is a wrong one there too.
 */
export function publishedCandidate(task: Task, protocol: Protocol, completion: string): string {
  const start = (answerStart(task, protocol) ?? task.declaration).trimEnd();
  const body = cutAtEnd(task.language, cutAtStop(task.language, withoutThinking(completion).trimEnd()));
  const program = `${start}${body}\n`;
  return task.language === 'python' ? `${PYTHON_IMPORTS}\n${program}` : program;
}

/** Each stop sequence in its turn cuts what the ones before have left. */
function cutAtStop(language: Language, completion: string): string {
  return stopSequences(language).reduce((text, stop) => text.split(stop)[0] ?? '', completion);
}

function cutAtEnd(language: Language, code: string): string {
  return language === 'python' ? beforeMargin(code) : beforeLastBrace(language, code);
}

/** Up to the first line that is not indented. */
function beforeMargin(code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex(line => line.trim() !== '' && !/^[ \t]/.test(line));
  return end === -1 ? code : lines.slice(0, end).join('\n');
}

/** Up to the brace that closes the function, and in Java its class; else up to the last one. */
function beforeLastBrace(language: Language, code: string): string {
  let open = language === 'java' ? 2 : 1;
  for (const [at, character] of [...code].entries()) {
    if (character === '{') open++;
    if (character === '}') open--;
    if (open === 0) return [...code].slice(0, at + 1).join('');
  }
  const last = code.lastIndexOf('}');
  return last === -1 ? code : code.slice(0, last + 1);
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
