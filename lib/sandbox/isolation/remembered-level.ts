import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder, openOwnCache } from '../../files/own-cache.ts';
import { packageFile } from '../../files/package-root.ts';
import { findProgram } from './programs.ts';

/** What the probes of a level found. */
const probedSchema = z.object({
  /** What confine.py established, and has to establish in every jail from now on. */
  holds: z.array(z.string()),
  /** Whether confine.py can seal device files. */
  seal: z.boolean(),
  /** Whether jails inside a jail hold as much. */
  hasOuter: z.boolean(),
});
export type ProbedLevel = z.infer<typeof probedSchema>;

/**
 * What an earlier process found about the strongest level. A stale entry cannot weaken a jail: each jail establishes
 * all that was found, or does not start.
 */
export interface RememberedLevel {
  read(): Promise<ProbedLevel | undefined>;
  /** Undefined to forget it. */
  write(probed: ProbedLevel | undefined): Promise<void>;
}

/** @param files the files that the interpreter reads */
export function rememberedLevel(files: readonly string[]): RememberedLevel {
  const cache = openOwnCache(join(cacheFolder(process.env), 'isolation'));
  const key = JSON.stringify([...systemState(), ...files]);
  return {
    read: async () => probedSchema.safeParse(await cache.read(key)).data,
    write: probed => cache.write(key, probed ?? null),
  };
}

/** Changes with a restart, in another container or as another user, and with bubblewrap and confine.py. */
function systemState(): string[] {
  const programs = [findProgram('bwrap') ?? '', packageFile('lib/sandbox/python/programs/jail/confine.py')];
  return [
    ...['/proc/sys/kernel/random/boot_id', '/proc/self/uid_map'].map(
      attempt(path => readFileSync(path, 'utf8')),
    ),
    ...['mnt', 'net', 'user'].map(attempt(name => readlinkSync(`/proc/self/ns/${name}`))),
    ...programs.map(attempt(path => `${path} ${statSync(path).mtimeMs}`)),
    String(process.geteuid?.()),
  ];
}

function attempt(read: (path: string) => string): (path: string) => string {
  return path => {
    try {
      return read(path);
    } catch {
      return '';
    }
  };
}
