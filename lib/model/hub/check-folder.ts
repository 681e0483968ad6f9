import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular } from '../../files/untrusted-file.ts';
import { modelFolderWithout } from '../errors.ts';

/**
 * Tells what a model folder has in place of weights that hefix can read. Throws MODEL_FOLDER_UNUSABLE for pointers of
 * Git LFS, and for a folder with nothing but an adapter or PyTorch's own files.
 */
export async function checkModelFolder(folder: string): Promise<void> {
  const names = await filesIn(folder);
  for (const name of names.filter(name => LARGE.test(name))) {
    if (await isPointer(join(folder, name))) throw modelFolderWithout(folder, 'pointer', name);
  }
  if (names.some(name => /\.(safetensors|onnx|gguf)$/i.test(name) && !ADAPTER.test(name))) return;
  if (existsSync(join(folder, 'model.safetensors.index.json'))) return;
  const adapter = names.find(name => ADAPTER.test(name));
  if (adapter !== undefined) throw modelFolderWithout(folder, 'adapter', adapter);
  const pickled = names.find(name => /^(pytorch_model|consolidated).*\.(bin|pth|pt)$/.test(name));
  if (pickled !== undefined) throw modelFolderWithout(folder, 'pickled', pickled);
}

/** Files that repositories keep with Git LFS. */
const LARGE = /\.(safetensors|onnx|onnx_data|gguf|bin)$|^tokenizer\.json$/i;
const ADAPTER = /^adapter_(config\.json|model\.(safetensors|bin))$/;

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const graphs = await readdir(join(folder, 'onnx')).catch(() => []);
  return [...names, ...graphs.map(name => join('onnx', name))];
}

async function isPointer(path: string): Promise<boolean> {
  const file = await openRegular(path).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(POINTER.length), 0, POINTER.length, 0);
    return bytesRead === POINTER.length && buffer.toString('latin1') === POINTER;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

const POINTER = 'version https://git-lfs';
