import { cacheFolder } from '../files/cache-folder.ts';
import { readEnvironment } from '../options/environment.ts';
import { checkHost } from './check-host.ts';
import type { Finding } from './finding.ts';

/** What hefix can use on this system. */
export async function doctor(): Promise<readonly Finding[]> {
  const environment = readEnvironment(process.cwd(), process.env);
  return await checkHost({ modelCache: cacheFolder(environment), environment });
}
