import { copyFile, readdir, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { fileSize } from '../../files/hub/cache-layout.ts';
import { removeLeftovers, temporaryName } from '../../files/write-file-atomic.ts';
import { writeGgufTexts } from '../gguf/gguf-folder.ts';
import { TEXT_FILES } from './pull-model.ts';

/** Weights that graphs are built from: a folder with safetensors, or a GGUF file. */
export type WeightSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'gguf'; readonly path: string; readonly name: string };

/** The name in error messages and of the folder in the cache; safe as a file's name. */
export function displayName(source: WeightSource): string {
  const name = source.kind === 'gguf' ? source.name : folderName(source.path);
  return name.replace(/[^\w.-]/g, '_').slice(0, 80);
}

/** A snapshot in the hub's cache is named after its commit; the model's name is two folders up. */
function folderName(path: string): string {
  const repository = basename(dirname(dirname(path)));
  return repository.startsWith('models--') ? repository.slice('models--'.length) : basename(path);
}

/** Changes with the source's files, as far as their sizes and times show. */
export async function sourceState(source: WeightSource): Promise<string> {
  const states: string[] = [];
  for (const file of await filesOf(source)) {
    const path = await realpath(file);
    const { size, mtimeMs } = await stat(path);
    states.push(JSON.stringify([basename(file), path, size, mtimeMs]));
  }
  return states.join('\n');
}

async function filesOf({ kind, path }: WeightSource): Promise<string[]> {
  if (kind === 'gguf') return [path];
  const names = (await readdir(path)).sort().filter(name => /\.(safetensors|json|jinja)$/.test(name));
  return names.map(name => join(path, name));
}

/** Puts the configuration, tokenizer and template into a folder. Throws the errors of writeGgufTexts. */
export async function writeTexts({ kind, path }: WeightSource, folder: string): Promise<void> {
  if (kind === 'gguf') return await writeGgufTexts(path, folder);
  await ensureDirectory(folder);
  await removeLeftovers(folder);
  for (const file of TEXT_FILES) await copyIfThere(join(path, file), join(folder, file));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await fileSize(from)) === null) return;
  const partial = temporaryName(to);
  await copyFile(from, partial);
  await rename(partial, to);
}
