import { dirname } from 'node:path';
import { HefixError } from '../../core/errors.ts';
import type { Exactness } from '../../core/measurements.ts';
import { isSystemError } from '../../files/errors.ts';
import { type BuildOptions, buildModel, openWeights, roundingFormats } from '../build/build-model.ts';
import { modelNotBuilt } from '../errors.ts';
import { readModelConfig } from '../model-folder.ts';
import { physicalCores } from '../onnx/thread/physical-cores.ts';
import { calibrate } from './calibrate.ts';
import { measureExactness } from './measure-exactness.ts';
import { sampleTokens } from './sample-tokens.ts';

export interface BuildMeasuredOptions extends Omit<BuildOptions, 'preparation'> {
  /** For error messages. */
  readonly name: string;
}

/**
 * Builds a graph whose rounding was prepared on a built-in text, and compares it with the float weights on
 * another. The float weights are read a layer at a time; no more than the built graph and one layer is in
 * memory. `source` also has the tokenizer's files; without them, the graph is neither prepared nor measured.
 * Null for float32, which is exact, and without a tokenizer. Throws the errors of buildModel and
 * sampleTokens.
 */
export async function buildMeasured(options: BuildMeasuredOptions): Promise<Exactness | null> {
  const { source, gguf, target, weightType, name, signal } = options;
  const format = roundingFormats[weightType];
  const { architecture, checkpoint } = await openWeights(source, weightType, gguf);
  const threads = physicalCores();
  try {
    const tokens = format && (await sampleTokens(source, name, architecture).catch(withoutTokenizer));
    if (tokens === null) {
      await buildModel(options);
      return null;
    }
    options.onProgress?.({ doneWeights: 0, totalWeights: checkpoint.totalWeights, secondsLeft: null });
    const floats = { checkpoint, architecture, source, threads, signal };
    const { preparation, hidden } = await calibrate({ ...floats, ...tokens, format });
    const graph = await buildModel({ ...options, preparation });
    const config = await readModelConfig(source);
    return await measureExactness({ ...floats, graph, weightType, config, ids: tokens.check, hidden });
  } catch (error) {
    throw isSystemError(error) ? modelNotBuilt(dirname(target), error) : error;
  } finally {
    await checkpoint.close();
  }
}

/** The loader reports which file is missing. */
function withoutTokenizer(error: unknown): null {
  if (error instanceof HefixError && error.code === 'MODEL_FILE_MISSING') return null;
  throw error;
}
