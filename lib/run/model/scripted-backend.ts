import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import type { GenerateRequest, TextModel } from '../../core/ports.ts';
import { readRegularText } from '../../files/untrusted-file.ts';
import { createScriptedModel } from '../../model/scripted.ts';
import { modelScriptInvalid, modelScriptNoMatch } from '../errors.ts';

/** One line of a script: the answers to requests that contain a text, in order. */
const lineSchema = z.strictObject({
  /** Part of the messages, such as the header of the function to repair; empty matches every request. */
  when: z.string().default(''),
  completions: z.array(z.string()).min(1),
});

/**
 * The model of `--backend scripted`: a JSONL file of lines `{"when": "def area(", "completions": ["…",
 * "…"]}`. Each request gets the next completion of the first line whose `when` occurs in its messages. Where each task
 * has a line of its own, answers do not depend on the order of tasks.
 * @throws HefixError (`MODEL_SCRIPT_INVALID`) with the invalid line.
 */
export async function createScriptedBackend(path: string): Promise<TextModel> {
  const text = await readScript(path);
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(path, line, index + 1)]));
  if (lines.length === 0) throw modelScriptInvalid(path, 1, 'it is empty');
  const name = basename(path);
  const scripts = lines.map(({ when, completions }) => ({
    when,
    model: createScriptedModel({ completions, name }),
  }));
  return {
    name,
    fingerprint: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    async generate(request, options) {
      const script = scripts.find(({ when }) => mentions(request, when));
      if (script === undefined) throw modelScriptNoMatch(name);
      return await script.model.generate(request, options);
    },
    close: async () => {},
  };
}

async function readScript(path: string): Promise<string> {
  try {
    return await readRegularText(path, MAX_BYTES);
  } catch (cause) {
    throw modelScriptInvalid(path, 1, 'it cannot be read', cause);
  }
}

function parseLine(path: string, line: string, number: number): z.infer<typeof lineSchema> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw modelScriptInvalid(path, number, 'it is not JSON', cause);
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw modelScriptInvalid(path, number, 'it is not {"when": text, "completions": [text, …]}', parsed.error);
}

function mentions(request: GenerateRequest, text: string): boolean {
  return request.messages.some(({ content }) => content.includes(text));
}

const MAX_BYTES = 2 ** 28;
