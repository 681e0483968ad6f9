import {
  doctor,
  doctorFlags,
  doctorOptionsSchema,
  formatFindings,
  parseOptions,
  printableJson,
  terminalOf,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'tell what this machine offers and how to get the rest; exit code 1 if hefix cannot work',
  flags: Object.values(doctorFlags),
  defaults: doctorOptionsSchema.parse({}),
  examples: ['hefix doctor'],
  async run(given, { print }) {
    const { json } = parseOptions(doctorOptionsSchema, given);
    const findings = await doctor();
    const { colors } = terminalOf(process.stdout, process.env);
    print(json ? printableJson(findings) : formatFindings(findings, colors.isColorSupported));
    return findings.some(({ state }) => state === 'broken') ? 1 : 0;
  },
};
