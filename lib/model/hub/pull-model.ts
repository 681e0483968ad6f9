import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSize, hubCache } from '../../files/hub/cache-layout.ts';
import { hubOffline } from '../../files/hub/errors.ts';
import { assertRepository, fetchFiles, type HubOptions, withHub } from '../../files/hub/fetch-files.ts';
import { listHubFiles } from '../../files/hub/hub-listing.ts';
import { readHubSettings } from '../../files/hub/hub-settings.ts';
import { type BuiltWeightType, builtTypes } from '../build/build-model.ts';
import { type FixedWeightType, onnxFileName, type WeightType } from '../onnx/session.ts';
import { hubNoWeights, withNearestModel } from './errors.ts';

export interface PullOptions extends HubOptions {
  readonly weightType?: WeightType;
}

/** A complete model in the cache; `folder` has the hub's layout and contains the files of `selection`. */
export interface PulledModel {
  readonly id: string;
  readonly commit: string;
  readonly folder: string;
  readonly selection: Selection;
}

/**
 * Downloads the required files of a model into the cache that is shared with Python's tools; files that are
 * present are not downloaded again. With HF_HUB_OFFLINE only the cache is used. Throws the HUB_ errors, and
 * the signal's reason if aborted; partial downloads are kept.
 */
export async function pullModel(id: string, options: PullOptions = {}): Promise<PulledModel> {
  const { weightType = 'auto' } = options;
  const cached = await findCachedModel(id, options);
  if ((await readHubSettings(options.env)).offline) {
    if (cached === null) throw hubOffline(id, 'model');
    return cached;
  }
  return await withHub('model', id, options, async requester => {
    const { commit, files } = await listHubFiles(requester).catch(error => {
      throw withNearestModel(error, id);
    });
    const selection = selectFiles(
      files.map(({ path }) => path),
      weightType,
    );
    if (selection === null) throw hubNoWeights(id, weightType);
    const wanted = files.filter(({ path }) => selection.files.includes(path));
    const folder = await fetchFiles(requester, commit, wanted, options.onProgress);
    return { id, commit, folder, selection };
  });
}

/**
 * The model from the cache, without contacting the hub; null if it is missing or incomplete. Throws
 * HUB_ID_INVALID.
 */
export async function findCachedModel(
  id: string,
  { revision = 'main', weightType = 'auto', env }: PullOptions = {},
): Promise<PulledModel | null> {
  assertRepository('model', id, revision);
  const settings = await readHubSettings(env);
  const cache = hubCache(settings.cacheFolder, 'model', id);
  const commit = await cache.readRef(revision);
  if (commit === null) return null;
  const folder = cache.snapshot(commit);
  const selection = await selectInFolder(folder, weightType);
  return selection && { id, commit, folder, selection };
}

/**
 * The selection of selectFiles for a local folder; null if there is none, or if one of several numbered files
 * is missing.
 */
export async function selectInFolder(folder: string, weightType: WeightType): Promise<Selection | null> {
  const names = [
    ...(await filesIn(folder)),
    ...(await filesIn(join(folder, 'onnx'))).map(name => `onnx/${name}`),
  ];
  const sizes = await Promise.all(names.map(name => fileSize(join(folder, name))));
  const selection = selectFiles(
    names.filter((_, index) => sizes[index] !== null),
    weightType,
  );
  const shard = selection?.files.find(path => SHARD.test(path));
  if (selection === null || shard === undefined) return selection;
  const expected = Number(SHARD.exec(shard)?.[1]);
  return selection.files.filter(path => SHARD.test(path)).length === expected ? selection : null;
}

const SHARD = /-of-(\d+)\.safetensors$/;

async function filesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/**
 * The files of a repository that are needed, and how they are used: an existing graph is run, otherwise one
 * is built from the weights.
 */
export type Selection = { readonly files: readonly string[] } & (
  | { readonly action: 'run'; readonly weightType: FixedWeightType }
  | { readonly action: 'build'; readonly weightType: BuiltWeightType | 'auto' }
);

/**
 * Chooses from the paths in a repository or folder: configuration and tokenizer, and either one ONNX graph
 * with its external data or the safetensors. A suitable export is preferred. Null if there is neither.
 * Among exports, `auto` prefers what a CPU computes fastest: 4 bits, then 8, then float32 (exact but slow),
 * then half precision (slower still on a CPU) and bnb4. What is built for `auto` is decided by measurement, see
 * builtFolder.
 */
export function selectFiles(paths: readonly string[], wanted: WeightType): Selection | null {
  const there = new Set(paths);
  if (!there.has('config.json') || !there.has('tokenizer.json')) return null;
  const texts = TEXT_FILES.filter(path => there.has(path));

  for (const weightType of wanted === 'auto' ? exportOrder : [wanted]) {
    const name = onnxFileName(weightType);
    const graph = [`onnx/${name}`, name].find(path => there.has(path));
    if (graph === undefined) continue;
    const data = paths.filter(path => isDataOf(graph, path));
    return { files: [...texts, graph, ...data], action: 'run', weightType };
  }

  const weightType = wanted;
  if (!isBuilt(weightType)) return null;
  if (there.has('model.safetensors')) {
    return { files: [...texts, 'model.safetensors'], action: 'build', weightType };
  }
  if (!there.has('model.safetensors.index.json')) return null;
  const shards = paths.filter(path => /^model-\d+-of-\d+\.safetensors$/.test(path));
  return { files: [...texts, 'model.safetensors.index.json', ...shards], action: 'build', weightType };
}

/** Files other than the weights that affect prompts and answers. */
export const TEXT_FILES = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'chat_template.jinja',
  'chat_template.json',
  'hefix.json',
] as const;

const exportOrder = ['q4', 'q8', 'int8', 'uint8', 'fp32', 'q4f16', 'fp16', 'bnb4'] as const;

/** Whether hefix can build graphs of this type. */
export function isBuilt(weightType: WeightType): weightType is BuiltWeightType | 'auto' {
  return weightType === 'auto' || builtTypes.some(built => built === weightType);
}

/** `model.onnx_data`, `model.onnx_data_1`, `model.onnx.data`: the names that exporters use. */
function isDataOf(graph: string, path: string): boolean {
  return path.startsWith(graph) && /^[._]data(_\d+)?$/.test(path.slice(graph.length));
}
