import { runInNewContext } from 'node:vm';
import type { Message, Tool } from '../../core/ports.ts';
import { type SentError, sendable } from '../sent-error.ts';
import { type ChatTemplate, type ChatTemplateSource, createChatTemplate } from './chat-template.ts';

/** The process that renders a model's chat template; started by bounded-template.ts, never imported. */

export interface OpenTemplate {
  readonly source: ChatTemplateSource;
  readonly omitsSystem: boolean;
  readonly limitMs: number;
}

export interface RenderRequest {
  readonly id: number;
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[] | undefined;
  readonly thinking?: boolean | undefined;
}

/** `id` is that of the request; -1 for opening the template. */
export interface TemplateReply {
  readonly id: number;
  readonly text?: string;
  readonly isStuck?: boolean;
  readonly error?: SentError;
}

function main(): void {
  // The parent decides when this process ends: Ctrl-C reaches the whole process group.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.once('disconnect', () => process.exit());
  process.once('message', ({ source, omitsSystem, limitMs }: OpenTemplate) => {
    let render: ChatTemplate | undefined;
    reply(-1, limitMs, () => {
      render = createChatTemplate(source, omitsSystem);
      return '';
    });
    process.on('message', ({ id, messages, tools, thinking }: RenderRequest) =>
      reply(id, limitMs, () => render?.(messages, tools, thinking) ?? ''),
    );
  });
}

function reply(id: number, limitMs: number, work: () => string): void {
  const said: { text?: string } = {};
  const run = (): void => {
    said.text = work();
  };
  try {
    runInNewContext('run()', { run }, { timeout: limitMs });
    const { text = '' } = said;
    if (text.length > MAX_PROMPT) throw new Error(`the prompt has more than ${MAX_PROMPT} characters`);
    send({ id, text });
  } catch (error) {
    const isStuck = Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    send(isStuck ? { id, isStuck } : { id, error: sendable(error) });
  }
}

/** In characters: far more than a prompt of hefix has. */
const MAX_PROMPT = 2 ** 22;

function send(message: TemplateReply): void {
  process.send?.(message);
}

main();
