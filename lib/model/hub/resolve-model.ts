import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Exactness } from '../../core/measurements.ts';
import type { BuiltWeightType } from '../build/build-model.ts';
import type { WeightType } from '../onnx/session.ts';
import { type BuiltFolderOptions, builtFolder } from './built-folder.ts';
import { checkModelFolder } from './check-folder.ts';
import {
  modelFileAmbiguous,
  modelFileUnknown,
  modelNotLocal,
  modelTypeNotBuilt,
  modelUnknown,
} from './errors.ts';
import { findInOllama, isOllamaName } from './ollama-store.ts';
import {
  findCachedModel,
  isBuilt,
  type PulledModel,
  type PullOptions,
  pullModel,
  type Selection,
  selectInFolder,
} from './pull-model.ts';
import type { WeightSource } from './weight-source.ts';

export interface ResolveOptions extends PullOptions, Pick<BuiltFolderOptions, 'onBuild' | 'onRefused'> {
  /** Bundled models: name → folder. */
  readonly bundled?: Readonly<Record<string, string>>;
  /** Whether a model of the hub may be downloaded; true if omitted. */
  readonly mayFetch?: boolean;
  /** Called before a model of the hub is downloaded. */
  readonly onDownload?: () => void;
}

/** A folder that createOnnxModel can open with this weight type. */
export interface ResolvedModel {
  /** Display name: a bundled name, the hub id, a name in Ollama, or the name of the folder or file. */
  readonly name: string;
  readonly folder: string;
  readonly weightType: WeightType;
  /** The hub's commit; null for models from elsewhere. */
  readonly commit: string | null;
  /** How closely a graph that was built here follows the float weights. */
  readonly exactness?: Exactness;
}

/**
 * Resolves `--model` to a runnable model: a bundled model, a local folder or GGUF file, a model of Ollama's, or a
 * model on the hub, which is downloaded unless it is cached. Without an ONNX graph of the requested weight type,
 * one is built from the weights into hefix's cache. `auto` is the best type for a CPU (see selectFiles). Throws MODEL_
 * and HUB_ errors.
 */
export async function resolveModel(nameOrPath: string, options: ResolveOptions = {}): Promise<ResolvedModel> {
  const { bundled = {}, weightType = 'auto', mayFetch = true } = options;
  const bundledFolder = Object.hasOwn(bundled, nameOrPath) ? bundled[nameOrPath] : undefined;
  if (bundledFolder !== undefined) {
    return { name: nameOrPath, folder: bundledFolder, weightType, commit: null };
  }
  if (isOllamaName(nameOrPath)) {
    const { name, path } = await findInOllama(nameOrPath, options.env);
    return await resolveGguf(path, name, options);
  }
  if (existsSync(nameOrPath)) {
    const path = resolve(nameOrPath);
    if (statSync(path).isDirectory()) return await resolveFolder(path, weightType, options);
    return await resolveGguf(path, basename(path).replace(GGUF, ''), options);
  }
  if (GGUF.test(nameOrPath)) throw mayFetch ? modelFileUnknown(nameOrPath) : modelNotLocal(nameOrPath, null);
  if (!looksLikeId(nameOrPath)) throw modelUnknown(nameOrPath, Object.keys(bundled));
  const cached = await findCachedModel(nameOrPath, options);
  if (cached === null && !mayFetch) {
    const type = weightType === 'auto' ? '' : ` --dtype ${weightType}`;
    throw modelNotLocal(nameOrPath, `hefix pull ${nameOrPath}${type}`);
  }
  if (cached !== null) return await resolvePulled(cached, options);
  options.onDownload?.();
  return await resolvePulled(await pullModel(nameOrPath, options), options);
}

/** A model that pullModel has downloaded, as a runnable model. */
export async function resolvePulled(
  pulled: PulledModel,
  options: ResolveOptions = {},
): Promise<ResolvedModel> {
  const { id, folder, selection, commit } = pulled;
  return { name: id, commit, ...(await readyFolder(folder, selection, options)) };
}

const GGUF = /\.gguf$/i;

async function resolveGguf(path: string, name: string, options: ResolveOptions): Promise<ResolvedModel> {
  const { weightType = 'auto' } = options;
  if (!isBuilt(weightType)) throw modelTypeNotBuilt(path, weightType);
  return { name, commit: null, ...(await built({ kind: 'gguf', path, name }, weightType, options)) };
}

/** A folder with neither a graph nor safetensors may hold a GGUF file. Otherwise it is left to the loader, whose error says what is missing. */
async function resolveFolder(
  folder: string,
  weightType: WeightType,
  options: ResolveOptions,
): Promise<ResolvedModel> {
  await checkModelFolder(folder);
  const selection = await selectInFolder(folder, weightType);
  if (selection === null && !existsSync(join(folder, 'config.json'))) {
    const [file, ...others] = (await readdir(folder)).filter(name => GGUF.test(name));
    if (others.length > 0) throw modelFileAmbiguous(folder, others.length + 1);
    if (file !== undefined) return await resolveGguf(join(folder, file), file.replace(GGUF, ''), options);
  }
  const ready = selection === null ? { folder, weightType } : await readyFolder(folder, selection, options);
  return { name: basename(folder), commit: null, ...ready };
}

async function readyFolder(
  folder: string,
  { action, weightType }: Selection,
  options: ResolveOptions,
): Promise<Pick<ResolvedModel, 'folder' | 'weightType' | 'exactness'>> {
  if (action === 'run') return { folder, weightType };
  return await built({ kind: 'folder', path: folder }, weightType, options);
}

async function built(
  source: WeightSource,
  weightType: BuiltWeightType | 'auto',
  options: ResolveOptions,
): Promise<Pick<ResolvedModel, 'folder' | 'weightType' | 'exactness'>> {
  const built = await builtFolder(source, weightType, options);
  const { exactness, folder } = built;
  return { folder, weightType: built.weightType, ...(exactness && { exactness }) };
}

function looksLikeId(text: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(text) && !text.startsWith('.');
}
