import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
import { fenced, languageNames } from './fence.ts';

/**
 * The first two messages of every prompt of a task: who the model is, and what is to be repaired.
 * They depend on the task alone, so they are the same, byte for byte, in all of its attempts and
 * a model may keep its cache of them. No test is shown here.
 */
export function taskMessages(task: Task): readonly [Message, Message] {
  return [
    { role: 'system', content: systemPrompt(task) },
    { role: 'user', content: taskPrompt(task) },
  ];
}

function systemPrompt(task: Task): string {
  return `You fix bugs in ${languageNames[task.language]} functions. Answer with the whole fixed function in one code block and nothing else.`;
}

type Shown = Pick<Task, 'language' | 'entryPoint' | 'declaration' | 'docstring' | 'buggy'>;

export function taskPrompt(task: Shown): string {
  const purpose = task.docstring.trim() === '' ? [] : [`What it should do:\n${task.docstring.trim()}`];
  return [
    `The function \`${task.entryPoint}\` has a bug.`,
    ...purpose,
    `Code with the bug:\n${fenced(task.language, task.buggy)}`,
    `Fix \`${task.entryPoint}\`. Keep its signature: \`${signatureText(task)}\``,
  ].join('\n\n');
}

/** The header as it is written in the declaration, on one line, without what opens the body. */
export function signatureText(task: Pick<Task, 'declaration' | 'entryPoint'>): string {
  const { declaration, entryPoint } = task;
  const lines = declaration.split('\n');
  const named = lines.findLastIndex(line => namesFunction(line, entryPoint));
  const start = named === -1 ? lines.findLastIndex(line => line.trim() !== '') : named;
  const header = lines.slice(Math.max(start, 0)).join(' ');
  return onOneLine(header).replace(/\s*(?:=>\s*)?[:{]$/, '');
}

function onOneLine(header: string): string {
  return header
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();
}

function namesFunction(line: string, name: string): boolean {
  const escaped = name.replace(/[$]/g, '\\$&');
  return new RegExp(`(?<![\\p{ID_Continue}$])${escaped}\\s*(?:[(<=:]|$)`, 'u').test(line);
}
