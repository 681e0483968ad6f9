import { z } from 'zod';
import { cacheFolder } from '../model/cache/cache-folder.ts';
import { readEnvironment } from '../options/environment.ts';
import { flag } from '../options/option-checks.ts';
import type { Flag } from '../options/run-flags.ts';
import { checkHost } from './check-host.ts';
import type { Finding } from './finding.ts';

export const doctorOptionsSchema = z.strictObject({ json: flag() });

export const doctorFlags: Readonly<Record<keyof z.infer<typeof doctorOptionsSchema>, Flag>> = {
  json: { flags: '--json', group: 'Output', about: 'print one JSON array' },
};

/** What this machine has of what hefix can use. */
export async function doctor(): Promise<readonly Finding[]> {
  const environment = readEnvironment(process.cwd(), process.env);
  return await checkHost({ modelCache: cacheFolder(environment), environment });
}
