import { optionInvalid } from '../core/errors.ts';
import { devices } from '../model/onnx/devices.ts';
import { choice, flag, longFlag, wholeNumber } from './option-checks.ts';

/** The weight types of graphs that hefix builds; `auto` takes the best that a model has for a CPU. */
export const dtypes = ['auto', 'fp32', 'q8', 'q4', 'q4-128', 'w8a8'] as const;

/** The options of a model that this machine computes. */
export const localModelOptions = {
  dtype: choice(dtypes).default('auto'),
  device: choice(devices).default('cpu'),
  /** The physical cores unless given. */
  threads: wholeNumber(1, 1024).optional(),
  noLookup: flag(),
};

/**
 * Refuses them where another machine computes, or none; `given` are the options without defaults.
 * @throws HefixError (`OPTION_INVALID`)
 */
export function checkLocalModelOptions(backend: string, given: Readonly<Record<string, unknown>>): void {
  if (backend === 'onnx') return;
  const stray = Object.keys(localModelOptions).find(key => given[key] !== undefined);
  if (stray !== undefined) throw optionInvalid(longFlag(stray), given[stray], 'no other --backend than onnx');
}
