import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileNotReadable } from '../core/errors.ts';
import { fileSize } from '../hub/cache-layout.ts';
import { readHubSettings } from '../hub/hub-settings.ts';
import { type KnownModel, knownModels } from '../model/aliases.ts';
import { findCachedModel } from '../model/hub/pull-model.ts';
import { bundledModel, bundledModelFolder } from '../run/create-model.ts';

/** A model that `--model` can name. */
export interface ListedModel {
  readonly name: string;
  /** On the hub; null for one that is not from there. */
  readonly id: string | null;
  readonly parameters: number | null;
  readonly licence: string | null;
  /** Null if it has yet to be fetched. */
  readonly folder: string | null;
  /** Of the weights on this machine; null without them. */
  readonly bytes: number | null;
}

/**
 * The bundled model, those in the folders right below `folder` (what has a `config.json` and an `onnx`
 * folder), the models of the hub that have a short name, in the cache or not, and others that are in the cache.
 */
export async function listModels(folder: string): Promise<ListedModel[]> {
  const bundled = { name: bundledModel, folder: bundledModelFolder(), licence: LICENCE };
  const local = [bundled, ...(await below(folder))].map(async model => {
    const bytes = await onnxBytes(model.folder);
    return bytes === null ? [] : [{ id: null, parameters: null, licence: null, ...model, bytes }];
  });
  return [
    ...(await Promise.all(local)).flat(),
    ...(await Promise.all(knownModels.map(listed))),
    ...(await othersInCache()),
  ];
}

/** Models in the hub's cache that have no short name and that hefix can run. */
async function othersInCache(): Promise<ListedModel[]> {
  const { cacheFolder } = await readHubSettings();
  const names = await readdir(cacheFolder).catch(() => []);
  const ids = names.flatMap(name => /^models--(.+?)--(.+)$/.exec(name)?.slice(1).join('/') ?? []);
  const others = ids.filter(id => !knownModels.some(known => known.id === id)).sort();
  const models = others.map(async id => {
    const model = await listed({ alias: id, id, parameters: null, licence: null });
    return model.folder !== null && (await writesText(model.folder)) ? [model] : [];
  });
  return (await Promise.all(models)).flat();
}

/** A cache may hold models for anything; the architecture says what one is for. */
async function writesText(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'config.json'), 'utf8').catch(() => '');
  return /"\w+ForCausalLM"/.test(text);
}

/** Of the package, and so of the model in it. */
const LICENCE = 'MIT';

interface ModelOfHub extends Pick<KnownModel, 'alias' | 'id'> {
  readonly parameters: number | null;
  readonly licence: string | null;
}

async function listed({ alias, id, parameters, licence }: ModelOfHub): Promise<ListedModel> {
  // A folder may have a name that is no id; it is none of a model.
  const cached = await findCachedModel(id).catch(() => null);
  const files = cached?.selection.files.map(file => fileSize(join(cached.folder, file))) ?? [];
  const bytes = (await Promise.all(files)).reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const place = cached ? { folder: cached.folder, bytes } : { folder: null, bytes: null };
  return { name: alias, id, parameters, licence, ...place };
}

async function below(folder: string): Promise<{ name: string; folder: string }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter(entry => entry.isDirectory()).map(entry => join(folder, entry.name));
    return folders.sort().map(path => ({ name: basename(path), folder: path }));
  } catch (cause) {
    throw fileNotReadable('--folder', folder, cause);
  }
}

/** Null if the folder is no model's. */
async function onnxBytes(folder: string): Promise<number | null> {
  try {
    await stat(join(folder, 'config.json'));
    const names = await readdir(join(folder, 'onnx'));
    const sizes = await Promise.all(names.map(async name => (await stat(join(folder, 'onnx', name))).size));
    return names.some(name => name.endsWith('.onnx')) ? sizes.reduce((sum, size) => sum + size, 0) : null;
  } catch {
    return null;
  }
}
