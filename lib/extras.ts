import type { Command, CommandEntry } from './cli/command.ts';
import * as listed from './extra/list.ts';
import type { OptionTable } from './options/option.ts';

/**
 * What a folder of lib/extra adds. Its `extra.ts` exports one, and imports the rest of the folder when it is asked for: an
 * extra that nobody uses costs one small file.
 */
export interface Extra {
  /** By name, in the order of the overview. */
  readonly commands?: Readonly<Record<string, ExtraCommand>>;
  /** Folders of hefix's cache, and how large each may grow. */
  readonly caches?: Readonly<Record<string, string>>;
}

interface ExtraCommand extends Omit<CommandEntry, 'name'> {
  load(): Promise<Command>;
  /** Its options, without the rest of it. */
  options(): Promise<OptionTable>;
}

export const extras: readonly Extra[] = Object.values<Extra>(listed);
