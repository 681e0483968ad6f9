import type { Message } from '../../core/ports.ts';

/**
 * The same conversation for models that know no system role or need alternating ones, such as Gemma and older models of
 * Mistral: system texts come before the text of the next turn of the user, and turns of one role in a row are one.
 * Tool calls and their results stay as they are.
 */
export function plainRoles(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const turn: Message = message.role === 'system' ? { ...message, role: 'user' } : message;
    const last = turns.at(-1);
    if (last && canJoin(last, turn)) {
      turns.splice(-1, 1, { ...last, content: `${last.content}\n\n${turn.content}` });
    } else turns.push(turn);
  }
  return turns;
}

function canJoin(first: Message, second: Message): boolean {
  const isText = (message: Message) => message.role !== 'tool' && !message.toolCalls;
  return first.role === second.role && isText(first) && isText(second);
}
