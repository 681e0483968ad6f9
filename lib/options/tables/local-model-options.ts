import { devices } from '../../model/onnx/devices.ts';
import { optionConflict } from '../errors.ts';
import { longName, type OptionTable, withEach } from '../option.ts';
import { choice, flag, wholeNumber } from '../option-checks.ts';

/** The weight types of graphs that hefix builds; `auto` takes the best available one for a CPU. */
const dtypes = ['auto', 'fp32', 'q8', 'q4', 'q4-128', 'w8a8'] as const;

/** The options of models that run on this system. */
export const localModelOptions = {
  ...withEach(
    { group: 'Model' },
    {
      dtype: {
        schema: choice(dtypes).default('auto'),
        argument: '<type>',
        about: `weight type: ${dtypes.join(', ')}`,
        folderMaySet: true,
      },
      device: {
        schema: choice(devices).default('cpu'),
        argument: '<name>',
        about: `execution provider: ${devices.join(', ')}; the CPU if it cannot be used`,
        decidesResults: true,
        folderMaySet: true,
      },
      requireDevice: { schema: flag(), about: 'stop if the device cannot be used' },
      threads: {
        schema: wholeNumber(1, 1024).optional(),
        argument: '<n>',
        about: 'number of inference threads',
        defaultText: 'one per physical core',
        folderMaySet: true,
      },
      noLookup: {
        schema: flag(),
        about: 'turn prompt-lookup decoding off; slower, same output',
        folderMaySet: true,
      },
    },
  ),
} as const satisfies OptionTable;

/**
 * Rejects these options for other backends; `given` are the options without defaults.
 * @throws HefixError (`OPTION_INVALID`)
 */
export function checkLocalModelOptions(backend: string, given: Readonly<Record<string, unknown>>): void {
  if (backend === 'onnx') return;
  const stray = Object.keys(localModelOptions).find(key => given[key] !== undefined);
  if (stray !== undefined) throw optionConflict(longName(stray), `--backend ${backend}`);
}
