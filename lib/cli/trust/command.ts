import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { HefixError } from '../../core/errors.ts';
import { printable } from '../../core/text.ts';
import { targetNotFound } from '../../fix/errors.ts';
import { providerKeyNames } from '../../model/server/providers.ts';
import { commandTables } from '../../options/command-tables.ts';
import { type Environment, parsed, refusedOptions, refusedVariables } from '../../options/settings.ts';
import { parseTrustOptions, trustOptions } from '../../options/tables/trust-options.ts';
import {
  type FolderSettings,
  isTrusted,
  readFolderSettings,
  type TrustedFolder,
  trustFolder,
} from '../../options/trust/trusted-folders.ts';
import type { Command } from '../command.ts';
import { ask } from '../terminal/terminal.ts';

export const command: Command = {
  description:
    'Lets the files of a folder (hefix.config.json, the key hefix of package.json, .env) set every option and variable, until one of them changes. Shows what they set and asks first.',
  operands: { usage: '[folder]', min: 0, max: 1 },
  options: trustOptions,
  examples: ['hefix trust', 'hefix trust --list', 'hefix trust --remove ~/projects/stats'],
  endsAtOnce: true,
  async run(input, io, [named = '.']) {
    const { list, remove } = parseTrustOptions(input);
    const { forgetFolder, trustedFolders } = await import('../../options/trust/trusted-folders.ts');
    if (list) {
      io.print(trustedText(trustedFolders(process.env)));
      return 0;
    }
    if (remove) {
      const wasTrusted = await forgetFolder(named, process.env);
      io.print(`${printable(named)} ${wasTrusted ? 'is no longer' : 'was not'} trusted.`);
      return 0;
    }
    const trust = await folderTrust(named, process.env);
    const folder = printable(trust.folder);
    if (trust.isTrusted) {
      io.print(`${folder} is trusted already.`);
      return 0;
    }
    if (trust.needing.length === 0) {
      io.print(`The files of ${folder} set nothing that needs trust.`);
      return 0;
    }
    if (!process.stdin.isTTY) throw trustNeedsTerminal();
    io.terminal.write(`The files of ${folder} set:\n${trust.needing.map(line => `  ${line}\n`).join('')}`);
    const answer = await ask('Trust them until they change? [y/N] ', io.signal);
    if (!/^y(es)?$/i.test(answer)) {
      io.print(`${folder} is not trusted.`);
      return 1;
    }
    await trust.confirm(new Date());
    io.print(`${folder} is trusted. hefix trust --remove takes it back.`);
    return 0;
  },
};

function trustNeedsTerminal(): HefixError {
  return new HefixError(
    'TRUST_NEEDS_TERMINAL',
    'hefix trust asks for confirmation, and standard input is no terminal.',
    'Run it yourself in a terminal; scripts can give options on the command line.',
  );
}

/** What the files of a folder set, and whether the user has confirmed it. */
interface FolderTrust {
  readonly folder: string;
  readonly isTrusted: boolean;
  /** What needs trust, a line each: `hefix.config.json: base-url = "http://…"`, `.env: HF_ENDPOINT`. */
  readonly needing: readonly string[];
  /** Remembers the settings that were read, not what the files hold by then. */
  confirm(now: Date): Promise<void>;
}

/** @throws HefixError (`TARGET_NOT_FOUND`, `CONFIG_INVALID`) */
export async function folderTrust(path: string, environment: Environment): Promise<FolderTrust> {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw targetNotFound(path, undefined);
  const settings = readFolderSettings(folder);
  return {
    folder,
    isTrusted: isTrusted(folder, settings, environment),
    needing: [...(await optionsIn(settings)), ...variablesIn(settings)],
    confirm: now => trustFolder(folder, settings, environment, now),
  };
}

async function optionsIn({ configuration }: FolderSettings): Promise<string[]> {
  if (configuration === null) return [];
  const { path, values } = parsed(configuration);
  const tables = Object.values(await commandTables());
  return Object.entries(values)
    .filter(([name, value]) => tables.some(table => refusedOptions({ [name]: value }, table).length > 0))
    .map(([name, value]) => printable(`${path}: ${name} = ${JSON.stringify(value)}`));
}

function variablesIn(settings: FolderSettings): string[] {
  return refusedVariables(settings).map(name => {
    const scope = providerKeyNames.includes(name) ? ', for other addresses than its provider’s' : '';
    return printable(`${settings.variables?.path}: ${name}${scope}`);
  });
}

/** One line for each folder. */
function trustedText(folders: readonly TrustedFolder[]): string {
  if (folders.length === 0) return 'No folder is trusted.';
  return folders.map(({ folder, since }) => `${printable(folder)}  since ${since.slice(0, 10)}`).join('\n');
}
