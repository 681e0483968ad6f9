import { reason } from '../../core/errors.ts';
import { printableJson } from '../../core/text.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { parseOptions } from '../../options/option.ts';
import { readEnvironment } from '../../options/settings.ts';
import { doctorOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { folderTrust } from '../trust/command.ts';
import { checkHost } from './check-host.ts';
import { type Finding, formatFindings, good, missing } from './finding.ts';

export const command: Command = {
  description:
    'Checks what hefix can use on this system, and how to get the rest. Exit code 1: hefix cannot run here, or with --prove a protection does not hold.',
  options: doctorOptions,
  examples: ['hefix doctor', 'hefix doctor --prove'],
  endsAtOnce: true,
  async run(input, { print }) {
    const { json, prove } = parseOptions(doctorOptions, input);
    if (prove) {
      const { proveIsolation, provenText } = await import('./prove-isolation.ts');
      const proven = await proveIsolation();
      print(json ? printableJson(proven) : provenText(proven).trimEnd());
      return proven.some(({ protections }) => protections.some(({ held }) => !held)) ? 1 : 0;
    }
    const findings = await doctor();
    const { colors } = terminalOf(process.stdout, process.env);
    print(json ? printableJson(findings) : formatFindings(findings, colors.isColorSupported));
    return findings.some(({ state }) => state === 'unusable') ? 1 : 0;
  },
};

/** What hefix can use on this system. */
async function doctor(): Promise<readonly Finding[]> {
  const environment = readEnvironment(process.cwd(), process.env);
  const host = await checkHost({ cache: cacheFolder(environment), environment });
  return [...host, await folder(process.cwd())];
}

/** What the files of the current folder set. */
async function folder(path: string): Promise<Finding> {
  try {
    const { isTrusted, needing } = await folderTrust(path, process.env);
    if (needing.length === 0) return good('folder', `${path} sets nothing that needs trust`);
    if (isTrusted)
      return good('folder', `${path} is trusted; it sets ${needing.length} options or variables`);
    return missing('folder', needing.join('; '), 'They count only after hefix trust.');
  } catch (error) {
    return missing('folder', reason(error), 'Mend the file.');
  }
}
