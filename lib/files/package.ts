import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The absolute path of a file in the package, the same for sources and for `dist`. Compiled files are given
 * below `dist`: `packageFile('dist/lib/model/onnx/worker.js')`.
 */
export function packageFile(path: string): string {
  return join(packageRoot(), path);
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/**
 * The version of this package.
 *
 * ```ts
 * import { hefixVersion } from 'hefix';
 *
 * console.log(`hefix ${hefixVersion()}`);
 * ```
 */
export function hefixVersion(): string {
  return versionIn(packageFile('package.json'));
}

/** What results may depend on besides model, data and options. */
export function versions(): Readonly<Record<string, string>> {
  return {
    hefix: hefixVersion(),
    node: process.versions.node,
    ...Object.fromEntries(dependencies.map(name => [name, packageVersion(name)])),
  };
}

/** These determine the text of a prompt, its tokens, and the numbers computed from them. */
const dependencies = [
  'onnxruntime-node',
  '@huggingface/tokenizers',
  '@huggingface/jinja',
  '@vscode/tree-sitter-wasm',
];

/** Where Node looks for a package, whose `exports` may hide package.json from `resolve`. */
function packageVersion(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const path = folders.map(folder => join(folder, name, 'package.json')).find(existsSync);
  return path === undefined ? 'unknown' : versionIn(path);
}

function versionIn(path: string): string {
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
  return version;
}
