import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import type { Message } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { readModelTexts } from '../../../lib/model/model-folder.ts';
import { createChatTemplate } from '../../../lib/model/text/chat-template.ts';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';

/** What torch answers to each prompt. */
export interface Reference {
  readonly prompts: readonly (readonly number[])[];
  readonly answers: readonly (readonly number[])[];
  /** Conversations as text, by hefix and by transformers. */
  readonly rendered: readonly { readonly here: string; readonly there: string }[];
  /** The logits that token `token` of answer `index` was chosen from. */
  logits(index: number, token: number): Promise<Float32Array>;
  close(): Promise<void>;
}

const replySchema = z.object({
  answers: z.array(z.array(z.number())),
  rendered: z.array(z.string()),
});

/**
 * texts: a folder with the tokenizer that hefix uses; weights: one that transformers reads; scratch: for the
 * logits.
 */
export async function torchAnswers(
  python: string,
  options: {
    readonly texts: string;
    readonly weights: string;
    readonly scratch: string;
    readonly tokens: number;
    readonly threads: number;
    readonly messages: readonly (readonly Message[])[];
    readonly conversations: readonly (readonly Message[])[];
  },
): Promise<Reference> {
  const { texts, weights, scratch, messages, conversations, ...sizes } = options;
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(texts);
  const { encode } = createTokenizer(tokenizer, tokenizerConfig, texts);
  const render = createChatTemplate(chatTemplate);
  const rendered = conversations.map(one => render(one));
  const prompts = messages.map(one => encode(render(one)));
  const file = join(scratch, 'torch-logits.f32');
  const ends = JSON.parse(readFileSync(join(texts, 'generation_config.json'), 'utf8')).eos_token_id;
  const request = { ...sizes, folder: weights, prompts, conversations, end_ids: [ends].flat(), logits: file };
  const program = packageFile('test/bench/weights/torch-answers.py');
  const { stdout } = await execa(python, [program], { input: JSON.stringify(request), stderr: 'inherit' });
  const reply = replySchema.parse(JSON.parse(stdout));
  const { vocab_size: vocabulary } = JSON.parse(readFileSync(join(texts, 'config.json'), 'utf8'));
  const starts: number[] = [];
  let end = 0;
  for (const answer of reply.answers) {
    starts.push(end);
    end += answer.length;
  }
  const handle = await open(file, 'r');
  return {
    prompts,
    answers: reply.answers,
    rendered: rendered.map((here, index) => ({ here, there: reply.rendered[index] ?? '' })),
    logits: (index, token) => row(handle, (starts[index] ?? 0) + token, vocabulary),
    close: () => handle.close(),
  };
}

async function row(file: FileHandle, index: number, vocabulary: number): Promise<Float32Array> {
  const values = new Float32Array(vocabulary);
  await file.read(new Uint8Array(values.buffer), 0, 4 * vocabulary, 4 * vocabulary * index);
  return values;
}
