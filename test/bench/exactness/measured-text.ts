import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../lib/files/package.ts';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';

/** The bundled tasks as tokens of the bundled model, in sequences of the same length. */
export function measuredText(sequences: number, length: number): number[][] {
  const model = packageFile('fixtures/exactness');
  const json = (name: string) => JSON.parse(readFileSync(join(model, name), 'utf8')) as object;
  const { encode } = createTokenizer(json('tokenizer.json'), json('tokenizer_config.json'), model);
  const folder = packageFile('dataset/mini');
  const files = readdirSync(folder).filter(name => name.endsWith('.py'));
  const ids = encode(
    files
      .sort()
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join('\n'),
  );
  return Array.from({ length: sequences }, (_, index) => ids.slice(index * length, (index + 1) * length));
}
