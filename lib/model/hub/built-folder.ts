import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { type Batching, DIVERGENCE_LIMIT, type Exactness, exactnessSchema } from '../../core/measurements.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { isSystemError } from '../../files/errors.ts';
import { withLock } from '../../files/lock.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { parseJson } from '../../files/parse-json.ts';
import { readRegularText } from '../../files/regular-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { fileSize } from '../../hub/cache-layout.ts';
import { readArchitecture } from '../build/architecture.ts';
import { type BuildProgress, type BuiltWeightType, builtTypes } from '../build/build-model.ts';
import { readConfigFile } from '../build/model-settings.ts';
import { modelNotBuilt } from '../errors.ts';
import { buildMeasured, measureBuilt } from '../exactness/build-measured.ts';
import { readBatching } from '../onnx/batched-passes.ts';
import { processorFeatures } from '../onnx/processor-features.ts';
import { onnxFileName, sequencesFile } from '../onnx/session.ts';
import { displayName, sourceState, type WeightSource, writeTexts } from './weight-source.ts';

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
 * from the float weights is within the limit, and float32 if none is: q8 is not tried if w8a8 is far from it. Throws the errors of buildMeasured.
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
  { onBuild, signal, env = process.env }: BuiltFolderOptions,
): Promise<BuiltFolder> {
  const folder = await builtFolderPath(source, env);
  const graph = join(folder, 'onnx', onnxFileName(weightType));
  const measured = async (): Promise<BuiltFolder | null> => {
    if ((await fileSize(graph)) === null) return null;
    const all = await readExactness(folder, weightType);
    const exactness = all[processorFeatures()];
    // One that was never measured cannot be.
    const isElsewhere = exactness === undefined && Object.keys(all).length > 0;
    return isElsewhere ? await measuredHere() : { folder, weightType, exactness: exactness ?? null };
  };
  /** The graph was measured on a processor with other kernels, whose rounding differs. */
  const measuredHere = async (): Promise<BuiltFolder> => {
    const weights = source.kind === 'gguf' ? { source: folder, gguf: source.path } : { source: source.path };
    const exactness = await measureBuilt({
      ...{ ...weights, name: displayName(source), graph, weightType },
      ...(onBuild && { onProgress: onBuild }),
      ...(signal && { signal }),
    });
    // In a cache that cannot be written to, the next run measures again.
    await writeExactness(folder, exactness).catch(() => {});
    return { folder, weightType, exactness, isNew: true };
  };
  const before = await measured();
  if (before !== null) return before;
  onBuild?.({ step: 'reading', weightType, doneWeights: 0, totalWeights: 1, secondsLeft: null });
  try {
    await writeTexts(source, folder);
    await limitContext(source, folder);
    await ensureDirectory(dirname(graph));
  } catch (error) {
    throw isSystemError(error) ? modelNotBuilt(folder, error) : error;
  }
  return await withLock(`${graph}.lock`, signal, async () => {
    const meanwhile = await measured();
    if (meanwhile !== null) return meanwhile;
    // The graph appears once it has been measured: `auto` decides by the result.
    const draft = join(folder, 'onnx', `.${weightType}.partial`);
    try {
      await rm(draft, { recursive: true, force: true });
      await ensureDirectory(draft);
      const exactness = await buildMeasured({
        ...(source.kind === 'gguf' ? { source: folder, gguf: source.path } : { source: source.path }),
        name: displayName(source),
        target: draft,
        weightType,
        ...(onBuild && { onProgress: onBuild }),
        ...(signal && { signal }),
      });
      if (exactness !== null) await writeExactness(folder, exactness);
      const name = onnxFileName(weightType);
      // The graph comes last: its presence means that the others are complete.
      const files = [`${name}_data`, basename(sequencesFile(name)), name];
      for (const file of files) {
        if (existsSync(join(draft, file))) await rename(join(draft, file), join(dirname(graph), file));
      }
      await removeOld(folder, source);
      return { folder, weightType, exactness, isNew: true };
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
}

/** A graph may have fewer positions than config.json names; see the rope type longrope. */
async function limitContext(source: WeightSource, folder: string): Promise<void> {
  const { contextLength } = await readArchitecture(source.kind === 'gguf' ? folder : source.path);
  const config = Object(await readConfigFile(folder)) as Record<string, unknown>;
  if (Number(config.max_position_embeddings) <= contextLength) return;
  const limited = { ...config, max_position_embeddings: contextLength };
  await writeFileAtomic(join(folder, 'config.json'), `${JSON.stringify(limited, null, 2)}\n`);
}

/** What was measured of the graphs that were built for the weights of `source`. */
export async function measuredOfBuilt(
  source: WeightSource,
  env = process.env,
): Promise<{ readonly exactness: Exactness[]; readonly batching: Batching[] }> {
  const folder = await builtFolderPath(source, env);
  const [exactness, batching] = await Promise.all([
    Promise.all(builtTypes.map(weightType => readExactness(folder, weightType))),
    Promise.all(builtTypes.map(weightType => readBatching(join(folder, 'onnx', onnxFileName(weightType))))),
  ]);
  return {
    exactness: exactness.flatMap(one => one[processorFeatures()] ?? []),
    batching: batching.filter(one => one !== null),
  };
}

/** Next to the graph. */
function exactnessFile(folder: string, weightType: BuiltWeightType): string {
  return join(folder, 'onnx', onnxFileName(weightType).replace(/\.onnx$/, '.exactness.json'));
}

async function writeExactness(folder: string, exactness: Exactness): Promise<void> {
  const { weightType } = exactness;
  const all = { ...(await readExactness(folder, weightType)), [processorFeatures()]: exactness };
  await writeFileAtomic(exactnessFile(folder, weightType), `${JSON.stringify(all, null, 2)}\n`);
}

/** By the features of the processor that it was measured on. */
async function readExactness(
  folder: string,
  weightType: BuiltWeightType,
): Promise<Readonly<Record<string, Exactness>>> {
  const text = await readRegularText(exactnessFile(folder, weightType), 2 ** 20).catch(() => '');
  return z.record(z.string(), exactnessSchema).safeParse(parseJson(text)).data ?? {};
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
