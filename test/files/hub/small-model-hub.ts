import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { golden } from '../../model/build/golden.ts';
import { byteTokenizerFiles } from '../../model/hub/byte-tokenizer.ts';
import { type FakeHub, fakeHub } from './fake-hub.ts';

/** A hub with a small random model that only has safetensors. */
export async function smallModelHub(id: string): Promise<FakeHub> {
  const { folder } = golden('qwen2');
  const names = readdirSync(folder).filter(name => !name.startsWith('golden'));
  // Its context is too short for a prompt.
  const config = {
    ...JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')),
    max_position_embeddings: 2048,
  };
  const texts = { ...byteTokenizerFiles(), 'config.json': JSON.stringify(config) };
  return await fakeHub(id, {
    ...Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name))])),
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)])),
  });
}
