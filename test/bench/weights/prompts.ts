import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';

/** Requests about functions of the bundled tasks, at most three about each. */
export function prompts(count: number): Message[][] {
  const folder = packageFile('dataset/mini');
  const files = readdirSync(folder).filter(name => name.endsWith('.py'));
  const functions = files
    .sort()
    .flatMap(name => readFileSync(join(folder, name), 'utf8').split(/\n(?=def )/))
    .filter(text => /^def (?!check\()/.test(text) && text.length < 500)
    .map(text => text.replace(/^ *# bug:.*\n/gm, ''));
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / functions.length);
    const question = questions[(index + round) % questions.length];
    const text = functions[index % functions.length] ?? '';
    return [{ role: 'user', content: `${question}\n\n\`\`\`python\n${text.trim()}\n\`\`\`` }];
  });
}

/** The same requests in conversations: with and without instructions, up to five turns, and odd white space. */
export function conversations(count: number): Message[][] {
  return prompts(count).map((request, index) => {
    const turns = Array.from({ length: index % 3 }, (_, turn): Message[] => [
      { role: 'user', content: `${'\n'.repeat(turn)}Question ${turn + 1}: naïve “text”\t🙂 ` },
      { role: 'assistant', content: turn === 0 ? '' : ` Answer ${turn + 1}\n\n` },
    ]);
    const system: Message[] = index % 2 === 0 ? [] : [{ role: 'system', content: 'Answer briefly. ' }];
    return [...system, ...turns.flat(), ...request];
  });
}

const questions = [
  'Explain what this function does.',
  'Find the mistake in this function, if there is one, and write it again.',
  'Write a test for this function.',
];
