import { createHash } from 'node:crypto';
import { readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Batching, DIVERGENCE_LIMIT, type Exactness } from '../../core/measurements.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { type BuildProgress, type BuiltWeightType, builtTypes } from '../build/build-model.ts';
import { readBatching } from '../onnx/batched-passes.ts';
import { processorFeatures } from '../onnx/processor-features.ts';
import { buildInProcess } from './build-in-process.ts';
import { builtGraphPath, findBuilt, readExactness } from './built-graph.ts';
import { displayName, sourceState, type WeightSource } from './weight-source.ts';

export interface BuiltFolderOptions {
  readonly onBuild?: (progress: BuildProgress) => void;
  /** Receives the closeness of a type that `auto` measured now and does not take, before it builds another. */
  readonly onRefused?: (exactness: Exactness) => void;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

/** A folder with a built graph. */
export interface BuiltFolder {
  readonly folder: string;
  readonly weightType: BuiltWeightType;
  /** Null if it was not measured: float32 is exact, and without a tokenizer there is no text. */
  readonly exactness: Exactness | null;
  /** Whether it was built or measured by this call. */
  readonly isNew?: boolean;
}

/**
 * A folder in the hub's layout with a graph built from the weights of `source`. It is kept in hefix's cache and rebuilt
 * when the source changes; what was built before is then removed. `auto` builds the fastest weight type whose divergence
 * from the float weights is within the limit, and float32 if none is: q8 is not tried if w8a8 is far from it. Throws the errors of buildInProcess.
 */
export async function builtFolder(
  source: WeightSource,
  wanted: BuiltWeightType | 'auto',
  options: BuiltFolderOptions = {},
): Promise<BuiltFolder> {
  if (wanted !== 'auto') return await builtType(source, wanted, options);
  for (const weightType of FASTEST_FIRST) {
    const built = await builtType(source, weightType, options);
    if (built.exactness === null || built.exactness.divergence <= DIVERGENCE_LIMIT) return built;
    if (built.isNew) options.onRefused?.(built.exactness);
    if (built.exactness.divergence > HOPELESS * DIVERGENCE_LIMIT) break;
  }
  return await builtType(source, 'fp32', options);
}

/** On a CPU, for prompts and drafts. */
const FASTEST_FIRST = ['w8a8', 'q8'] as const;

/** q8 is closer than w8a8, but not expected to be twice as close. */
const HOPELESS = 2;

async function builtType(
  source: WeightSource,
  weightType: BuiltWeightType,
  { onBuild = () => {}, signal, env = process.env }: BuiltFolderOptions,
): Promise<BuiltFolder> {
  const folder = await builtFolderPath(source, env);
  const before = await findBuilt(folder, weightType);
  if (before !== null && !before.isElsewhere) return { folder, weightType, exactness: before.exactness };
  const options = { source, folder, weightType };
  const exactness = await buildInProcess(options, { name: displayName(source), onProgress: onBuild, signal });
  await removeOld(folder, source);
  return { folder, weightType, exactness, isNew: true };
}

/** What was measured of the graphs that were built for the weights of `source`. */
export async function measuredOfBuilt(
  source: WeightSource,
  env = process.env,
): Promise<{ readonly exactness: Exactness[]; readonly batching: Batching[] }> {
  const folder = await builtFolderPath(source, env);
  const [exactness, batching] = await Promise.all([
    Promise.all(builtTypes.map(weightType => readExactness(folder, weightType))),
    Promise.all(builtTypes.map(weightType => readBatching(builtGraphPath(folder, weightType)))),
  ]);
  return {
    exactness: exactness.flatMap(one => one[processorFeatures()] ?? []),
    batching: batching.filter(one => one !== null),
  };
}

/** Changes with the builder, so that graphs of older versions are rebuilt. */
const BUILDER = 11;

/** `models/<name>-<hash of the source's path>-<hash of its state>`; a hub id is a name with `--` for `/`. */
async function builtFolderPath(source: WeightSource, env: NodeJS.ProcessEnv): Promise<string> {
  const path = hashOf(await realpath(source.path)).slice(0, 8);
  const state = hashOf(`${BUILDER} ${await sourceState(source)}`).slice(0, 16);
  return join(cacheFolder(env), 'models', `${displayName(source)}-${path}-${state}`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Removes what other versions of hefix built from the same source, and what was built from it as it was. */
async function removeOld(folder: string, source: WeightSource): Promise<void> {
  const name = basename(folder);
  const ofSource = name.slice(0, -16);
  // Of versions that did not hash the path.
  const isEarlier = (other: string) =>
    other.startsWith(`${displayName(source)}-`) &&
    /^[0-9a-f]{16}$/.test(other.slice(displayName(source).length + 1));
  for (const other of await readdir(dirname(folder)))
    if (other !== name && (other.startsWith(ofSource) || isEarlier(other)))
      await rm(join(dirname(folder), other), { recursive: true, force: true }).catch(() => {});
}
