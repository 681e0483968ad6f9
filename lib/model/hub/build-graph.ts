import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Exactness } from '../../core/measurements.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { isSystemError } from '../../files/errors.ts';
import { withLock } from '../../files/lock.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { readArchitecture } from '../build/architecture.ts';
import type { BuildProgress, BuiltWeightType } from '../build/build-model.ts';
import { readConfigFile } from '../build/model-settings.ts';
import { modelNotBuilt } from '../errors.ts';
import { buildMeasured, measureBuilt } from '../exactness/build-measured.ts';
import { onnxFileName, sequencesFile } from '../onnx/session.ts';
import { builtGraphPath, findBuilt, writeExactness } from './built-graph.ts';
import { displayName, type WeightSource, writeTexts } from './weight-source.ts';

export interface BuildGraphOptions {
  readonly source: WeightSource;
  /** A folder in the hub's layout, for the graph and the texts; created if it is missing. */
  readonly folder: string;
  readonly weightType: BuiltWeightType;
}

interface BuildGraphContext {
  readonly onProgress: (progress: BuildProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Builds a graph and measures it; a graph that was built before, maybe by another process while this one waited, is
 * only measured, unless it was on a processor of this kind. Returns its closeness, null if it was not measured. Throws
 * the errors of buildMeasured.
 */
export async function buildGraph(
  options: BuildGraphOptions,
  context: BuildGraphContext,
): Promise<Exactness | null> {
  try {
    return await buildUnlessBuilt(options, context);
  } catch (error) {
    throw isSystemError(error) ? modelNotBuilt(options.folder, error) : error;
  }
}

async function buildUnlessBuilt(
  options: BuildGraphOptions,
  context: BuildGraphContext,
): Promise<Exactness | null> {
  const { source, folder, weightType } = options;
  const { onProgress, signal } = context;
  const graph = builtGraphPath(folder, weightType);
  const measured = async (): Promise<{ exactness: Exactness | null } | null> => {
    const built = await findBuilt(folder, weightType);
    return built?.isElsewhere ? { exactness: await measureHere(options, context) } : built;
  };
  const before = await measured();
  if (before !== null) return before.exactness;
  onProgress({ step: 'reading', weightType, doneWeights: 0, totalWeights: 1, secondsLeft: null });
  await writeTexts(source, folder);
  await limitContext(source, folder);
  await ensureDirectory(dirname(graph));
  return await withLock(`${graph}.lock`, signal, async () => {
    const meanwhile = await measured();
    if (meanwhile !== null) return meanwhile.exactness;
    // The graph appears once it has been measured: `auto` decides by the result.
    const draft = join(folder, 'onnx', `.${weightType}.partial`);
    try {
      await rm(draft, { recursive: true, force: true });
      await ensureDirectory(draft);
      const weights = { ...weightsOf(source, folder), name: displayName(source), weightType };
      const exactness = await buildMeasured({ ...weights, target: draft, ...context });
      if (exactness !== null) await writeExactness(folder, exactness);
      const name = onnxFileName(weightType);
      // The graph comes last: its presence means that the others are complete.
      for (const file of [`${name}_data`, basename(sequencesFile(name)), name]) {
        if (existsSync(join(draft, file))) await rename(join(draft, file), join(dirname(graph), file));
      }
      return exactness;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
}

/** The graph was measured on a processor with other kernels, whose rounding differs. */
async function measureHere(
  { source, folder, weightType }: BuildGraphOptions,
  context: BuildGraphContext,
): Promise<Exactness> {
  const graph = builtGraphPath(folder, weightType);
  const weights = { ...weightsOf(source, folder), name: displayName(source), weightType };
  const exactness = await measureBuilt({ ...weights, graph, ...context });
  // In a cache that cannot be written to, the next run measures again.
  await writeExactness(folder, exactness).catch(() => {});
  return exactness;
}

function weightsOf(source: WeightSource, folder: string): { source: string; gguf?: string } {
  return source.kind === 'gguf' ? { source: folder, gguf: source.path } : { source: source.path };
}

/** A graph may have fewer positions than config.json names; see the rope type longrope. */
async function limitContext(source: WeightSource, folder: string): Promise<void> {
  const { contextLength } = await readArchitecture(source.kind === 'gguf' ? folder : source.path);
  const config = Object(await readConfigFile(folder)) as Record<string, unknown>;
  if (Number(config.max_position_embeddings) <= contextLength) return;
  const limited = { ...config, max_position_embeddings: contextLength };
  await writeFileAtomic(join(folder, 'config.json'), `${JSON.stringify(limited, null, 2)}\n`);
}
