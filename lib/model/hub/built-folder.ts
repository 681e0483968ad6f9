import { createHash, randomUUID } from 'node:crypto';
import { copyFile, readdir, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { modelNotBuilt } from '../../core/errors.ts';
import { cacheFolder } from '../../files/cache-folder.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { withLock } from '../../files/file-lock.ts';
import { fileSize } from '../../hub/cache-layout.ts';
import { type BuildProgress, type BuiltWeightType, buildModel } from '../build/build-model.ts';
import { onnxFileName } from '../onnx/onnx-file.ts';
import { TEXT_FILES } from './select-files.ts';

export interface BuiltFolderOptions {
  readonly onBuild?: (progress: BuildProgress) => void;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * A folder in the hub's layout with a graph built from the safetensors of `source`. It is kept in hefix's
 * cache and rebuilt when the source changes. Throws the errors of buildModel.
 */
export async function builtFolder(
  source: string,
  weightType: BuiltWeightType,
  { onBuild, signal, env = process.env }: BuiltFolderOptions = {},
): Promise<string> {
  const target = join(cacheFolder(env), 'models', await sourceKey(source));
  const graph = join(target, 'onnx', onnxFileName(weightType));
  if ((await fileSize(graph)) !== null) return target;
  try {
    await ensureDirectory(dirname(graph));
    for (const file of TEXT_FILES) await copyIfThere(join(source, file), join(target, file));
  } catch (error) {
    throw modelNotBuilt(target, error);
  }
  await withLock(`${graph}.lock`, signal, async () => {
    if ((await fileSize(graph)) !== null) return;
    await buildModel({
      source,
      target: dirname(graph),
      weightType,
      argMax: true,
      ...(onBuild && { onProgress: onBuild }),
      ...(signal && { signal }),
    });
  });
  return target;
}

/** Changes with the builder, so that graphs of older versions are rebuilt. */
const BUILDER = 3;

/** The model's display name, and a hash of its files and their state. */
async function sourceKey(source: string): Promise<string> {
  const hash = createHash('sha256').update(`builder ${BUILDER}`);
  for (const name of (await readdir(source)).sort()) {
    if (!name.endsWith('.safetensors') && !name.endsWith('.json') && !name.endsWith('.jinja')) continue;
    const path = await realpath(join(source, name));
    const { size, mtimeMs } = await stat(path);
    hash.update(JSON.stringify([name, path, size, mtimeMs]));
  }
  return `${displayName(source)}-${hash.digest('hex').slice(0, 16)}`;
}

/** A snapshot in the hub's cache is named after its commit; the model's name is two folders up. */
function displayName(source: string): string {
  const repository = basename(dirname(dirname(source)));
  const name = repository.startsWith('models--') ? repository.slice('models--'.length) : basename(source);
  return name.replace(/[^\w.-]/g, '_').slice(0, 80);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await fileSize(from)) === null) return;
  const partial = `${to}.${randomUUID()}.partial`;
  await copyFile(from, partial);
  await rename(partial, to);
}
