import { existsSync } from 'node:fs';
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
