import { reason } from '../../core/errors.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { readEnvironment } from '../../options/environment.ts';
import { folderTrust } from '../trust/trust.ts';
import { checkHost } from './check-host.ts';
import { type Finding, good, missing } from './finding.ts';

/** What hefix can use on this system. */
export async function doctor(): Promise<readonly Finding[]> {
  const environment = readEnvironment(process.cwd(), process.env);
  const host = await checkHost({ modelCache: cacheFolder(environment), environment });
  return [...host, folder(process.cwd())];
}

/** What the files of the current folder set. */
function folder(path: string): Finding {
  try {
    const { isTrusted, needing } = folderTrust(path, process.env);
    if (needing.length === 0) return good('folder', `${path} sets nothing that needs trust`);
    if (isTrusted)
      return good('folder', `${path} is trusted; it sets ${needing.length} options or variables`);
    return missing('folder', needing.join('; '), 'They count only after hefix trust.');
  } catch (error) {
    return missing('folder', reason(error), 'Mend the file.');
  }
}
