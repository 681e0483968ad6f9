import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '../../core/printable.ts';
import { targetNotFound } from '../../fix/errors.ts';
import { commandTables } from '../../options/command-tables.ts';
import { parsed, refusedOptions } from '../../options/configuration.ts';
import { type Environment, refusedVariables } from '../../options/environment.ts';
import { type FolderSettings, readFolderSettings } from '../../trust/folder-settings.ts';
import { isTrusted, type TrustedFolder, trustFolder } from '../../trust/trusted-folders.ts';

/** What the files of a folder set, and whether the user has confirmed it. */
export interface FolderTrust {
  readonly folder: string;
  readonly isTrusted: boolean;
  /** What needs trust, a line each: `hefix.config.json: base-url = "http://…"`, `.env: HF_ENDPOINT`. */
  readonly needing: readonly string[];
  /** Remembers the settings that were read, not what the files hold by then. */
  confirm(now: Date): Promise<void>;
}

/** @throws HefixError (`TARGET_NOT_FOUND`, `CONFIG_INVALID`) */
export function folderTrust(given: string, environment: Environment): FolderTrust {
  const folder = resolve(given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw targetNotFound(given, undefined);
  const settings = readFolderSettings(folder);
  return {
    folder,
    isTrusted: isTrusted(folder, settings, environment),
    needing: [...optionsIn(settings), ...variablesIn(settings)],
    confirm: now => trustFolder(folder, settings, environment, now),
  };
}

function optionsIn({ configuration }: FolderSettings): string[] {
  if (configuration === null) return [];
  const { path, values } = parsed(configuration);
  const tables = Object.values(commandTables);
  return Object.entries(values)
    .filter(([name, value]) => tables.some(table => refusedOptions({ [name]: value }, table).length > 0))
    .map(([name, value]) => printable(`${path}: ${name} = ${JSON.stringify(value)}`));
}

function variablesIn(settings: FolderSettings): string[] {
  return refusedVariables(settings).map(name => printable(`${settings.variables?.path}: ${name}`));
}

/** One line for each folder. */
export function trustedText(folders: readonly TrustedFolder[]): string {
  if (folders.length === 0) return 'No folder is trusted.';
  return folders.map(({ folder, since }) => `${printable(folder)}  since ${since.slice(0, 10)}`).join('\n');
}
