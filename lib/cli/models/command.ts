import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Batching, batchingText, type Exactness, exactnessText } from '../../core/measurements.ts';
import { printable, printableJson } from '../../core/text.ts';
import { fileNotReadable } from '../../files/errors.ts';
import { fileSize } from '../../files/hub/cache-layout.ts';
import { readHubSettings } from '../../files/hub/hub-settings.ts';
import { readRegularText } from '../../files/untrusted-file.ts';
import { type KnownModel, knownModels, unaliased } from '../../model/aliases.ts';
import { measuredOfBuilt } from '../../model/hub/built-folder.ts';
import { modelNotStored } from '../../model/hub/errors.ts';
import { listOllama, type OllamaModel } from '../../model/hub/ollama-store.ts';
import { findCachedModel } from '../../model/hub/pull-model.ts';
import {
  builtFrom,
  findDownloaded,
  listBuilt,
  removeStored,
  type StoredModel,
} from '../../model/hub/stored-models.ts';
import { closest, parseOptions } from '../../options/option.ts';
import { modelsOptions } from '../../options/tables/command-options.ts';
import { bundledModel, bundledModelFolder } from '../../run/model/create-model.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  description:
    'Lists the models that --model can name, which of them are downloaded, and what hefix built from them; with --remove, removes one.',
  options: modelsOptions,
  examples: ['hefix models', 'hefix models --folder ~/models', 'hefix models --remove qwen2.5-coder-0.5b'],
  endsAtOnce: true,
  async run(input, { print }) {
    const options = parseOptions(modelsOptions, input);
    if (options.remove !== undefined) {
      const removed = await removeModel(options.remove);
      if (options.json) print(printableJson(removed));
      else for (const one of removed) print(printable(`removed ${sizeAndFolder(one)}`));
      return 0;
    }
    const models = await listModels(options.folder);
    if (options.json) {
      print(printableJson(models));
      return 0;
    }
    const rows = models.map(columns);
    const widths = [0, 1, 2].map(index => Math.max(...rows.map(row => row[index]?.length ?? 0)));
    for (const [index, row] of rows.entries()) {
      print(row.map((cell, column) => printable(cell).padEnd(widths[column] ?? 0)).join('  '));
      for (const exactness of models[index]?.exactness ?? []) print(`  ${exactnessText(exactness)}`);
      for (const batching of models[index]?.batching ?? []) print(`  ${batchingText(batching)}`);
      for (const built of models[index]?.built ?? []) print(printable(`  ${sizeAndFolder(built)}`));
    }
    return 0;
  },
};

/**
 * Removes what hefix built from a model, and what was downloaded of it.
 * @throws HefixError (`MODEL_NOT_STORED`) if there is neither
 */
async function removeModel(name: string): Promise<StoredModel[]> {
  const id = unaliased(name);
  const all = await listBuilt();
  // Only an id has a folder in the hub's cache.
  const downloaded = await findDownloaded(id).catch(() => null);
  const removed = [...builtFrom(all, id), ...(downloaded === null ? [] : [downloaded])];
  if (removed.length === 0)
    throw modelNotStored(
      name,
      closest(
        name,
        all.map(built => built.name),
      ),
    );
  for (const one of removed) await removeStored(one);
  return removed;
}

