import { fork } from 'node:child_process';
import { HefixError } from '../../core/errors.ts';
import { packageFile } from '../../files/package.ts';
import { modelTemplateEnded, modelTemplateFailed, modelTextTimeout } from '../errors.ts';
import type { ChatTemplateSource } from './chat-template.ts';
import type { OpenTemplate, RenderRequest, TemplateReply } from './template-process.ts';

/** A chat template that renders in a process of its own. */
export interface BoundedTemplate {
  /** Rejects with MODEL_TEMPLATE_FAILED or MODEL_TEXT_TIMEOUT, and with the signal's reason. */
  render(request: Omit<RenderRequest, 'id'>, signal?: AbortSignal): Promise<string>;
  close(): void;
}

export interface BoundedTemplateOptions {
  /** The model's name, for error messages. */
  readonly name: string;
  readonly omitsSystem?: boolean;
  /** Time limit for one prompt. */
  readonly textLimitMs?: number;
}

/**
 * Renders the template that came with a model, which may loop or build a list as large as the memory. A list too large
 * for V8 ends the whole process, whatever limits a thread in it has, so that the template has a process of its own.
 * Rejects with MODEL_TEMPLATE_FAILED if it is not valid Jinja.
 */
export async function openChatTemplate(
  source: ChatTemplateSource,
  { name, omitsSystem = false, textLimitMs = 30_000 }: BoundedTemplateOptions,
): Promise<BoundedTemplate> {
  const child = fork(packageFile('dist/lib/model/text/template-process.js'), {
    env: {},
    execArgv: [`--max-old-space-size=${MEMORY_MIB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const waiting = new Map<number, (reply: TemplateReply) => void>();
  let requests = 0;
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    for (const answer of waiting.values()) answer({ id: -1 });
    waiting.clear();
  };
  child.on('error', end);
  child.on('exit', end);
  child.on('message', (reply: TemplateReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });

  const replyTo = async (id: number, message: OpenTemplate | RenderRequest, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    if (hasEnded) throw modelTemplateEnded(source.file, MEMORY_MIB);
    const { text, isStuck, error } = await new Promise<TemplateReply>((resolve, reject) => {
      waiting.set(id, resolve);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      child.send(message, failure => failure && end());
    });
    if (isStuck) throw modelTextTimeout(name, textLimitMs / 1000);
    if (error?.code === null) throw modelTemplateFailed(source.file, new Error(error.message));
    if (error) throw new HefixError(error.code, error.message, error.hint);
    if (text === undefined) throw modelTemplateEnded(source.file, MEMORY_MIB);
    return text;
  };
  const close = (): void => {
    end();
    child.kill('SIGKILL');
  };
  try {
    await replyTo(-1, { source, omitsSystem, limitMs: textLimitMs });
  } catch (error) {
    close();
    throw error;
  }
  return {
    async render(request, signal) {
      const id = requests++;
      return await replyTo(id, { ...request, id }, signal);
    },
    close,
  };
}

/** A prompt is a few kilobytes. */
const MEMORY_MIB = 256;
