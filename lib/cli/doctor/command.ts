import { printableJson } from '../../core/printable.ts';
import { parseOptions } from '../../options/option.ts';
import { doctorOptions } from '../../options/tables/command-options.ts';
import { terminalOf } from '../../terminal/terminal.ts';
import type { Command } from '../command.ts';

export const doctorCommand: Command = {
  description:
    'Checks what hefix can use on this system, and how to get the rest. Exit code 1: hefix cannot run here.',
  options: doctorOptions,
  examples: ['hefix doctor', 'hefix doctor --prove'],
  async run(given, { print }) {
    const { json, prove } = parseOptions(doctorOptions, given);
    if (prove) {
      const { proveIsolation, provenText } = await import('./prove-isolation.ts');
      const proven = await proveIsolation();
      print(json ? printableJson(proven) : provenText(proven).trimEnd());
      return proven.some(({ protections }) => protections.some(({ held }) => !held)) ? 1 : 0;
    }
    const { doctor } = await import('./doctor.ts');
    const { formatFindings } = await import('./finding.ts');
    const findings = await doctor();
    const { colors } = terminalOf(process.stdout, process.env);
    print(json ? printableJson(findings) : formatFindings(findings, colors.isColorSupported));
    return findings.some(({ state }) => state === 'unusable') ? 1 : 0;
  },
};
