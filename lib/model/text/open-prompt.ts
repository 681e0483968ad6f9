import type { Message } from '../../core/ports.ts';
import type { ChatTemplate } from './chat-template.ts';

/** A prompt's text up to the end of what its last message says: it may go on, and no answer has begun. */
export function openPrompt(render: ChatTemplate, messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (!last) return '';
  const text = render([...messages.slice(0, -1), { ...last, content: last.content + END }]);
  const end = text.lastIndexOf(END);
  return end === -1 ? text : text.slice(0, end);
}

/** For private use in Unicode: no message holds it, and no template takes it for a blank. */
const END = '\uE000';
