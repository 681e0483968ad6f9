import type { Message } from '../../core/ports.ts';
import type { ChatTemplate } from './chat-template.ts';

/** A prompt up to the end of its last message, which the completion continues. */
export function openPrompt(render: ChatTemplate, messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (!last) return '';
  const text = render([...messages.slice(0, -1), { ...last, content: last.content + END }]);
  const end = text.lastIndexOf(END);
  return end === -1 ? text : text.slice(0, end);
}

/** A private-use character of Unicode: no message contains it, and no template strips it as white space. */
const END = '\uE000';
