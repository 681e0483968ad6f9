import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The small random model whose answers were computed with Hugging Face transformers. */
export const referenceFolder = packageFile('fixtures/reference');

const messageSchema = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

/** The results of transformers. */
export async function readGolden() {
  const schema = z.object({
    messages: z.array(messageSchema),
    rendered: z.string(),
    prompt: z.array(z.number()),
    tokens: z.array(z.number()),
    text: z.string(),
  });
  return schema.parse(JSON.parse(await readFile(join(referenceFolder, 'golden.json'), 'utf8')));
}

/** A copy of the model's folder that a test may change. */
export async function copyOfReference(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(referenceFolder, folder, { recursive: true });
  return folder;
}

export async function changeJson(file: string, change: Record<string, unknown>): Promise<void> {
  const old: object = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...old, ...change }));
}

/** Overwrites bytes of a file with others of the same length. */
export async function replaceBytes(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'latin1');
  await writeFile(file, text.replaceAll(from, to), 'latin1');
}