function sizeAndFolder({ kind, bytes, folder }: ListedModel['built'][number]): string {
  return `${kind}: ${mebibytes(bytes)} in ${folder}`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Name, size, licence and location. */
function columns({ name, id, parameters, licence, folder, bytes }: ListedModel): string[] {
  const weights = parameters === null ? '' : `${Math.round(parameters / 1e6)}M parameters`;
  const onDisk = bytes === null ? '' : mebibytes(bytes);
  const size = [weights, onDisk].filter(part => part !== '').join(', ');
  const isBuiltOnly = id === null && folder === null;
  return [
    name,
    size,
    licence ?? '',
    folder ?? (isBuiltOnly ? 'built from a folder or file' : `${id}, not in the cache`),
  ];
}

/** A valid value of `--model`. */
interface ListedModel {
  readonly name: string;
  /** Its hub id; null if it is not from the hub. */
  readonly id: string | null;
  readonly parameters: number | null;
  readonly licence: string | null;
  /** Its folder or GGUF file; null if it has not been downloaded. */
  readonly folder: string | null;
  /** Size of the weights on this system; null without them. */
  readonly bytes: number | null;
  /** How closely the graphs that hefix built from its weights follow these. */
  readonly exactness: readonly Exactness[];
  /** Whether passes of several tasks are batched, once a run with several workers has measured it. */
  readonly batching: readonly Batching[];
  /** The graphs that hefix built from its weights, those of earlier versions too. */
  readonly built: readonly Pick<StoredModel, 'kind' | 'folder' | 'bytes'>[];
}

/**
 * The bundled model, those in the immediate subfolders of `folder` (with a `config.json` and an `onnx`
 * folder), the hub's models with a short name, cached or not, other models in the cache, those of Ollama, and what was
 * built from other folders and files.
 */
async function listModels(folder: string): Promise<ListedModel[]> {
  const all = await listBuilt();
  const named = await listKnown(folder);
  const models = named.map(model => ({ ...model, built: builtFrom(all, model.id ?? model.name) }));
  const rest = all.filter(one => !models.some(({ built }) => built.includes(one)));
  const names = [...new Set(rest.map(({ name }) => name))];
  const unknown = { id: null, parameters: null, licence: null, folder: null, bytes: null };
  const others = names.map(name => ({
    ...unknown,
    name,
    exactness: [],
    batching: [],
    built: builtFrom(rest, name),
  }));
  return [...models, ...others].map(model => ({
    ...model,
    built: model.built.map(({ kind, folder, bytes }) => ({ kind, folder, bytes })),
  }));
}

type KnownToHefix = Omit<ListedModel, 'built'>;

async function listKnown(folder: string): Promise<KnownToHefix[]> {
  const bundled = { name: bundledModel, folder: bundledModelFolder(), licence: LICENCE };
  const local = [bundled, ...(await below(folder))].map(async model => {
    const bytes = await onnxBytes(model.folder);
    return bytes === null
      ? []
      : [{ id: null, parameters: null, licence: null, ...model, bytes, exactness: [], batching: [] }];
  });
  return [
    ...(await Promise.all(local)).flat(),
    ...(await Promise.all(knownModels.map(listed))),
    ...(await othersInCache()),
    ...(await Promise.all((await listOllama()).map(inOllama))),
  ];
}

/** Models in the hub's cache without a short name that hefix can run. */
async function othersInCache(): Promise<KnownToHefix[]> {
  const { cacheFolder } = await readHubSettings();
  const names = await readdir(cacheFolder).catch(() => []);
  const ids = names.flatMap(name => /^models--(.+?)--(.+)$/.exec(name)?.slice(1).join('/') ?? []);
  const others = ids.filter(id => !knownModels.some(model => model.id === id)).sort();
  const models = others.map(async id => {
    const model = await listed({ alias: id, id, parameters: null, licence: null });
    return model.folder !== null && (await writesText(model.folder)) ? [model] : [];
  });
  return (await Promise.all(models)).flat();
}

async function inOllama({ name, path, bytes }: OllamaModel): Promise<KnownToHefix> {
  const facts = { name, id: null, parameters: null, licence: null, folder: path, bytes };
  return { ...facts, ...(await measuredOfBuilt({ kind: 'gguf', path, name })) };
}

/** The cache may contain models of any kind; the architecture identifies the usable ones. */
async function writesText(folder: string): Promise<boolean> {
  const text = await readRegularText(join(folder, 'config.json'), 2 ** 20).catch(() => '');
  return /"\w+ForCausalLM"/.test(text);
}

/** Licence of the package, and so of the bundled model. */
const LICENCE = 'MIT';

interface ModelOfHub extends Pick<KnownModel, 'alias' | 'id'> {
  readonly parameters: number | null;
  readonly licence: string | null;
}

async function listed({ alias, id, parameters, licence }: ModelOfHub): Promise<KnownToHefix> {
  // A folder whose name is not an id does not belong to a model.
  const cached = await findCachedModel(id).catch(() => null);
  const files = cached?.selection.files.map(file => fileSize(join(cached.folder, file))) ?? [];
  const bytes = (await Promise.all(files)).reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const location = cached ? { folder: cached.folder, bytes } : { folder: null, bytes: null };
  const isBuilt = cached?.selection.action === 'build';
  const measured = isBuilt
    ? await measuredOfBuilt({ kind: 'folder', path: cached.folder })
    : { exactness: [], batching: [] };
  return { name: alias, id, parameters, licence, ...location, ...measured };
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

/** Null if the folder does not contain a model. */
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
