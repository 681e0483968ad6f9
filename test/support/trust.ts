import { readFolderSettings, trustFolder } from '../../lib/options/trust/trusted-folders.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Trusts a folder as it is now. Resolves with an environment in which that is remembered. */
export async function trusting(folder: string): Promise<{ readonly XDG_STATE_HOME: string }> {
  const environment = { XDG_STATE_HOME: await temporaryFolder() };
  await trustFolder(folder, readFolderSettings(folder), environment, new Date(0));
  return environment;
}
