import type { OptionValues } from '../../options/option.ts';
import type { machineOptions } from '../../options/tables/command-options.ts';
import { formatMachine } from '../../repair/machine-formats.ts';
import { allMachines } from '../../repair/machines.ts';
import { machinePicture } from '../../viewer/machine-picture.ts';

/**
 * The machine of an agent, or of `hefix fix`, as text, or as the bytes of a PNG.
 * @throws HefixError (`RENDERER_MISSING`) for a picture
 */
export async function printMachine({
  format,
  agent,
}: OptionValues<typeof machineOptions>): Promise<string | Uint8Array> {
  const machine = allMachines[agent];
  if (format === 'svg' || format === 'png') return await machinePicture(machine, format);
  return formatMachine(machine, format);
}
