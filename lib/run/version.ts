import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { packageFile } from '../package-root.ts';

const packageSchema = z.object({ version: z.string() });

export function hefixVersion(): string {
  return versionIn(packageFile('package.json'));
}

/** What a run's numbers may depend on besides model, data and options. */
export function versions(): Readonly<Record<string, string>> {
  return {
    hefix: hefixVersion(),
    node: process.versions.node,
    'onnxruntime-node': versionIn(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')),
  };
}

function versionIn(path: string): string {
  return packageSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).version;
}
