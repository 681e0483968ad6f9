import { dirname, extname } from 'node:path';
import { printable } from '../../core/text.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { outNotWritable } from '../../files/errors.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { type OptionValues, optionNeeds, parseOptions } from '../../options/option.ts';
import { machineOptions } from '../../options/tables/command-options.ts';
import { allMachines } from '../../repair/all-machines.ts';
import { formatMachine } from '../../repair/machine-formats.ts';
import { machinePicture } from '../../report/viewer/machine-picture.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  description: 'Prints the state machine of an agent, or of hefix fix.',
  options: machineOptions,
  examples: [
    'hefix machine --format ascii',
    'hefix machine --format stately --out machine.js',
    'hefix machine --out machine.svg',
    'hefix machine --agent project',
  ],
  endsAtOnce: true,
  async run(input, { print, terminal }) {
    const options = parseOptions(machineOptions, input);
    const { out } = options;
    const format = options.format ?? formats[extname(out ?? '').toLowerCase()] ?? 'mermaid';
    if (format === 'png' && out === undefined && process.stdout.isTTY)
      throw optionNeeds('--format png', '--out on a terminal');
    const printed = await printMachine({ ...options, format });
    if (out !== undefined) {
      await write(out, printed);
      terminal.write(`machine in ${printable(out)}\n`);
    } else if (typeof printed === 'string') print(printed.trimEnd());
    else process.stdout.write(printed);
    return 0;
  },
};

/** The formats that names of files stand for. */
const formats: Readonly<Record<string, NonNullable<MachineOptions['format']>>> = {
  '.svg': 'svg',
  '.png': 'png',
  '.js': 'stately',
  '.json': 'json',
  '.mmd': 'mermaid',
};

/** @throws HefixError (`OUT_NOT_WRITABLE`) */
async function write(path: string, printed: string | Uint8Array): Promise<void> {
  try {
    await ensureDirectory(dirname(path));
    await writeFileAtomic(path, printed);
  } catch (cause) {
    throw outNotWritable(path, cause);
  }
}

type MachineOptions = OptionValues<typeof machineOptions>;

/** The machine of an agent, or of `hefix fix`, as text, or as the bytes of a PNG. */
export async function printMachine({
  format,
  agent,
}: Pick<MachineOptions, 'agent'> & Required<Pick<MachineOptions, 'format'>>): Promise<string | Uint8Array> {
  const machine = allMachines[agent];
  if (format === 'svg' || format === 'png') return await machinePicture(machine, format);
  return formatMachine(machine, format ?? 'mermaid');
}
