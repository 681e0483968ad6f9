import { z } from 'zod';
import { examineMachine } from '../doctor/examine-machine.ts';
import type { Finding } from '../doctor/finding.ts';
import { cacheFolder } from '../model/cache/cache-folder.ts';
import { readEnvironment } from './environment.ts';
import type { Flag } from './flags.ts';
import { flag } from './option-checks.ts';

export const doctorOptionsSchema = z.strictObject({ json: flag() });

export const doctorFlags: Readonly<Record<keyof z.infer<typeof doctorOptionsSchema>, Flag>> = {
  json: { flags: '--json', group: 'Output', about: 'print one JSON array' },
};

/** What this machine has of what hefix can use. */
export async function doctor(): Promise<readonly Finding[]> {
  const environment = readEnvironment(process.cwd(), process.env);
  return await examineMachine({ modelCache: cacheFolder(environment), environment });
}
