import type { Command, CommandEntry } from './cli/command.ts';
import type { Finding } from './cli/doctor/finding.ts';
import type { Sandbox } from './core/ports.ts';
import type { Language } from './core/task.ts';
import * as listed from './extra/list.ts';
import type { OptionTable } from './options/option.ts';
import type { SandboxOptions } from './sandbox/process/execution.ts';

/**
 * What a folder of lib/extra adds. Its `extra.ts` exports one, and imports the rest of the folder when it is asked for: an
 * extra that nobody uses costs one small file.
 */
export interface Extra {
  /** By name, in the order of the overview. */
  readonly commands?: Readonly<Record<string, ExtraCommand>>;
  /** Languages whose candidates it judges. */
  readonly languages?: Readonly<Partial<Record<Language, ExtraLanguage>>>;
  /** By the name that --sandbox takes; they judge Python. */
  readonly sandboxes?: Readonly<Record<string, ExtraSandbox>>;
  /** What `hefix doctor` tells about it. */
  readonly findings?: (environment: Environment) => Promise<readonly Finding[]>;
  /** Folders of hefix's cache, and how large each may grow. */
  readonly caches?: Readonly<Record<string, string>>;
}

interface ExtraCommand extends Omit<CommandEntry, 'name'> {
  load(): Promise<Command>;
  /** Its options, without the rest of it. */
  options(): Promise<OptionTable>;
}

export interface ExtraLanguage {
  /** Starts its sandbox. Rejects with its HefixErrors. */
  start(options: SandboxOptions): Promise<Sandbox>;
  /** What this system lacks for it, `Rust, since there is no rustc`; null if it has all. */
  missing(): Promise<string | null>;
}

interface ExtraSandbox {
  /** What it is, as the help of --sandbox says it. */
  readonly about: string;
  /** Rejects with its HefixErrors. */
  start(options: SandboxOptions, environment: Environment): Promise<Sandbox>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const extras: readonly Extra[] = Object.values<Extra>(listed);
